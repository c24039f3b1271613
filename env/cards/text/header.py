"""The head of a rendered effect: its keywords, in guillemets, in the words of the rulebook."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

KEYWORDS: dict[tuple[str, str], tuple[str, str]] = {
    ("Activation", "Activate"): ("Ativar", "Activate"),
    ("Activation", "Auto"): ("Auto", "Auto"),
    ("Activation", "Permanent"): ("Permanente", "Permanent"),
    ("Activation", "Temp"): ("Temp", "Temp"),
    ("Timing", "OnPlay"): ("Ao Jogar", "On Play"),
    ("Timing", "OnExit"): ("Ao Sair", "On Exit"),
    ("Timing", "OnObtain"): ("Ao Obter", "On Obtain"),
    ("Timing", "OnReveal"): ("Ao Revelar", "On Reveal"),
    ("Timing", "OnConceal"): ("Ao Ocultar", "On Conceal"),
    ("Timing", "OnExhaust"): ("Ao Consumir", "On Exhaust"),
    ("Timing", "OnRecover"): ("Ao Recuperar", "On Recover"),
    ("Timing", "OnDiscard"): ("Ao Descartar", "On Discard"),
    ("Timing", "OnBury"): ("Ao Enterrar", "On Bury"),
    ("Timing", "OnBanish"): ("Ao Banir", "On Banish"),
    ("Timing", "Checking"): ("Quando Testando", "When Checking"),
    ("Timing", "Attacking"): ("Quando Atacando", "When Attacking"),
    ("Timing", "Attacked"): ("Quando Atacado", "When Attacked"),
    ("Timing", "Selected"): ("Quando Selecionado", "When Selected"),
    ("Timing", "Rolling"): ("Quando Rolando Dados", "When Rolling"),
    ("Timing", "StartOfBattle"): ("Início da Batalha", "Start of Battle"),
    ("Timing", "EndOfBattle"): ("Final da Batalha", "End of Battle"),
    ("Timing", "StartOfRound"): ("Início da Rodada", "Start of Round"),
    ("Timing", "EndOfRound"): ("Fim da Rodada", "End of Round"),
    ("Timing", "ResetPhase"): ("Fase de Recomposição", "Reset Phase"),
    ("Timing", "YourStartPhase"): ("Sua Fase Inicial", "Your Start Phase"),
    ("Timing", "YourEndPhase"): ("Sua Fase Final", "Your End Phase"),
    ("Timing", "TeamMemberStartPhase"): ("Fase Inicial do Membro do Time", "Team Member's Start Phase"),
    ("Timing", "TeamMemberEndPhase"): ("Fase Final do Membro do Time", "Team Member's End Phase"),
    ("Timing", "TeammateStartPhase"): ("Fase Inicial do Parceiro", "Teammate's Start Phase"),
    ("Timing", "TeammateEndPhase"): ("Fase Final do Parceiro", "Teammate's End Phase"),
    ("Timing", "OpponentStartPhase"): ("Fase Inicial do Oponente", "Opponent's Start Phase"),
    ("Timing", "OpponentEndPhase"): ("Fase Final do Oponente", "Opponent's End Phase"),
    ("Timing", "AllStartPhase"): ("Fase Inicial de Todos", "All Start Phase"),
    ("Timing", "AllEndPhase"): ("Fase Final de Todos", "All End Phase"),
    ("Timing", "ThisCharacterStartPhase"): ("Fase Inicial deste Personagem", "This Character's Start Phase"),
    ("Timing", "ThisCharacterEndPhase"): ("Fase Final deste Personagem", "This Character's End Phase"),
    ("Timing", "HostHeroStartPhase"): ("Fase Inicial do Herói", "Host Hero's Start Phase"),
    ("Timing", "AllyTurn"): ("Turno de um Aliado", "Ally's Turn"),
    ("Limit", "YourTurnOnly"): ("Apenas no seu Turno", "Your Turn Only"),
    ("Limit", "OncePerTurn"): ("Uma vez por Turno", "Once per Turn"),
    ("Limit", "OncePerRound"): ("Uma vez por Rodada", "Once per Round"),
    ("Limit", "OncePerStint"): ("Uma vez por Ciclo", "Once per Stint"),
    ("Limit", "OncePerBattle"): ("Uma vez por Batalha", "Once per Battle"),
    ("Limit", "AllIn"): ("Ação Total", "All-In"),
    ("Limit", "NoResponse"): ("Não Respondível", "No Response"),
    ("Limit", "NoNegation"): ("Não Negável", "No Negation"),
    ("Limit", "Lingering"): ("Residual", "Lingering"),
    ("Scope", "Anywhere"): ("De Qualquer Lugar", "From Anywhere"),
    ("Scope", "Table"): ("Da Mesa", "From Table"),
    ("Scope", "Hand"): ("Da Mão", "From Hand"),
    ("Scope", "DiscardPile"): ("Da Pilha de Descarte", "From Discard Pile"),
    ("Scope", "TeamMember"): ("Do Membro do Time", "From Team Member"),
    ("Scope", "Attached"): ("Do Anexo", "From Attachment"),
    ("Scope", "Scenario"): ("Do Cenário", "From Scenario"),
    ("Task", "Exhaust"): ("Consuma", "Exhaust"),
    ("Task", "Recover"): ("Recupere", "Recover"),
    ("Task", "Discard"): ("Descarte", "Discard"),
    ("Task", "Bury"): ("Enterre", "Bury"),
    ("Task", "Banish"): ("Bana", "Banish"),
    ("Task", "Register"): ("Registre", "Register"),
}
"""Keywords of effects as (group, name) -> (Portuguese, English) (RULES KEYWORDS)."""

_BY_PORTUGUESE = {pt: key for key, (pt, _) in KEYWORDS.items()}
_HEAD = re.compile(r"\s*«([^»]*)»\s*(.*)\Z", re.S)


def names_of(effect: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return the keywords of an effect in the order of the rulebook."""
    found = [("Activation", str(effect["activation"]))]
    for group, key in (("Timing", "timings"), ("Limit", "limits"), ("Scope", "scopes")):
        found += [(group, name) for name in effect.get(key, ())]
    if effect.get("task"):
        found.append(("Task", effect["task"]))
    return found


def header(names: list[tuple[str, str]], language: str) -> str:
    """Return keywords as the head of a rendered effect."""
    side = 0 if language == "pt" else 1
    return "«" + "; ".join(KEYWORDS[name][side] for name in names) + "»"


def split_header(text: str) -> tuple[list[tuple[str, str]] | None, str]:
    """Return the keywords at the head of a rendered Portuguese text and the rest; None where there is no such head."""
    match = _HEAD.match(text)
    if match is None:
        return None, text
    names = [_BY_PORTUGUESE.get(word.strip()) for word in match.group(1).split(";")]
    return (None, text) if None in names else ([name for name in names if name is not None], match.group(2))
