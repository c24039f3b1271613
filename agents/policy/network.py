"""The network of learned bots: it reads an observation and points at what it sees.

Every row of the card, character and tile tables is embedded by a small shared network; pooled rows and the match row
give a context; the score of an action that names a row is the product of the row's embedding with a query made from the
context. Actions that name no row are scored from the context alone. The same weights serve every deck, board and team
size.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass

import torch
from torch import nn

from apotheosis.env.rules.codes import Act, Decision, Frame, Phase, Zone
from apotheosis.env.rules.layout import POOL_CARDS
from apotheosis.env.rules.tokens import CardField, CharField, MatchField, Sight, TileField
from apotheosis.env.rules.tokens import Side as Whose
from apotheosis.env.vocabulary import Attribute, RangeType, Suit, Terrain

USED_COLUMNS = {"cards": int(CardField.SIGHT), "chars": int(CharField.KIND), "tiles": int(TileField.OPEN)}
"""The column of each table that is above 0 exactly in rows that hold something."""

CODES = 32
"""Room for each enumeration that is shown one-hot, so that a new member does not change the network's shape."""


@dataclass(frozen=True)
class NetworkSize:
    """Widths of the network.

    Attributes:
        row: embedding of a row.
        identity: embedding of a card's identity, useful with the cards it learned with.
        context: the context.
    """

    row: int = 32
    identity: int = 8
    context: int = 128

    def plain(self) -> dict[str, int]:
        """Returns the widths as a dictionary."""
        return asdict(self)


def used_rows(table: torch.Tensor, column: int) -> torch.Tensor:
    """Returns the numbers of the rows that hold something in at least one observation of a batch; never none."""
    used = (table[..., column] > 0).any(0)
    used[0] = True
    return used.nonzero().squeeze(-1)


def squash(x: torch.Tensor) -> torch.Tensor:
    """Returns numbers of any size on a small scale: sign(x) * log(1 + |x|)."""
    return torch.sign(x) * torch.log1p(torch.abs(x))


def one_hot(column: torch.Tensor, size: int) -> torch.Tensor:
    """Returns a one-hot float code of small non-negative integers; what does not fit is all zero."""
    return (column.unsqueeze(-1) == torch.arange(size, device=column.device)).float()


class RowEncoder(nn.Module):
    """Embeds rows: numbers squashed, some columns also one-hot.

    Args:
        columns: columns of the table.
        codes: columns that hold codes, with the number of their values.
        extra: further inputs for each row.
        width: of the embedding.
    """

    def __init__(self, columns: int, codes: dict[int, int], extra: int, width: int):
        super().__init__()
        self.codes = codes
        inputs = columns + sum(codes.values()) + extra
        self.layers = nn.Sequential(nn.Linear(inputs, 2 * width), nn.ReLU(), nn.Linear(2 * width, width), nn.ReLU())

    def forward(self, table: torch.Tensor, extra: torch.Tensor | None = None) -> torch.Tensor:
        """Embeds a table (batch, rows, columns) to (batch, rows, width)."""
        parts = [squash(table)] + [one_hot(table[..., column], size) for column, size in self.codes.items()]
        if extra is not None:
            parts.append(extra)
        return self.layers(torch.cat(parts, -1))


def pooled(rows: torch.Tensor, chosen: torch.Tensor) -> torch.Tensor:
    """Returns the sum of the chosen rows, shrunk towards a mean: (batch, width)."""
    weight = chosen.float().unsqueeze(-1)
    return (rows * weight).sum(1) / (1 + weight.sum(1))


