"""Whatever says how good a position is, and the catalogue that turns text into it."""

from othello_lab.game.evaluators.catalogue import make_evaluator
from othello_lab.game.evaluators.evaluator import CompiledEvaluator, Evaluator

__all__ = ["CompiledEvaluator", "Evaluator", "make_evaluator"]
