"""The plain notation of the effect language: every tree, written with the words of either language and read back exactly.

Wording that reads like a rulebook exists for the common shapes of effects; a tree outside them is still rendered, key by
key, so that nothing of it is lost. Lists stand in square brackets, mappings in round ones, names that are not words of the
language in quotation marks.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

WORDS = {
    "activation": "ativação", "timings": "tempos", "limits": "limites", "scopes": "origens", "task": "tarefa",
    "technique": "técnica", "requires": "requer", "do": "faça", "mods": "modificadores", "when": "quando", "if": "se",
    "while": "enquanto", "pay": "pague", "target": "alvo", "until": "até", "op": "ação", "q": "grandeza", "add": "soma",
    "mul": "vezes", "set": "passa-a", "on": "em", "by": "por", "against": "contra", "card": "carta", "per": "por-cada",
    "cap": "máximo", "floor": "mínimo", "event": "evento", "who": "quem", "phase": "fase", "before": "antes", "after": "depois",
    "chars": "personagens", "cards": "cartas", "zone": "zona", "of": "de", "n": "quantidade", "to": "para",
    "from": "da-parte-de",
    "then": "então", "else": "senão", "cond": "condição", "ok": "se-passar", "fail": "se-falhar", "win": "se-vencer",
    "lose": "se-perder", "tie": "se-empatar", "dc": "dificuldade", "attr": "atributo", "know": "conhecimento-de",
    "knowledge": "conhecimento", "tag": "propriedade", "any_tag": "uma-das-propriedades", "suit": "naipe", "kind": "tipo",
    "level": "nível", "filter": "filtro", "any": "qualquer", "self": "você", "this": "esta-carta", "all": "todos",
    "this_char": "este-personagem", "host_hero": "o-Herói", "attacker": "atacante", "allies": "aliados", "enemies": "inimigos",
    "other_allies": "outros-aliados", "others": "outros", "it": "ele", "heal": "cure", "gain": "receba", "lose_hp": "remova-HP",
    "spend": "gaste", "gain_currency": "obtenha-valor", "deal_damage": "cause-dano", "deal_injury": "cause-ferimento",
    "splash": "espalhe", "redirect": "redirecione", "negate": "negue", "check": "teste", "contest": "competição",
    "roll": "rolagem", "reroll": "role-novamente", "set_die": "escolha-dado", "set_result": "defina-resultado",
    "add_roll": "some-à-rolagem", "move_card": "mova-carta", "draw": "puxe", "search": "procure", "look": "olhe",
    "reveal": "revele", "reorder": "reordene", "shuffle": "embaralhe", "exhaust": "consuma", "recover": "recupere",
    "attach": "anexe", "detach": "desanexe", "swap_card": "troque-carta", "activate_card": "ative-carta",
    "add_marker": "adicione-marcador", "remove_marker": "remova-marcador", "add_counter": "adicione-contador",
    "remove_counter": "remova-contador", "move_counter": "mova-contador", "move_piece": "mova-peça",
    "swap_pieces": "troque-peças", "summon_piece": "evoque-peça", "place_object": "coloque-objeto",
    "remove_piece": "remova-peça", "tile_mod": "mude-casa", "tile_rule": "regra-da-casa", "link_tile": "ligue-casa",
    "awaken": "desperte", "sleep_entity": "adormeça", "incorporate": "incorpore", "skip_turn": "perca-o-turno",
    "end_turn": "encerre-o-turno", "extra_turn": "turno-extra", "revive": "reviva", "save": "salve",
    "change_control": "mude-o-controle", "copy_stats": "copie-atributos", "end_battle": "encerre-a-batalha",
    "choose": "escolha", "may": "pode", "for_each": "para-cada", "in": "dentre", "repeat": "repita", "let": "seja",
    "declare": "declare", "delayed": "mais-tarde", "mod": "modifique", "marker": "marcador", "counter": "contador",
    "discard": "descarte", "inventory": "inventário", "equipment": "equipamento", "memento": "memória", "support": "suporte",
    "table": "mesa", "scenario": "cenário", "attachments": "anexos", "banished": "banidas", "deck_bottom": "fundo-do-baralho",
    "deck_top": "topo-do-baralho", "entity_slot": "espaço-de-entidade", "currency": "moeda", "energy": "energia",
    "damage": "dano", "attack": "ataque", "injury": "ferimento", "action": "gesto",
    "payment": "pagamento", "effect": "efeito", "within": "até-distância", "adjacent": "adjacente",
    "has_marker": "com-marcador",
    "not": "não-é", "sheet": "ficha", "name": "nome", "tile": "casa", "at": "onde", "mode": "modo", "walk": "andar",
    "push": "empurrar", "place": "posicionar", "dir": "direção", "unit": "medida", "tiles": "casas", "distance": "distância",
    "end_of_battle": "fim-da-batalha", "end_of_turn": "fim-do-turno", "this_attack": "este-ataque", "this_check": "este-teste",
    "this_roll": "esta-rolagem", "end_of_round": "fim-da-rodada", "start_of_your_next_turn": "início-do-seu-próximo-turno",
    "end_of_next_turn": "fim-do-próximo-turno", "end_of_target_next_turn": "fim-do-próximo-turno-do-alvo",
    "count": "contagem", "half": "metade", "what": "o-quê", "res": "recurso", "keep": "mantém", "bind": "chame-de",
    "current": "atual", "exclude": "exceto", "bury": "enterre", "banish": "bana", "hp": "vida", "success": "sucesso",
}  # fmt: skip
"""Words of the effect language in Portuguese; every entry is one token and stands for one word."""

_PLAIN = re.compile(r"[A-Za-z_][\w.\-]*\Z")
_TOKEN = re.compile(r"\s*(?:“((?:[^”\\]|\\.)*)”|([();:\[\]])|([^\s();:\[\]“”]+))")
_CONSTANTS = {"pt": {True: "sim", False: "não", None: "nada"}, "en": {True: "yes", False: "no", None: "nothing"}}


@cache
def _portuguese() -> dict[str, str]:
    return {pt: en for en, pt in WORDS.items()}


def _word(text: str, language: str) -> str:
    taken = set(_CONSTANTS[language].values())
    if language == "pt":
        if text in WORDS:
            return WORDS[text]
        taken |= set(_portuguese())
    if _PLAIN.match(text) and text not in taken:
        return text
    return "“" + text.replace("\\", "\\\\").replace("”", "\\”") + "”"


def write(tree: Any, language: str) -> str:
    """Return a tree in the plain notation.

    Args:
        tree: mappings, lists, texts, numbers, truth values, None.
        language: `pt` or `en`.
    """
    if isinstance(tree, bool) or tree is None:
        return _CONSTANTS[language][tree]
    if isinstance(tree, int):
        return str(tree)
    if isinstance(tree, str):
        return _word(tree, language)
    if isinstance(tree, (list, tuple)):
        return "[" + "; ".join(write(item, language) for item in tree) + "]"
    named = isinstance(tree.get("op"), str)
    rest = {key: value for key, value in tree.items() if key != "op" or not named}
    head = _word(tree["op"], language) + " " if named else ""
    return head + "(" + "; ".join(f"{_word(key, language)}: {write(value, language)}" for key, value in rest.items()) + ")"


class _Reader:
    def __init__(self, text: str, language: str):
        self.language = language
        self.tokens: list[tuple[str, str]] = []
        place = 0
        while text[place:].strip():
            found = _TOKEN.match(text, place)
            if found is None:
                raise ValueError("not in the plain notation")
            kind = "quoted" if found.group(1) is not None else "mark" if found.group(2) else "word"
            self.tokens.append((kind, next(group for group in found.groups() if group is not None)))
            place = found.end()
        self.place = 0

    def peek(self) -> tuple[str, str]:
        return self.tokens[self.place] if self.place < len(self.tokens) else ("end", "")

    def take(self, mark: str | None = None) -> tuple[str, str]:
        token = self.peek()
        if token[0] == "end" or mark is not None and token != ("mark", mark):
            raise ValueError("not in the plain notation")
        self.place += 1
        return token

    def text(self, token: tuple[str, str]) -> str:
        kind, value = token
        if kind == "quoted":
            return re.sub(r"\\(.)", r"\1", value)
        return _portuguese().get(value, value) if self.language == "pt" else value

    def value(self) -> Any:
        token = self.peek()
        if token == ("mark", "["):
            return self.items()
        if token == ("mark", "("):
            return self.mapping({})
        token = self.take()
        if token[0] == "mark":
            raise ValueError("not in the plain notation")
        if self.peek() == ("mark", "("):
            return self.mapping({"op": self.text(token)})
        if token[0] == "word":
            for constant, written in _CONSTANTS[self.language].items():
                if token[1] == written:
                    return constant
            if re.fullmatch(r"-?\d+", token[1]):
                return int(token[1])
        return self.text(token)

    def items(self) -> list[Any]:
        self.take("[")
        out: list[Any] = []
        while self.peek() != ("mark", "]"):
            if out:
                self.take(";")
            out.append(self.value())
        self.take("]")
        return out

    def mapping(self, start: dict[str, Any]) -> dict[str, Any]:
        self.take("(")
        out, first = start, True
        while self.peek() != ("mark", ")"):
            if not first:
                self.take(";")
            key = self.text(self.take())
            self.take(":")
            out[key] = self.value()
            first = False
        self.take(")")
        return out


def read(text: str, language: str) -> Any:
    """Return the tree that a text in the plain notation stands for.

    Raises:
        ValueError: the text is not in the notation.
    """
    reader = _Reader(text, language)
    tree = reader.value()
    if reader.peek()[0] != "end":
        raise ValueError("not in the plain notation")
    return tree
