"""Games in notebooks, the examples of the documentation, the stubs, and what a call costs."""

import ast
import doctest
import importlib
import json
import pathlib
import subprocess
import sys
import time

import pytest

import perfectplay

HERE = pathlib.Path(__file__).resolve().parent.parent
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE


def test_the_readme_runs():
    pytest.importorskip("numpy")
    failed, run = doctest.testfile(str(HERE / "README.md"), module_relative=False, optionflags=FLAGS, encoding="utf-8")
    assert failed == 0 and run > 20


@pytest.mark.parametrize("name", ["", ".errors", ".arrays", ".class_game", ".notebook"])
def test_the_docstrings_run(name):
    failed, _ = doctest.testmod(importlib.import_module("perfectplay" + name), optionflags=FLAGS)
    assert failed == 0


def test_numpy_is_loaded_when_it_is_needed():
    program = "import sys, perfectplay; perfectplay.solve('nim', [1]); sys.exit('numpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0


def test_pictures_are_xml():
    from xml.etree import ElementTree

    for name in perfectplay.games():
        ElementTree.fromstring(perfectplay.Game(name).svg())


def test_a_page_holds_the_whole_game():
    page = perfectplay.page_html(perfectplay.Game("nim", [1, 2]))
    assert page.startswith("<iframe srcdoc=") and "http://" not in page.replace("http://www.w3.org", "")
    assert "<iframe" in perfectplay.play(perfectplay.Game("nim", [1, 2]), widgets=False)._repr_html_()


def test_buttons_play():
    pytest.importorskip("ipywidgets")
    from perfectplay.notebook import PlayWidget

    widget = PlayWidget(perfectplay.Game("nim", [1, 2]))
    assert [button.description for button in widget.moves.children] == [
        "take(1) in part 0",
        "take(1) in part 1",
        "take(2) in part 1",
    ]
    assert [button.button_style for button in widget.moves.children] == ["", "success", ""]
    widget.moves.children[1].click()
    assert widget.game.turn == "second" and "second" in widget.status.value
    widget.best_button.click()
    widget.best_button.click()
    assert widget.game.over and "over" in widget.status.value and widget.best_button.disabled
    for _ in range(3):
        widget.undo_button.click()
    assert widget.undo_button.disabled and widget.game.played == []


def test_the_notebook_runs_from_top_to_bottom():
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    pytest.importorskip("ipykernel")
    pytest.importorskip("numpy")
    path = HERE / "examples" / "tour.ipynb"
    notebook = nbformat.read(path, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    assert not any(output.output_type == "error" for output in outputs)
    assert any("text/html" in output.get("data", {}) for output in outputs)


def test_the_notebook_is_kept_without_its_outputs():
    notebook = json.loads((HERE / "examples" / "tour.ipynb").read_text())
    assert all(not cell.get("outputs") for cell in notebook["cells"])


def test_the_stubs_say_what_there_is():
    stubs = ast.parse((pathlib.Path(perfectplay.__file__).parent / "_perfectplay.pyi").read_text())
    compiled = importlib.import_module("perfectplay._perfectplay")
    named = {node.name: node for node in stubs.body if isinstance(node, (ast.FunctionDef, ast.ClassDef))}
    public = {name for name in dir(compiled) if not name.startswith("_")}
    assert public == set(named)
    for name, node in named.items():
        if isinstance(node, ast.ClassDef):
            told = {item.name for item in node.body if isinstance(item, ast.FunctionDef)}
            there = {item for item in vars(getattr(compiled, name)) if not item.startswith("_")}
            assert {item for item in told if not item.startswith("_")} == there, name
    assert (pathlib.Path(perfectplay.__file__).parent / "py.typed").exists()


def test_a_small_solve_costs_little_beyond_the_solve():
    """The limit is wide: a busy machine and a build for tests are several times slower than a quiet one and a release."""
    best = float("inf")
    for _ in range(10):
        begun, solving = time.perf_counter(), 0.0
        for _ in range(100):
            solving += perfectplay.solve("nim", piles=[1, 2]).seconds
        best = min(best, (time.perf_counter() - begun - solving) / 100)
    print(f"{best * 1e6:.1f} µs a solve beyond the solve")
    assert best < 500e-6
