"""Exact solutions of finite games of perfect information, from rules a person can read.

>>> import perfectplay
>>> solution = perfectplay.solve("coins", coins=[5, 3, 7, 10])
>>> solution.winner, solution.value, solution.best_moves
('first', 5, ['right'])
>>> perfectplay.solve("nim", [3, 4, 5]).nimber
2

Rules are a name of the gallery (``perfectplay.games()``), a path, or a text:

>>> rules = '''
... game stones(n: int) {
...     state { left in 0..=n = n; }
...     move take(k in 1..=3) when k <= left { left -= k; }
... }'''
>>> perfectplay.solve(rules, n=21).best_moves
['take(1)']

``time`` (seconds), ``memory`` (bytes) and ``threads`` limit what a solve may take; ``method`` asks for one method. A parameter of a
game that has such a name is given by its place, or in a dictionary: ``solve(rules, {"time": 3})``.
"""

from __future__ import annotations

from typing import Any

from ._perfectplay import (
    ClassSolution,
    Explanation,
    Game,
    Move,
    Period,
    Solution,
    Value,
    __version__,
    games,
    solve,
    value,
)
from .arrays import Table, Terms, open_table, sequence
from .class_game import PythonGame, solve_class
from .errors import (
    ExpressionError,
    InstanceError,
    InternalError,
    InterruptedSolveError,
    LimitError,
    MistakeError,
    NotApplicableError,
    PerfectPlayError,
    PositionError,
    RulesError,
    TableError,
    TotalOverflowError,
    UsageError,
)
from .notebook import page_html, play

__all__ = [
    "ClassSolution",
    "ExpressionError",
    "Explanation",
    "Game",
    "InstanceError",
    "InternalError",
    "InterruptedSolveError",
    "LimitError",
    "MistakeError",
    "Move",
    "NotApplicableError",
    "Period",
    "PerfectPlayError",
    "PositionError",
    "PythonGame",
    "RulesError",
    "Solution",
    "Table",
    "TableError",
    "Terms",
    "TotalOverflowError",
    "UsageError",
    "Value",
    "__version__",
    "explain",
    "games",
    "moves",
    "open_table",
    "page_html",
    "play",
    "sequence",
    "solve",
    "solve_class",
    "value",
]


def moves(rules: Any, /, *args: Any, after: Any = "", **options: Any) -> list[Move]:
    """Every legal move with what it is worth, of the start or after some moves.

    >>> [(move.name, move.value, move.best) for move in moves("coins", [5, 3, 7, 10], after="right")]
    [('left', 1, False), ('right', 5, True)]
    """
    limits = {name: options.pop(name) for name in ("time", "memory", "threads", "method") if name in options}
    game = rules if isinstance(rules, Game) else Game(rules, *args, **options)
    return (game.after(after) if after else game).moves(**limits)


def explain(rules: Any, /, *args: Any, run: bool = False, **options: Any) -> Explanation:
    """What kind of game it is, how that is known, and how it would be solved; with ``run`` it is solved for that.

    >>> explain("nim", [3, 4, 5])["method"]
    'grundy'
    """
    limits = {name: options.pop(name) for name in ("time", "memory", "threads", "method") if name in options}
    game = rules if isinstance(rules, Game) else Game(rules, *args, **options)
    return game.explain(run=run, **limits)


def _restored(rules: str, instance: dict, position: str, turn: int) -> Game:
    """A game from what a pickle holds."""
    return Game(rules, instance).at(position, turn)
