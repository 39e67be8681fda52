"""`Game`, a game with moves and positions, and functions that parse the start of a game."""

from collections.abc import Sequence
from operator import index
from typing import SupportsIndex

import numpy as np

from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.kernels.bits import to_int
from othello_lab.game.notation import PASS, NotationError, brief, check_size
from othello_lab.game.transcripts import format_squares, is_cells, names_a_square, parse_moves


class Game:
    """A game in progress. `boards[i]` is the position before move i. `board` is the current position."""

    def __init__(self, start: Board) -> None:
        self.boards = [start]
        self.moves: list[int] = []

    @staticmethod
    def from_transcript(text: str, size: int = 8) -> "Game":
        """Replay a transcript such as `f5d6c3`. Raises NotationError or IllegalMoveError."""
        moves = parse_moves(text, size)
        try:
            return replay(Board.start(size), moves)
        except IllegalMoveError as error:
            raise IllegalMoveError(f"{brief(text)!r}: {error}") from None

    @property
    def board(self) -> Board:
        """The current position."""
        return self.boards[-1]

    @property
    def start(self) -> Board:
        """The position before the first move."""
        return self.boards[0]

    @property
    def size(self) -> int:
        """The length of a side of the board."""
        return self.start.size

    def play(self, move: SupportsIndex) -> Board:
        """Play a square or PASS, and return the new position. Raises IllegalMoveError."""
        board = self.boards[-1].play(move)
        self.boards.append(board)
        self.moves.append(index(move))
        return board

    def pass_if_forced(self) -> bool:
        """Pass if the side to move must pass. Return whether a pass was played."""
        if not self.board.must_pass:
            return False
        self.play(PASS)
        return True

    def undo(self) -> int:
        """Undo and return the last move. Raises IndexError if there is no move."""
        boards = self.boards
        move = self.moves.pop()
        boards.pop()
        return move

    def until(self, ply: int | None = None) -> "Game":
        """Return a copy of the game with the first `ply` moves, or with all moves if `ply` is None."""
        copy = Game(self.boards[0])
        copy.moves[:] = self.moves[:ply]
        copy.boards[:] = self.boards[: len(copy.moves) + 1]
        return copy

    def transcript(self) -> str:
        """Return the moves without passes as a text such as `f5d6c3`."""
        return format_squares(self.moves, self.size)


class _Replayed(Game):
    """A game that creates its boards lazily, because many games of a database need no boards."""

    def __init__(self, start: Board, moves: list[int], last: Board) -> None:
        self.moves = moves
        self._start, self._last = start, last

    def __getattr__(self, name: str) -> list[Board]:
        if name != "boards":
            raise AttributeError(name)
        self.boards = [self._start]
        for move in self.moves:
            self.boards.append(self.boards[-1].play(move))
        return self.boards

    @property
    def board(self) -> Board:
        return self.boards[-1] if "boards" in vars(self) else self._last

    @property
    def start(self) -> Board:
        return self._start


def replay(start: Board, moves: Sequence[int]) -> Game:
    """Return the game with these moves. Forced passes are optional. Raises IllegalMoveError."""
    from othello_lab.game.batch import replay_moves  # lazy import: environments do not need `batch`

    size, with_passes = start.size, np.empty(2 * len(moves), np.int64)
    own, opponent, count = replay_moves(*start.for_kernels, np.array(moves, np.int64), size, with_passes)
    if count < 0:
        legal = -count - 1
        if set(moves[legal:]) == {PASS} and (game := replay(start, moves[:legal])).board.is_over:
            return game  # passes after the end are ignored
        raise IllegalMoveError(f"move {-count}: {_why_illegal(start, moves, legal)}")
    turn = start.turn if count % 2 == 0 else start.turn.other
    discs = (to_int(own), to_int(opponent)) if turn is Colour.BLACK else (to_int(opponent), to_int(own))
    return _Replayed(start, with_passes[:count].tolist(), Board(size, *discs, turn))


def _why_illegal(start: Board, moves: Sequence[int], place: int) -> IllegalMoveError:
    board = replay(start, moves[:place]).board
    try:
        if board.must_pass and moves[place] != PASS:
            board = board.play(PASS)
        board.play(moves[place])
    except IllegalMoveError as error:
        return error
    raise AssertionError("a legal move was refused")


# The text for the standard start. "" and `start` also mean the standard start.
STANDARD = "standard"
_SHORTEST = 16  # The minimum length of a position, which is 4x4 cells. A shorter text such as `b1` is a move.


def parse_start(text: str, size: int) -> Game:
    """Parse `standard`, moves, a position or `position;moves`. `size` is the default. Raises ValueError."""
    check_size(size)
    if is_standard(text):
        return Game(Board.start(size))
    if is_position(text.partition(";")[0]):
        start, moves = parse_line(text, size)
        return replay(start, moves) if moves else Game(start)
    if is_position(text) or (len(text) >= _SHORTEST and not names_a_square(text)):
        return Game(Board.parse(text))
    if names_a_square(text):
        return Game.from_transcript(text, size)
    raise NotationError(
        f"{brief(text)!r} is neither a position nor a list of moves: write moves like f5d6c3, or N*N cells "
        f"of X, O and - row by row and then X or O to move, or {STANDARD}"
    )


def parse_line(text: str, size: int) -> tuple[Board, list[int]]:
    """Parse moves, a position or `position;moves`, without playing the moves. Raises NotationError."""
    cells, _, moves = text.partition(";")
    if is_position(cells) and (names_a_square(moves) or not is_position(text)):
        board = Board.parse(cells)
        return board, parse_moves(moves, board.size)
    if is_position(text):
        return Board.parse(text), []
    return Board.start(size), parse_moves(text, size)


def is_standard(text: str) -> bool:
    """Return whether a text means the standard start."""
    return text.strip().lower() in ("", "start", STANDARD)


def is_position(text: str) -> bool:
    """Return whether a text consists of cells and is long enough for a position."""
    return len(text) >= _SHORTEST and is_cells(text)


def format_start(board: Board) -> str:
    """Return the text of a start for `parse_start`."""
    return STANDARD if board == Board.start(board.size) else str(board)
