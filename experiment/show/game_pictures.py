"""A position of a game, or all of it, as a picture with words that say what is seen."""

from collections.abc import Sequence

from matplotlib.figure import Figure

from experiment.show.board_figures import board_figure, game_figure
from experiment.show.boards import Marks
from game import Game
from game.players.values import MoveValues, units_of
from rlglue.messages import shortened

_MARKS = "dot: the last move; orange rings: the discs that it turned over"
_WHERE = "small rings: legal moves"
_LONGEST = 30


Found = Sequence[MoveValues | None]
"""What moves are worth at each position of a game, or at its last."""


def draw_position(game: Game, title: str, values: Found = (), by: str = "") -> Figure:
    """Draw the last position of a game; with values of its moves, who says them, and a frame on the best."""
    board, found = game.board, values[-1] if values else None
    if found is None:
        seen = f"{_WHERE}\n{_MARKS}" if game.moves else _WHERE
        return board_figure(board, Marks.of(game, legal=True), title, f"{_state(game)}\n{seen}")
    worth = found.by_square(board.legal_moves)
    marks = Marks(values=worth, chosen=max(worth, key=lambda square: worth[square]))
    return board_figure(board, marks, title, f"{_state(game)}\n{_said(found.unit, by)}; frame: its best")


def draw_game(game: Game, title: str, values: Found = (), by: str = "") -> Figure:
    """Draw all of a game; with values of the moves at each position, those `by` whom on the boards."""
    unit = units_of(values)
    if not unit:
        return game_figure(game, title, f"{_state(game)}\n{_MARKS}")
    worth = [
        each.by_square(board.legal_moves) if each else {}
        for each, board in zip(values, game.boards, strict=True)
    ]
    return game_figure(
        game, title, f"{_state(game)}\n{_said(unit, by)}; frame: the move that was made", worth
    )


def _said(unit: str, by: str) -> str:
    return f"numbers: what {shortened(by, _LONGEST)} says of the moves\n{unit}"


def _state(game: Game) -> str:
    """Say how a game stands, or how it ended."""
    black, white = game.board.counts()
    counts = f"{black} black, {game.size**2 - black - white} empty, {white} white"
    if outcome := game.board.outcome():
        return f"{counts}: {f'{outcome.winner.value} has won' if outcome.winner else 'a draw'}"
    return f"{counts}: {game.board.turn.value} {'must pass' if game.board.must_pass else 'to move'}"
