"""The sentences of a narrated match in English and Portuguese, by key; `narration` fills them in."""

from __future__ import annotations

from apotheosis.env.rules.codes import Cause, Kind, Life, Outcome, Zone
from apotheosis.env.rules.opcodes import Negate

LANGUAGES = ("en", "pt")

SENTENCES: dict[str, tuple[str, str]] = {
    "setup": ("The match is set up", "A partida é preparada"),
    "stint": ("Stint {n} begins", "Começa o ciclo {n}"),
    "turn": ("Turn of {who}: {n} AP", "Turno de {who}: {n} PA"),
    "start": ("{who} begins on ({x}, {y})", "{who} começa em ({x}, {y})"),
    "move": ("{who} moves to ({x}, {y})", "{who} move-se para ({x}, {y})"),
    "pushed": ("{who} is pushed to ({x}, {y})", "{who} é empurrado para ({x}, {y})"),
    "put": ("{who} is put on ({x}, {y})", "{who} é posto em ({x}, {y})"),
    "swapped": (
        "{who} swaps places with {target}, now on ({x}, {y})",
        "{who} troca de lugar com {target}, agora em ({x}, {y})",
    ),
    "off_board": ("{who} leaves the board", "{who} deixa o tabuleiro"),
    "draw": ("{who} draws {card}", "{who} compra {card}"),
    "shuffle_back": ("{who} puts {card} back into the deck", "{who} devolve {card} ao baralho"),
    "muster": ("{who} musters {card}", "{who} convoca {card}"),
    "reveal_muster": ("{who} reveals {cards}", "{who} revela {cards}"),
    "placed": ("{card} of {who} comes to the table", "{card} de {who} vai à mesa"),
    "revealed": ("{who} reveals {card} from the hand", "{who} revela {card} da mão"),
    "resolved": ("{card} is done and goes to the discard pile", "{card} termina e vai à pilha de descarte"),
    "discarded": ("{who} discards {card}", "{who} descarta {card}"),
    "left_table": (
        "{card} of {who} leaves the table for the discard pile",
        "{card} de {who} sai da mesa para a pilha de descarte",
    ),
    "banished": ("{card} of {who} is banished", "{card} de {who} é banida"),
    "registered": ("{card} of {who} enters the scenario", "{card} de {who} entra no cenário"),
    "attached": ("{card} of {who} is attached", "{card} de {who} é anexada"),
    "limbo": ("{card} of {who} goes to limbo", "{card} de {who} vai ao limbo"),
    "taken": ("{who} takes {card} into the hand", "{who} leva {card} à mão"),
    "buried": ("{card} of {who} goes into the deck", "{card} de {who} vai ao baralho"),
    "elsewhere": ("{card} of {who} changes its place", "{card} de {who} muda de lugar"),
    "exhausted": ("{card} is exhausted", "{card} é consumida"),
    "recovered": ("{card} is recovered", "{card} é recuperada"),
    "attack": ("{who} attacks {target}", "{who} ataca {target}"),
    "attack_card": ("{who} attacks {target} with {card}", "{who} ataca {target} com {card}"),
    "attack_area": ("{who} attacks everyone in reach with {card}", "{who} ataca todos ao alcance com {card}"),
    "roll": ("{who} rolls {n}, main die {face}", "{who} rola {n}, dado principal {face}"),
    "roll_none": ("{who} rolls no dice", "{who} não rola dados"),
    "damage": (
        "{who} suffers {n} DMG against END {end}: Injury {injury}",
        "{who} sofre {n} de DANO contra CON {end}: lesão {injury}",
    ),
    "injury": ("{who} suffers Injury {injury}", "{who} sofre lesão {injury}"),
    "lose_hp": ("{who} loses {n} HP, {left} left", "{who} perde {n} PV, restam {left}"),
    "gain_hp": ("{who} recovers {n} HP, now {left}", "{who} recupera {n} PV, agora {left}"),
    "salvation": ("{who} is saved and keeps 1 HP", "{who} é salvo e fica com 1 PV"),
    "marker_on": ("{who} receives the marker {marker}", "{who} recebe o marcador {marker}"),
    "marker_off": ("{who} loses the marker {marker}", "{who} perde o marcador {marker}"),
    "counter": ("{card}: {n} counters {counter}", "{card}: {n} contadores {counter}"),
    "check": ("{who} checks: {n} against {difficulty}", "{who} testa: {n} contra {difficulty}"),
    "loop": ("The same events repeat without end and are stopped", "Os mesmos eventos se repetem sem fim e são interrompidos"),
    "mulligan": ("{who} shuffles the hand back and draws anew", "{who} devolve a mão e compra de novo"),
    "keep": ("{who} keeps the hand", "{who} mantém a mão"),
    "activate": ("{who} activates {card}", "{who} ativa {card}"),
    "activate_on": ("{who} activates {card} on {target}", "{who} ativa {card} em {target}"),
    "auto": ("{card} of {who} happens by itself", "{card} de {who} acontece por si"),
    "react": ("{who} reacts with {card}", "{who} reage com {card}"),
    "negated": ("{who} negates {what}", "{who} nega {what}"),
    "pass": ("{who} could react with {cards} and passes", "{who} poderia reagir com {cards} e passa"),
    "answer_yes": ("{who} says yes: {question}", "{who} diz sim: {question}"),
    "answer_no": ("{who} says no: {question}", "{who} diz não: {question}"),
    "answer_option": ("{who} chooses option {n}", "{who} escolhe a opção {n}"),
    "end": ("{result}: {cause}", "{result}: {cause}"),
    "a_card": ("a card", "uma carta"),
    "a_piece": ("a piece", "uma peça"),
    "everyone": ("everyone in reach", "todos ao alcance"),
    "and": (" and ", " e "),
    "on": (" on {target}", " em {target}"),
}  # fmt: skip

