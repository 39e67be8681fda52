"""The options of a DQN agent."""

from dataclasses import dataclass
from typing import Annotated, Literal

from msgspec import Meta

from othello_lab.agent.options import (
    AtLeastOne,
    AtLeastZero,
    Layers,
    NotNegative,
    Positive,
    Schedule,
    Share,
    option,
)


@dataclass(frozen=True)
class NetworkOptions:
    """The options of the network and of its play. A trained policy needs only these options."""

    frames: AtLeastOne = option(
        1,
        "Replay",
        "Number of observations in the network's input: the last ones of the same side in the same game.",
    )
    hidden: Layers = option((256, 256, 256), "Network", "Number of units in each hidden layer.")
    units: Literal["relu", "leaky-relu"] = option(
        "relu",
        "Network",
        "Activation function: relu, or leaky-relu with slope 0.01 below 0 (Maas et al. 2013).",
    )
    dueling: bool = option(
        False,
        "Network",
        "Compute a move's value as the position's value plus the move's advantage (Wang et al. 2016, "
        "equation 9).",
    )
    symmetric_play: bool = option(
        True, "Network", "To choose a move, average the network's outputs over all 8 symmetries of the board."
    )
    endgame: Annotated[int, Meta(ge=0, le=16)] = option(
        0,
        "Search",
        "With this many empty squares or fewer, an exact search plays a move that certainly wins, if "
        "there is one.",
    )


@dataclass(frozen=True)
class LearningOptions:
    """The options of an update of the weights."""

    batch: AtLeastOne = option(128, "Learning", "Number of decisions in an update.")
    symmetries: bool = option(
        True, "Learning", "Apply a random one of the board's 8 symmetries to each decision of an update."
    )
    gamma: Share | None = option(
        None, "Learning", "Discount factor. none: use the discount factor of the task specification."
    )
    loss: Literal["huber", "mse"] = option(
        "huber", "Learning", "Loss function: huber, or mse for the mean squared error."
    )
    optimiser: Literal["adam", "adamw", "sgd", "rmsprop", "rmsprop-graves"] = option(
        "adam",
        "Learning",
        "Optimiser: adam, adamw, sgd, rmsprop, or rmsprop-graves (Graves 2013, equations 38-45).",
    )
    learning_rate: Positive = option(5e-4, "Learning", "Step size of the optimiser.")
    clip_norm: NotNegative = option(
        0.0, "Learning", "Maximum Euclidean norm of the gradient of all weights. 0: no maximum."
    )
    average_rate: Share = option(
        0.0002,
        "Learning",
        "The averaged network plays when exploring is off. At each update it moves towards the online "
        "network by this share of the difference, or by 9 / (updates + 8) if that is larger. 0: the "
        "online network plays.",
    )


@dataclass(frozen=True)
class ReplayOptions:
    """The options of the replay memory, the update schedule and the targets."""

    clock: Literal["steps", "games"] = option(
        "steps",
        "Learning",
        "The unit of time for warm_up, update_every and epsilon. A tick of the clock is a decision while "
        "learning (steps) or a game (games).",
    )
    replay: AtLeastOne = option(
        100_000,
        "Replay",
        "Maximum number of transitions in the replay memory. In a full memory, a new transition replaces "
        "the oldest.",
    )
    warm_up: AtLeastZero = option(1_000, "Learning", "Number of ticks of the clock before learning starts.")
    update_every: AtLeastOne = option(
        4, "Learning", "Number of ticks of the clock from one update to the next."
    )
    background: bool = option(
        True,
        "Learning",
        "Learn in a second thread while the agent plays. The result is the same as in one thread.",
    )
    n_step: AtLeastOne = option(
        3, "Replay", "A target is the sum of the rewards of this many decisions and a bootstrap value."
    )
    priority: NotNegative = option(
        0.0, "Replay", "Exponent of prioritised replay (Schaul et al. 2016, equation 1). 0: draw uniformly."
    )
    double: bool = option(
        True,
        "Learning",
        "Double DQN: the online network chooses the bootstrap action (van Hasselt et al. 2016).",
    )
    mask: bool = option(
        True,
        "Learning",
        "Take the bootstrap maximum over legal moves only. Use false to measure the effect of this rule.",
    )
    negamax: bool = option(
        True,
        "Learning",
        "Negate the discount if the other side decides next. Use false to measure the effect of this rule.",
    )
    target_every: AtLeastOne = option(
        1, "Learning", "Number of updates from one change of the target network to the next."
    )
    target_rate: Share = option(
        0.005,
        "Learning",
        "At each change, the target network moves towards the online network by this share of the "
        "difference. 1: it becomes a copy.",
    )


@dataclass(frozen=True)
class DQNConfig(Schedule, ReplayOptions, LearningOptions, NetworkOptions):
    """The options of a DQN agent. A step is one decision of the agent. A forced pass is not a step."""

    epsilon_schedule: Literal["linear", "exponential"] = "exponential"
    epsilon_end: Share = 0.02
    epsilon_steps: AtLeastZero = 108_800
    opening_epsilon: Share = 0.5

    def __post_init__(self) -> None:
        if self.epsilon_schedule == "exponential" and min(self.epsilon_start, self.epsilon_end) <= 0:
            raise ValueError("an exponential epsilon_schedule needs epsilon_start and epsilon_end above 0")
        least = max(self.frames, self.n_step, self.warm_up if self.clock == "steps" else 0)
        if self.replay <= least:
            raise ValueError(f"replay={self.replay} must be larger than {least}: warm_up, frames and n_step")
