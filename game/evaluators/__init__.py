"""Whatever says how good a position is, and the registry that turns text into it."""

from game.evaluators.base import Evaluator
from game.evaluators.compiled import CompiledEvaluator
from game.evaluators.registry import make_evaluator

__all__ = ["CompiledEvaluator", "Evaluator", "make_evaluator"]
