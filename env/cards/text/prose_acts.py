"""Words for instructions about characters and the running action: HP, energy, DMG, responses, dice, states."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.prose import Book
from apotheosis.env.cards.text.prose_words import Listing


def add_acts(book: Book) -> None:
    """Adds the instructions of characters and actions to a book."""
    _vital(book)
    _spending(book)
    _answers(book)
    _dice(book)
    _state(book)
    _running(book)


def _running(book: Book) -> None:
    """Bonuses to what is going on."""
    running = (
        ("attack.bonus", "this_attack", "ao ataque", "no ataque atual", "to the attack"),
        ("attack.damage", "this_attack", "ao {DMG} deste ataque", "no {DMG} deste ataque", "to the damage of this attack"),
        ("check.bonus", "this_check", "ao teste", "no teste atual", "to the check"),
        ("roll.bonus", "this_roll", "à rolagem", "na rolagem atual", "to the roll"),
    )
    for q, until, pt, there, en in running:
        base = {"op": "mod", "q": q, "add": "$bonus", "until": until}
        book.add("act", (base, f"adicione {{add}} {pt}", f"add {{add}} {en}"))
        book.add("act", ({**base, "on": "$who"}, f"{{on}} recebe<|m> {{add}} {there}", f"{{on}} <gets|get> {{add}} {en}"))


def _vital(book: Book) -> None:
    for op, key, verb, unit, en_verb, en_unit in (
        ("heal", "to", "cure", "{HP}", "restore", "HP"),
        ("deal_damage", "to", "cause", "{DMG}", "deal", "damage"),
        ("deal_injury", "to", "cause", "{INJURY}", "cause", "Injury"),
        ("lose_hp", "who", "remova", "{HP}", "remove", "HP"),
    ):
        link, en_link = ("a" if op.startswith("deal") else "de"), ("from" if op == "lose_hp" else "to")
        more = {"tags": "$tags?", "raw": "$raw_damage?"} if op == "deal_damage" else {}
        more = {"cap": "$amount?"} if op == "heal" else more
        pt = {"heal": "[, até {cap}]", "deal_damage": "[ com {tags}][ {raw}]"}.get(op, "")
        en = {"heal": "[, up to {cap}]", "deal_damage": "[ with {tags}][ {raw}]"}.get(op, "")
        if op == "heal":
            book.add(
                "act", ({"op": op, key: "=self", "n": "all", **more}, f"cure toda a {unit}{pt}", f"heal all {en_unit}{en}")
            )
            own = {"op": op, key: "=self", **more}
            book.add("act", ({**own, "n": "$num"}, f"{verb} {{n}} de {unit}{pt}", f"{en_verb} {{n}} {en_unit}{en}"))
            book.add(
                "act",
                ({**own, "n": "$amount"}, f"cure {unit} em quantidade igual a {{n}}{pt}", f"heal {en_unit} equal to {{n}}{en}"),
            )
        book.add(
            "act",
            (
                {"op": op, key: "$who", "n": "all", **more},
                f"{verb} toda a {unit} {link} {{{key}}}{pt}",
                f"{en_verb} all {en_unit} {en_link} {{{key}}}{en}",
            ),
            (
                {"op": op, key: "$who", "n": "$num", **more},
                f"{verb} {{n}} de {unit} {link} {{{key}}}{pt}",
                f"{en_verb} {{n}} {en_unit} {en_link} {{{key}}}{en}",
            ),
            (
                {"op": op, key: "$who", "n": "$amount", **more},
                f"{verb} {unit} {link} {{{key}}} em quantidade igual a {{n}}{pt}",
                f"{en_verb} {en_unit} {en_link} {{{key}}} equal to {{n}}{en}",
            ),
        )
    book.add("raw_damage", (True, "sem reduções", "ignoring all modifiers"), (False, "com reduções", "with all modifiers"))
    both: tuple[tuple[dict[str, Any], str, str], ...] = (
        ({"to": "=self"}, "", "recover "),
        ({"to": "$who"}, " de {to}", "{to} <recovers|recover> "),
    )
    for to, pt, en in both:
        book.add(
            "act",
            ({"op": "gain", "res": "$energy_gained", "n": "all", **to}, f"recupere todo o {{res}}{pt}", f"{en}all {{res}}"),
            (
                {"op": "gain", "res": "$energy_gained", "n": "$num", **to},
                f"recupere {{n}} de {{res}}{pt}",
                f"{en}{{n}} {{res}}",
            ),
            (
                {"op": "gain", "res": "$energy_gained", "n": "$amount", **to},
                f"recupere {{res}}{pt} em quantidade igual a {{n}}",
                f"{en}{{res}} equal to {{n}}",
            ),
        )
    book.leaves["energy_gained"] = Listing("res", pt=(", ", " e/ou "), en=(", ", " and/or "))
    origin = {"from": "$from_source?"}
    for to, pt, en in (({"to": "=self"}, "obtenha", "obtain"), ({"to": "$who"}, "{to} obtém<|>", "{to} <obtains|obtain>")):
        book.add(
            "act",
            (
                {"op": "gain_currency", "cur": "$currency", "n": "$num", **origin, **to},
                f"{pt} {{n}} de {{cur}}[ {{from}}]",
                f"{en} {{n}} {{cur}}[ {{from}}]",
            ),
            (
                {"op": "gain_currency", "cur": "$currency", "n": "$amount", **origin, **to},
                f"{pt} {{cur}} em valor igual a {{n}}[ {{from}}]",
                f"{en} {{cur}} worth {{n}}[ {{from}}]",
            ),
        )


def _spending(book: Book) -> None:
    for who, pt, en in (({"who": "=self"}, "gaste", "spend"), ({"who": "$who"}, "{who} gasta<|m>", "{who} <spends|spend>")):
        for key, slot, pt_of, en_of in (
            ("energy", "$energies", "de", ""),
            ("res", "$vital", "de", ""),
            ("res", "$res1", "em", "in "),
        ):
            for n, pt_much, en_much in (
                ("all", f"tudo {pt_of} {{{key}}}", f"all {en_of}{{{key}}}"),
                ("$num", f"{{n}} {pt_of} {{{key}}}", f"{{n}} {en_of}{{{key}}}"),
                ("$amount", f"{pt_of} {{{key}}} a quantidade igual a {{n}}", f"{en_of}{{{key}}} an amount equal to {{n}}"),
            ):
                shape = {"op": "spend", **who, key: slot, "n": n}
                book.add("act", (shape, f"{pt} {pt_much}", f"{en} {en_much}"))
                short = {**shape, "missing": "$bound"}
                called = "; chame o que faltar de {missing}", "; call what is missing {missing}"
                book.add("act", (short, f"{pt} {pt_much}{called[0]}", f"{en} {en_much}{called[1]}"))
                book.add(
                    "act",
                    (
                        {**shape, "else": "$block"},
                        f"{pt} {pt_much}; se não puder, {{else}}",
                        f"{en} {en_much}; if that is not possible, {{else}}",
                    ),
                )


_PIECES: tuple[tuple[Any, str, str], ...] = (
    (
        {"pieces": "within", "n": "$tiles", "of": "$who"},
        "a todas as peças a até {n} de {of}",
        "to every piece within {n} of {of}",
    ),
    (
        {"pieces": "within", "n": "$tiles"},
        "a todas as peças a até {n} do alvo em si",
        "to every piece within {n} of the target itself",
    ),
    (
        {"pieces": "on_line", "from": "$who?", "through": "$who?", "n": "$tiles?"},
        "a todas as peças na linha do ataque[ desde {from}][ através de {through}][ por {n}]",
        "to every piece on the line of the attack[ from {from}][ through {through}][ for {n}]",
    ),
    ({"pieces": "in_area", "of": "$who?"}, "a todas as peças na área[ de {of}]", "to every piece in the area[ of {of}]"),
    (
        {"pieces": "with_marker", "marker": "$marker"},
        "a todas as peças com o {marker}",
        "to every piece with the marker {marker}",
    ),
    ("$w:who", "a {w}", "to {w}"),
)
"""Pieces that damage spreads to."""


def _answers(book: Book) -> None:
    negated = {
        "attack": ("o ataque", "the attack"),
        "activation": ("a ativação", "the activation"),
        "action": ("a ação", "the action"),
        "damage": ("o {DMG}", "the damage"),
        "injury": ("a {INJURY}", "the Injury"),
        "effect": ("o efeito", "the effect"),
        "discard": ("o descarte", "the discard"),
        "payment": ("o pagamento", "the payment"),
    }
    for name, (pt, en) in negated.items():
        book.add("act", ({"op": "negate", "what": name}, f"negue {pt}", f"negate {en}"))
    for key, pt, en in (
        ("attack", "do ataque", "of the attack"),
        ("damage", "do {DMG}", "of the damage"),
        ("action", "da ação", "of the action"),
    ):
        book.add(
            "act",
            (
                {"op": "redirect", key: "current", "to": "$who"},
                f"{{to}} se torna<|m> o alvo {pt}",
                f"{{to}} <becomes|become> the target {en}",
            ),
        )
    book.add("pieces", *_PIECES)
    for damage, pt, en in (
        ("=this_attack", "o {DMG} deste ataque", "the damage of this attack"),
        ("half_of_this_attack", "metade do {DMG} deste ataque", "half of the damage of this attack"),
    ):
        book.add(
            "act",
            (
                {"op": "splash", "damage": damage, "to": "$pieces", "split": "=false"},
                f"aplique também {pt} {{to}}",
                f"also deal {en} {{to}}",
            ),
            (
                {"op": "splash", "damage": damage, "to": "$pieces", "split": True},
                f"divida {pt} com aplicação {{to}}",
                f"split {en}, dealing it {{to}}",
            ),
        )


def _dice(book: Book) -> None:
    book.add("whole_die", ("main", "o dado principal", "the main die"), ("chosen", "um dado à escolha", "a die of your choice"))
    book.add("whole_die", ("all", "todos os dados", "all dice"), ("$n:int", "o dado de número {n}", "die number {n}"))
    roll = {"roll": "=current"}
    book.add(
        "act",
        (
            {"op": "roll", "dice": "$dice", "random": "=false", "bind": "$bound"},
            "role {dice} (chame de {bind})",
            "roll {dice} (call it {bind})",
        ),
        (
            {"op": "roll", "dice": "$dice", "random": True, "bind": "$bound"},
            "role {dice} ao acaso (chame de {bind})",
            "roll {dice} at random (call it {bind})",
        ),
        (
            {"op": "roll", "dice": "$dice", "random": "=false", "by": "$who", "bind": "$bound"},
            "{by} rola<|m> {dice} (chame de {bind})",
            "{by} <rolls|roll> {dice} (call it {bind})",
        ),
        (
            {"op": "roll", "dice": "$dice", "random": True, "by": "$who", "bind": "$bound"},
            "{by} rola<|m> {dice} ao acaso (chame de {bind})",
            "{by} <rolls|roll> {dice} at random (call it {bind})",
        ),
        ({"op": "reroll", "keep": "=new", **roll}, "role novamente", "roll again"),
        (
            {"op": "reroll", "keep": "best", **roll},
            "role novamente e fique com o melhor resultado",
            "roll again and keep the better result",
        ),
        (
            {"op": "reroll", "keep": "worst", **roll},
            "role novamente e fique com o pior resultado",
            "roll again and keep the worse result",
        ),
        (
            {"op": "set_die", "die": "$whole_die=main", "value": "chosen", **roll},
            "escolha o resultado de: {die}",
            "choose the result of {die}",
        ),
        ({"op": "set_die", "die": "$whole_die=main", "value": "$int", **roll}, "{die} mostra {value}", "{die} shows {value}"),
        ({"op": "set_result", "success": True, "check": "=current"}, "o teste é bem-sucedido", "the check succeeds"),
        ({"op": "set_result", "success": False, "check": "=current"}, "o teste falha", "the check fails"),
        (
            {"op": "set_result", "double": True, "check": "=current"},
            "dobre o resultado do teste",
            "double the result of the check",
        ),
        (
            {"op": "set_result", "simple_failure": True, "check": "=current"},
            "a falha do teste se torna simples",
            "the failure of the check becomes a simple one",
        ),
        (
            {"op": "set_result", "floor": "$amount", "check": "=current"},
            "o resultado do teste é no mínimo {floor}",
            "the result of the check is at least {floor}",
        ),
        ({"op": "add_roll", "n": "$amount", **roll}, "some {n} à rolagem", "add {n} to the roll"),
        ({"op": "add_roll", "dice": "$dice", **roll}, "some mais {dice} à rolagem", "add another {dice} to the roll"),
        ({"op": "add_roll", "attr": "$attr", **roll}, "some o seu {attr} à rolagem", "add your {attr} to the roll"),
    )


_STATES: tuple[tuple[Any, str, str], ...] = (
    (
        {"op": "add_marker", "marker": "$marker", "to": "$who", "until": "$end?"},
        "adicione o {marker} a {to}[ {until}]",
        "put the marker {marker} on {to}[ {until}]",
    ),
    (
        {"op": "remove_marker", "marker": "all", "from": "$who"},
        "remova todos os {MARKER} de {from}",
        "remove all markers from {from}",
    ),
    (
        {"op": "remove_marker", "marker": "chosen", "from": "$who", "n": "$count"},
        "remova {n} {MARKER} à escolha de {from}",
        "remove {n} marker<|s> of your choice from {from}",
    ),
    (
        {"op": "remove_marker", "marker": "chosen", "from": "$who"},
        "remova algum {MARKER} à escolha de {from}",
        "remove some marker of your choice from {from}",
    ),
    (
        {"op": "remove_marker", "marker": "$marker", "from": "$who"},
        "remova o {marker} de {from}",
        "remove the marker {marker} from {from}",
    ),
    (
        {"op": "remove_marker", "marker": "$marker", "from": "$who", "n": "$count"},
        "remova {n} vez o {marker} de {from}",
        "remove the marker {marker} {n} time<|s> from {from}",
    ),
    ({"op": "awaken", "who": "$who=self"}, "desperte {who's:o {ENTITY}}", "awaken {who's:Entity}"),
    ({"op": "sleep_entity", "who": "$who=self"}, "adormeça {who's:o {ENTITY}}", "put {who's:Entity} to sleep"),
    (
        {"op": "incorporate", "from": "$sources", "filter": "$card?"},
        "incorpore um {ENTITY} {from}[: {filter}]",
        "incorporate an Entity {from}[: {filter}]",
    ),
    (
        {"op": "incorporate", "who": "$who", "from": "$sources", "filter": "$card?"},
        "{who} incorpora<|m> um {ENTITY} {from}[: {filter}]",
        "{who} <incorporates|incorporate> an Entity {from}[: {filter}]",
    ),
    ({"op": "skip_turn", "who": "self"}, "perca o seu próximo turno", "lose your next turn"),
    ({"op": "skip_turn", "who": "$who"}, "{who} perde<|m> o próximo turno", "{who} <loses|lose> the next turn"),
    ({"op": "end_turn", "who": "=self"}, "encerre o seu turno", "end your turn"),
    ({"op": "end_turn", "who": "$who"}, "encerre o turno de {who}", "end the turn of {who}"),
    ({"op": "extra_turn", "who": "$who"}, "{who} recebe<|m> mais um turno", "{who} <takes|take> another turn"),
    (
        {"op": "extra_turn", "who": "$who", "after": "$who"},
        "{who} recebe<|m> mais um turno depois de {after}",
        "{who} <takes|take> another turn after {after}",
    ),
    ({"op": "revive", "who": "$who", "hp": "$num"}, "reviva {who} com {hp} de {HP}", "revive {who} with {hp} HP"),
    (
        {"op": "revive", "who": "$who", "hp": "$amount"},
        "reviva {who} com {HP} igual a {hp}",
        "revive {who} with HP equal to {hp}",
    ),
    (
        {"op": "save", "who": "$who", "hp": "$amount=1"},
        "{who} sobrevive<|m> com {hp} de {HP}",
        "{who} <survives|survive> with {hp} HP",
    ),
    (
        {"op": "change_control", "who": "$who", "to": "=self", "until": "$end?"},
        "você controla {who}[ {until}]",
        "you control {who}[ {until}]",
    ),
    (
        {"op": "change_control", "who": "$who", "to": "$who", "until": "$end?"},
        "{to} controla<|m> {who}[ {until}]",
        "{to} <controls|control> {who}[ {until}]",
    ),
    (
        {"op": "copy_stats", "from": "$copied", "to": "$who=self", "what": "$stats", "until": "$end?"},
        "copie {what} de {from} para {to}[ {until}]",
        "copy {what} of {from} to {to}[ {until}]",
    ),
    ({"op": "end_battle", "result": "draw"}, "a batalha termina empatada", "the battle ends in a draw"),
    ({"op": "end_battle", "result": "win"}, "você vence a batalha", "you win the battle"),
    ({"op": "end_battle", "result": "loss"}, "você perde a batalha", "you lose the battle"),
    ({"op": "let", "bind": "$bound", "n": "$amount"}, "chame de {bind}: {n}", "call {bind}: {n}"),
    (
        {"op": "declare", "what": "$declared", "n": "$amount=1", "bind": "$bound"},
        "declare {n} {what} (chame de {bind})",
        "declare {n} {what} (call it {bind})",
    ),
    ({"op": "native", "name": "$name"}, "execute a regra especial {name}", "carry out the special rule {name}"),
    (
        {"op": "native", "name": "$name", "args": "$raw"},
        "execute a regra especial {name} com {args}",
        "carry out the special rule {name} with {args}",
    ),
    (
        {"op": "remove_mods", "from": "$who", "kind": "=temporary"},
        "encerre os modificadores temporários de {from}",
        "end the temporary modifiers of {from}",
    ),
    (
        {"op": "remove_mods", "from": "$who", "kind": "positive"},
        "encerre os modificadores positivos de {from}",
        "end the positive modifiers of {from}",
    ),
    (
        {"op": "remove_mods", "from": "$who", "kind": "negative"},
        "encerre os modificadores negativos de {from}",
        "end the negative modifiers of {from}",
    ),
    (
        {"op": "remove_mods", "from": "$who", "kind": "all"},
        "encerre todos os modificadores de {from}",
        "end all modifiers of {from}",
    ),
)
"""Markers, Entities, turns, life and control."""


def _state(book: Book) -> None:
    book.add("act", *_STATES)
    book.add(
        "stats",
        ("attributes", "os Atributos", "the attributes"),
        ("damage", "o {DMG}", "the damage"),
        ("techniques", "as técnicas", "the techniques"),
    )
    book.add("copied", ("$k:bound", "a carta {k}", "the card {k}"), ("$w:who", "{w}", "{w}"), ("$c:cards", "{c}", "{c}"))
    book.add("declared", ("knowledge", "{KNOWLEDGE}", "knowledge"), ("attribute", "Atributo", "attribute"))
    book.add("declared", ("suit", "naipe", "suit"), ("number", "número", "number"))