ACTIONS: dict[Kind, tuple[str, str]] = {
    Kind.END_TURN: ("{who} ends the turn", "{who} encerra o turno"),
    Kind.NORMAL_ATTACK: ("{who} makes a Normal Attack (3 AP)", "{who} faz um Ataque Normal (3 PA)"),
    Kind.USE_TABLE: ("{who} uses {card} from the table", "{who} usa {card} da mesa"),
    Kind.USE_HAND: ("{who} uses {card} from the hand", "{who} usa {card} da mão"),
    Kind.USE_SHEET: ("{who} uses {card} from the sheet", "{who} usa {card} da ficha"),
    Kind.USE_SCENARIO: ("{who} uses {card} from the scenario", "{who} usa {card} do cenário"),
    Kind.USE_TEAM: ("{who} uses {card} of a teammate", "{who} usa {card} de um parceiro"),
    Kind.USE_DISCARD: ("{who} uses {card} from the discard pile", "{who} usa {card} da pilha de descarte"),
    Kind.TECHNIQUE: ("{who} uses a technique", "{who} usa uma técnica"),
    Kind.PLACE: ("{who} places {card} (2 AP)", "{who} baixa {card} (2 PA)"),
    Kind.WITHDRAW: ("{who} takes {card} back to the hand (2 AP)", "{who} devolve {card} à mão (2 PA)"),
    Kind.AWAKEN: ("{who} awakens {card}", "{who} desperta {card}"),
    Kind.SLEEP: ("{who} puts {card} to sleep", "{who} adormece {card}"),
    Kind.SUMMON: ("{who} summons {card}", "{who} invoca {card}"),
    Kind.UNSUMMON: ("{who} unsummons {card}", "{who} desinvoca {card}"),
    Kind.REST: ("{who} rests (All-In)", "{who} descansa (Ação Total)"),
    Kind.ATTACH: ("{who} attaches {card} (2 AP)", "{who} anexa {card} (2 PA)"),
    Kind.DETACH: ("{who} takes the attachment {card} back (2 AP)", "{who} retira o anexo {card} (2 PA)"),
    Kind.EVOLVE: ("{who} evolves {card}", "{who} evolui {card}"),
    Kind.LOOT: ("{who} takes from a Container (2 AP)", "{who} retira de um Recipiente (2 PA)"),
    Kind.PUSH: ("{who} pushes an Object (2 AP)", "{who} empurra um Objeto (2 PA)"),
    Kind.COLLEGIUM: ("{who} recovers the Collegium {card}", "{who} recupera o Collegium {card}"),
    Kind.DROP_EXTRA: ("{who} discards {card} from the Extra Zone", "{who} descarta {card} da Zona Extra"),
    Kind.CONCEDE: ("{who} concedes", "{who} desiste"),
}
"""Turn actions; of a MOVE only its step is told."""