class ArenaNetwork(nn.Module):
    """Scores all actions and values the position.

    Args:
        size: widths.
    """

    def __init__(self, size: NetworkSize | None = None):
        super().__init__()
        self.size = size or NetworkSize()
        row, context = self.size.row, self.size.context
        self.identity = nn.Embedding(POOL_CARDS + 1, self.size.identity, padding_idx=0)
        card_codes = {
            int(CardField.SIDE): len(Whose), int(CardField.ZONE): len(Zone) + 2, int(CardField.SUIT): len(Suit),
            int(CardField.RANGE_TYPE): len(RangeType), int(CardField.DAMAGE_ATTRIBUTE): len(Attribute),
            int(CardField.DRAFTED): 3,
        }  # fmt: skip
        self.cards = RowEncoder(int(CardField.SIZE), card_codes, self.size.identity, row)
        char_codes = {int(CharField.SIDE): len(Whose), int(CharField.KIND): 8, int(CharField.LIFE): 8}
        self.chars = RowEncoder(int(CharField.SIZE), char_codes, 0, row)
        tile_codes = {int(TileField.SIDE): len(Whose), int(TileField.TERRAIN): len(Terrain)}
        self.tiles = RowEncoder(int(TileField.SIZE), tile_codes, 0, row)
        self.match_codes = {
            int(MatchField.DECISION): CODES, int(MatchField.DRAFT_KIND): CODES,
            int(MatchField.PHASE): 8, int(MatchField.FRAME): CODES,
        }  # fmt: skip
        inputs = int(MatchField.SIZE) + sum(self.match_codes.values()) + 9 * row
        self.context = nn.Sequential(nn.Linear(inputs, 2 * context), nn.ReLU(), nn.Linear(2 * context, context), nn.ReLU())
        self.queries = nn.Linear(context, 3 * row)
        self.plain = nn.Linear(context, int(Act.SIZE))
        self.value = nn.Linear(context, 1)

    def forward(self, seen: dict[str, torch.Tensor]) -> tuple[torch.Tensor, torch.Tensor]:
        """Scores an observation.

        Args:
            seen: the arrays of an observation as tensors with a leading batch axis.

        Returns:
            Scores of all codes, (batch, Act.SIZE), before the mask; values, (batch, 1).
        """
        used = {name: used_rows(seen[name], column) for name, column in USED_COLUMNS.items()}
        tables = {name: seen[name][:, rows].float() for name, rows in used.items()}
        number = tables["cards"][..., int(CardField.CARD)].long().clamp(-1, POOL_CARDS - 1) + 1
        cards = self.cards(tables["cards"], self.identity(number))
        chars, tiles = self.chars(tables["chars"]), self.tiles(tables["tiles"])
        match = self._match(seen["match"].float())
        context = self.context(torch.cat([match, *self._pools(tables, cards, chars, tiles)], -1))
        ask_card, ask_char, ask_tile = self.queries(context).chunk(3, -1)
        rows = torch.cat([Act.CARD + used["cards"], Act.TILE + used["tiles"], Act.CHAR + used["chars"]])
        points = torch.cat([pointed(cards, ask_card), pointed(tiles, ask_tile), pointed(chars, ask_char)], -1)
        return self.plain(context).index_add(1, rows, points), self.value(context)

    def _match(self, row: torch.Tensor) -> torch.Tensor:
        codes = [one_hot(row[:, column], size) for column, size in self.match_codes.items()]
        return torch.cat([squash(row), *codes], -1)

    def _pools(
        self, tables: dict[str, torch.Tensor], cards: torch.Tensor, chars: torch.Tensor, tiles: torch.Tensor
    ) -> list[torch.Tensor]:
        whose, zone = tables["cards"][..., int(CardField.SIDE)], tables["cards"][..., int(CardField.ZONE)]
        known = tables["cards"][..., int(CardField.SIGHT)] != Sight.UNSEEN
        own, enemy = known & (whose == Whose.SELF), known & (whose == Whose.ENEMY)
        table = (zone >= Zone.EQUIPMENT) & (zone <= Zone.SHEET)
        side = tables["chars"][..., int(CharField.SIDE)]
        alive = tables["chars"][..., int(CharField.KIND)] > 0
        standing = tables["tiles"][..., int(TileField.CHAR)] >= 0
        return [
            pooled(cards, own & (zone == Zone.HAND)), pooled(cards, own & table), pooled(cards, own & ~table),
            pooled(cards, enemy & table), pooled(cards, enemy & ~table),
            pooled(chars, alive & (side == Whose.SELF)), pooled(chars, alive & (side == Whose.TEAM)),
            pooled(chars, alive & (side == Whose.ENEMY)), pooled(tiles, standing),
        ]  # fmt: skip


def pointed(rows: torch.Tensor, query: torch.Tensor) -> torch.Tensor:
    """Returns the score of each row for a query: (batch, rows)."""
    return torch.einsum("brw,bw->br", rows, query) / rows.shape[-1] ** 0.5


assert len(Decision) <= CODES
assert len(Frame) <= CODES
assert len(Phase) <= CODES
