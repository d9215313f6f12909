"""Games written in Python as a class."""

from __future__ import annotations

from typing import Any, Hashable, Iterable, Optional, Sequence, Union

from . import _perfectplay


class PythonGame:
    """A game written in Python: say where play starts, which moves there are, and when it is over.

    Positions are hashable, and equal positions are interchangeable. Whose turn it is belongs to the position without being
    written into it: players are counted from 0, and take turns unless a move says who is next.

    Python is asked about every position, so rules files are solved some hundred times faster.

    >>> import perfectplay
    >>> class Stones(perfectplay.PythonGame):
    ...     def __init__(self, stones):
    ...         self.stones = stones
    ...     def start(self):
    ...         return self.stones
    ...     def moves(self, position, turn):
    ...         for taken in range(1, min(3, position) + 1):
    ...             yield f"take {taken}", position - taken
    >>> solution = perfectplay.solve_class(Stones(21))
    >>> solution.winner, solution.best_moves(), solution.positions
    ('first', ['take 1'], 42)
    """

    #: How many players take turns.
    players: int = 2
    #: What endless play is: ``"draw"``, or a win of ``"first"`` or ``"second"``.
    forever: str = "draw"
    #: What players of a counted game want the most of: ``"difference"`` of the totals, or their ``"own"``.
    objective: str = "difference"
    #: Set this where both players have the same moves and the last mover wins: positions get nimbers.
    impartial: bool = False

    def start(self) -> Hashable:
        """Where play starts; player 0 moves there."""
        raise NotImplementedError("a game says where play starts")

    def moves(self, position: Any, turn: int) -> Iterable[tuple]:
        """Every move: ``(move, position)``, ``(move, position, gains)`` or ``(move, position, gains, next turn)``.

        ``gains`` has one number for each player; None is for a game without gains.
        """
        raise NotImplementedError("a game says which moves there are")

    def end(self, position: Any, turn: int) -> Optional[Union[str, Sequence[int]]]:
        """None while play goes on; else ``"win"``, ``"lose"`` or ``"draw"`` for who would move, or the last gains.

        Who cannot move has lost, unless a class says otherwise.
        """
        for _ in self.moves(position, turn):
            return None
        return "lose"


def solve_class(game: PythonGame, *, time: Any = None, memory: Optional[int] = None) -> _perfectplay.ClassSolution:
    """Solves a game written in Python as a class."""
    return _perfectplay.solve_class(game, time=time, memory=memory)
