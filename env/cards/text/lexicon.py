"""The names of the game in the card texts: macros, paragraph keywords, spelling slips and verb forms.

Every table that ties a written name to a name of the effect language stands here, so that the reader, the writer and the
classification agree. Only game terms and ordinary words are listed; no card text.
"""

from __future__ import annotations

import unicodedata
from functools import lru_cache

ATTRIBUTES = ("END", "STR", "AGI", "PER", "INT", "CHA", "SPT")

KNOWLEDGES = {
    name.upper(): name
    for name in (
        "Faith", "Arcane", "Cooperation", "Defense", "Athletics", "Practice", "Art", "Instruction", "Cunning", "Elemental",
        "Transmutation", "Vital", "Mental", "Dimensional", "Free",
    )
}  # fmt: skip

SUITS = {name.upper(): name for name in ("House", "Class", "Entity", "Item", "Skill", "Companion", "Event")}

KINDS = {"SUMMON": "Summon", "HUMAN": "Human", "CREATURE": "Creature", "ALLY": "Human", "ANIMAL": "Creature"}
"""Companion types; ALLY and ANIMAL are the older names of two of them."""

ORDERS = {"SPIRIT": "Spirit", "DEITY": "Deity", "GOD": "God"}

CRAFTS = {
    name.upper(): name
    for name in (
        "Alchemy", "Amber", "Charm", "Cook", "Dressmaking", "Drink", "Forge", "Gunsmith", "Handicraft", "Herbalism", "Jewelry",
        "Mechanics", "Orichalcum",
    )
}  # fmt: skip

RANGES = {"DIRECT": "Direct", "ARCING": "Arcing", "AREA": "Area"}

SPECIFIERS = {name.upper(): name for name in ("Headpiece", "Vest", "Feet", "Accessory", "Utility")}

PATHS = {
    name.upper(): name
    for name in (
        "Magician", "Priestess", "Empress", "Emperor", "Priest", "Lovers", "Chariot", "Force", "Hermit", "Wheel", "Justice",
        "Hanged", "Death", "Temperance", "Devil", "Tower", "Star", "Moon", "Sun", "Judgment", "World",
    )
}  # fmt: skip

TAG_MACROS = {
    "SILVERICE": "Silver Ice",
    "ROUNDSHOT": "Round Shot",
    "HIDDENPOWER": "Hidden Power",
    "GOLDENFIRE": "Golden Fire",
    "POWEREDSUIT": "Powered Suit",
    "DARK": "Dark",
    "VESSEL": "Vessel",
    "SEAL": "Seal",
}
"""Tag macros whose tag is not the macro with a capital letter."""

PLAIN_TAGS = frozenset(
    "AIR ALCOHOL AMMO ANGEL ANIMISM ARCHERY ARMOR ARROW ARTILLERY ASTROLOGY ATTRITION BIPOLAR BLUNT BOOK CAVALRY CUT DANCE "
    "DEMON DENARIUS DEVA DIVINE EARTH ELECTRIC ELITE ENCOUNTER ENLIGHTENED EXOSUIT FIRE FIREARM FLOAT FLYING FUSION GAS GOLD "
    "HEALING ICHOR INFANTRY INITIATION KAIJU LIGHT MAGIC MIASMA MONEY MOUNT MUSIC NATURE NECROMANCY ODD PIERCE PROTOBOT "
    "REFLEX RELIC REVIVE SCIENCE SHIELD SHIP SPACETIME SPELL SPLIT STONE TEAMWORK TERRAIN THEOGRAPHY TOSS TRANSGRESS TRAP "
    "UNARMED UNIT VEHICLE VIMANA WATER WEATHER WITCHCRAFT".split()
)
"""Tag macros that are the tag in capitals. A macro outside the tables is refused, never taken for a tag."""

ZONES = {
    "INV": "inventory",
    "EQUIP": "equipment",
    "MEM": "memento",
    "SUPPORT": "support",
    "SHEET": "sheet",
    "TABLE": "table",
    "SCENARIO": "scenario",
}

