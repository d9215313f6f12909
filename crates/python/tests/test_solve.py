"""Solving, moves, explanations, errors, limits."""

import copy
import datetime
import multiprocessing
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time

import pytest

import perfectplay

CONNECT_FOUR = {"rows": 6, "columns": 7, "k": 4}


def test_fields_are_typed():
    solution = perfectplay.solve("coins", coins=[5, 3, 7, 10])
    assert (solution.kind, solution.winner, solution.outcome) == ("score", "first", "win")
    assert (solution.value, solution.scores) == (5, [15, 10])
    assert (solution.best_moves, solution.line) == (["right"], ["right", "right", "left", "left"])
    assert solution.instance == {"coins": [5, 3, 7, 10]}
    assert solution.method == "row" and solution.proof.startswith("theorem")
    assert solution.nimber is None and solution.seconds > 0
    assert solution.to_dict()["value"] == 5
    assert "wins by 5" in str(solution)


def test_instances_are_given_in_many_ways(tmp_path):
    for solved in [
        perfectplay.solve("wythoff", a=3, b=5),
        perfectplay.solve("wythoff", 3, 5),
        perfectplay.solve("wythoff", {"a": 3, "b": 5}),
        perfectplay.solve(perfectplay.Game("wythoff", a=3, b=5)),
    ]:
        assert solved.outcome == "lose"
    rules = "game stones(n: int) { state { left in 0..=n = n; } move take(k in 1..=3) when k <= left { left -= k; } }"
    path = tmp_path / "stones.game"
    path.write_text(rules)
    for source in (rules, path, str(path)):
        assert perfectplay.solve(source, n=21).best_moves == ["take(1)"]


def test_arrays_of_numpy_are_instances():
    numpy = pytest.importorskip("numpy")
    assert perfectplay.solve("nim", piles=numpy.array([1, 2, 4])).nimber == 7
    assert perfectplay.solve("wythoff", a=numpy.int64(3), b=5).outcome == "lose"


def test_every_game_of_the_gallery_is_bound():
    for name in perfectplay.games():
        game = perfectplay.Game(name)
        assert game.name and game.players >= 1
        assert game.svg().startswith("<svg")


def test_moves_of_a_position():
    moves = perfectplay.moves("nim", [3, 4, 5], after="take(2) in part 0")
    assert all(move.outcome == "lose" for move in moves)
    game = perfectplay.Game("tic_tac_toe").after(["place(0)", "place(8)"])
    assert game.played == ["place(0)", "place(8)"] and game.turn == "first"
    best = [move for move in game.moves() if move.best]
    assert [move.name for move in best] == ["place(2)", "place(6)"]
    assert best[0].remoteness == 5
    same = perfectplay.Game("tic_tac_toe").at(game.position, "first")
    assert [move.name for move in same.moves()] == [move.name for move in game.moves()] == same.legal()


def test_moves_agree_with_solutions():
    for name in ("coins", "nim", "chomp", "kayles", "domineering"):
        solution = perfectplay.solve(name)
        best = [move.name for move in solution.moves if move.best]
        assert best == solution.best_moves, name


def test_explanations():
    explained = perfectplay.explain("nim", [3, 4, 5])
    assert explained["method"] == "grundy" and "facts" in explained.keys()
    assert perfectplay.explain("chomp", run=True)["game"] == "chomp"


def test_sums_of_games():
    assert perfectplay.solve("nim(3, 4) + kayles(7)").nimber == 3 ^ 4 ^ 2


