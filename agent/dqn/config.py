"""Every value of a DQN agent."""

from dataclasses import dataclass
from typing import Annotated

from othello_lab.agent.options import (
    AtLeastOne,
    AtLeastZero,
    Expected,
    Layers,
    NotNegative,
    Positive,
    Schedule,
    Share,
    check,
    one_of,
)

NO_TEACHER = "none"


@dataclass(frozen=True)
class NetworkOptions:
    """The network."""

    network: Annotated[str, one_of("mlp", "conv")] = "mlp"
    """mlp, or conv: a residual tower of 3x3 convolutions."""
    frames: AtLeastOne = 1
    """Observations in a stack: this decision's and the ones before it of the same side in the same game."""
    hidden: Layers = (256, 256, 256)
    """mlp: units of each fully connected hidden layer."""
    channels: AtLeastOne = 32
    """conv: planes of each layer."""
    blocks: AtLeastOne = 3
    """conv: residual blocks of two layers each."""
    units: Annotated[str, one_of("relu", "leaky-relu")] = "relu"
    """What the hidden units do: relu, or leaky-relu, whose slope is 0.01 below 0 (Maas et al. 2013)."""
    dueling: bool = False
    """Value of the position plus advantages of the moves (Wang et al. 2016, equation 9)."""
    symmetric_play: bool = True
    """Act on the mean of the values under all 8 symmetries of the board."""
    endgame: Annotated[int, Expected("0 to 16", lambda value: 0 <= value <= 16)] = 0
    """From this many empty squares on, a move is played that wins whatever the other side does, if there is
    one: in training game by game, and in play of what was learned."""


@dataclass(frozen=True)
class ReplayOptions:
    """The replay memory, and what is drawn from it."""

    replay: AtLeastOne = 100_000
    """Transitions kept; the oldest goes first."""
    warm_up: AtLeastZero = 1_000
    """Ticks of the clock before learning starts."""
    batch: AtLeastOne = 128
    n_step: AtLeastOne = 3
    """Decisions whose rewards are summed before the bootstrap."""
    priority: NotNegative = 0.0
    """Exponent of prioritised replay (Schaul et al. 2016, equation 1); 0 draws uniformly."""
    priority_beta: Share = 0.4
    """How far the bias of prioritised replay is corrected at first; it rises to 1."""
    priority_updates: AtLeastZero = 25_000
    """Updates until the correction is whole."""
    symmetries: bool = True
    """Show each sampled transition under one of the 8 symmetries of the board, drawn anew each time."""


@dataclass(frozen=True)
class LearningOptions:
    """Learning from transitions."""

    clock: Annotated[str, one_of("steps", "games")] = "steps"
    """What warm_up, update_every and the epsilon schedule count: steps, or games."""
    update_every: AtLeastOne = 4
    """Ticks of the clock between updates."""
    background: bool = True
    """Learn in a thread while environment and experiment work; the result is the same."""
    double: bool = True
    """Choose the bootstrap action with the online network (van Hasselt et al. 2016)."""
    mask: bool = True
    """Bootstrap from legal moves only. To show what that is worth; without it agents learn badly."""
    negamax: bool = True
    """Turn the sign of the discount where the other side decides next. To show what that is worth."""
    gamma: Annotated[
        float | None, Expected("0 to 1, or none for the task's", lambda value: 0 <= value <= 1)
    ] = None
    """Discount; None takes the task specification's."""
    loss: Annotated[str, one_of("huber", "mse")] = "huber"
    """huber or mse."""
    optimiser: Annotated[str, one_of("adam", "adamw", "sgd", "rmsprop", "rmsprop-graves")] = "adam"
    """adam, adamw, sgd, rmsprop, or rmsprop-graves (Graves 2013, equations 38-45, without momentum)."""
    learning_rate: Positive = 5e-4
    clip_norm: NotNegative = 0.0
    """Longest gradient, as a Euclidean norm over all weights; 0 does not clip."""
    target_every: AtLeastOne = 1
    """Updates between moves of the target network."""
    target_rate: Share = 0.005
    """How far the target network moves towards the online one; 1 copies it."""
    average_rate: Share = 0.0002
    """How far the network that plays when exploration is frozen moves towards the online one at each update,
    at least: before update 9 / average_rate it moves by 9 / (updates + 8), so that the random start is
    forgotten. 0 lets the online network itself play."""


@dataclass(frozen=True)
class ManyGamesOptions:
    """Learning from many games at once, `othello selfplay`, which needs no replay memory."""

    lam: Share = 0.9
    """Lambda of the return that the move of each decision is moved towards."""
    teacher: str = NO_TEACHER
    """An evaluator that says what all legal moves are worth instead, such as ntuple:pretrained."""
    plies: AtLeastOne = 1
    """Plies that the teacher looks beyond each move."""
    exact: AtLeastZero = 0
    """With this many empty squares or fewer, every legal move is learned by its result with best play on both
    sides, and the returns of earlier decisions begin at those positions."""
    sudden: AtLeastZero = 0
    """With this many own discs or fewer, every legal move after which the other side can win at once, by
    taking all of them, is learned as lost."""
    epochs: AtLeastOne = 1
    """How often each decision is learned from, under symmetries drawn anew."""
    precision: Annotated[str, one_of("float32", "bfloat16")] = "float32"
    """What batches are multiplied in: float32, or bfloat16, faster on processors that have it."""
    rate_games: AtLeastZero = 0
    """Games over which the learning rate falls to nothing, as half a cosine; 0: it stays."""


@dataclass(frozen=True)
class DQNConfig(Schedule, ManyGamesOptions, LearningOptions, ReplayOptions, NetworkOptions):
    """One frozen value per knob. A step is one decision of the agent; forced passes are none.

    Its fields are those of the last class first; only the defaults of a schedule are its own.
    """

    epsilon_schedule: Annotated[str, one_of("linear", "exponential")] = "exponential"
    epsilon_end: Share = 0.02
    epsilon_steps: AtLeastZero = 108_800
    opening_epsilon: Share = 0.5

    def __post_init__(self) -> None:
        check(self)
        if self.epsilon_schedule == "exponential" and min(self.epsilon_start, self.epsilon_end) <= 0:
            raise ValueError("an exponential epsilon_schedule needs epsilon_start and epsilon_end above 0")
        least = max(self.frames, self.n_step, self.warm_up if self.clock == "steps" else 0)
        if self.replay <= least:
            raise ValueError(f"replay={self.replay} must be larger than {least}: warm_up, frames and n_step")