DECKS = {
    "MARKET": "market",
    "ACADEMY": "academy",
    "BESTIARY": "bestiary",
    "SANCTUARY": "sanctuary",
    "TAVERN": "tavern",
    "WOUND": "wound",
    "FACTORS": "factors",
}

CURRENCIES = ("FATE", "XP", "WILL", "PRICE")
COLOURS = ("YELLOW", "RED", "BLUE", "WHITE", "BLACK")
ENERGIES = ("SP", "MP")

EFFECT_NAMES = {
    "clima": "Weather",
    "encontro": "Encounter",
    "consumivel": "Consumable",
    "projetil": "Projectile",
    "contavel": "Countable",
    "teografia": "Theography",
    "gas": "Gas",
    "miasma": "Miasma",
    "atrito": "Attrition",
    "montaria": "Mount",
    "voador": "Flying",
    "explosivo": "Explosive",
    "encontravel": "Findable",
}
"""Effects that texts name as a filter, and the tag that the newer cards carry for the same idea."""

LIGNUMS = (
    "Talaria", "Crimson", "Golden Fire", "Magfelt", "Magicircle", "Ablyss", "Super", "Stellar", "Silver Ice", "Avalon", "Anima",
    "Ethelum",
)  # fmt: skip
LIGNUM_NAMES = {"gelo prateado": "Silver Ice", "fogo dourado": "Golden Fire", "estelar": "Stellar"}
"""Portuguese names of Lignum families; the others are written as in the data."""

CAMPAIGN_KEYWORDS = frozenset({"ENCONTRO", "COMBATE", "FAVOR", "ENCONTRAVEL", "MATERIA-PRIMA"})

SPELLING = {
    "incio": "inicio",
    "personages": "personagens",
    "ativade": "ativada",
    "adicinar": "adicionar",
    "adicioanar": "adicionar",
    "adiciona-la": "adicionar",
    "leventar": "levantar",
    "invez": "inves",
    "causer": "causar",
    "descancar": "descansar",
    "exeto": "exceto",
    "extencao": "extensao",
    "proprieadade": "propriedade",
    "só": "apenas",
    "so": "se",
    "quanto": "quando",
    "hp": "{HP}",
    "vida": "{HP}",
    "dano": "{DMG}",
    "danos": "{DMG}",
    "agilidade": "{AGI}",
    "alcance": "{RANGE}",
    "altitude": "{ALT}",
    "evento": "{EVENT}",
    "anexadas": "anexada",
    "times": "time",
    "outros": "outro",
    "outras": "outra",
    "eles": "ele",
    "elas": "ela",
    "grupo": "time",
    "equipe": "time",
    "adquirir": "obter",
    "adquira": "obtenha",
    "adquire": "obtem",
    "adquirem": "obtem",
    "sacar": "puxar",
    "saque": "puxe",
    "saca": "puxa",
    "inventario": "{INV}",
    "pegar": "obter",
    "pegue": "obtenha",
    "equivalente": "igual",
    "anule": "negue",
    "anular": "negar",
    "cancele": "negue",
    "cancelar": "negar",
}
"""Slips and synonyms that are folded before reading."""

