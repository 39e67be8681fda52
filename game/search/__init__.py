"""Search algorithms. This module exports the textbook algorithms, which work with any evaluator."""

from othello_lab.game.search.textbook import ALGORITHMS, Result, search

__all__ = ["ALGORITHMS", "Result", "search"]
