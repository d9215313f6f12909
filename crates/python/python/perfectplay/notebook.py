"""A game in a notebook, to play with buttons."""

from __future__ import annotations

import html
from typing import Any, Optional

from . import _perfectplay

#: At most so many moves get a button.
MOST_BUTTONS = 60


def page_html(game: _perfectplay.Game, height: int = 640) -> str:
    """A frame with the whole game in it: every position, to look at and to play. It needs no server and no kernel."""
    return (
        f'<iframe srcdoc="{html.escape(game.page(), quote=True)}" width="100%" height="{int(height)}" '
        'style="border:1px solid #ccc" sandbox="allow-scripts"></iframe>'
    )


class _Page:
    """What is shown where ipywidgets is not installed."""

    def __init__(self, game: _perfectplay.Game, height: int) -> None:
        self._html = page_html(game, height)

    def _repr_html_(self) -> str:
        return self._html


def play(game: _perfectplay.Game, *, hints: bool = True, widgets: Optional[bool] = None, height: int = 640) -> Any:
    """A game to play in a notebook: a button a move, and what each is worth.

    With ipywidgets the kernel answers, so that the game may be large. Without it (or with ``widgets=False``) one page with all
    positions is shown, which works in a notebook that was only opened.
    """
    if widgets is not False:
        try:
            return PlayWidget(game, hints=hints).box
        except ImportError:
            if widgets:
                raise
    return _Page(game, height)


class PlayWidget:
    """The buttons of a game."""

    def __init__(self, game: _perfectplay.Game, *, hints: bool = True) -> None:
        import ipywidgets

        self._widgets = ipywidgets
        self._games = [game]
        self._hints = hints
        self.picture = ipywidgets.HTML()
        self.status = ipywidgets.HTML()
        self.moves = ipywidgets.HBox(layout=ipywidgets.Layout(flex_flow="row wrap"))
        self.undo_button = ipywidgets.Button(description="undo")
        self.best_button = ipywidgets.Button(description="best move")
        self.undo_button.on_click(lambda _: self.undo())
        self.best_button.on_click(lambda _: self.play_best())
        controls = ipywidgets.HBox([self.undo_button, self.best_button])
        self.box = ipywidgets.VBox([self.picture, self.status, self.moves, controls])
        self._show()

    @property
    def game(self) -> _perfectplay.Game:
        """The game where play stands."""
        return self._games[-1]

    def play(self, move: str) -> None:
        """Plays a move."""
        self._games.append(self.game.after([move]))
        self._show()

    def undo(self) -> None:
        """Takes the last move back."""
        if len(self._games) > 1:
            self._games.pop()
            self._show()

    def play_best(self) -> None:
        """Plays a best move."""
        best = [move for move in self.game.moves() if move.best]
        quick = [move for move in best if move.fast] or best
        if quick:
            self.play(quick[0].name)

    def _show(self) -> None:
        game = self.game
        self.picture.value = game.svg()
        self.undo_button.disabled = len(self._games) == 1
        moves = [] if game.over else game.moves()
        self.best_button.disabled = not moves
        played = ", ".join(game.played) or "the start"
        whose = "the game is over" if not moves else f"{game.turn} to move"
        self.status.value = f"<b>{html.escape(whose)}</b> &nbsp; {html.escape(played)}"
        buttons = []
        for move in moves[:MOST_BUTTONS]:
            style = "success" if self._hints and move.best else ""
            button = self._widgets.Button(description=move.name, tooltip=repr(move), button_style=style)
            button.on_click(lambda _, name=move.name: self.play(name))
            buttons.append(button)
        if len(moves) > MOST_BUTTONS:
            buttons.append(self._widgets.Label(f"and {len(moves) - MOST_BUTTONS} more"))
        self.moves.children = buttons
