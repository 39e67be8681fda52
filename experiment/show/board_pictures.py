"""Positions and whole games as pictures: discs, coordinates, the last move, and what moves are worth."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from matplotlib.axes import Axes
from matplotlib.collections import PatchCollection
from matplotlib.colors import Normalize
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from othello_lab.experiment.show.charts import SOFT
from othello_lab.game import PASS, Board, Game, Squares
from othello_lab.game.drawing import BLACK, CLOTH, LEGAL, LINES, MARK, WHITE, Marks, ink, turned, value_colour
from othello_lab.game.notation import square_name
from othello_lab.game.values import MoveValues, is_certain, units_of, value_text
from rlglue.messages import truncate_middle

_DISC, _DOT, _RING = 0.42, 0.11, 0.2
"""Radii, in squares."""
_LEAST_RANGE = 0.1
"""Of a scale, as a share of the largest value: what hardly differs has hardly another colour."""
_POINTS = 72
_COLUMNS: Final = (8, 9, 10)
"""How many a grid may have; the fewest places are left over."""
_SQUARE, _BORDER, _SMALL, _CAPTION = 0.62, 0.25, 1.75, 0.44
"""Inches: of a square, of its coordinates, of a board in a grid, of what stands over that."""
_TITLE, _LINE, _GAP = 0.42, 0.17, 0.1
"""Inches: of a title, of a line under it, and between things."""
_MARKS = "dot: the last move; orange rings: the discs that it turned over"
_WHERE = "small rings: legal moves"
_LONGEST = 30
Values = Mapping[int, float]
Found = Sequence[MoveValues | None]
"""What moves are worth at each position of a game, or at its last."""


def draw_board(axes: Axes, board: Board, marks: Marks, coordinates: bool = True) -> None:
    """Draw a position, a1 top left, a square a unit: square s lies around (s % size, s // size)."""
    _draw_cloth(axes, board.size)
    _circles(axes, Squares(board.black), board.size, _DISC, fill=BLACK, edge=BLACK)
    _circles(axes, Squares(board.white), board.size, _DISC, fill=WHITE, edge=BLACK)
    if marks.legal:
        _circles(axes, board.legal_moves, board.size, _DOT, fill="none", edge=LEGAL)
    _circles(axes, marks.turned, board.size, _RING, fill="none", edge=MARK)
    if marks.last is not None and marks.last != PASS:
        _circles(axes, [marks.last], board.size, _DOT + 0.03, fill=MARK, edge=MARK)
    draw_values(axes, marks.values, board.size)
    if marks.chosen is not None and marks.chosen != PASS:
        corner = (marks.chosen % board.size - 0.46, marks.chosen // board.size - 0.46)
        axes.add_patch(Rectangle(corner, 0.92, 0.92, fill=False, edgecolor=MARK, linewidth=2.4, zorder=5))
    _draw_border(axes, board.size, coordinates)


def _draw_cloth(axes: Axes, size: int) -> None:
    axes.set_aspect("equal")
    axes.set_xlim(-0.5, size - 0.5)
    axes.set_ylim(size - 0.5, -0.5)
    axes.set_facecolor(CLOTH)
    lines = [place - 0.5 for place in range(1, size)]
    axes.vlines(lines, -0.5, size - 0.5, color=LINES, lw=0.7, zorder=1)
    axes.hlines(lines, -0.5, size - 0.5, color=LINES, lw=0.7, zorder=1)


def _draw_border(axes: Axes, size: int, coordinates: bool) -> None:
    places = range(size)
    axes.set_xticks(places, [square_name(column, size)[0] for column in places])
    axes.set_yticks(places, [str(row + 1) for row in places])
    axes.tick_params(
        length=0, top=False, bottom=False, labeltop=coordinates, labelbottom=False, labelleft=coordinates
    )
    for spine in axes.spines.values():
        spine.set_color(LINES)


def _circles(axes: Axes, squares: Iterable[int], size: int, radius: float, fill: str, edge: str) -> None:
    circles = [Circle((square % size, square // size), radius) for square in squares]
    width = 1.4 if fill == "none" else 0.7
    axes.add_collection(PatchCollection(circles, facecolor=fill, edgecolor=edge, linewidth=width, zorder=2))


def draw_values(axes: Axes, values: Mapping[int, float], size: int) -> None:
    """Draw a tile on each square that has a value, from the least, dark, to the greatest, light.

    The axes are those of a board that was drawn.
    """
    scale = scale_of(values.values())
    assert axes.figure is not None  # noqa: S101  axes that are drawn on belong to a figure
    points = min(axes.bbox.width, axes.bbox.height) / axes.figure.dpi * _POINTS / size
    for square, value in values.items():
        place, colour = (square % size, square // size), value_colour(float(scale(value)))
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


def scale_of(values: Iterable[float]) -> Normalize:
    """Return the scale of these values; what is certain, such as a won game, lies at its ends."""
    known = [value for value in values if not is_certain(value)] or [0.0]
    low, high = min(known), max(known)
    middle, half = (low + high) / 2, max(high - low, _LEAST_RANGE * max(-low, high), 1e-9) / 2
    return Normalize(middle - half, middle + half, clip=True)


class Pane(NamedTuple):
    """One board of a grid."""

    board: Board
    marks: Marks
    caption: str


def board_figure(board: Board, marks: Marks, title: str, says: str) -> Figure:
    """Return the picture of a position with a title and, in a line or two under it, what it shows."""
    side = max(4.2, _SQUARE * board.size)
    width = side + _BORDER + _GAP
    height = width + _head(says)
    figure = Figure(figsize=(width, height))
    axes = figure.add_axes((_BORDER / width, _GAP / height, side / width, side / height))
    draw_board(axes, board, marks)
    _entitle(figure, title, says)
    return figure


def _head(says: str) -> float:
    """Return the inches that a title and the lines under it take."""
    return _TITLE + _LINE * (1 + says.count("\n"))


def _entitle(figure: Figure, title: str, says: str) -> None:
    left, height = _GAP / figure.get_figwidth(), figure.get_figheight()
    figure.text(left, 1 - 0.32 / height, title, fontsize=13, fontweight="bold", parse_math=False)
    figure.text(left, 1 - 0.42 / height, says, fontsize=9, color=SOFT, va="top", parse_math=False)


def game_figure(game: Game, title: str, says: str, values: Sequence[Values] = ()) -> Figure:
    """Return a grid of a game: the start, and the board after each disc with the move marked.

    With `values`, one for each move of the game and empty where there are none, it is the board before each
    disc: what squares are worth to the side to move, and a frame around the move that was made. A pass has
    no board of its own; the caption of the next one says it.
    """
    panes = list(_before(game, values) if values else _after(game)) or list(_after(game))
    most, count = min(_COLUMNS), len(panes)
    columns = max(count, 1) if count <= most else min(_COLUMNS, key=lambda each: (-count % each, -each))
    figure, places = _grid(columns, -(-len(panes) // columns), _head(says))
    for pane, axes in zip(panes, places, strict=False):
        draw_board(axes, pane.board, pane.marks, coordinates=False)
        axes.set_title(pane.caption, fontsize=6.8, pad=3)
    for axes in places[len(panes) :]:
        axes.axis("off")
    _entitle(figure, title, says)
    return figure


def _grid(columns: int, rows: int, head: float) -> tuple[Figure, list[Axes]]:
    """Return a figure with room for this many boards, their captions and, in inches, a title."""
    width = max(6.0, columns * (_SMALL + _GAP) + _GAP)
    height = rows * (_SMALL + _CAPTION) + head
    figure = Figure(figsize=(width, height))
    sides = _GAP / width, _GAP / height, 1 - _GAP / width, 1 - (head + _CAPTION - _GAP) / height
    axes = figure.subplots(rows, columns, squeeze=False).flatten().tolist()
    figure.subplots_adjust(*sides, _GAP / _SMALL, _CAPTION / _SMALL)
    return figure, axes


def _after(game: Game) -> Iterator[Pane]:
    """Yield the start and the board after each disc."""
    yield Pane(game.boards[0], Marks(), f"start\n{_counts(game.boards[0])}")
    for ply, before, after, caption in _discs(game):
        marks = Marks(game.moves[ply], turned(before, after))
        yield Pane(after, marks, f"{caption}\n{_counts(after)}")


def _before(game: Game, values: Sequence[Values]) -> Iterator[Pane]:
    """Yield the board before each disc, with what moves are worth there."""
    for ply, before, _, caption in _discs(game):
        yield Pane(before, Marks(values=values[ply], chosen=game.moves[ply]), f"{caption}\n{_counts(before)}")


def _discs(game: Game) -> Iterator[tuple[int, Board, Board, str]]:
    """Yield, for each move that placed a disc, its ply, the boards around it and what to call it."""
    passed, number = "", 0
    for ply, move in enumerate(game.moves):
        before, after = game.boards[ply : ply + 2]
        if move == PASS:
            passed = f" ({before.turn.value} passed)"
            continue
        number += 1
        yield ply, before, after, f"{number}. {before.turn.value} {square_name(move, game.size)}{passed}"
        passed = ""


def _counts(board: Board) -> str:
    black, white = board.counts()
    return f"{black} black · {board.size**2 - black - white} empty · {white} white"


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
    return f"numbers: what {truncate_middle(by, _LONGEST)} says of the moves\n{unit}"


def _state(game: Game) -> str:
    """Say how a game stands, or how it ended."""
    black, white = game.board.counts()
    counts = f"{black} black, {game.size**2 - black - white} empty, {white} white"
    if outcome := game.board.outcome():
        return f"{counts}: {f'{outcome.winner.value} has won' if outcome.winner else 'a draw'}"
    return f"{counts}: {game.board.turn.value} {'must pass' if game.board.must_pass else 'to move'}"
