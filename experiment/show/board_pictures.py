"""Draw pictures of positions and games, with discs, coordinates and the last move."""

from collections.abc import Iterable, Iterator, Sequence

from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from othello_lab.experiment.show.plots import footnote, headline
from othello_lab.game import PASS, Board, Game, Squares
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, Marks, turned
from othello_lab.game.notation import square_name

_DISC, _DOT, _RING = 0.42, 0.11, 0.2  # radii, relative to the side of a square
_COLUMNS = 9  # maximum number of columns in a grid
# Lengths in inches: minimum picture width, side of a square, board in a grid, title and footnote together.
_LEAST, _SQUARE, _SMALL, _TEXTS = 4.2, 0.62, 1.9, 1.1
_MARKS = "dot: the last move; orange rings: the discs that it turned over"
Pane = tuple[Board, Marks, str]  # A board with its marks and its caption.


def _draw_board(axes: Axes, board: Board, marks: Marks, coordinates: bool) -> None:
    """Draw a position with a1 at the top left. The centre of square s is at (s % size, s // size)."""
    size = board.size
    axes.set_aspect("equal")
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(size - 0.5, -0.5)
    axes.set_facecolor(CLOTH)
    lines = [place - 0.5 for place in range(1, size)]
    axes.vlines(lines, -0.5, size - 0.5, color=LINES, lw=0.7, zorder=1)
    axes.hlines(lines, -0.5, size - 0.5, color=LINES, lw=0.7, zorder=1)
    axes.set_xticks(range(size), [square_name(column, size)[0] for column in range(size)])
    axes.set_yticks(range(size), [str(row + 1) for row in range(size)])
    axes.tick_params(
        length=0, top=False, bottom=False, labeltop=coordinates, labelbottom=False, labelleft=coordinates
    )
    for spine in axes.spines.values():
        spine.set_color(LINES)
    _circles(axes, Squares(board.black), size, _DISC, fill=BLACK, edge=BLACK)
    _circles(axes, Squares(board.white), size, _DISC, fill=WHITE, edge=BLACK)
    if marks.legal:
        _circles(axes, board.legal_moves, size, _DOT, fill="none", edge=LEGAL)
    _circles(axes, marks.turned, size, _RING, fill="none", edge=MARK)
    if marks.last is not None and marks.last != PASS:
        _circles(axes, [marks.last], size, _DOT + 0.03, fill=MARK, edge=MARK)


def _circles(axes: Axes, squares: Iterable[int], size: int, radius: float, fill: str, edge: str) -> None:
    circles = [Circle((square % size, square // size), radius) for square in squares]
    width = 1.4 if fill == "none" else 0.7
    axes.add_collection(PatchCollection(circles, facecolor=fill, edgecolor=edge, linewidth=width, zorder=2))


def draw_position(game: Game, title: str) -> Figure:
    """Draw the last position of a game, with its last move and the legal moves."""
    says = f"{_state(game)}\nsmall rings: legal moves" + (f"\n{_MARKS}" if game.moves else "")
    pane = game.board, Marks.of(game, legal=True), ""
    return _figure([pane], max(_LEAST, _SQUARE * game.size), title, says, coordinates=True)


def draw_game(game: Game, title: str) -> Figure:
    """Draw a grid of boards: the start position of a game, and the position after each move except passes."""
    return _figure([*_panes(game)], _SMALL, title, f"{_state(game)}\n{_MARKS}")


def _figure(panes: Sequence[Pane], side: float, title: str, says: str, coordinates: bool = False) -> Figure:
    """Return a figure of boards that are `side` inches wide, with a title and a footnote."""
    columns = min(len(panes), _COLUMNS)
    rows = -(-len(panes) // columns)
    size = max(_LEAST, columns * side), rows * side * (1 if coordinates else 1.15) + _TEXTS
    figure = Figure(figsize=size, layout="compressed")
    headline(figure, title)
    footnote(figure, says)
    places = figure.subplots(rows, columns, squeeze=False).flatten().tolist()
    for (board, marks, caption), axes in zip(panes, places, strict=False):
        _draw_board(axes, board, marks, coordinates)
        axes.set_title(caption, fontsize=6.8, pad=3)
    for axes in places[len(panes) :]:
        axes.axis("off")
    return figure


def _panes(game: Game) -> Iterator[Pane]:
    """Yield the start and the board after each move except passes, with marks and captions."""
    yield game.boards[0], Marks(), f"start\n{_counts(game.boards[0])}"
    passed, number = "", 0
    for before, move, after in zip(game.boards, game.moves, game.boards[1:], strict=False):
        if move == PASS:
            passed = f" ({before.turn.value} passed)"
            continue
        number += 1
        caption = f"{number}. {before.turn.value} {square_name(move, game.size)}{passed}\n{_counts(after)}"
        yield after, Marks(move, turned(before, after)), caption
        passed = ""


def _counts(board: Board, separator: str = " · ") -> str:
    black, white = board.counts()
    return separator.join((f"{black} black", f"{board.size**2 - black - white} empty", f"{white} white"))


def _state(game: Game) -> str:
    if outcome := game.board.outcome():
        state = f"{outcome.winner.value} has won" if outcome.winner else "a draw"
    else:
        state = f"{game.board.turn.value} {'must pass' if game.board.must_pass else 'to move'}"
    return f"{_counts(game.board, ', ')}: {state}"
