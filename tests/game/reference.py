"""A slow and simple Othello on a list of lists, with which the kernels are compared."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from othello_lab.game import Board

DIRECTIONS = [(-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1)]
EMPTY = "-"


class Reference:
    """A position that changes with each move. `grid[row][column]` is X (black), O (white) or -."""

    def __init__(self, grid: list[list[str]], turn: str) -> None:
        self.grid = grid
        self.turn = turn

    @classmethod
    def start(cls, size: int) -> "Reference":
        grid = [[EMPTY] * size for _ in range(size)]
        low, high = size // 2 - 1, size // 2
        grid[low][low] = grid[high][high] = "O"
        grid[low][high] = grid[high][low] = "X"
        return cls(grid, "X")

    @property
    def size(self) -> int:
        return len(self.grid)

    def captured(self, square: int, side: str) -> list[int]:
        row, column = divmod(square, self.size)
        if self.grid[row][column] != EMPTY:
            return []
        return [found for step in DIRECTIONS for found in self._captured_along(row, column, step, side)]

    def _captured_along(self, row: int, column: int, step: tuple[int, int], side: str) -> list[int]:
        passed: list[int] = []
        while True:
            row, column = row + step[0], column + step[1]
            if not (0 <= row < self.size and 0 <= column < self.size) or self.grid[row][column] == EMPTY:
                return []
            if self.grid[row][column] == side:
                return passed
            passed.append(row * self.size + column)

    def legal(self, side: str) -> list[int]:
        return [square for square in range(self.size**2) if self.captured(square, side)]

    @property
    def is_over(self) -> bool:
        return not self.legal("X") and not self.legal("O")

    def play(self, square: int | None) -> None:
        """Place a disc of the side to move, or pass with None, without checks."""
        if square is not None:
            for place in [*self.captured(square, self.turn), square]:
                self.grid[place // self.size][place % self.size] = self.turn
        self.turn = other(self.turn)

    def count(self, side: str) -> int:
        return sum(row.count(side) for row in self.grid)

    def __str__(self) -> str:
        return "".join("".join(row) for row in self.grid) + " " + self.turn

    def perft(self, depth: int) -> int:
        """Count move paths. A pass is a ply, and a game that ends earlier is one path."""
        if depth == 0 or self.is_over:
            return 1
        moves: list[int] | list[None] = self.legal(self.turn) or [None]
        paths = 0
        for move in moves:
            after = Reference([list(row) for row in self.grid], self.turn)
            after.play(move)
            paths += after.perft(depth - 1)
        return paths


def other(side: str) -> str:
    return "O" if side == "X" else "X"


def as_board(position: Reference) -> "Board":
    from othello_lab.game import Board, Colour  # here, so that the fake engine starts without numba

    cells = [cell for row in position.grid for cell in row]
    black, white = (sum(1 << s for s, cell in enumerate(cells) if cell == side) for side in "XO")
    return Board(position.size, black, white, Colour.BLACK if position.turn == "X" else Colour.WHITE)
