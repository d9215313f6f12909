"""What can go wrong, as exceptions.

Every exception of Perfect Play is a :class:`PerfectPlayError`. Its text is what the command line prints: a mistake is shown
over the line that it is in, with how to mend it.

>>> import perfectplay
>>> try:
...     perfectplay.solve("game g { state { n in 0..=3 = m; } move go { n -= 1; } }")
... except perfectplay.RulesError as error:
...     print(error.diagnostics[0]["line"], error.diagnostics[0]["column"], error.diagnostics[0]["text"])
1 31 m
"""

from __future__ import annotations

from typing import Any, Optional


class PerfectPlayError(Exception):
    """Why there is no answer."""


class UsageError(PerfectPlayError, ValueError):
    """A function was given something that it does not take."""


class MistakeError(PerfectPlayError, ValueError):
    """A text has mistakes. ``diagnostics`` lists them: title, line, column, text, notes, help."""

    diagnostics: list[dict[str, Any]] = []


class RulesError(MistakeError):
    """The rules have mistakes, or go wrong in a position."""


class InstanceError(MistakeError):
    """The rules do not admit the instance."""


class ExpressionError(MistakeError):
    """An expression of the algebra of games cannot be worked out."""


class PositionError(PerfectPlayError, ValueError):
    """A position cannot be read, or a move is not legal there."""


class NotApplicableError(PerfectPlayError, ValueError):
    """A method or a question is not for this game."""


class LimitError(PerfectPlayError):
    """A limit was reached. ``bounds`` is what is proved of the value by then: ``(least, most)``, or None."""

    bounds: Optional[tuple[Optional[int], Optional[int]]] = None
    diagnostics: list[dict[str, Any]] = []


class InterruptedSolveError(PerfectPlayError):
    """Somebody stopped the solve."""

    bounds: Optional[tuple[Optional[int], Optional[int]]] = None


class TotalOverflowError(PerfectPlayError, OverflowError):
    """A total does not fit in 64 bits."""


class TableError(PerfectPlayError, OSError):
    """A table cannot be read."""


class InternalError(PerfectPlayError, RuntimeError):
    """A mistake of Perfect Play itself."""
