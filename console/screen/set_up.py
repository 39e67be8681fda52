"""The screen on which a position is set up, disc by disc, and then played."""

from collections.abc import Callable
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container
from textual.screen import Screen
from textual.widgets import Static

from othello_lab.console.screen.board_view import BELOW, KEYS, BoardView, Grid, largest, smallest
from othello_lab.console.screen.game_screen import KeyLine
from othello_lab.console.screen.squares import Palette
from othello_lab.game import Board
from othello_lab.game.drawing import Look, Marks, Symbols, looks_of

_NEXT = {"-": "X", "X": "O", "O": "-"}
_HOW = "Enter or a click: empty, black, white."


class SetUp(Screen[None]):
    """A position that is changed until `play` takes it, or left by Escape."""

    DEFAULT_CSS = """
    SetUp {
        layout: vertical;
        & #place { width: 100%; height: auto; align: center top; }
        & #says { width: 100%; height: 1fr; text-align: center; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "play", "Play", key_display="P"),
        Binding("escape", "leave", "Back", key_display="Esc"),
        Binding("t", "turn", "Turn", key_display="T"),
        Binding("c", "clear", "Clear", key_display="C"),
        Binding("s", "start", "Start", key_display="S"),
    ]

    def __init__(self, board: Board, play: Callable[[str], None], palette: Palette, symbols: Symbols) -> None:
        """`play` takes the position as text, and raises ValueError where nobody can play it."""
        super().__init__()
        self._play, self._palette, self._symbols = play, palette, symbols
        self._cells, self._turn = str(board).split()
        self._length = board.size

    @property
    def _board(self) -> Board:
        return Board.parse(f"{self._cells} {self._turn}")

    def compose(self) -> ComposeResult:
        """Lay the board above what is said of it."""
        with Container(id="place"):
            yield BoardView(self._looks(), smallest(self._length), self._palette, self._symbols)
        yield Static(id="says", markup=False)
        yield KeyLine()

    def on_mount(self) -> None:
        """Have the board take the keys."""
        self.query_one(BoardView).focus()

    def _looks(self) -> list[Look]:
        return looks_of(self._board, Marks())

    @property
    def _grid(self) -> Grid:
        return largest(self._length, self.size.width, self.size.height - KEYS - BELOW) or smallest(
            self._length
        )

    def on_resize(self) -> None:
        """Lay it out for another size of the terminal."""
        self._show()

    def _show(self, complaint: str = "") -> None:
        board = self._board
        black, white = board.counts()
        self.query_one(BoardView).show(self._looks(), self._grid)
        says = f"{black} black, {white} white, {board.turn.value} to move.\n{complaint or _HOW}"
        self.query_one("#says", Static).update(says)

    def _change(self, cells: str) -> None:
        self._cells = cells
        self._show()

    def on_board_view_chosen(self, event: BoardView.Chosen) -> None:
        """Turn a square from empty to black, to white, to empty."""
        square, cells = event.square, self._cells
        self._change(cells[:square] + _NEXT[cells[square]] + cells[square + 1 :])

    def action_turn(self) -> None:
        """Have the other side be to move."""
        self._turn = "O" if self._turn == "X" else "X"
        self._show()

    def action_clear(self) -> None:
        """Take all discs away."""
        self._change("-" * len(self._cells))

    def action_start(self) -> None:
        """Put the discs of the start there."""
        self._change(str(Board.start(self._length)).split()[0])

    def action_play(self) -> None:
        """Play on from here, or say why that cannot be."""
        try:
            self._play(f"{self._cells} {self._turn}")
        except ValueError as error:
            return self._show(str(error))
        self.dismiss()
        return None

    def action_leave(self) -> None:
        """Go back to the game as it is."""
        self.dismiss()
