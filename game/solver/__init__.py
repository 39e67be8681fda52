"""The exact solver, which finds the value and the best move of positions with few empty squares."""

from othello_lab.game.solver.solver import Convention, Solution, Solver, solve_all

__all__ = ["Convention", "Solution", "Solver", "solve_all"]
