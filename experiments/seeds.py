"""Seeds of a run: one numpy SeedSequence for each (experiment, pair, stream), computed for many pairs at once.

A run of a hundred thousand pairs needs half a million seeds. Building that many `numpy.random.SeedSequence` objects
costs more time than the compiled rules need for short matches, so the same published algorithm (numpy documentation,
"Parallel random number generation") is written here over arrays; a test holds it equal to numpy's own, seed by seed.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

STREAMS = 5
"""Streams that a match reads: shuffle of seat A, shuffle of seat B, effect rolls, bot of seat A, bot of seat B."""

_POOL_SIZE = 4
_INIT_A, _MULT_A = 0x43B0D7E5, 0x931E8875
_INIT_B, _MULT_B = 0x8B51F9DD, 0x58F38DED
_MIX_L, _MIX_R = 0xCA01F9DD, 0x4973F715
_SHIFT = np.uint32(16)
_WORD = 0xFFFFFFFF


class Purpose(IntEnum):
    """What a spawn key's last entry stands for, beyond the streams of a match."""

    SECOND_MATCH = 8  # added to the stream of the second match of a pair that shares no seeds
    DECK = 101  # content of a random deck; the middle entry is the deck's number
    DECK_ORDER = 2**24  # which decks meet: one key for each deck from here; the middle entry is the round
    BOT_ORDER = 2**25  # which bots play them: one key for each pair of bots from here; the middle entry is the round


class Experiment(IntEnum):
    """First entry of a spawn key: what the matches are played for, so that each purpose has fresh seeds."""

    RUN = 0
    CONFIRM = 1  # a re-measurement of an effect that a stopped test found
    SPEED = 2  # the matches a dry run plays to measure the speed


def _words(value: int) -> list[int]:
    """Returns a non-negative integer as 32-bit words, lowest first, at least one."""
    words = [value & _WORD]
    value >>= 32
    while value:
        words.append(value & _WORD)
        value >>= 32
    return words


class _Hash:
    """The running multiplier of the algorithm; it depends on the number of calls alone, so it is one for all rows."""

    def __init__(self, start: int, factor: int):
        self.constant, self.factor = start, factor

    def __call__(self, value: np.ndarray) -> np.ndarray:
        value = value ^ np.uint32(self.constant)
        self.constant = (self.constant * self.factor) & _WORD
        value = value * np.uint32(self.constant)
        return value ^ (value >> _SHIFT)


def _mix(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    result = x * np.uint32(_MIX_L) - y * np.uint32(_MIX_R)
    return result ^ (result >> _SHIFT)


def _pools(entropy: list[np.ndarray]) -> list[np.ndarray]:
    """Mixes columns of 32-bit entropy words, one row a sequence, into the pools of four words."""
    zero = np.zeros_like(entropy[0])
    hashed = _Hash(_INIT_A, _MULT_A)
    pool = [hashed(entropy[i] if i < len(entropy) else zero) for i in range(_POOL_SIZE)]
    for source in range(_POOL_SIZE):
        for target in range(_POOL_SIZE):
            if source != target:
                pool[target] = _mix(pool[target], hashed(pool[source]))
    for extra in entropy[_POOL_SIZE:]:
        for target in range(_POOL_SIZE):
            pool[target] = _mix(pool[target], hashed(extra))
    return pool


def spawned(run_seed: int, experiment: int, pairs: np.ndarray, streams: np.ndarray) -> np.ndarray:
    """Returns the first 64-bit state of SeedSequence(run_seed, spawn_key=(experiment, pair, stream)), top bit cleared.

    Args:
        run_seed: the run's seed, 0 or more, of any size.
        experiment: first entry of the spawn key, below 2**32.
        pairs: (n,) second entries, below 2**32.
        streams: (m,) third entries, below 2**32.

    Returns:
        (n, m) int64, each from 0 to 2**63 - 1.

    Source: METHOD 0; numpy.random.SeedSequence.
    """
    pairs, streams = np.asarray(pairs), np.asarray(streams)
    shape = (len(pairs), len(streams))
    seed_words = _words(run_seed)
    # With a spawn key numpy pads short entropy with zeros, so that key words never stand where entropy words could.
    seed_words += [0] * (_POOL_SIZE - len(seed_words))
    entropy = [np.full(shape, word, np.uint32) for word in seed_words]
    entropy.append(np.full(shape, experiment, np.uint32))
    entropy.append(np.broadcast_to(pairs.astype(np.uint32)[:, None], shape))
    entropy.append(np.broadcast_to(streams.astype(np.uint32)[None, :], shape))
    hashed = _Hash(_INIT_B, _MULT_B)
    low, high = (hashed(word).astype(np.uint64) for word in _pools(entropy)[:2])
    return ((low | (high << np.uint64(32))) & np.uint64(0x7FFFFFFFFFFFFFFF)).astype(np.int64)


def match_seeds(run_seed: int, experiment: int, pairs: np.ndarray, second: np.ndarray, common: bool) -> np.ndarray:
    """Returns the five stream seeds of each match.

    Args:
        run_seed: the run's seed.
        experiment: first entry of the spawn keys.
        pairs: (n,) pair of each match.
        second: (n,) True for the second match of its pair.
        common: whether both matches of a pair read the same seeds.

    Returns:
        (n, STREAMS) int64. Streams belong to the seat: in the second match decks and bots have changed seats, the
        seeds have not.
    """
    seeds = spawned(run_seed, experiment, pairs, np.arange(STREAMS))
    if not common:
        other = spawned(run_seed, experiment, pairs, np.arange(STREAMS) + Purpose.SECOND_MATCH)
        seeds = np.where(np.asarray(second)[:, None], other, seeds)
    return seeds


def generator(run_seed: int, experiment: int, number: int, purpose: Purpose) -> np.random.Generator:
    """Returns the generator of a choice the plan makes, such as the content of one deck.

    Args:
        run_seed: the run's seed.
        experiment: first entry of the spawn key.
        number: the deck or round the choice belongs to.
        purpose: what is chosen.
    """
    key = (int(experiment), int(number), int(purpose))
    return np.random.Generator(np.random.PCG64(np.random.SeedSequence(run_seed, spawn_key=key)))
