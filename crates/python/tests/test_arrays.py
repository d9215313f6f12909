"""Sequences and tables as arrays."""

import os
import shutil
import subprocess

import pytest

import perfectplay

numpy = pytest.importorskip("numpy")


def test_sequences():
    kayles = perfectplay.sequence("kayles", rows=range(1000))
    assert kayles.array.dtype == numpy.int64 and kayles.array.shape == (1000,)
    assert list(kayles.array[:8]) == [0, 1, 2, 3, 1, 4, 3, 2]
    assert (kayles.period.start, kayles.period.length, kayles.period.proved) == (71, 12, True)
    assert numpy.array_equal(kayles.array[71 : 71 + 240], kayles.array[83 : 83 + 240])
    assert numpy.asarray(kayles).sum() == kayles.array.sum()


def test_terms_agree_with_solves():
    rows = perfectplay.sequence("kayles", rows=range(12)).array
    assert [perfectplay.solve("kayles", rows=[n]).nimber for n in range(12)] == list(rows)


def test_tables_of_two_parameters():
    wythoff = perfectplay.sequence("wythoff", a=range(6), b=range(6))
    assert wythoff.array.shape == (6, 6) and wythoff.parameters == ["a", "b"]
    for a in range(6):
        for b in range(6):
            solved = perfectplay.solve("wythoff", a=a, b=b)
            assert wythoff.array[a, b] == solved.nimber


def test_values_that_are_no_numbers_are_texts():
    boards = perfectplay.sequence("domineering", rows=range(1, 4), columns=2)
    assert boards.kind == "value" and boards.array.dtype == object
    assert all(isinstance(text, str) for text in boards.values)


def binary():
    found = os.environ.get("PERFECTPLAY") or shutil.which("perfectplay")
    if not found:
        pytest.skip("the command perfectplay, which builds tables, is not here (PERFECTPLAY names it)")
    return found


def test_tables_are_arrays(tmp_path):
    path = tmp_path / "ttt.table"
    subprocess.run([binary(), "build", "tic_tac_toe", "-o", str(path), "--quiet"], check=True, capture_output=True)
    table = perfectplay.open_table(path)
    assert len(table) == 5478 and table.name == "tic_tac_toe"
    outcome, remoteness, cells = table["outcome"], table["remoteness"], table["cells"]
    assert outcome.shape == remoteness.shape == (5478,) and cells.shape[0] == 5478
    assert set(numpy.unique(outcome)) <= {-1, 0, 1}
    start = perfectplay.Game("tic_tac_toe")
    assert table.entry(start) == {"outcome": "draw", "remoteness": 9}
    empty = numpy.flatnonzero((cells == cells.min(axis=1, keepdims=True)).all(axis=1) & (remoteness == 9))
    assert len(empty) == 1 and outcome[empty[0]] == 0
    for move in start.moves():
        entry = table.entry(start.after([move]))
        assert entry["remoteness"] == move.remoteness - 1


def test_files_that_are_no_tables(tmp_path):
    path = tmp_path / "nothing"
    path.write_text("nothing")
    with pytest.raises(perfectplay.TableError):
        perfectplay.open_table(path)
    with pytest.raises(perfectplay.TableError):
        perfectplay.open_table(tmp_path / "missing")
