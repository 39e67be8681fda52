"""Every value of a DQN agent."""

from dataclasses import dataclass

from agent.ranges import check_layers, check_ranges, check_words
from agent.schedule import CLOCKS, EPSILON_SCHEDULES

CHOICES = {
    "network": ("mlp", "conv"),
    "clock": CLOCKS,
    "loss": ("huber", "mse"),
    "precision": ("float32", "bfloat16"),
    "optimiser": ("adam", "adamw", "sgd", "rmsprop", "rmsprop-graves"),
    "epsilon_schedule": EPSILON_SCHEDULES,
}
"""The values of the options that take a word."""
NO_TEACHER = "none"

_AT_LEAST_ONE = (
    "frames", "channels", "blocks", "replay", "batch", "n_step", "update_every", "target_every", "plies",
    "epochs",
)  # fmt: skip
_AT_LEAST_ZERO = (
    "warm_up", "priority_updates", "epsilon_from", "epsilon_steps", "opening_moves", "freeze_after_wins",
    "priority", "clip_norm", "rate_games", "exact", "sudden",
)  # fmt: skip
_SHARES = (
    "target_rate", "average_rate", "epsilon_start", "epsilon_end", "opening_epsilon", "priority_beta", "lam"
)  # fmt: skip


@dataclass(frozen=True)
class DQNConfig:
    """One frozen value per knob. A step is one decision of the agent; forced passes are none."""

    # The network
    network: str = "mlp"
    """mlp, or conv: a residual tower of 3x3 convolutions."""
    frames: int = 1
    """Observations in a stack: this decision's and the ones before it of the same side in the same game."""
    hidden: tuple[int, ...] = (256, 256, 256)
    """mlp: units of each fully connected hidden layer."""
    channels: int = 32
    """conv: planes of each layer."""
    blocks: int = 3
    """conv: residual blocks of two layers each."""
    dueling: bool = False
    """Value of the position plus advantages of the moves (Wang et al. 2016, equation 9)."""
    symmetric_play: bool = True
    """Act on the mean of the values under all 8 symmetries of the board."""
    # Replay
    replay: int = 100_000
    """Transitions kept; the oldest goes first."""
    warm_up: int = 1_000
    """Ticks of the clock before learning starts."""
    batch: int = 128
    n_step: int = 3
    """Decisions whose rewards are summed before the bootstrap."""
    priority: float = 0.0
    """Exponent of prioritised replay (Schaul et al. 2016, equation 1); 0 draws uniformly."""
    priority_beta: float = 0.4
    """How far the bias of prioritised replay is corrected at first; it rises to 1."""
    priority_updates: int = 25_000
    """Updates until the correction is whole."""
    symmetries: bool = True
    """Show each sampled transition under one of the 8 symmetries of the board, drawn anew each time."""
    # Learning
    clock: str = "steps"
    """What warm_up, update_every and the epsilon schedule count: steps, or games."""
    update_every: int = 4
    """Ticks of the clock between updates."""
    background: bool = True
    """Learn in a thread while environment and experiment work; the result is the same."""
    double: bool = True
    """Choose the bootstrap action with the online network (van Hasselt et al. 2016)."""
    mask: bool = True
    """Bootstrap from legal moves only. To show what that is worth; without it agents learn badly."""
    negamax: bool = True
    """Turn the sign of the discount where the other side decides next. To show what that is worth."""
    gamma: float | None = None
    """Discount; None takes the task specification's."""
    loss: str = "huber"
    """huber or mse."""
    optimiser: str = "adam"
    """adam, adamw, sgd, rmsprop, or rmsprop-graves (Graves 2013, equations 38-45, without momentum)."""
    learning_rate: float = 5e-4
    clip_norm: float = 0.0
    """Longest gradient, as a Euclidean norm over all weights; 0 does not clip."""
    target_every: int = 1
    """Updates between moves of the target network."""
    target_rate: float = 0.005
    """How far the target network moves towards the online one; 1 copies it."""
    average_rate: float = 0.0002
    """How far the network that plays when exploration is frozen moves towards the online one at each update,
    at least: before update 9 / average_rate it moves by 9 / (updates + 8), so that the random start is
    forgotten. 0 lets the online network itself play."""
    # Many games at once: `othello selfplay`, which needs no replay memory
    lam: float = 0.9
    """Lambda of the return that the move of each decision is moved towards."""
    teacher: str = NO_TEACHER
    """An evaluator that says what all legal moves are worth instead, such as ntuple:pretrained."""
    plies: int = 1
    """How far behind each move the teacher looks."""
    exact: int = 0
    """With this many empty squares or fewer, every legal move is learned by its result with best play on both
    sides, and the returns of earlier decisions begin at those positions."""
    sudden: int = 0
    """With this many own discs or fewer, every legal move after which the other side can win at once, by
    taking all of them, is learned as lost."""
    epochs: int = 1
    """How often each decision is learned from, under symmetries drawn anew."""
    precision: str = "float32"
    """What batches are multiplied in: float32, or bfloat16, faster on processors that have it."""
    rate_games: int = 0
    """Games over which the learning rate falls to nothing, as half a cosine; 0: it stays."""
    # Exploration
    epsilon_schedule: str = "exponential"
    """linear, or exponential: the same factor at every tick."""
    epsilon_start: float = 1.0
    epsilon_end: float = 0.02
    epsilon_from: int = 0
    """Tick up to which epsilon stays at its start; from there it falls."""
    epsilon_steps: int = 108_800
    """Ticks from epsilon_from until epsilon is at its end."""
    opening_moves: int = 0
    """First decisions of a game that are taken at random with opening_epsilon, where that is more."""
    opening_epsilon: float = 0.5
    freeze_after_wins: int = 0
    """Stop learning and exploring after this many games in a row without a loss, but not in self-play, where
    one side always wins; 0 never stops."""

    def __post_init__(self) -> None:
        check_words(self, CHOICES)
        self._check_ranges()
        self._check_replay()
        if self.epsilon_schedule == "exponential" and min(self.epsilon_start, self.epsilon_end) <= 0:
            raise ValueError("an exponential epsilon_schedule needs epsilon_start and epsilon_end above 0")

    def _check_ranges(self) -> None:
        check_ranges(self, _AT_LEAST_ONE, _AT_LEAST_ZERO, _SHARES, above_zero=("learning_rate",))
        check_layers(self.hidden)
        if self.gamma is not None and not 0 <= self.gamma <= 1:
            raise ValueError(f"gamma is {self.gamma}, expected 0 to 1, or none for the task's")

    def _check_replay(self) -> None:
        least = max(self.frames, self.n_step, self.warm_up if self.clock == "steps" else 0)
        if self.replay <= least:
            raise ValueError(f"replay={self.replay} must be larger than {least}: warm_up, frames and n_step")
