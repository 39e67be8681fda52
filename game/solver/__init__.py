"""The exact solver: the value and the best move of positions with few empty squares."""

from game.solver.solver import Convention, Solution, Solver, solve_all

__all__ = ["Convention", "Solution", "Solver", "solve_all"]
