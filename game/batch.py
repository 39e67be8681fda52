"""Batches of positions and games as arrays. The compiled rules are at the end of the file."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from othello_lab.game.board import Board, Colour, IllegalMoveError
from othello_lab.game.kernels import bitboard
from othello_lab.game.kernels.bitboard import after
from othello_lab.game.kernels.bits import (
    Bits,
    Integer,
    Rows,
    count,
    from_int,
    from_row,
    nth_row,
    occupied,
    single,
    single_or_none,
    words_of,
    write_nth_row,
)
from othello_lab.game.kernels.jit import compiled, compiled_helper
from othello_lab.game.luck import SeatSeeds, random_square, random_word, turn_word, uniform
from othello_lab.game.notation import PASS
from othello_lab.game.observation import write_planes_on_words

STAY: Final = -1000  # The no-op move, which leaves a game unchanged.
Number = TypeVar("Number", np.int8, np.uint8, np.float32)


@dataclass(frozen=True, slots=True)
class Positions:
    """Positions of one board size from the view of the side to move, without colours."""

    size: int
    own: NDArray[np.uint64]  # [n, words]: square s is bit s % 64 of word s // 64
    opponent: NDArray[np.uint64]  # [n, words]

    @staticmethod
    def of(boards: Sequence[Board]) -> "Positions":
        """Return the positions of one or more boards of the same size."""
        size = boards[0].size
        own = _pack([board.own for board in boards], size)
        return Positions(size, own, _pack([board.opponent for board in boards], size))

    @staticmethod
    def along(start: Board, moves: Sequence[int]) -> "Positions":
        """Return all positions of a game, from the start to the position after the last move."""
        own = np.empty((len(moves) + 1, words_of(start.size)), np.uint64)
        opponent = np.empty_like(own)
        _trace(*start.for_kernels, np.array(moves, np.int64), start.size, own, opponent)
        return Positions(start.size, own, opponent)

    @staticmethod
    def joined(parts: Sequence["Positions"]) -> "Positions":
        """Concatenate the positions of one or more parts."""
        own = np.concatenate([part.own for part in parts])
        return Positions(parts[0].size, own, np.concatenate([part.opponent for part in parts]))

    def __len__(self) -> int:
        return len(self.own)

    @property
    def for_kernels(self) -> tuple[NDArray[np.uint64], NDArray[np.uint64], Bits, int]:
        """The first arguments of kernels: the discs of both sides, a set as a placeholder, and the size."""
        return self.own, self.opponent, from_int(0, self.size), self.size

    def discs(self) -> NDArray[np.int64]:
        """Count the discs on each board, int64 [n]."""
        return count_squares(self.own | self.opponent, self.size)

    def counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Count the discs of the side to move and of its opponent, each int64 [n]."""
        return count_squares(self.own, self.size), count_squares(self.opponent, self.size)

    def take(self, which: NDArray[np.integer] | NDArray[np.bool_] | slice) -> "Positions":
        """Return the positions at `which`: indices, a mask or a slice. A slice gives views of the arrays."""
        return Positions(self.size, self.own[which], self.opponent[which])

    def board(self, index: int, black_to_move: bool | np.bool_ = True) -> Board:
        """Return one position as a board with colours."""
        own, opponent = (int.from_bytes(row[index].tobytes(), "little") for row in (self.own, self.opponent))
        if black_to_move:
            return Board(self.size, own, opponent, Colour.BLACK)
        return Board(self.size, opponent, own, Colour.WHITE)


def count_squares(squares: NDArray[np.uint64], size: int) -> NDArray[np.int64]:
    """Return the number of squares in each set, int64 [n]. `squares` is uint64 [n, words]."""
    numbers = np.empty(len(squares), np.int64)
    _count_all(squares, from_int(0, size), numbers)
    return numbers


def repeated(board: Board, n: int) -> Positions:
    """Return `n` copies of the position of a board."""
    one = Positions.of([board])
    return Positions(board.size, one.own.repeat(n, axis=0), one.opponent.repeat(n, axis=0))


def _pack(squares: list[int], size: int) -> NDArray[np.uint64]:
    words = words_of(size)
    data = b"".join(bits.to_bytes(8 * words, "little") for bits in squares)
    return np.frombuffer(data, "<u8").astype(np.uint64).reshape(len(squares), words)


