"""An n-tuple agent's options, and its method in the catalogue."""

from dataclasses import dataclass, replace
from typing import Annotated, Any

from othello_lab.agent.learner import Method, Options
from othello_lab.agent.options import AtLeastOne, AtLeastZero, Positive, Share, check, one_of, read_options
from othello_lab.game.evaluators import patterns
from othello_lab.game.notation import square_name
from othello_lab.game.registry import RegistryError

STANDARD = "standard"
LENGTH = 1_000_000
"""Games of a run, where nobody says how many there will be."""


@dataclass(frozen=True)
class NTupleConfig:
    """One frozen value per knob."""

    patterns: tuple[str, ...]
    """The square sets, a text such as `a1 b1 c1` each; the option is a name, `standard` or `large`, or a file
    with one a line."""
    counts: bool = True
    """Whether there are weights for the moves and discs of both sides and the filled squares too."""
    stages: AtLeastOne = 7
    """Parts of a game, by the discs on the board, with weights of their own."""
    few: AtLeastZero = 6
    """Positions in which a side has at most this many discs have weights of their own too: it may be about to
    lose them all. 0 tells none apart."""
    lam: Share = 0.9
    """Lambda: how far a target looks beyond the next decision; 0 is TD(0)."""
    gamma: Share = 1.0
    """Discount from one decision to the next."""
    step: Annotated[str, one_of("coherent", "falling", "constant")] = "coherent"
    """coherent: each weight has its own, smaller where its errors cancel out; falling: to nothing over the
    run; constant."""
    learning_rate: Positive = 0.5
    """Step of all weights of a position together."""
    average: Share = 0.3
    """The weights that play when exploration is frozen are the mean over about this share, the last, of all
    that was learned. 0: those that learn play."""
    unit: Annotated[str, one_of("result", "discs")] = "result"
    """What the values of a network stand for: results, which play teaches, or discs at the end, see
    `agent/ntuple/backwards.py`. No option of a learner."""
    epsilon: Share = 0.05
    """Share of random moves."""
    games: AtLeastOne = LENGTH
    """The length of the run, which a falling step follows."""

    @property
    def network(self) -> tuple[tuple[str, ...], bool, int, int]:
        """What the weights are for: two networks with the same have weights that mean the same."""
        return self.patterns, self.counts, self.stages, self.few

    def __post_init__(self) -> None:
        check(self)


def configure(options: Options, size: int, episodes: int | None = None) -> NTupleConfig:
    """Return the configuration of these texts; raises ValueError."""
    own = dict(options)
    if "unit" in own:
        raise ValueError("ntuple learns results: leave unit out; agent/ntuple/backwards.py fits to discs")
    sets = _patterns(own.pop("patterns", STANDARD), size)
    start = NTupleConfig(sets, games=episodes or LENGTH)
    return replace(start, **read_options("ntuple", NTupleConfig, own, ("patterns",)))


def following(options: Options) -> set[str]:
    """Return what follows the length of the run."""
    return {"games"} - options.keys()


def _patterns(text: str, size: int) -> tuple[str, ...]:
    try:
        named = patterns.NAMED.get(text)
        found = named(size) if named else patterns.load(text, size)
    except RegistryError as error:
        raise ValueError(str(error)) from None
    return tuple(" ".join(square_name(square, size) for square in squares) for squares in found.classes)


NTUPLE: Method[NTupleConfig, Any] = Method(
    name="ntuple",
    config=NTupleConfig,
    learner="othello_lab.agent.ntuple.learner:NTupleLearner",
    policy="othello_lab.agent.ntuple.learner:NTuplePolicy",
    from_texts=configure,
    following=following,
)
"""An n-tuple network (Lucas 2007; Szubert et al. 2013), taught by TD."""
