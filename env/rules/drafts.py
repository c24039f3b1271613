"""What a declaration still lacks and costs: bar, selection, X, AP and energy (R7.1.3, R7.4, R7.5)."""

from __future__ import annotations

from numba import int64, void

from ..vocabulary import RangeType
from .codes import Kind
from .companions import summon_mana, technique_of
from .compiler import inner, local_array
from .costs import ANY, ENERGY_ARRAY, MANA, NEED, energy_total
from .entities import ENTITY_ENERGY, upkeep_cost
from .layout import M, P
from .opcodes import Select
from .prices import energy_need
from .targets import has_bar, range_type_of


@inner(int64(M, P))
def draft_bar(m, p):
    """Returns 1 if the drafted activation makes an attack."""
    if m.d_kind == Kind.TECHNIQUE:
        return int(p.technique[technique_of(m, p, int(m.d_char), int(m.d_card), int(m.d_technique))].has_damage)
    return has_bar(m, p, int(m.d_card), int(m.d_effect))


@inner(int64(M, P))
def draft_selects(m, p):
    """Returns what the drafted activation still has to select (opcodes.Select)."""
    if draft_bar(m, p) != 0:
        range_type = 0
        if m.d_kind != Kind.TECHNIQUE:
            range_type = range_type_of(m, p, int(m.d_char), int(m.d_card))
        else:
            range_type = int(p.technique[technique_of(m, p, int(m.d_char), int(m.d_card), int(m.d_technique))].range_type)
        if m.d_target >= 0 or range_type == RangeType.Area:
            return 0
        return 0 + Select.CHAR
    if m.d_effect < 0 or m.d_target >= 0 or m.d_tile >= 0:
        return 0
    return int(p.effect[m.d_effect].select)


@inner(int64(M, P))
def draft_needs_x(m, p):
    """Returns 1 if the drafted effect lets its activator choose an X and has not yet."""
    return 1 if m.d_effect >= 0 and m.d_x < 0 and p.effect[m.d_effect].x_max >= 0 else 0


@inner(void(M, P, ENERGY_ARRAY))
def draft_need(m, p, need):
    """Writes the energy cost of the draft."""
    for k in range(NEED):
        need[k] = 0
    if m.d_kind == Kind.SUMMON:
        need[MANA] = summon_mana(m, p, int(m.d_char), int(m.d_card))
        return
    if m.d_kind == Kind.TECHNIQUE:
        return
    if m.d_kind == Kind.AWAKEN or m.d_kind == Kind.UPKEEP:
        need[ANY] = ENTITY_ENERGY if m.d_kind == Kind.AWAKEN else upkeep_cost(m, p, int(m.d_char))
        return
    energy_need(m, p, int(m.d_char), int(m.d_card), int(m.d_effect), max(-1, int(m.d_event)), int(m.d_x), need)


@inner(int64(M, P))
def draft_energy(m, p):
    """Returns the energy the draft has to pay and has not yet."""
    if m.d_pay_n > 0:
        return 0
    need = local_array(NEED)
    draft_need(m, p, need)
    return energy_total(need)


@inner(int64(M, int64))
def is_drafted(m, card):
    """Returns 1 if a copy is among the Skills just exhausted."""
    for i in range(int(m.d_pay_n)):
        if m.d_pay[i] == card:
            return 1
    return 0


@inner(void(M))
def clear_draft(m):
    """Empties the draft."""
    m.d_card = -1
    m.d_effect = -2
    m.d_target = -1
    m.d_tile = -1
    m.d_technique = -1
    m.d_x = -1
    m.d_event = -1
    m.d_pay_n = 0