LIVES: dict[Life, tuple[str, str]] = {
    Life.ALIVE: ("{who} lives", "{who} vive"),
    Life.DEAD: ("{who} dies", "{who} morre"),
    Life.KO: ("{who} is knocked out", "{who} é nocauteado"),
    Life.OVERKILL: ("{who} is destroyed (overkill)", "{who} é destruído (perda total)"),
    Life.GONE: ("{who} is removed from the board", "{who} é removido do tabuleiro"),
}
"""What becomes of a character that falls."""

NEGATED: dict[Negate, tuple[str, str]] = {
    Negate.ACTIVATION: ("the activation", "a ativação"), Negate.ATTACK: ("the attack", "o ataque"),
    Negate.DAMAGE: ("the DMG", "o DANO"), Negate.INJURY: ("the Injury", "a lesão"), Negate.EFFECT: ("the effect", "o efeito"),
    Negate.MOVE: ("the movement of a card", "o movimento de uma carta"),
}  # fmt: skip

RESULTS: dict[Outcome, tuple[str, str]] = {
    Outcome.WIN_A: ("Seat A wins", "O assento A vence"), Outcome.WIN_B: ("Seat B wins", "O assento B vence"),
    Outcome.DRAW: ("Draw", "Empate"), Outcome.LOOP: ("Without result, a loop", "Sem resultado, laço"),
    Outcome.CAP: ("Without result, too many decisions", "Sem resultado, decisões demais"),
    Outcome.TIMEOUT: ("Without result, out of time", "Sem resultado, tempo esgotado"),
    Outcome.CRASH: ("Without result, a fault of the engine", "Sem resultado, falha do motor"),
    Outcome.RUNNING: ("Not over", "Não terminou"),
}  # fmt: skip

CAUSES: dict[Cause, tuple[str, str]] = {
    Cause.NONE: ("no cause", "sem causa"), Cause.ELIMINATION: ("elimination", "eliminação"),
    Cause.STINT_LIMIT: ("limit of stints", "limite de ciclos"), Cause.NO_PROGRESS: ("no progress", "sem progresso"),
    Cause.CONCESSION: ("concession", "desistência"), Cause.LOOP: ("loop", "laço"),
    Cause.DECISION_CAP: ("limit of decisions", "limite de decisões"), Cause.ERROR: ("error", "erro"),
    Cause.EFFECT: ("effect of a card", "efeito de carta"),
}  # fmt: skip

ZONES: dict[Zone, tuple[str, str]] = {
    Zone.HAND: ("hand", "mão"), Zone.DECK: ("deck", "baralho"), Zone.DISCARD: ("discard pile", "pilha de descarte"),
    Zone.SHEET: ("sheet", "ficha"), Zone.SCENARIO: ("scenario", "cenário"),
}  # fmt: skip
"""Zones as headings."""

QUESTIONS: dict[str, tuple[str, str]] = {
    "MAY": ("do it?", "fazer?"), "UPKEEP": ("pay the upkeep?", "pagar a manutenção?"),
    "SALVATION": ("pay for Divine Salvation?", "pagar a Salvação Divina?"),
    "CHECK_XP": ("spend XP on the check?", "gastar XP no teste?"),
    "CHECK_FATE": ("spend FATE on the check?", "gastar DESTINO no teste?"),
    "CHECK_WILL": ("spend WILL on the check?", "gastar VONTADE no teste?"),
}  # fmt: skip
"""Questions that are told, by the name of the decision."""
