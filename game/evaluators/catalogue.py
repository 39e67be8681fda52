"""Catalogue of evaluators: makes an evaluator from a text such as `positional` or `weights:swh,fade=1`.

`game/registry.py` defines the grammar of these texts. Other packages add evaluators through the entry-point
group `othello.evaluators`.
"""

from typing import TYPE_CHECKING

from othello_lab.game.registry import Registry

if TYPE_CHECKING:
    from othello_lab.game.evaluators.evaluator import Evaluator

PUBLISHED = ("swh", "heur", "bench")
"""The published weight matrices that a text may name."""
_WEIGHTS = "othello_lab.game.evaluators.weights"
EVALUATORS: "Registry[Evaluator]" = Registry(
    "evaluator",
    "othello.evaluators",
    {
        "positional": f"{_WEIGHTS}:POSITIONAL",
        "mobility": f"{_WEIGHTS}:MOBILITY",
        "weights": f"{_WEIGHTS}:WEIGHTS",
        "piece-values": f"{_WEIGHTS}:PIECE_VALUES",
        "discs": f"{_WEIGHTS}:DISCS",
    },
)


def make_evaluator(text: str, size: int) -> "Evaluator":
    """Return the evaluator that a text names, for boards of `size`; raise RegistryError if it names none."""
    from othello_lab.game.evaluators.evaluator import as_evaluator

    return as_evaluator(EVALUATORS.make(text, size))
