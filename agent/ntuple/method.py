"""The options of n-tuple networks, and their `Method`."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from othello_lab.agent.learner import Method, Options
from othello_lab.agent.options import (
    AtLeastOne,
    AtLeastZero,
    Described,
    Positive,
    Share,
    option,
    read_options,
)
from othello_lab.game.evaluators import patterns
from othello_lab.game.notation import square_name
from othello_lab.game.registry import RegistryError

STANDARD = "standard"
PATTERNS = {
    "patterns": Described(
        STANDARD,
        "Network",
        "standard, large, or a file with a set of squares such as `a1 b1 c1` in each line.",
    )
}


@dataclass(frozen=True)
class NTupleConfig:
    """The options of an n-tuple agent."""

    patterns: tuple[str, ...]
    """Sets of squares, such as `a1 b1 c1`. In a text, a name or a file stands for all sets."""
    counts: bool = option(
        True, "Network", "Weights for the moves and discs of both sides and for the filled squares too."
    )
    stages: AtLeastOne = option(
        7, "Network", "Stages of a game, by the discs on the board, with separate weights."
    )
    few: AtLeastZero = option(
        6,
        "Network",
        "Positions in which a side has at most this many discs, and may lose all of them, have separate "
        "weights; 0: none.",
    )
    lam: Share = option(
        0.9, "Learning", "Lambda: how far a target looks beyond the next decision; 0 is TD(0)."
    )
    gamma: Share = option(1.0, "Learning", "Discount from one decision to the next.")
    step: Literal["coherent", "constant"] = option(
        "coherent",
        "Learning",
        "coherent: a step for each weight, smaller where its errors cancel out; or constant.",
    )
    learning_rate: Positive = option(0.5, "Learning", "Step of all weights of a position together.")
    average: Share = option(
        0.3,
        "Learning",
        "Weights are averaged over this share of all updates, the last ones; the mean plays when exploring "
        "is off. 0: the latest weights play.",
    )
    fixed: ClassVar[frozenset[str]] = frozenset({"unit"})
    unit: Literal["result", "discs"] = "result"
    """The unit of the network's values: `result` after training by play, `discs` after a fit with
    `agent/ntuple/backwards.py`."""
    epsilon: Share = option(0.05, "Exploring", "Share of random moves.")

    @property
    def network(self) -> tuple[tuple[str, ...], bool, int, int]:
        """The options that determine the meaning of the weights."""
        return self.patterns, self.counts, self.stages, self.few


def configure(options: Options, size: int, episodes: int | None = None) -> NTupleConfig:
    """Return the configuration for these texts. Raises ValueError if a text is wrong."""
    texts = {name: text for name, text in options.items() if name != "patterns"}
    sets = _patterns(options.get("patterns", STANDARD), size)
    return NTupleConfig(sets, **read_options("ntuple", NTupleConfig, texts))


def _patterns(text: str, size: int) -> tuple[str, ...]:
    try:
        standard = patterns.NAMED.get(text)
        loaded = standard(size) if standard else patterns.load(text, size)
    except RegistryError as error:
        raise ValueError(str(error)) from None
    return tuple(" ".join(square_name(square, size) for square in squares) for squares in loaded.classes)


NTUPLE = Method(
    name="ntuple",
    config=NTupleConfig,
    learner="othello_lab.agent.ntuple.learner:NTupleLearner",
    policy="othello_lab.agent.ntuple.learner:NTuplePolicy",
    from_texts=configure,
    texts=PATTERNS,
    line="an n-tuple network (Lucas 2007; Szubert et al. 2013) that learns by temporal differences",
)
