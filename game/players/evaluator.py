"""What an evaluator is: the import path of players that bring one along."""

from game.evaluators.base import Evaluator

__all__ = ["Evaluator"]
