"""All that a view shows of a run at one moment: what the terminal draws, and what the page is sent."""

from dataclasses import dataclass, field

from experiment.show.charts import Chart
from experiment.show.tables import Table
from game import Board, Squares


@dataclass(frozen=True)
class Phase:
    """Where a run is."""

    done: int
    """Training games."""
    total: int
    """The games there will be, by an estimate where the run's time is given; 0 before there is one."""
    share: float
    """Of the training that is behind, 0 to 1."""
    ended: bool
    """Whether nothing more will be written, unless the run is resumed."""
    says: str
    """In words."""
    seconds_left: float | None = None
    """Of training, with the evaluations on the way; None where there is nothing to go by."""


@dataclass(frozen=True)
class Snapshot:
    """A run at one moment."""

    title: str
    run: str
    seed: str
    phase: Phase
    rates: Chart
    charts: list[Chart]
    """Of the learner's numbers."""
    results: Table
    """Of the last evaluation, all colours together."""
    after: int
    """Training games before the evaluation that `results` are of."""
    numbers: dict[str, str]
    """What the learner says of itself now, and its speeds: what they are, and how much."""


@dataclass(frozen=True)
class Shown:
    """A position of a game."""

    board: Board
    black: str
    """Who plays black; white likewise."""
    white: str
    says: str
    """Whose turn it is, or how the game ended."""
    last: int | None = None
    """The last move; None before any, and after a pass."""
    moves: str = ""
    """All of them so far."""
    turned: Squares = field(default_factory=lambda: Squares(0))
    """The discs that it turned over."""
    values: dict[int, float] = field(default_factory=dict)
    """What the player to move says of squares, more is better; empty where it does not tell."""
    unit: str = ""
    """What the values are."""
