"""Draw pictures of positions and games, with discs, coordinates and the last move."""

from collections.abc import Iterable, Iterator
from typing import Final

from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from othello_lab.experiment.show.charts import SOFT
from othello_lab.game import PASS, Board, Game, Squares
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, Marks, turned
from othello_lab.game.notation import square_name

_DISC, _DOT, _RING = 0.42, 0.11, 0.2  # radii; the side of a square is 1
_COLUMNS: Final = (8, 9, 10)  # the numbers of columns of a grid; the one with the fewest empty places is used
# Inches: a square, the border with coordinates, a board in a grid, and the caption of a board in a grid.
_SQUARE, _BORDER, _SMALL, _CAPTION = 0.62, 0.25, 1.75, 0.44
_TITLE, _LINE, _GAP = 0.42, 0.17, 0.1  # inches: a title, a line below it, and a gap
_MARKS = "dot: the last move; orange rings: the discs that it turned over"


def _draw_board(axes: Axes, board: Board, marks: Marks, coordinates: bool = True) -> None:
    """Draw a position with a1 at the top left. The centre of square s is at (s % size, s // size)."""
    size = board.size
    _draw_cloth(axes, size, coordinates)
    _circles(axes, Squares(board.black), size, _DISC, fill=BLACK, edge=BLACK)
    _circles(axes, Squares(board.white), size, _DISC, fill=WHITE, edge=BLACK)
    if marks.legal:
        _circles(axes, board.legal_moves, size, _DOT, fill="none", edge=LEGAL)
    _circles(axes, marks.turned, size, _RING, fill="none", edge=MARK)
    if marks.last is not None and marks.last != PASS:
        _circles(axes, [marks.last], size, _DOT + 0.03, fill=MARK, edge=MARK)


def _draw_cloth(axes: Axes, size: int, coordinates: bool) -> None:
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


def _circles(axes: Axes, squares: Iterable[int], size: int, radius: float, fill: str, edge: str) -> None:
    circles = [Circle((square % size, square // size), radius) for square in squares]
    width = 1.4 if fill == "none" else 0.7
    axes.add_collection(PatchCollection(circles, facecolor=fill, edgecolor=edge, linewidth=width, zorder=2))


def draw_position(game: Game, title: str) -> Figure:
    """Draw the last position of a game, with its last move and the legal moves."""
    board, marks = game.board, Marks.of(game, legal=True)
    says = f"{_state(game)}\nsmall rings: legal moves" + (f"\n{_MARKS}" if game.moves else "")
    side = max(4.2, _SQUARE * board.size)
    width = side + _BORDER + _GAP
    height = width + _head(says)
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((_BORDER / width, _GAP / height, side / width, side / height))
    _draw_board(axes, board, marks)
    _entitle(figure, title, says)
    return figure


def _head(says: str) -> float:
    """Return the height of a title and the text below it, in inches."""
    return _TITLE + _LINE * (1 + says.count("\n"))


def _entitle(figure: Figure, title: str, says: str) -> None:
    left, height = _GAP / figure.get_figwidth(), figure.get_figheight()
    figure.text(left, 1 - 0.32 / height, title, fontsize=13, fontweight="bold", parse_math=False)
    figure.text(left, 1 - 0.42 / height, says, fontsize=9, color=SOFT, va="top", parse_math=False)


def draw_game(game: Game, title: str) -> Figure:
    """Draw a grid of boards, with the start of a game and the board after each disc."""
    panes, says = list(_panes(game)), f"{_state(game)}\n{_MARKS}"
    most, count = min(_COLUMNS), len(panes)
    columns = count if count <= most else min(_COLUMNS, key=lambda columns: (-count % columns, -columns))
    figure, places = _grid(columns, -(-count // columns), _head(says))
    for (board, marks, caption), axes in zip(panes, places, strict=False):
        _draw_board(axes, board, marks, coordinates=False)
        axes.set_title(caption, fontsize=6.8, pad=3)
    for axes in places[count:]:
        axes.axis("off")
    _entitle(figure, title, says)
    return figure


def _grid(columns: int, rows: int, head: float) -> tuple[Figure, list[Axes]]:
    width = max(6.0, columns * (_SMALL + _GAP) + _GAP)
    height = rows * (_SMALL + _CAPTION) + head
    figure = Figure(figsize=(width, height))
    sides = _GAP / width, _GAP / height, 1 - _GAP / width, 1 - (head + _CAPTION - _GAP) / height
    axes = figure.subplots(rows, columns, squeeze=False).flatten().tolist()
    figure.subplots_adjust(*sides, _GAP / _SMALL, _CAPTION / _SMALL)
    return figure, axes


def _panes(game: Game) -> Iterator[tuple[Board, Marks, str]]:
    """Yield the start and the board after each disc, each with its marks and its caption."""
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
