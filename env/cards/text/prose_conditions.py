"""Words for conditions, as they stand after "se" and "enquanto", and for the events that effects answer."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.language import names
from apotheosis.env.cards.text.prose import Book
from apotheosis.env.cards.text.prose_words import Either, Listing


def add_conditions(book: Book) -> None:
    """Adds conditions and events to a book."""
    _measures(book)
    _characters(book)
    _cards(book)
    _actions(book)
    book.add("group", ({"all_of": "$list:all"}, "({list})", "({list})"), ({"any_of": "$list:any"}, "({list})", "({list})"))
    book.leaves["clause"] = Either("cond", "group")
    book.leaves["all"] = Listing("clause", pt=(", ", " e "), en=(", ", " and "), least=2)
    book.leaves["any"] = Listing("clause", pt=(", ", " ou "), en=(", ", " or "), least=2)
    book.add("whole", ({"all_of": "$list:all"}, "{list}", "{list}"), ({"any_of": "$list:any"}, "{list}", "{list}"))
    book.add("negated", ({"not": "$c:clause"}, "não for verdade que {c}", "it is not true that {c}"))
    book.leaves["condition"] = Either("cond", "negated", "whole")
    _events(book)


def _measures(book: Book) -> None:
    """Comparisons; the first rows have words of their own."""
    book.add(
        "cond",
        ({"gt": ["last.damage", 0]}, "este ataque %não causar {DMG}", "this attack (+deals|-does not deal) damage"),
        (
            {"gt": ["last.injury", 0]},
            "este ataque %não causar alguma {INJURY}",
            "this attack (+causes|-does not cause) any Injury",
        ),
        (
            {"ge": ["last.injury", "$n:num"]},
            "este ataque %não causar {n} ou mais de {INJURY}",
            "this attack (+causes|-does not cause) {n} Injury or more",
        ),
        (
            {"ge": ["last.damage", "$n:num"]},
            "este ataque %não causar {n} ou mais de {DMG}",
            "this attack (+deals|-does not deal) {n} damage or more",
        ),
        ({"gt": ["$v:counters_of", 0]}, "houver {v}", "there are {v}"),
        ({"eq": ["$v:counters_of", 0]}, "não houver {v}", "there are no {v}"),
        ({"ge": ["$v:counters_of", "$n:num"]}, "houver {n} ou mais {v}", "there are {n} or more {v}"),
    )
    words = {
        "eq": ("igual a", "equal to"),
        "ne": ("diferente de", "different from"),
        "lt": ("menor que", "less than"),
        "le": ("no máximo", "at most"),
        "gt": ("maior que", "more than"),
        "ge": ("no mínimo", "at least"),
    }
    for name, (pt, en) in words.items():
        pattern = {name: ["$a:amount", "$b:amount"]}
        book.add("cond", (pattern, f"{{a}} %não for {pt} {{b}}", f"{{a}} (+is|-is not) {en} {{b}}"))


_ABOUT_CHARACTERS: tuple[tuple[Any, str, str], ...] = (
    ({"has_marker": ["$w:who", "$m:marker"]}, "{w} %não possuir<|em> o {m}", "{w} %has the marker {m}"),
    (
        {"none_on_board_with_marker": "$m:marker"},
        "nenhum personagem no tabuleiro possuir o {m}",
        "no character on the board has the marker {m}",
    ),
    ({"entity_awake": "$w:who"}, "{w's:o {ENTITY}} %não estiver desperto", "{w's:Entity} (+is|-is not) awake"),
    ({"dead": "$w:who"}, "{w} %não estiver<|em> morto<|s>", "{w} %is dead"),
    (
        {"adjacent": ["$a:who", "$b:who"]},
        "{a} %não estiver<|em> em uma casa adjacente a {b}",
        "{a} %is in a tile adjacent to {b}",
    ),
    (
        {"moved_this_turn": "$w:who"},
        "{w} %não tiver<|em> se movido neste turno",
        "{w} (+<has|have>|-<has not|have not>) moved this turn",
    ),
    (
        {"attacked_this_battle": "$w:who"},
        "{w} %não tiver<|em> atacado nesta batalha",
        "{w} (+<has|have>|-<has not|have not>) attacked this battle",
    ),
    (
        {"last_standing": "$w:who"},
        "{w} %não for<|em> o último do time em combate",
        "{w} %is the last of the team still standing",
    ),
    ({"in_turn_of": "$w:who"}, "%não for o turno de {w}", "it (+is|-is not) the turn of {w}"),
    (
        {"position": ["$w:who", "$s:place_side"]},
        "{w} %não estiver<|em> atacando {s}",
        "{w} (+<attacks|attack>|-<does not attack|do not attack>) {s}",
    ),
    ({"tile_type": ["$w:who", "$t:terrain"]}, "{w} %não estiver<|em> em uma casa de {t}", "{w} %is on a tile of {t}"),
    (
        {"adjacent_tile_type": ["$w:who", "$t:terrain"]},
        "{w} %não estiver<|em> ao lado de uma casa de {t}",
        "{w} %is next to a tile of {t}",
    ),
    (
        {"altitude_diff": ["$a:who", "$b:who", "$n:amount"]},
        "{a} %não estiver<|em> em {ALT} superior a {b} por {n} ou mais",
        "{a} %is higher than {b} by {n} or more",
    ),
    (
        {"died_within_rounds": ["$w:who", "$n:amount"]},
        "{w} %não tiver<|em> morrido nas últimas {n} rodadas",
        "{w} (+died|-did not die) within the last {n} rounds",
    ),
    (
        {"control_count": ["$w:who", "$n:amount"]},
        "%não houver {n} ou mais entre {w}",
        "(+there are|-there are not) {n} or more among {w}",
    ),
)
"""Conditions on characters."""


def _characters(book: Book) -> None:
    sides = {
        "back": ("pelas costas", "from behind"),
        "side": ("pelo lado", "from the side"),
        "front": ("pela frente", "from the front"),
        "back_or_side": ("pelas costas ou pelo lado", "from behind or the side"),
    }
    book.add("place_side", *((name, *texts) for name, texts in sides.items()))
    book.add("cond", *_ABOUT_CHARACTERS)


def _cards(book: Book) -> None:
    slots = {
        "equipment": ("de {EQUIP}", "equipment"),
        "memento": ("de {MEM}", "Memento"),
        "support": ("de {SUPPORT}", "support"),
        "entity": ("de {ENTITY}", "Entity"),
        "inventory": ("de {INV}", "inventory"),
    }
    book.add("slot_of", *((name, *texts) for name, texts in slots.items()))
    book.leaves["paths"] = Listing("path", pt=(", ", " e "), en=(", ", " and "))
    book.add(
        "cond",
        ({"in_zone": ["this", "$z:in_zone"]}, "esta carta %não estiver {z}", "this card (+is|-is not) {z}"),
        ({"in_zone": ["$c:card", "$z:in_zone"]}, "{c} %não estiver {z}", "{c} (+is|-is not) {z}"),
        ({"has_counter": ["$c:card", "$m:counter"]}, "{c} %não possuir {m}", "{c} (+has|-does not have) {m} counters"),
        ({"free_slot": "$s:slot_of"}, "%não houver espaço livre {s}", "you (+have|-do not have) a free {s} slot"),
        ({"has_class_paths": "$p:paths"}, "as suas {CLASS} %não tiverem {p}", "your Classes (+have|-do not have) {p}"),
        ({"has_card": "$c:card"}, "%não houver {c}", "there (+is|-is not) {c}"),
        ({"entered_by": "$c:card"}, "esta carta %não tiver entrado por {c}", "this card (+entered|-did not enter) by {c}"),
        ({"from": "$s:sources"}, "a carta %não for obtida {s}", "the card (+is|-is not) obtained {s}"),
        ({"exhausted": "$c:card"}, "{c} %não estiver em estado consumido", "{c} (+is|-is not) exhausted"),
        ({"summoned": "$c:card"}, "{c} %não estiver evocada", "{c} (+is|-is not) summoned"),
    )


def _actions(book: Book) -> None:
    acts = {
        "this_attack": ("este ataque", "this attack"),
        "current": ("o ataque atual", "the current attack"),
        "last": ("o último ataque", "the last attack"),
        "event.attack": ("aquele ataque", "that attack"),
    }
    book.add("act", *((name, *texts) for name, texts in acts.items()))
    tests = {
        "current": ("o teste", "the check"),
        "last": ("o último teste", "the last check"),
        "this_check": ("este teste", "this check"),
    }
    book.add("test", *((name, *texts) for name, texts in tests.items()))
    deeds = {
        "rerolled_this_check": (
            "este teste ainda não tiver sido rolado novamente",
            "this check has not been rerolled yet",
            "for a primeira rolagem repetida deste teste",
            "this is the first reroll of this check",
        ),
        "activated": (
            "ainda não houver ativação neste turno",
            "nothing has been activated this turn",
            "for a primeira ativação deste turno",
            "it is the first activation of this turn",
        ),
        "attacked": (
            "você ainda não tiver sido atacado neste turno",
            "you have not been attacked this turn",
            "for o primeiro ataque contra você neste turno",
            "it is the first attack against you this turn",
        ),
        "targeted": (
            "você ainda não tiver sido alvo neste turno",
            "you have not been a target this turn",
            "for a primeira vez que você é alvo neste turno",
            "it is the first time this turn that you are a target",
        ),
        "moved": (
            "você ainda não tiver se movido neste turno",
            "you have not moved yet this turn",
            "for o primeiro movimento deste turno",
            "it is the first move of this turn",
        ),
        "hit": (
            "você ainda não tiver sofrido {DMG} neste turno",
            "you have not suffered damage this turn",
            "for a primeira vez que você sofre {DMG} neste turno",
            "it is the first time this turn that you suffer damage",
        ),
    }
    for name, (pt, en, pt_first, en_first) in deeds.items():
        book.add("cond", ({"not_yet": name}, pt, en), ({"first_time_this_turn": name}, pt_first, en_first))
    book.add(
        "cond",
        ({"critical": "$a:act"}, "{a} %não for um acerto crítico", "{a} (+is|-is not) a critical hit"),
        ({"caused_injury": "$a:act"}, "{a} %não causar {INJURY}", "{a} (+causes|-does not cause) Injury"),
        ({"obstructed": "$a:act"}, "{a} %não estiver obstruído", "{a} (+is|-is not) obstructed"),
        ({"attack_is": {"attack": True}}, "%não for um ataque", "it (+is|-is not) an attack"),
        ({"attack_is": "$b:by"}, "o ataque %não for{b}", "the attack (+is|-is not) made{b}"),
        ({"check_is": "$b:by"}, "o teste %não for{b}", "the check (+is|-is not) one{b}"),
        ({"succeeded": "$t:test"}, "{t} %não for um sucesso", "{t} (+succeeds|-does not succeed)"),
        ({"failed": "$t:test"}, "{t} %não for uma falha", "{t} (+fails|-does not fail)"),
        ({"paid_fate": "$t:test"}, "{t} %não tiver {FATE} descartado", "FATE (+was|-was not) discarded in {t}"),
        (
            {"margin_ge": ["$t:test", "$n:amount"]},
            "{t} %não tiver margem de {n} ou mais",
            "{t} (+has|-does not have) a margin of {n} or more",
        ),
    )


_EVENTS: dict[str, dict[str, tuple[str, str, str, str]]] = {
    # event: who does or suffers it; its words after it happened and before it, Portuguese and English
    "who": {
        "attack": ("atacar", "attacks", "for atacar", "is about to attack"),
        "attack_resolved": ("terminar de atacar", "has attacked", "for terminar de atacar", "is about to end an attack"),
        "check": ("realizar um teste", "makes a check", "for realizar um teste", "is about to make a check"),
        "check_failed": ("falhar em um teste", "fails a check", "for falhar em um teste", "is about to fail a check"),
        "damage_taken": ("sofrer {DMG}", "suffers damage", "for sofrer {DMG}", "is about to suffer damage"),
        "injury_dealt": ("causar {INJURY}", "causes Injury", "for causar {INJURY}", "is about to cause Injury"),
        "injury_taken": ("sofrer {INJURY}", "suffers Injury", "for sofrer {INJURY}", "is about to suffer Injury"),
        "hp_loss": ("perder {HP}", "loses HP", "for perder {HP}", "is about to lose HP"),
        "death": ("morrer", "dies", "for morrer", "is about to die"),
        "spend": ("gastar energia", "spends energy", "for gastar energia", "is about to spend energy"),
        "enter_tile": ("entrar em uma casa", "enters a tile", "for entrar em uma casa", "is about to enter a tile"),
        "turn_start": ("começar o turno", "starts the turn", "for começar o turno", "is about to start the turn"),
        "rest": ("descansar", "rests", "for descansar", "is about to rest"),
        "salvation": (
            "receber uma Salvação Divina",
            "receives a Divine Salvation",
            "for receber uma Salvação Divina",
            "is about to receive a Divine Salvation",
        ),
        "card_activated": ("ativar uma carta", "activates a card", "for ativar uma carta", "is about to activate a card"),
        "card_resolved": ("resolver uma carta", "resolves a card", "for resolver uma carta", "is about to resolve a card"),
    },
    "card": {
        "card_activated": ("for ativada", "is activated", "estiver para ser ativada", "is about to be activated"),
        "card_resolved": ("for resolvida", "has been resolved", "estiver para ser resolvida", "is about to be resolved"),
        "card_reveal": ("for revelada", "is revealed", "estiver para ser revelada", "is about to be revealed"),
        "card_discard": ("for descartada", "is discarded", "for ser descartada", "is about to be discarded"),
        "card_bury": ("for enterrada", "is buried", "for ser enterrada", "is about to be buried"),
        "card_banish": ("for banida", "is banished", "for ser banida", "is about to be banished"),
        "card_exhaust": ("for consumida", "is exhausted", "for ser consumida", "is about to be exhausted"),
        "card_recover": ("for recuperada", "is recovered", "for ser recuperada", "is about to be recovered"),
        "counter_removed": ("perder um {COUNTER}", "loses a counter", "for perder um {COUNTER}", "is about to lose a counter"),
    },
}


def _ending(event: str, told: bool) -> tuple[dict[str, Any], str, str]:
    """Returns what follows the verb of an event; `told` says whether its target or its cause is named."""
    struck = event in ("attack", "attack_resolved")
    shape: dict[str, Any] = {"by": "$by?", "res": "$res?", "max": "$int?", "tile": "$linked?", "not_caused_by": "$guard?"}
    if event in ("damage_taken", "injury_taken", "hp_loss"):
        shape["by"] = "$from_what?"
    by = "[ {by}]" if shape["by"] == "$from_what?" else "[{by}]"
    pt, en = f"{by}[ em {{res}}]", f"{by}[ in {{res}}]"
    if told:
        shape |= {"target": "$one?", "attacker": "$one?"}
        against = ("[ {target}]", "[ {target}]") if struck else ("[ contra {target}]", "[ against {target}]")
        pt = f"{against[0]}[ causado por {{attacker}}]{by.replace('[', '[,')}[ em {{res}}]"
        en = f"{against[1]}[ caused by {{attacker}}]{by.replace('[', '[,')}[ in {{res}}]"
    return shape, pt + "[ de até {max}][ {tile}][, {not_caused_by}]", en + "[ of up to {max}][ {tile}][, {not_caused_by}]"


_PLURALS = {"is": "are", "has": "have", "dies": "die", "loses": "lose", "causes": "cause", "makes": "make"}


def _event(book: Book, event: str, mark: dict[str, Any], told: bool) -> None:
    shape, pt_end, en_end = _ending(event, told)
    shape = {"event": event, **shape, **mark}
    early = mark.get("phase") == "before"
    if mark.get("phase") == "after":
        pt_end, en_end = pt_end + ", depois disso", en_end + ", after it"
    if event in _EVENTS["who"]:
        pt, en = _EVENTS["who"][event][2:] if early else _EVENTS["who"][event][:2]
        verb, _, rest = en.partition(" ")
        form = f"<{verb}|{_PLURALS.get(verb, verb.removesuffix('s'))}>" + (f" {rest}" if rest else "")
        book.add("event", ({**shape, "who": "$one"}, f"{{who}} {pt}{pt_end}", f"{{who}} {form}{en_end}"))
        if event not in _EVENTS["card"]:
            book.add("event", (shape, f"alguém {pt}{pt_end}", f"anybody {en}{en_end}"))
    if event in _EVENTS["card"]:
        pt, en = _EVENTS["card"][event][2:] if early else _EVENTS["card"][event][:2]
        shape = {**shape, "card": "$card"}
        book.add("event", (shape, f"{{card}} {pt}{pt_end}", f"{{card}} {en}{en_end}"))
        book.add("event", ({**shape, "who": "$one"}, f"{{card}} {pt} por {{who}}{pt_end}", f"{{card}} {en} by {{who}}{en_end}"))


def _events(book: Book) -> None:
    book.add("linked", ("linked", "ligada a esta carta", "linked to this card"), ("own", "da sua peça", "of your own piece"))
    book.add("guard", ("this", "sem que seja por causa desta carta", "not because of this card"))
    for phase in (None, "before", "after"):
        mark = {"phase": phase} if phase else {}
        for event in names.EVENTS:
            for told in (False, True):
                _event(book, event, mark, told)
    book.leaves["events"] = Listing("event", pt=("; ", "; ou "), en=("; ", "; or "), least=2)
    book.add("several", ({"any_of": "$events"}, "{any_of}", "{any_of}"))
    book.leaves["when"] = Either("event", "several")
