"""What a report keeps of a run does not grow with its matches, but for the few numbers of the regression."""

import tracemalloc

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from apotheosis.experiments.report import files, reading
from apotheosis.experiments.report.analysis import analyse
from apotheosis.experiments.report.differences import differences
from apotheosis.experiments.report.reading import open_run

MOST_BYTES = 250
"""Bytes that one more match may cost at the worst moment: its row of the regression, and its place in sorted arrays."""


def repeat(folder, times, tables=("matches", "cards")):
    """Makes the tables of a run longer, row group by row group, without holding them."""
    matches, cards = (pd.read_parquet(folder / f"{name}.parquet") for name in ("matches", "cards"))
    count, pairs = len(matches), matches["pair_id"].nunique()
    rng = np.random.default_rng(1)
    for name, table in (("matches", matches), ("cards", cards)):
        if name not in tables:
            continue
        schema = pa.Table.from_pandas(table, preserve_index=False).schema
        with pq.ParquetWriter(folder / f"{name}.parquet", schema) as writer:
            for k in range(times):
                more = table.assign(match_id=table["match_id"] + k * count)
                if name == "matches":
                    # New results, so that the statistics have something to do.
                    more["outcome"] = rng.permutation(more["outcome"].to_numpy())
                    more["pair_id"] = more["pair_id"] + k * pairs
                writer.write_table(pa.Table.from_pandas(more, schema, preserve_index=False))


def peak(folder):
    """Returns the most bytes held while a run is analysed."""
    tracemalloc.start()
    try:
        found = analyse(open_run(folder))
        return tracemalloc.get_traced_memory()[1], found
    finally:
        tracemalloc.stop()


def test_a_report_of_more_matches_takes_no_more_memory(simulate, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "PIECE_ROWS", 20_000)
    monkeypatch.setattr(reading, "MATCH_ROWS", 500)
    held = {}
    for times in (1, 4):
        folder = tmp_path / str(times)
        simulate.write_run(folder, pairs=450, decks=200)
        repeat(folder, times)
        held[times], found = peak(folder)
        assert found.tally.issued == 900 * times and found.cards["effect"].notna().all()
    assert (held[4] - held[1]) / (900 * 3) < MOST_BYTES


def test_a_comparison_of_more_matches_takes_no_more_memory(simulate, tmp_path, monkeypatch):
    monkeypatch.setattr(files, "PIECE_ROWS", 20_000)
    monkeypatch.setattr(reading, "MATCH_ROWS", 500)
    held = {}
    for times in (2, 20):
        folder = tmp_path / str(times)
        simulate.write_run(folder, pairs=450, decks=200)
        repeat(folder, times, ("matches",))
        (folder / "cards.parquet").unlink()
        run = analyse(open_run(folder))
        tracemalloc.start()
        found = differences(run, run)
        held[times] = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert found.shared == 900 * times and found.other_end == 0
    # What is left is the footer of the file, of one group of rows each 900 matches; a match held whole takes hundreds of bytes.
    assert (held[20] - held[2]) / (900 * 18) < 20
