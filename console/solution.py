"""The words of the solver: the value of a position, its moves and the line."""

from dataclasses import dataclass
from typing import Any

from othello_lab.game.board import Board
from othello_lab.game.notation import square_name
from othello_lab.game.solver.solver import Convention, Solution, Solver, empties

_SCORES = {
    Convention.DISC_DIFF: "difference of discs",
    Convention.FINAL_SCORE: "empties to the winner",
}


@dataclass(frozen=True, slots=True)
class Answer:
    """A solved position in one convention; `scores` of every move where they were asked for."""

    size: int
    convention: Convention
    solution: Solution
    scores: dict[str, int] | None

    @property
    def variation(self) -> list[str]:
        """The principal variation in words."""
        return [square_name(move, self.size) for move in self.solution.variation]

    def as_json(self) -> dict[str, Any]:
        """Return it for programs."""
        solution = self.solution
        return {
            "value": solution.value,
            "best": None if solution.best is None else square_name(solution.best, self.size),
            "variation": self.variation,
            "nodes": solution.nodes,
            "seconds": round(solution.seconds, 6),
        } | ({} if self.scores is None else {"moves": self.scores})


def solved(solver: Solver, board: Board, every: bool) -> Answer:
    """Solve a position, with `every` also each of its moves."""
    solution = solver.solve(board)
    scores = solver.scores(board) if every else {}
    best_first = sorted(scores.items(), key=lambda item: -item[1])
    names = {square_name(move, board.size): score for move, score in best_first}
    return Answer(board.size, solver.convention, solution, names if every else None)


def solution_lines(board: Board, answers: list[Answer]) -> list[str]:
    """Return what a person reads."""
    lines = [f"{board.size}x{board.size}, {empties(board)} empty squares, {board.turn.value} to move"]
    for found in answers:
        lines += ["", *_lines_of(board, found)]
    return lines


def _lines_of(board: Board, found: Answer) -> list[str]:
    solution = found.solution
    winner = board.turn if solution.value > 0 else board.turn.other
    result = f"{winner.value} wins" if solution.value else "a draw"
    lines = [f"{_SCORES[found.convention]}: {solution.value:+d}, {result}"]
    if found.variation:
        lines.append(f"  best move  {found.variation[0]}")
        lines.append(f"  line       {' '.join(found.variation)}")
    if found.scores is not None:
        lines.append(f"  all moves  {' '.join(f'{move}:{score:+d}' for move, score in found.scores.items())}")
    speed = solution.nodes / max(solution.seconds, 1e-9) / 1e6
    lines.append(f"  nodes      {solution.nodes:,} in {solution.seconds:.2f} s, {speed:.1f} million a second")
    return lines
