"""The rules of Othello on a device: legal moves, flips, passes and ends of thousands of games at once.

The one permitted second copy of the rules, for GPUs: tested bit for bit against the kernels of `game`. Every
size up to 8x8, whose squares fit one int64 word. Tensor operations of fixed shapes only: nothing waits for
the host, so that CUDA graphs take it as it is. torch has no unsigned 64-bit arithmetic, and its right shift
copies the sign: what is shifted down is masked.
"""

from typing import NamedTuple

import torch
from torch import Tensor

_ODD, _PAIRS, _NIBBLES = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
_ONES = 0x0101010101010101


def lowered(words: Tensor, by: int) -> Tensor:
    """Return the words shifted right by 1 to 63 bits, zeros coming in from above."""
    return (words >> by) & ((1 << (64 - by)) - 1)


def count(words: Tensor) -> Tensor:
    """Return how many squares each set has, int64."""
    pairs = words - (lowered(words, 1) & _ODD)
    nibbles = (pairs & _PAIRS) + (lowered(pairs, 2) & _PAIRS)
    octets = (nibbles + lowered(nibbles, 4)) & _NIBBLES
    return lowered(octets * _ONES, 56)


def to_mask(words: Tensor, squares: Tensor) -> Tensor:
    """Return sets [...] as bool [..., squares]; `squares` is 0, 1, 2 ... on the same device."""
    return ((words[..., None] >> squares) & 1).bool()


def single(square: Tensor) -> Tensor:
    """Return the set of one square each."""
    return torch.ones_like(square) << square


def as_signed(bits: int) -> int:
    """Return the int64 that has these 64 bits."""
    return bits - (1 << 64) if bits >> 63 else bits


class Positions(NamedTuple):
    """Positions from the view of the side to move, int64 [n] each."""

    own: Tensor
    opponent: Tensor
    legal: Tensor
    """Where the side to move may play."""
    theirs: Tensor
    """Where the other side could, were it to move."""


class Played(NamedTuple):
    """What a placement led to, [n] each."""

    positions: Positions
    """With who decides next to move: forced passes are over."""
    sign: Tensor
    """int64: -1 if the other side decides next, 1 if the same side after a pass, 0 if the game is over."""
    result: Tensor
    """int64: 1 won, 0 drawn, -1 lost by who placed the disc, if the game is over; else 0."""


SIZES = (4, 6, 8)


