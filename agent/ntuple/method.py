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

STANDARD = "standard"
PATTERNS = {"patterns": Described(STANDARD, "Network", "The patterns of the network: standard or large.")}


@dataclass(frozen=True)
class NTupleConfig:
    """The options of an n-tuple agent."""

    patterns: tuple[str, ...]  # Sets of squares, such as `a1 b1 c1`. One name selects all sets.
    counts: bool = option(
        True,
        "Network",
        "Add weights for the numbers of moves and discs of both sides and for the number of filled squares.",
    )
    stages: AtLeastOne = option(
        7,
        "Network",
        "Number of stages of a game. Each stage has its own weights. The stage depends on the number of "
        "discs.",
    )
    few: AtLeastZero = option(
        6,
        "Network",
        "After the opening, use separate weights if a side has this many discs or fewer. 0: no separate "
        "weights.",
    )
    lam: Share = option(
        0.9, "Learning", "Lambda of the lambda return, which is the target of a position. 0: TD(0)."
    )
    gamma: Share = option(1.0, "Learning", "Discount factor from one decision to the next.")
    step: Literal["coherent", "constant"] = option(
        "coherent",
        "Learning",
        "coherent: each weight has its own step size, which is smaller if its errors cancel out. "
        "constant: all weights have the same step size.",
    )
    learning_rate: Positive = option(
        0.5, "Learning", "Step size of a position's value. All weights of the position share it."
    )
    average: Share = option(
        0.3,
        "Learning",
        "When exploring is off, the mean of the weights over the last updates plays. This option is the "
        "share of all updates in this mean. 0: the latest weights play.",
    )
    fixed: ClassVar[frozenset[str]] = frozenset({"unit"})
    unit: Literal["result", "discs"] = "result"  # The unit of values: `discs` only after a fit for searches.
    epsilon: Share = option(0.05, "Exploring", "Probability of a random move.")

    @property
    def network(self) -> tuple[tuple[str, ...], bool, int, int]:
        """The options on which the meaning of the weights depends."""
        return self.patterns, self.counts, self.stages, self.few


def configure(options: Options, size: int, episodes: int | None = None) -> NTupleConfig:
    """Return the configuration from the texts of options. Raises ValueError if a text is wrong."""
    texts = {name: text for name, text in options.items() if name != "patterns"}
    sets = _patterns(options.get("patterns", STANDARD), size)
    return NTupleConfig(sets, **read_options("ntuple", NTupleConfig, texts))


def _patterns(text: str, size: int) -> tuple[str, ...]:
    if text not in patterns.NAMED:
        raise ValueError(f"patterns is {text!r}, expected {' or '.join(patterns.NAMED)}")
    classes = patterns.NAMED[text](size).classes
    return tuple(" ".join(square_name(square, size) for square in squares) for squares in classes)


NTUPLE = Method(
    name="ntuple",
    config=NTupleConfig,
    learner="othello_lab.agent.ntuple.learner:NTupleLearner",
    policy="othello_lab.agent.ntuple.learner:NTuplePolicy",
    from_texts=configure,
    texts=PATTERNS,
    line="an n-tuple network (Lucas 2007; Szubert et al. 2013) that learns by temporal differences",
)