NORMAL = {
    "os": "o", "as": "a", "da": "do", "dos": "do", "das": "do", "na": "no", "nos": "no", "nas": "no", "aos": "ao",
    "sua": "seu", "seus": "seu", "suas": "seu", "toda": "todo", "todos": "todo", "todas": "todo", "uma": "um", "duas": "dois",
    "esta": "este", "estes": "este", "estas": "este", "desta": "deste", "destes": "deste", "destas": "deste", "nesta": "neste",
    "aquela": "aquele", "aqueles": "aquele", "daquela": "daquele", "daqueles": "daquele", "naquela": "naquele",
    "cartas": "carta", "casas": "casa", "adjacentes": "adjacente", "testes": "teste", "rolagens": "rolagem", "dados": "dado",
    "ataques": "ataque", "anexos": "anexo", "atributos": "atributo", "pecas": "peca", "propriedades": "propriedade",
    "custos": "custo", "efeitos": "efeito", "alvos": "alvo", "acoes": "acao", "areas": "area", "espacos": "espaco",
    "mesma": "mesmo", "mesmos": "mesmo", "mesmas": "mesmo", "vazia": "vazio", "vazias": "vazio", "vazios": "vazio",
    "morta": "morto", "mortos": "morto", "mortas": "morto", "niveis": "nivel", "conhecimentos": "conhecimento",
    "proximos": "proximo", "fim": "final", "termino": "final", "comeco": "inicio",
    "somente": "apenas", "marcador": "{MARKER}", "marcadores": "{MARKER}", "contador": "{COUNTER}", "contadores": "{COUNTER}",
    "competicoes": "competicao", "outra": "outro", "outras": "outro", "nenhuma": "nenhum", "falharem": "falhar",
    "fracassarem": "fracassar", "passarem": "passar",
    "criticos": "critico", "aleatorio": "aleatoria", "turnos": "turno", "vitorias": "vitoria", "maos": "mao",
    "objetos": "objeto", "pontos": "ponto", "vezes": "vez", "normais": "normal", "acertos": "acerto", "curas": "cura",
    "copias": "copia",
}  # fmt: skip
"""Forms that agreement in number and gender gives to words; readings never depend on them."""

FILLERS = frozenset({"tambem", "imediatamente", "adicionalmente", "ainda", "normalmente"})
"""Words that add nothing to a rule."""

EXPANSIONS = {
    "membro": ("personagem",),
    "membros": ("personagens",),
    "companheiro": ("personagem", "do", "seu", "time"),
    "companheiros": ("personagens", "do", "seu", "time"),
}
"""Words that stand for a longer phrase."""

TEAM_WORDS = {
    **{one: ("aliado", False) for one in ("aliado", "aliada")},
    **{one: ("aliado", True) for one in ("aliados", "aliadas")},
    **{one: ("inimigo", False) for one in ("inimigo", "inimiga", "oponente", "adversario", "adversaria", "rival")},
    **{one: ("inimigo", True) for one in ("inimigos", "inimigas", "oponentes", "adversarios", "adversarias", "rivais")},
}
"""Words for characters of a team, and whether they are several; they stand alone or describe a character."""

NUMBER_WORDS = {"um": 1, "uma": 1, "dois": 2, "duas": 2, "tres": 3, "quatro": 4, "cinco": 5}

_REGULAR = (
    "adicionar adormecer anexar aplicar ativar atacar banir causar colocar comecar comprar considerar consumir copiar curar "
    "declarar deitar descartar desanexar desconsiderar despertar devolver dobrar embaralhar encerrar enterrar enviar equipar "
    "escolher evocar ficar ganhar ignorar infligir iniciar inverter levantar manter mover negar olhar pagar passar permanecer "
    "perder possuir posicionar precisar puxar realizar receber recuperar reduzir remover resolver restaurar retornar revelar "
    "reviver rolar sacrificar selecionar sofrer somar subtrair tornar transferir trocar usar utilizar vencer custar morrer "
    "matar falhar incorporar substituir dever entrar sair poder dominar fabricar descansar subir descer "
    "triplicar levar desativar "
    "descontar procurar modificar copiar pular gastar parar baixar comprar anular cancelar aumentar conceder perturbar"
).split()