class Rules:
    """The rules on boards of one size."""

    def __init__(self, size: int, device: torch.device | str = "cpu") -> None:
        """Raises ValueError for a size whose squares do not fit one word, or that does not exist."""
        if size not in SIZES:
            raise ValueError(f"boards on a device are 4x4, 6x6 or 8x8, not {size}x{size}")
        self.size, self.cells = size, size * size
        self.squares = torch.arange(self.cells, device=device)
        self.discs = torch.ones_like(self.squares) << self.squares
        """Each square alone, int64 [squares]."""
        self.board = as_signed((1 << self.cells) - 1)
        corners = sum(1 << square for square in (0, size - 1, self.cells - size, self.cells - 1))
        self.corners = as_signed(corners)
        # The four lines through a square by their steps: a run along a row or a diagonal must not wrap around
        # an edge, so it stays in the inner columns.
        steps = (1, size, size - 1, size + 1)
        inner = sum(1 << square for square in range(self.cells) if 0 < square % size < size - 1)
        through = [as_signed(inner), self.board, as_signed(inner), as_signed(inner)]
        self._steps = torch.tensor(steps, device=device)
        self._keep = torch.tensor([(1 << (64 - step)) - 1 for step in steps], device=device)
        self._keep_two = torch.tensor([(1 << (64 - 2 * step)) - 1 for step in steps], device=device)
        self._through = torch.tensor(through, device=device)

    def start(self, games: int) -> Positions:
        """Return the start of this many games, black to move."""
        middle, size = self.size // 2, self.size
        black = 1 << (size * (middle - 1) + middle) | 1 << (size * middle + middle - 1)
        white = 1 << (size * (middle - 1) + middle - 1) | 1 << (size * middle + middle)
        return self.look(*(torch.full_like(self.squares[:1], side).repeat(games) for side in (black, white)))

    def look(self, own: Tensor, opponent: Tensor) -> Positions:
        """Return positions with both sides' legal moves; int64 [n] in."""
        both = self.legal_moves(torch.stack([own, opponent]), torch.stack([opponent, own]))
        return Positions(own, opponent, both[0], both[1])

    def legal_moves(self, own: Tensor, opponent: Tensor) -> Tensor:
        """Return the squares where the side to move may place a disc; all of one shape."""
        steps, keep, inner, keep_two = self._lines(own.dim())
        through = opponent & inner
        up, down = self._runs(own, through, steps, keep, keep_two)
        ends = (up << steps) | ((down >> steps) & keep)
        return _union(ends) & ~(own | opponent) & self.board

    def flips(self, own: Tensor, opponent: Tensor, disc: Tensor) -> Tensor:
        """Return the discs that a new disc of the side to move turns over; shapes that broadcast."""
        steps, keep, inner, keep_two = self._lines(max(own.dim(), disc.dim()))
        up, down = self._runs(disc, opponent & inner, steps, keep, keep_two)
        up = up * (((up << steps) & own) != 0)
        down = down * (((down >> steps) & keep & own) != 0)
        return _union(up | down)

    def all_flips(self, positions: Positions) -> Tensor:
        """Return what a disc on each square would turn over, int64 [n, squares]: nothing where none is."""
        return self.flips(positions.own[:, None], positions.opponent[:, None], self.discs)

    def _lines(self, dimensions: int) -> tuple[Tensor, ...]:
        """Return what belongs to the four lines, [4, 1, ...] to go with sets of this many dimensions."""
        shape = (4,) + (1,) * dimensions
        return tuple(line.view(shape) for line in (self._steps, self._keep, self._through, self._keep_two))

    def _runs(
        self, start: Tensor, through: Tensor, steps: Tensor, keep: Tensor, keep_two: Tensor
    ) -> tuple[Tensor, Tensor]:
        """Return the unbroken runs of `through` next to `start`, up and down each line, [4, ...].

        Two squares singly, then two at a time wherever two squares of `through` follow each other.
        """
        up = through & (start << steps)
        up = up | (through & (up << steps))
        down = through & (start >> steps) & keep
        down = down | (through & (down >> steps) & keep)
        pairs_up, pairs_down = through & (through << steps), through & (through >> steps) & keep
        run_up, run_down = up, down
        for _ in range(self.size // 2 - 2):
            up = pairs_up & (up << (2 * steps))
            down = pairs_down & (down >> (2 * steps)) & keep_two
            run_up, run_down = run_up | up, run_down | down
        return run_up, run_down

    def place(self, positions: Positions, square: Tensor) -> tuple[Tensor, Tensor]:
        """Return both sides' discs, the mover's first, after legal placements; int64 [n] in."""
        disc = single(square)
        mine = positions.own | disc | self.flips(positions.own, positions.opponent, disc)
        return mine, positions.opponent & ~mine

    def place_all(self, positions: Positions, turned: Tensor) -> tuple[Tensor, Tensor]:
        """Return both sides' discs, the mover's first, after a disc on each square, int64 [n, squares].

        `turned` is what `all_flips` says of the positions.
        """
        mine = positions.own[:, None] | self.discs | turned
        return mine, positions.opponent[:, None] & ~mine

    def play(self, positions: Positions, square: Tensor) -> Played:
        """Return what legal placements lead to; a side that must pass has passed."""
        mine, theirs = self.place(positions, square)
        seen = self.look(theirs, mine)
        passes = (seen.legal == 0) & (seen.theirs != 0)
        over = (seen.legal == 0) & (seen.theirs == 0)
        result = torch.sign(count(mine) - count(theirs)) * over
        sign = (2 * passes.long() - 1) * ~over
        return Played(swapped(seen, passes), sign, result)


def swapped(positions: Positions, where: Tensor) -> Positions:
    """Return the positions with the sides exchanged `where` that is so, bool [n]."""
    own, opponent, legal, theirs = positions
    pairs = ((opponent, own), (own, opponent), (theirs, legal), (legal, theirs))
    return Positions(*(torch.where(where, other, same) for other, same in pairs))


def _union(lines: Tensor) -> Tensor:
    """Return the union of sets along the first dimension, which is four long."""
    first, second, third, fourth = lines.unbind(0)
    return (first | second) | (third | fourth)
