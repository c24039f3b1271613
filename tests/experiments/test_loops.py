"""A match that ends as an endless loop keeps a replay (R27.1): the table names its file, the end of the run writes it."""

import json

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from apotheosis.experiments import dictionary, replays, store, tables
from apotheosis.experiments.cli import main


def test_the_first_loops_of_a_chunk_are_named():
    loop, win = dictionary.OUTCOMES.index("loop"), dictionary.OUTCOMES.index("win_a")
    names = tables._replays(np.arange(10, 17), np.array([win, loop, loop, win, loop, loop, win]))
    assert [name is not None for name in names] == [False, True, True, False, True, False, False]
    assert names[1] == "replays/000011.json"


def test_named_replays_are_written_and_can_be_read_again(tmp_path, capsys):
    folder = tmp_path / "run"
    assert main(["run", "--matches", "4", "--bots", "random", "--out", str(folder), "--quiet"]) == 0
    path = folder / "matches.parquet"
    table = pq.read_table(path)
    assert table.column("replay").null_count == 4
    place = table.schema.get_field_index("replay")
    named = pa.array([None, None, store.replay_name(2), None], table.schema.field(place).type)
    pq.write_table(table.set_column(place, table.schema.field(place), named), path)
    replays.write_named(folder)
    assert [file.name for file in (folder / store.REPLAYS).iterdir()] == ["000002.json"]
    assert json.loads((folder / store.REPLAYS / "000002.json").read_text(encoding="utf-8"))["about"]["match"] == 2
    assert main(["replay", str(folder / store.REPLAYS / "000002.json"), "--language", "pt"]) == 0
    assert "Começa o ciclo 1" in capsys.readouterr().out