@pytest.mark.parametrize(
    "wrong, kind",
    [
        (lambda: perfectplay.solve("nim", piles=3), perfectplay.InstanceError),
        (lambda: perfectplay.solve("nim", stones=3), perfectplay.InstanceError),
        (lambda: perfectplay.solve("nim", [1], [2]), perfectplay.UsageError),
        (lambda: perfectplay.solve("nim", piles=[2**70]), perfectplay.UsageError),
        (lambda: perfectplay.solve("nim", piles=[1.5]), perfectplay.UsageError),
        (lambda: perfectplay.solve("nmi"), perfectplay.UsageError),
        (lambda: perfectplay.solve("missing.game"), perfectplay.UsageError),
        (lambda: perfectplay.solve(3), perfectplay.UsageError),
        (lambda: perfectplay.solve("game g {"), perfectplay.RulesError),
        (lambda: perfectplay.solve("coins", method="magic"), perfectplay.NotApplicableError),
        (lambda: perfectplay.solve("coins", time=-1), perfectplay.UsageError),
        (lambda: perfectplay.solve("coins", threads=0), perfectplay.UsageError),
        (lambda: perfectplay.Game("coins").after("up"), perfectplay.PositionError),
        (lambda: perfectplay.Game("coins").at({"x": 1}), perfectplay.PositionError),
        (lambda: perfectplay.Game("coins").at({"i": 0, "j": 2}, "third"), perfectplay.UsageError),
        (lambda: perfectplay.sequence("kayles", rows=3), perfectplay.UsageError),
        (lambda: perfectplay.sequence("kayles", rows=range(0)), perfectplay.UsageError),
        (lambda: perfectplay.solve("connect_k", **CONNECT_FOUR, memory=10_000), perfectplay.LimitError),
        (lambda: perfectplay.solve("connect_k", **CONNECT_FOUR, time=0.05), perfectplay.LimitError),
        (
            lambda: perfectplay.solve("connect_k", **CONNECT_FOUR, time=datetime.timedelta(milliseconds=50)),
            perfectplay.LimitError,
        ),
    ],
)
def test_errors_are_exceptions(wrong, kind):
    with pytest.raises(kind) as raised:
        wrong()
    assert isinstance(raised.value, perfectplay.PerfectPlayError) and str(raised.value)


def test_mistakes_show_their_place():
    with pytest.raises(perfectplay.RulesError) as raised:
        perfectplay.solve("game g { state { n in 0..=3 = m; }\n move go { n -= 1; } }")
    assert isinstance(raised.value, ValueError)
    (first,) = raised.value.diagnostics
    assert (first["line"], first["column"], first["text"]) == (1, 31, "m")
    assert "not declared" in str(raised.value) and "│" in str(raised.value)


def test_a_parameter_may_be_called_as_a_limit():
    rules = "game g(time: int) { state { left in 0..=time = time; } move go when left > 0 { left -= 1; } }"
    assert perfectplay.solve(rules, 3).winner == "first"
    assert perfectplay.solve(rules, {"time": 4}).winner == "second"


def test_games_and_values_go_to_other_processes():
    game = perfectplay.Game("coins", [5, 3, 7, 10]).after("right")
    again = pickle.loads(pickle.dumps(game))
    assert again.position == game.position and again.turn == "second"
    assert copy.deepcopy(perfectplay.Value("{1|*}")) == perfectplay.Value("{1|*}")


def nimber(number):
    return perfectplay.solve("nim", piles=[number, 1]).nimber


@pytest.mark.skipif("fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here")
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_process_that_forks_can_solve_on_both_sides():
    assert nimber(2) == 3
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map(nimber, range(20)) == [number ^ 1 for number in range(20)]
    assert nimber(5) == 4


def test_threads_solve_side_by_side():
    found = {}

    def work(number):
        found[number] = [nimber(number) for _ in range(50)]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == {number: [number ^ 1] * 50 for number in range(4)}


def test_the_lock_is_released_while_a_game_is_solved():
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick)
    thread.start()
    try:
        with pytest.raises(perfectplay.LimitError):
            perfectplay.solve("connect_k", **CONNECT_FOUR, time=1)
    finally:
        done.set()
        thread.join()
    assert len(ticks) >= 10


@pytest.mark.skipif(sys.platform == "win32", reason="signals of Windows are others")
def test_ctrl_c_stops_a_solve():
    program = textwrap.dedent(
        """
        import perfectplay
        print("ready", flush=True)
        try:
            perfectplay.solve("connect_k", rows=6, columns=7, k=4)
        except KeyboardInterrupt:
            print("stopped", flush=True)
        print(perfectplay.solve("nim", [1, 2]).nimber)
        """
    )
    child = subprocess.Popen([sys.executable, "-c", program], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(1)
    assert child.poll() is None
    child.send_signal(signal.SIGINT)
    begun = time.monotonic()
    out, _ = child.communicate(timeout=60)
    assert out == "stopped\n3\n" and child.returncode == 0
    assert time.monotonic() - begun < 30
