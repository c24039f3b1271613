"""Verb phrases that move pieces and change tiles."""

from __future__ import annotations

from typing import Any

from apotheosis.env.cards.text.actions import do, target_needs
from apotheosis.env.cards.text.base import SUBJECT, G, Part
from apotheosis.env.cards.text.grammar import REFUSE, Parse
from apotheosis.env.cards.text.phrases_who import one_word


def _move(who: Any, n: Any, unit: str, **more: Any) -> Part:
    return do({"op": "move_piece", "who": who, "mode": "walk", "n": n, "unit": unit, **more})


@G.rule("vp", "(empurre | empurrar) o alvo [ate | em] <num:n> (casa | casas) [para tras]")
def _shove(parse: Parse, n: int) -> Part:
    least: Any = [0, n] if any(t.text == "ate" for t in parse.here) else n
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": least, "dir": "action_direction"})


@G.rule("vp", "(PUXAR | puxe) o alvo [ate] <num:n> (casa | casas) [(na | em) seu direcao | para perto | em direcao a voce]")
def _draw_near(parse: Parse, n: int) -> Part:
    least: Any = [0, n] if any(t.text == "ate" for t in parse.here) else n
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": least, "dir": "towards"})


@G.rule(
    "vp",
    "(<mover> | COLOCAR | POSICIONAR) [a] seu peca (em | para) um casa [vazio] a ate <num:n> (casa | casas | de "
    "distancia) [de voce]",
)
def _jump(parse: Parse, n: int) -> Part:
    place = {"tile": "any", "empty": True, "within": n, "of": "self"}
    return do({"op": "move_piece", "who": "self", "mode": "place", "to": "target"}, requires=[{"target": place}])


@G.rule("vp", "<mover> este personagem para a casa adjacente ao alvo", tile="adjacent_empty")
@G.rule("vp", "<mover> este personagem para a casa adjacente ao alvo [,] na direcao deste ataque", tile="in_front")
def _charge(parse: Parse, tile: str) -> Part:
    """In the direction of the attack the piece comes to stand on its own side of the target."""
    beside = {"tile": tile, "of": "target"}
    return do({"op": "move_piece", "who": parse.context.this_char, "mode": "place", "to": beside})


@G.rule("mover", "(mova | mover | move | movam)")
def _mover(parse: Parse) -> None:
    return None


@G.rule("vp", "[se] <mover> [-se | se] para uma casa adjacente [<tothis:near>]")
def _step(parse: Parse, near: str | None = None) -> Any:
    if near in (None, SUBJECT):
        return _move(SUBJECT, 1, "tiles")
    return REFUSE


@G.rule("vp", "[se] <mover> [-se | se] ate <num:n> (casa | casas) [sem custo [de {AP}]]")
def _steps(parse: Parse, n: int) -> Part:
    return _move(SUBJECT, [0, n], "tiles")


@G.rule("vp", "<mover> <atmost:n> de distancia", "<mover> a sua peca no tabuleiro para ate <int:n> de distancia",
        "<mover> sua peca no tabuleiro para ate <int:n> de distancia")  # fmt: skip
def _walk(parse: Parse, n: int) -> Part:
    return _move(SUBJECT, [0, n], "distance")


@G.rule("vp", "<mover> um personagem <team:t> para uma casa adjacente a ele")
def _move_ally(parse: Parse, t: str) -> Part:
    step = {"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "chosen"}
    return do(step, requires=target_needs({"chars": t}))


@G.rule("vp", "<mover> o alvo para uma casa adjacente")
def _push_any(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "chosen"})


@G.rule("vp", "[se] <mover> [-se | se] <num:n> (casa | casas) [sem custo [de {AP}]]")
def _steps_exactly(parse: Parse, n: int) -> Part:
    return _move(SUBJECT, n, "tiles")


@G.rule("vp", "<mover> (este personagem | a peca deste personagem) <num:n> (casa | casas)", least=None)
@G.rule("vp", "<mover> (este personagem | a peca deste personagem) ate <num:n> (casa | casas)", least=0)
def _here_steps(parse: Parse, n: int, least: int | None) -> Part:
    return _move(parse.context.this_char, n if least is None else [least, n], "tiles")


@G.rule("vp", "<mover> o alvo [em] <num:n> (casa | casas)")
def _push_exactly(parse: Parse, n: int) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": n, "dir": "chosen"})


@G.rule("vp", "<mover> o alvo para uma casa adjacente (a voce | a sua peca)")
def _fetch(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "place", "to": {"tile": "adjacent_empty", "of": SUBJECT}})


@G.rule("vp", "<mover> o alvo ate <num:n> casas de distancia")
def _push_far(parse: Parse, n: int) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": [0, n], "dir": "chosen"})


@G.rule("vp", "<mover> (-o | o alvo) uma casa para tras [na [mesma] direcao (do ataque | da acao)]")
def _push_back(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "action_direction"})


@G.rule("vp", "<mover> (-o | o alvo) <num:n> (casa | casas) na direcao (oposta | contraria) [a] [do ataque]")
def _push_n(parse: Parse, n: int) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": n, "dir": "towards"})


@G.rule("vp", "<mover> (-o | o alvo) ate <num:n> (casa | casas) na direcao (do ataque | da acao)")
def _push_along(parse: Parse, n: int) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": [0, n], "dir": "action_direction"})