def play_out(positions: Positions, seed: int) -> NDArray[np.int16]:
    """Play random games to the end. Return the final discs of both sides, int16 [n, 2], first mover first."""
    discs = np.empty((len(positions), 2), np.int16)
    key = np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]
    _play_out(*positions.for_kernels, key, discs)
    return discs


def draws(luck: SeatSeeds, positions: Positions, which: int) -> NDArray[np.float64]:
    """Return draw `which` of the turn for each position, float64 [n] in [0, 1)."""
    drawn = np.empty(len(luck))
    _draw(*positions.for_kernels, luck, which, drawn)
    return drawn


class BatchGames:
    """Games of one board size that are played together. `play` changes the arrays of this object in place."""

    def __init__(self, positions: Positions, black_to_move: NDArray[np.bool_] | None = None) -> None:
        """Begin games from copies of `positions`. By default black is to move in all games."""
        n = len(positions)
        self.positions = Positions(positions.size, positions.own.copy(), positions.opponent.copy())
        self.black_to_move = np.ones(n, np.bool_) if black_to_move is None else black_to_move.copy()
        self.legal = np.zeros_like(self.positions.own)  # uint64 [n, words]
        self.finished = np.zeros(n, np.bool_)
        self._for_kernels = self.positions.for_kernels
        self._look()

    @classmethod
    def start(cls, board: Board, games: int) -> "BatchGames":
        """Begin games from one position."""
        return cls(repeated(board, games), np.full(games, board.turn is Colour.BLACK))

    def __len__(self) -> int:
        return len(self.finished)

    @property
    def size(self) -> int:
        """The length of a side of the boards."""
        return self.positions.size

    @property
    def must_pass(self) -> NDArray[np.bool_]:
        """True for each game in which the side to move must pass, bool [n]."""
        return ~(self.finished | self.can_move)

    @property
    def can_move(self) -> NDArray[np.bool_]:
        """True for each game in which the side to move has a legal square, bool [n]."""
        # A reduction along rows of one word would be ten times as slow.
        some: NDArray[np.bool_] = np.bitwise_or.reduce(self.legal.T) != 0
        return some

    def board(self, index: int) -> Board:
        """Return the position of one game, with colours."""
        return self.positions.board(index, self.black_to_move[index])

    def play(self, moves: NDArray[np.integer]) -> None:
        """Play a square, PASS or STAY in each game, [n]. An IllegalMoveError leaves all games unchanged."""
        squares: NDArray[np.int64] = moves.astype(np.int64)
        legal = self.are_legal(squares)
        if not legal.all():
            illegal = int(legal.argmin())
            try:
                self.board(illegal).play(int(moves[illegal]))
            except IllegalMoveError as error:
                raise IllegalMoveError(f"game {illegal}: {error}") from None
            raise AssertionError("the kernels and Board disagree")  # pragma: no cover
        _play(*self._for_kernels, self.black_to_move, squares, self.finished)
        self._look()

    def are_legal(self, moves: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return whether each move is legal, bool [n]. Raises ValueError if there are not n moves."""
        if moves.shape != (len(self),):
            raise ValueError(f"{len(self)} games take one move each, but the moves have shape {moves.shape}")
        answers = np.empty(len(self), np.bool_)
        kind, size = self._for_kernels[2:]
        _are_legal(moves.astype(np.int64, copy=False), self.legal, kind, size, answers)
        return answers

    def take(self, indices: NDArray[np.integer]) -> "BatchGames":
        """Return copies of the games at `indices`."""
        return BatchGames(self.positions.take(indices), self.black_to_move[indices])

    def put(self, indices: NDArray[np.integer], games: "BatchGames") -> None:
        """Replace the games at `indices` by `games`, which must have the same board size."""
        self.positions.own[indices] = games.positions.own
        self.positions.opponent[indices] = games.positions.opponent
        self.black_to_move[indices], self.finished[indices] = games.black_to_move, games.finished
        self.legal[indices] = games.legal

    def counts(self) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the number of black discs and the number of white discs, each int64 [n]."""
        own, opponent = self.positions.counts()
        black = np.where(self.black_to_move, own, opponent)
        return black, own + opponent - black

    def final_scores(self) -> NDArray[np.int64]:
        """Return the `Outcome.final_score` of each game, or 0 for an unfinished game, int64 [n]."""
        black, white = self.counts()
        difference: NDArray[np.int64] = np.where(self.finished, black - white, 0)
        scores: NDArray[np.int64] = difference + np.sign(difference) * (self.size**2 - black - white)
        return scores

    def _look(self) -> None:
        _look(*self._for_kernels, self.legal, self.finished)


def legal_moves(positions: Positions) -> NDArray[np.uint64]:
    """Return the legal squares of the side to move in each position, uint64 [n, words]."""
    moves = np.empty_like(positions.own)
    _legal_moves_of_all(*positions.for_kernels, moves)
    return moves


def planes(positions: Positions, dtype: type[Number]) -> NDArray[Number]:
    """Return the observation planes for the side to move, 0 or 1, `dtype` [n, 4, size, size]."""
    size = positions.size
    out = np.zeros((len(positions), 4 * size * size), dtype)
    _write_all_planes(*positions.for_kernels, out)
    return out.reshape(-1, 4, size, size)


def to_mask(squares: NDArray[np.uint64], size: int) -> NDArray[np.bool_]:
    """Convert sets of squares, uint64 [..., words], to masks, bool [..., size * size]."""
    octets = np.ascontiguousarray(squares, "<u8").view(np.uint8)
    # One operation on all words is faster than an operation along the short rows.
    bits = np.unpackbits(octets.reshape(-1), bitorder="little").view(np.bool_)
    rows = bits.reshape(*octets.shape[:-1], 8 * octets.shape[-1])
    return np.ascontiguousarray(rows[..., : size * size])


def from_mask(cells: NDArray[np.bool_ | np.uint8 | np.int8], size: int) -> NDArray[np.uint64]:
    """Convert masks, 0 or 1, [..., size * size], to sets of squares, uint64 [..., words]."""
    packed = np.packbits(cells, axis=-1, bitorder="little")
    octets = np.zeros((*packed.shape[:-1], 8 * words_of(size)), np.uint8)
    octets[..., : packed.shape[-1]] = packed
    return octets.view("<u8").astype(np.uint64, copy=False)


def pick_each(squares: NDArray[np.uint64], size: int, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return a random square of each set, or PASS for an empty set, int64 [n]. Sets are uint64 [n, words]."""
    chosen = np.empty(len(squares), np.int64)
    _pick(squares, from_int(0, size), rng.integers(2**64, dtype=np.uint64), chosen)
    return chosen


# The rules for arrays [n, words]. Row i holds the discs of one side in game i, or at ply i. `kind` is a
# placeholder: any set of squares for the board size, whose type gives the number of words in a row.


@compiled
def _legal_moves_of_all(own: Rows, opponent: Rows, kind: Bits, size: int, moves: Rows) -> None:
    inner, board = bitboard.masks(kind, size)
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        write_nth_row(bitboard.legal_within(mine, theirs, size, inner, board), moves, i)


@compiled
def _count_all(squares: Rows, kind: Bits, numbers: NDArray[np.int64]) -> None:
    for i in range(len(squares)):
        numbers[i] = count(nth_row(kind, squares, i))


@compiled
def _write_all_planes(own: Rows, opponent: Rows, kind: Bits, size: int, out: NDArray[Any]) -> None:
    for i in range(len(own)):
        write_planes_on_words(nth_row(kind, own, i), nth_row(kind, opponent, i), size, out[i])


@compiled
def _are_legal(
    moves: NDArray[np.int64], legal: Rows, kind: Bits, size: int, answers: NDArray[np.bool_]
) -> None:
    """Write whether each move is legal. STAY is always legal. PASS is legal only if `legal` is empty."""
    for i in range(len(moves)):
        choices, move = nth_row(kind, legal, i), moves[i]
        if 0 <= move < size * size:
            answers[i] = occupied(choices & single(kind, move))
        else:
            answers[i] = move == STAY or (move == PASS and not occupied(choices))


@compiled
def _play(
    own: Rows,
    opponent: Rows,
    kind: Bits,
    size: int,
    black_to_move: NDArray[np.bool_],
    moves: NDArray[np.int64],
    finished: NDArray[np.bool_],
) -> None:
    """Play a legal move in each unfinished game, and swap `own` and `opponent`. STAY is a no-op."""
    inner, _ = bitboard.masks(kind, size)
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        goes_on = (moves[i] != STAY) & (not finished[i])
        disc = single_or_none(kind, moves[i])
        turned = bitboard.flips_within(mine, theirs, disc, size, inner)
        write_nth_row(theirs & ~turned if goes_on else mine, own, i)
        write_nth_row(mine | turned | disc if goes_on else theirs, opponent, i)
        black_to_move[i] = black_to_move[i] ^ goes_on


@compiled
def _look(own: Rows, opponent: Rows, kind: Bits, size: int, legal: Rows, finished: NDArray[np.bool_]) -> None:
    inner, board = bitboard.masks(kind, size)
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        moves = bitboard.legal_within(mine, theirs, size, inner, board)
        write_nth_row(moves, legal, i)
        finished[i] = bitboard.over_within(moves, mine, theirs, size, inner, board)


@compiled
def _pick(squares: Rows, kind: Bits, seed: Integer, chosen: NDArray[np.int64]) -> None:
    for i in range(len(squares)):
        choices = nth_row(kind, squares, i)
        chosen[i] = random_square(choices, random_word(seed, i)) if occupied(choices) else PASS


@compiled
def _play_out(
    own: Rows, opponent: Rows, kind: Bits, size: int, seed: Integer, discs: NDArray[np.int16]
) -> None:
    for i in range(len(own)):
        mine, theirs = nth_row(kind, own, i), nth_row(kind, opponent, i)
        # A game has fewer than 2**10 plies, so no two games use the same random numbers.
        discs[i, 0], discs[i, 1], _ = random_game(mine, theirs, size, seed, i << 10, False)


@compiled
def _draw(
    own: Rows,
    opponent: Rows,
    kind: Bits,
    size: int,
    luck: NDArray[np.uint64],
    which: int,
    drawn: NDArray[np.float64],
) -> None:
    for i in range(len(luck)):
        word = turn_word(nth_row(kind, own, i), nth_row(kind, opponent, i), luck[i])
        drawn[i] = uniform(random_word(word, which))


@compiled_helper
def random_game(
    own: Bits, opponent: Bits, size: int, seed: Integer, counter: int, likely: bool
) -> tuple[Integer, Integer, Integer]:
    """Play random moves, or `_likely` moves, to the end. Return (own discs, opponent's discs, plies)."""
    plies, passed = 0, False
    while True:
        moves = bitboard.legal_moves(own, opponent, size)
        if occupied(moves):
            if likely:
                moves = _likely(moves, own, opponent, size)
            square = random_square(moves, random_word(seed, counter + plies))
            opponent, own = after(own, opponent, square, size)
            passed = False
        elif passed:
            mine, theirs = count(own), count(opponent)
            return (theirs, mine, plies) if plies & 1 else (mine, theirs, plies)
        else:
            own, opponent, passed = opponent, own, True
        plies += 1


@compiled_helper
def _likely(moves: Bits, own: Bits, opponent: Bits, size: int) -> Bits:
    """Return the corners, or else the moves that are not next to an empty corner, or else all moves."""
    corners = from_row(own, bitboard.CORNERS[size])
    if occupied(moves & corners):
        return moves & corners
    quiet = moves & ~bitboard.around(corners & ~(own | opponent), size)
    return quiet if occupied(quiet) else moves


@compiled
def replay_moves(
    own: Bits, opponent: Bits, moves: NDArray[Any], size: int, replayed: NDArray[np.int64]
) -> tuple[Bits, Bits, Integer]:
    """Make moves, and write the moves and all forced passes into `replayed`, int64 [2 * len(moves)].

    Return (own, opponent, number of entries) at the end. If moves[i] is illegal, the number is -1 - i.
    """
    count = 0
    for place in range(len(moves)):
        move = moves[place]
        legal = bitboard.legal_moves(own, opponent, size)
        if not occupied(legal):
            if not occupied(bitboard.legal_moves(opponent, own, size)):
                return own, opponent, -1 - place
            own, opponent = opponent, own
            replayed[count] = PASS
            count += 1
            if move == PASS:
                continue
            legal = bitboard.legal_moves(own, opponent, size)
        if not 0 <= move < size * size or not occupied(legal & single(own, move)):
            return own, opponent, -1 - place
        opponent, own = after(own, opponent, move, size)
        replayed[count] = move
        count += 1
    return own, opponent, count


@compiled
def _trace(
    own: Bits, opponent: Bits, moves: NDArray[np.int64], size: int, owns: Rows, opponents: Rows
) -> None:
    """Write the discs of both sides before each ply and at the end, uint64 [len(moves) + 1, words]."""
    for ply in range(len(moves)):
        write_nth_row(own, owns, ply)
        write_nth_row(opponent, opponents, ply)
        if moves[ply] == PASS:
            own, opponent = opponent, own
        else:
            opponent, own = after(own, opponent, moves[ply], size)
    write_nth_row(own, owns, len(moves))
    write_nth_row(opponent, opponents, len(moves))
