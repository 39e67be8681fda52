"""Searching: the textbook algorithms over any evaluator."""

from othello_lab.game.search.textbook import ALGORITHMS, Result, search

__all__ = ["ALGORITHMS", "Result", "search"]