_IRREGULAR = {
    "ser": "sou e sao foi foram for forem seja sejam sera era sendo",
    "estar": "esta estao estiver estiverem esteja estejam estava estando",
    "ter": "tem tenha tenham tiver tiverem tinha tendo",
    "buscar": "busque busquem busca buscam",
    "ver": "ve veja vejam vejo vir",
    "fazer": "faz faca facam fizer fizerem fazem",
    "obter": "obtem obtenha obtenham obtiver obtiverem obteve",
    "manter": "mantem mantenha mantiver",
    "poder": "pode podem possa possam puder puderem",
    "perder": "perca percam",
    "sair": "sai saia saem sairem",
    "ir": "vai va for",
    "haver": "ha houver houverem haja",
    "permanecer": "permaneca permanecam",
    "adormecer": "adormeca adormecam",
    "comecar": "comece comecem comeca comecam",
    "pagar": "pague paguem",
    "ficar": "fique fiquem",
    "colocar": "coloque coloquem",
    "aplicar": "aplique apliquem",
    "sacrificar": "sacrifique sacrifiquem",
    "trocar": "troque troquem",
    "triplicar": "triplique",
    "atacar": "ataque ataquem",
    "ativar": "ative ativem",
    "negar": "negue neguem",
    "infligir": "inflija inflijam",
    "escolher": "escolha escolham",
    "reduzir": "reduz reduza reduzam",
    "inverter": "inverta invertam",
    "substituir": "substitua substitui",
    "somar": "some somem",
    "possuir": "possui possuem possua possuam",
    "dever": "deve devem deva devam",
    "consumir": "consome consomem consuma consumam",
    "enviar": "envie enviem envia enviam",
    "mover": "move movem mova movam",
    "morrer": "morre morrem morra morram",
    "subir": "sobe suba",
    "subtrair": "subtraia subtraiam subtrai",
}


@lru_cache(maxsize=8192)
def fold(text: str) -> str:
    """Return the text in lower case without accents."""
    stripped = unicodedata.normalize("NFD", text)
    return "".join(c for c in stripped if not unicodedata.combining(c)).lower()


def normal(word: str) -> str:
    """Return a folded word without its agreement in number and gender."""
    if word in NORMAL:
        return NORMAL[word]
    for ending, stem in (("ados", "ad"), ("adas", "ad"), ("ada", "ad"), ("idos", "id"), ("idas", "id"), ("ida", "id")):
        if word.endswith(ending) and len(word) > len(ending) + 1 and word not in _NO_PARTICIPLES:
            return word[: -len(ending)] + stem + "o"
    return word


_NO_PARTICIPLES = frozenset(
    {"rodada", "rodadas", "cada", "vida", "batida", "nada", "dados", "dada", "partida", "entrada", "saida"}
)


def _verb_forms() -> dict[str, frozenset[str]]:
    forms: dict[str, set[str]] = {}

    def put(word: str, verb: str) -> None:
        forms.setdefault(word, set()).add(verb.upper())

    for verb in [*_REGULAR, *_IRREGULAR]:
        stem, ending = verb[:-2], verb[-2:]
        put(verb, verb)
        put(verb + "em", verb)
        present = {"ar": ("a", "am"), "er": ("e", "em"), "ir": ("e", "em")}.get(ending)
        command = {"ar": ("e", "em"), "er": ("a", "am"), "ir": ("a", "am")}.get(ending)
        if verb in _REGULAR and present and command:
            for tail in (*present, *command):
                put(stem + tail, verb)
            if ending == "ar":
                put(stem, verb)
        put(stem + ("a" if ending == "ar" else "e" if ending == "er" else "i"), verb)
        for word in _IRREGULAR.get(verb, "").split():
            put(word, verb)
    return {word: frozenset(verbs) for word, verbs in forms.items()}


_PRESENT = "tem faz obtem pode podem vai ha e sao esta estao".split()


def _indicative() -> frozenset[str]:
    """Present forms of the third person, where they differ from the command."""
    forms = set(_PRESENT)
    for verb in [*_REGULAR, *_IRREGULAR]:
        stem = verb[:-2]
        forms |= {stem + "a", stem + "am"} if verb.endswith("ar") else {stem + "e", stem + "em"}
    return frozenset(forms)


INDICATIVE = _indicative()
"""Present forms that show that a verb after "and" goes on with the subject before it."""


VERB_FORMS = _verb_forms()
"""Folded word -> verbs (infinitives in capitals) that it may be a form of."""


def macro_tag(macro: str) -> str | None:
    """Return the tag that a macro names, or None where it names no tag."""
    if macro in TAG_MACROS:
        return TAG_MACROS[macro]
    return macro.capitalize() if macro in PLAIN_TAGS else None
