"""Which techniques the cards attached to a Companion unlock (R19.6)."""

from __future__ import annotations

import numpy as np
from numba import int64

from .codes import Flag, Zone
from .compiler import inner
from .layout import CARDS, M, P
from .zones import has_flag

ATTACHMENTS = 5  # R18.4
REQUIRE_SUIT, REQUIRE_KNOWLEDGE, REQUIRE_TAG = 0, 32, 64  # codes of technique requirements, see env/cards/pool.py


@inner(int64(M, P, int64, int64))
def meets_word(m, p, card, word):
    """Returns 1 if an attached card is what an entry of a technique's requirement names (R19.6)."""
    ident = p.card[m.ident[card]]
    if word < 0:
        return 0
    if word >= REQUIRE_TAG:
        bit = word - REQUIRE_TAG
        return 1 if int(ident.tags[bit >> 6]) & (1 << (bit & 63)) != 0 else 0
    if word >= REQUIRE_KNOWLEDGE:
        return 1 if int(ident.knowledges) & (1 << (word - REQUIRE_KNOWLEDGE)) != 0 else 0
    return 1 if ident.suit == word - REQUIRE_SUIT else 0


@inner(int64(M, P, int64, int64))
def is_unlocked(m, p, host, technique):
    """Returns 1 if distinct attached cards match every entry of a technique's requirement (R19.6).

    Sets of used attachments are bits; a set is reachable when the entries so far can be matched by exactly its cards.
    """
    t = p.technique[technique]
    if t.requires_n == 0:
        return 1
    under = np.empty(ATTACHMENTS, np.int64)
    n = 0
    for card in range(CARDS):
        if m.ident[card] >= 0 and m.zone[card] == Zone.ATTACHED and m.host[card] == host and n < ATTACHMENTS:
            if has_flag(m, card, Flag.BENEATH) == 0:
                under[n] = card
                n += 1
    reach = np.zeros(1 << ATTACHMENTS, np.int64)
    reach[0] = 1
    for k in range(int(t.requires_n)):
        after = np.zeros(1 << ATTACHMENTS, np.int64)
        some = 0
        for used in range(1 << n):
            if reach[used] == 0:
                continue
            for i in range(n):
                if used & (1 << i) == 0 and meets_word(m, p, under[i], int(t.requires[k])) != 0:
                    after[used | (1 << i)] = 1
                    some = 1
        if some == 0:
            return 0
        reach = after
    return 1