@G.rule("vp", "<mover> <group:g> para um casa adjacente [a ele]", least=None, n=1)
@G.rule("vp", "<mover> <group:g> <num:n> (casa | casas) [em qualquer direcao]", least=None)
@G.rule("vp", "<mover> <group:g> ate <num:n> (casa | casas) [em qualquer direcao]", least=0)
def _push_group(parse: Parse, g: dict[str, Any], n: int, least: int | None) -> Any:
    step = {
        "op": "move_piece",
        "who": "it",
        "mode": "push",
        "n": n if least is None else [least, n],
        "dir": "chosen",
        "if_possible": True,
    }
    return do({"op": "for_each", "in": one_word(g), "do": [step]})


@G.rule("vp", "<mover> (-o | o alvo) ate <num:n> casas [em qualquer direcao]", "<mover> (-o | o alvo) ate <num:n> de distancia")
def _push_up_to(parse: Parse, n: int) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": [0, n], "dir": "chosen"})


@G.rule("vp", "<mover> (este personagem | a peca deste personagem) para uma casa adjacente [ao <near:x>]")
def _here_step(parse: Parse, x: str | None = None) -> Any:
    if x is not None:
        return do(
            {"op": "move_piece", "who": parse.context.this_char, "mode": "place", "to": {"tile": "adjacent_empty", "of": x}}
        )
    return do({"op": "move_piece", "who": parse.context.this_char, "mode": "walk", "n": 1, "unit": "tiles"})


G.table("near", {"alvo": "target", "atacante": "attacker"})


@G.rule(
    "vp",
    "<mover> [a] sua peca para uma casa adjacente ao <near:x>",
    "[se] <mover> [-se | se] para uma casa adjacente ao <near:x>",
)
def _go_to(parse: Parse, x: str) -> Part:
    return do({"op": "move_piece", "who": SUBJECT, "mode": "place", "to": {"tile": "adjacent_empty", "of": x}})


@G.rule(
    "vp",
    "<mover> [a] sua peca para um casa adjacente a <selected:s>",
    "[se] <mover> [-se | se] para um casa adjacente a <selected:s>",
)
def _go_to_chosen(parse: Parse, s: dict[str, Any]) -> Part:
    beside = {"tile": "adjacent_empty", "of": "target"}
    return do({"op": "move_piece", "who": SUBJECT, "mode": "place", "to": beside}, requires=target_needs(s))


@G.rule("vp", "TROCAR de (lugar | posicao | casa) com <selected:s>")
def _swap_with_chosen(parse: Parse, s: dict[str, Any]) -> Part:
    return do({"op": "swap_pieces", "a": SUBJECT, "b": "target"}, requires=target_needs(s))


@G.rule("vp", "TROCAR [a] sua peca [no tabuleiro] pela [peca] <of_whom:t>", "TROCAR de (lugar | posicao | casa) com <inwho:w>")
def _swap_with(parse: Parse, t: tuple[Any, list[Any]] | None = None, w: Any = None) -> Any:
    who, needs = t if t is not None else (w, [])
    return do({"op": "swap_pieces", "a": SUBJECT, "b": who}, requires=needs) if isinstance(who, str) else REFUSE


@G.rule("vp", "TROCAR de (lugar | posicao | casa) com o alvo", "TROCAR sua peca de lugar com a [peca] do alvo")
def _swap_places(parse: Parse) -> Part:
    return do({"op": "swap_pieces", "a": SUBJECT, "b": "target"})


@G.rule("vp", "<mover> o alvo uma ou duas (casa | casas) para tras na mesma direcao da acao [, se possivel]")
def _push_two(parse: Parse) -> Part:
    return do(
        {"op": "move_piece", "who": "target", "mode": "push", "n": [1, 2], "dir": "action_direction", "if_possible": True}
    )


@G.rule("vp", "<mover> o alvo uma casa no sentido contrario do ataque")
def _pull(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "target", "mode": "push", "n": 1, "dir": "towards"})


@G.rule("vp", "<mover> a sua peca para a casa do tabuleiro selecionada")
def _teleport(parse: Parse) -> Part:
    return do({"op": "move_piece", "who": "self", "mode": "place", "to": "target"})


@G.rule("clause", "a casa em que este personagem ESTAR RECEBER <bonus:n> de {ALT} <dur:d>")
def _raise_tile(parse: Parse, n: int, d: Any) -> Part:
    return do({"op": "tile_mod", "tiles": {"of": parse.context.this_char}, "q": "alt", "add": n, "until": d})


@G.rule("vp", "SELECIONAR uma casa do tabuleiro e COLOCAR a peca deste personagem na casa selecionada")
def _place_anywhere(parse: Parse) -> Part:
    step = {"op": "move_piece", "who": parse.context.this_char, "mode": "place", "to": "target"}
    return do(step, requires=[{"target": {"tile": "any", "empty": True}}])


@G.rule("vp", "<mover> todos os personagens na [sua] {AREA} em ate <int:n> de distancia")
def _scatter(parse: Parse, n: int) -> Any:
    if not parse.context.area:
        return REFUSE
    step = {"op": "move_piece", "who": "it", "mode": "push", "n": [0, n], "dir": "chosen"}
    return do({"op": "for_each", "in": {"chars": "all", "in_area": True}, "do": [step]})


@G.rule("vp", "<mover> a peca deste personagem para uma casa adjacente ao heroi")
def _join_hero(parse: Parse) -> Any:
    if not parse.context.companion:
        return REFUSE
    return do({"op": "move_piece", "who": "this_char", "mode": "place", "to": {"tile": "adjacent_empty", "of": "host_hero"}})
