"""A book: positions of openings, with what each move there is worth as deep search found it.

Positions alike by symmetry are one, and so are moves. A move to another position of the book is worth what
the best continuation there is worth (negamax).
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from typing import Final, NamedTuple

from othello_lab.game.board import Board, Squares
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS
from othello_lab.game.symmetry import alike, canonical, permutations

SIZES: Final = (4, 6, 8)
"""Of boards for which there are values in discs."""
BEGIN: Final = 4
"""Discs on the board before the first move."""


class BookError(ValueError):
    """What is no book; the text says where the fault is."""


class BookMove(NamedTuple):
    """What a book says of a move."""

    discs: float
    """Own discs minus the other side's at the end of the game, for who makes it."""
    games: int = 0
    """In which it was played."""


class _Entry(NamedTuple):
    """What a book says of a position; its moves by their squares on the canonical board."""

    nodes: int
    moves: dict[int, BookMove]


class Book:
    """Positions of one size of board. What is asked of a position is answered as that lies on the board."""

    def __init__(self, size: int) -> None:
        """Raises BookError for a size without values in discs."""
        if size not in SIZES:
            boards = ", ".join(f"{each}x{each}" for each in SIZES)
            raise BookError(f"there is no book for {size}x{size}: its values in discs are known on {boards}")
        self.size = size
        self._entries: dict[Board, _Entry] = {}
        self._links: dict[Board, dict[int, tuple[Board, int]]] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def __contains__(self, board: Board) -> bool:
        return canonical(board) in self._entries

    def positions(self) -> Iterator[tuple[Board, int, dict[int, BookMove]]]:
        """Yield each position with how many were searched for it and its moves, from the start on."""
        for board in sorted(self._entries, key=lambda board: (discs_on(board), board.black, board.white)):
            yield board, *self._entries[board]

    def moves(self, board: Board) -> dict[int, BookMove]:
        """Return what is known of a position's moves, by ascending square; nothing of an unknown one.

        What is known of it with the colours changed serves too: an agent over RL-Glue is not told its colour.
        """
        first, symmetries = alike(board)
        if first not in self._entries:
            first, symmetries = alike(_with_colours_changed(board))
        if first not in self._entries:
            return {}
        known, squares = self._entries[first].moves, _representatives(self.size, symmetries)
        return {move: known[squares[move]] for move in board.legal_moves if squares[move] in known}

    def best(self, board: Board) -> Squares:
        """Return the best moves of a position, all of the same value; none of an unknown one."""
        moves = self.moves(board)
        value = max((move.discs for move in moves.values()), default=0.0)
        return Squares(sum(1 << square for square, move in moves.items() if move.discs == value))

    def line(self, board: Board) -> list[int]:
        """Return the best continuation as far as the book goes, of equal moves the first; without passes."""
        line: list[int] = []
        while best := self.best(board):
            line.append(best[0])
            board = after(board, best[0])
        return line

    def add(self, board: Board, nodes: int, moves: Mapping[int, BookMove]) -> None:
        """Add a position, with its legal moves as a search that looked at `nodes` positions found them.

        Of one that is known, the larger search and the more games count.
        """
        first, symmetries = alike(board)
        squares = _representatives(self.size, symmetries)
        self._keep(first, _Entry(nodes, {squares[move]: said for move, said in moves.items()}))

    def count(self, game: Game) -> None:
        """Count a game for the moves that it has in the book."""
        for board, move in zip(game.boards, game.moves, strict=False):
            first, symmetries = alike(board)
            if move == PASS or first not in self._entries:
                continue
            moves, square = self._entries[first].moves, _representatives(self.size, symmetries)[move]
            if square in moves:
                moves[square] = moves[square]._replace(games=moves[square].games + 1)

    def merge(self, other: "Book") -> None:
        """Add what another book says. Where both say something, the larger search and the more games count.

        Raises BookError for a book of another size.
        """
        if other.size != self.size:
            raise BookError(f"it is for {other.size}x{other.size}, expected {self.size}x{self.size}")
        for board, entry in other._entries.items():
            self._keep(board, entry)
        self.back_up()

    def back_up(self, boards: Iterable[Board] | None = None) -> None:
        """Give moves to positions of the book the values of these: in these positions in this order, by
        default in all.
        """
        if boards is None:
            boards = sorted(self._entries, key=discs_on, reverse=True)
        for board in map(canonical, boards):
            if entry := self._entries.get(board):
                for move, (behind, sign) in self._links_of(board).items():
                    if found := self._entries.get(behind):
                        value = sign * max(reply.discs for reply in found.moves.values())
                        entry.moves[move] = entry.moves[move]._replace(discs=value + 0.0)  # -0.0 is 0.0

    def _keep(self, board: Board, entry: _Entry) -> None:
        if board in self._entries:
            entry = _joined(self._entries[board], entry)
        self._entries[board] = _Entry(entry.nodes, dict(entry.moves))
        self._links.pop(board, None)

    def _links_of(self, board: Board) -> dict[int, tuple[Board, int]]:
        """Return for each move the canonical position behind it, and -1 where the other side is to move."""
        if board not in self._links:
            behind = {move: after(board, move) for move in self._entries[board].moves}
            self._links[board] = {
                move: (canonical(other), 1 if other.turn is board.turn else -1)
                for move, other in behind.items()
            }
        return self._links[board]


def after(board: Board, move: int) -> Board:
    """Return the position after a move and the pass that it forces, if any."""
    behind = board.play(move)
    return behind.play(PASS) if behind.must_pass else behind


def _with_colours_changed(board: Board) -> Board:
    return Board(board.size, board.white, board.black, board.turn.other)


def discs_on(board: Board) -> int:
    """Return the number of discs on the board."""
    return (board.black | board.white).bit_count()


def _joined(one: _Entry, other: _Entry) -> _Entry:
    """Return what two books say of a position: the values of the larger search, and the more games."""
    less, more = sorted([one, other], key=lambda entry: (entry.nodes, sorted(entry.moves.items())))
    none = BookMove(0.0)
    moves = {
        move: said._replace(games=max(said.games, less.moves.get(move, none).games))
        for move, said in more.moves.items()
    }
    return _Entry(more.nodes, less.moves | moves)


@cache
def _representatives(size: int, symmetries: tuple[int, ...]) -> list[int]:
    """Return for each square where it lies on the canonical board, of those alike there the lowest."""
    lowest: list[int] = permutations(size)[list(symmetries)].min(axis=0).tolist()
    return lowest
