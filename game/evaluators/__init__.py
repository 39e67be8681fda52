"""Whatever says how good a position is, and the catalogue that turns text into it."""

from game.evaluators.base import Evaluator
from game.evaluators.catalogue import make_evaluator
from game.evaluators.compiled import CompiledEvaluator

__all__ = ["CompiledEvaluator", "Evaluator", "make_evaluator"]
