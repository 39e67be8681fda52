"""Search algorithms. The textbook algorithms in this module work with any evaluator."""

from othello_lab.game.search.textbook import ALGORITHMS, Result, search

__all__ = ["ALGORITHMS", "Result", "search"]
