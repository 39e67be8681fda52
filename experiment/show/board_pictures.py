"""Pictures of positions and games: discs, coordinates, the last move, and the values of moves."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from othello_lab.experiment.show.charts import SOFT, shares_of
from othello_lab.game import PASS, Board, Game, Squares
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, Marks, ink, turned, value_colour
from othello_lab.game.notation import square_name
from othello_lab.game.values import MoveValues, units_of, value_text
from rlglue.messages import truncate_middle

_DISC, _DOT, _RING = 0.42, 0.11, 0.2
"""Radii of a disc, a dot and a ring; the side of a square is 1."""
_POINTS = 72
_COLUMNS: Final = (8, 9, 10)
"""Possible numbers of columns of a grid. The number with the fewest empty places is chosen."""
_SQUARE, _BORDER, _SMALL, _CAPTION = 0.62, 0.25, 1.75, 0.44
"""Inches: a square, the border with coordinates, a board in a grid, the caption of a board in a grid."""
_TITLE, _LINE, _GAP = 0.42, 0.17, 0.1
"""Inches: a title, a line below it, a gap."""
_MARKS = "dot: the last move; orange rings: the discs that it turned over"
_LONGEST = 30
Values = Mapping[int, float]
Valued = Sequence[MoveValues | None]
"""The values of the moves at each position of a game, or only at the last position."""


def draw_board(axes: Axes, board: Board, marks: Marks, coordinates: bool = True) -> None:
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
    _draw_values(axes, marks.values, size)
    if marks.chosen is not None and marks.chosen != PASS:
        corner = (marks.chosen % size - 0.46, marks.chosen // size - 0.46)
        axes.add_patch(Rectangle(corner, 0.92, 0.92, fill=False, edgecolor=MARK, linewidth=2.4, zorder=5))


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


def _draw_values(axes: Axes, values: Values, size: int) -> None:
    """Draw a coloured tile on each square that has a value: dark for the lowest, light for the highest."""
    assert axes.figure is not None  # noqa: S101  axes that are drawn on belong to a figure
    points = min(axes.bbox.width, axes.bbox.height) / axes.figure.dpi * _POINTS / size
    for (square, value), share in zip(values.items(), shares_of(values.values()), strict=True):
        place, colour = (square % size, square // size), value_colour(share)
        corner = place[0] - 0.43, place[1] - 0.43
        axes.add_patch(Rectangle(corner, 0.86, 0.86, facecolor=colour, edgecolor="none", zorder=3))
        axes.text(
            *place,
            value_text(value),
            ha="center",
            va="center",
            fontsize=min(11.0, 0.27 * points),
            color=ink(colour),
            zorder=4,
        )


class Pane(NamedTuple):
    """A board in a grid of boards."""

    board: Board
    marks: Marks
    caption: str


def board_figure(board: Board, marks: Marks, title: str, says: str) -> Figure:
    """Return the figure of a position, with a title and one or two lines of text below the title."""
    side = max(4.2, _SQUARE * board.size)
    width = side + _BORDER + _GAP
    height = width + _head(says)
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((_BORDER / width, _GAP / height, side / width, side / height))
    draw_board(axes, board, marks)
    _entitle(figure, title, says)
    return figure


def _head(says: str) -> float:
    """Return the height of a title and the lines of text below it, in inches."""
    return _TITLE + _LINE * (1 + says.count("\n"))


def _entitle(figure: Figure, title: str, says: str) -> None:
    left, height = _GAP / figure.get_figwidth(), figure.get_figheight()
    figure.text(left, 1 - 0.32 / height, title, fontsize=13, fontweight="bold", parse_math=False)
    figure.text(left, 1 - 0.42 / height, says, fontsize=9, color=SOFT, va="top", parse_math=False)


def game_figure(game: Game, title: str, says: str, values: Sequence[Values] = ()) -> Figure:
    """Return a grid of boards: the start of a game, and the board after each disc with the move marked.

    `values` has the values of the moves for each move of the game. With `values`, the grid shows the board
    before each disc, with a frame around the move. The caption of the next board mentions a pass.
    """
    panes = list(_before(game, values) if values else _after(game)) or list(_after(game))
    most, count = min(_COLUMNS), len(panes)
    columns = count if count <= most else min(_COLUMNS, key=lambda columns: (-count % columns, -columns))
    figure, places = _grid(columns, -(-count // columns), _head(says))
    for pane, axes in zip(panes, places, strict=False):
        draw_board(axes, pane.board, pane.marks, coordinates=False)
        axes.set_title(pane.caption, fontsize=6.8, pad=3)
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


def _after(game: Game) -> Iterator[Pane]:
    """Yield a pane for the start, and one for the board after each disc."""
    yield Pane(game.boards[0], Marks(), f"start\n{_counts(game.boards[0])}")
    for ply, before, after, caption in _discs(game):
        marks = Marks(game.moves[ply], turned(before, after))
        yield Pane(after, marks, f"{caption}\n{_counts(after)}")


def _before(game: Game, values: Sequence[Values]) -> Iterator[Pane]:
    """Yield a pane for the board before each disc, with the values of its moves."""
    for ply, before, _, caption in _discs(game):
        yield Pane(before, Marks(values=values[ply], chosen=game.moves[ply]), f"{caption}\n{_counts(before)}")


def _discs(game: Game) -> Iterator[tuple[int, Board, Board, str]]:
    """Yield the ply, the boards before and after, and a caption for each move except passes."""
    passed, number = "", 0
    for ply, move in enumerate(game.moves):
        before, after = game.boards[ply : ply + 2]
        if move == PASS:
            passed = f" ({before.turn.value} passed)"
            continue
        number += 1
        yield ply, before, after, f"{number}. {before.turn.value} {square_name(move, game.size)}{passed}"
        passed = ""


def _counts(board: Board, separator: str = " · ") -> str:
    black, white = board.counts()
    return separator.join((f"{black} black", f"{board.size**2 - black - white} empty", f"{white} white"))


def draw_position(game: Game, title: str, values: Valued = (), by: str = "") -> Figure:
    """Draw the last position of a game; with `values` from the player `by`, the best move has a frame."""
    board, last = game.board, values[-1] if values else None
    if last is None:
        legend = "small rings: legal moves" + (f"\n{_MARKS}" if game.moves else "")
        return board_figure(board, Marks.of(game, legal=True), title, f"{_state(game)}\n{legend}")
    worth = last.by_square(board.legal_moves)
    marks = Marks(values=worth, chosen=max(worth, key=lambda square: worth[square]))
    return board_figure(board, marks, title, f"{_state(game)}\n{_legend(last.unit, by)}; frame: its best")


def draw_game(game: Game, title: str, values: Valued = (), by: str = "") -> Figure:
    """Draw all boards of a game; with `values`, also the values from the player named `by`."""
    unit = units_of(values)
    if not unit:
        return game_figure(game, title, f"{_state(game)}\n{_MARKS}")
    worth = [
        known.by_square(board.legal_moves) if known else {}
        for known, board in zip(values, game.boards, strict=True)
    ]
    says = f"{_state(game)}\n{_legend(unit, by)}; frame: the move that was made"
    return game_figure(game, title, says, worth)


def _legend(unit: str, by: str) -> str:
    return f"numbers: what {truncate_middle(by, _LONGEST)} says of the moves\n{unit}"


def _state(game: Game) -> str:
    """Return the numbers of discs, and the side to move or the winner."""
    if outcome := game.board.outcome():
        state = f"{outcome.winner.value} has won" if outcome.winner else "a draw"
    else:
        state = f"{game.board.turn.value} {'must pass' if game.board.must_pass else 'to move'}"
    return f"{_counts(game.board, ', ')}: {state}"
