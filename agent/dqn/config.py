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
        1, "Replay", "Observations that the network sees: the last ones of the same side in the same game."
    )
    hidden: Layers = option((256, 256, 256), "Network", "Units of each hidden layer.")
    units: Literal["relu", "leaky-relu"] = option(
        "relu", "Network", "Activation: relu, or leaky-relu with slope 0.01 below 0 (Maas et al. 2013)."
    )
    dueling: bool = option(
        False, "Network", "Add the position's value and the moves' advantages (Wang et al. 2016, equation 9)."
    )
    symmetric_play: bool = option(
        True, "Network", "Play by the mean of the values under all 8 symmetries of the board."
    )
    endgame: Annotated[int, Meta(ge=0, le=16)] = option(
        0,
        "Search",
        "From this many empty squares on, play a move that wins against every reply, if there is one.",
    )


@dataclass(frozen=True)
class LearningOptions:
    """The options of an update of the weights."""

    batch: AtLeastOne = option(128, "Learning", "Decisions of an update.")
    symmetries: bool = option(
        True, "Learning", "Learn from each decision under one of the 8 symmetries of the board, drawn anew."
    )
    gamma: Share | None = option(None, "Learning", "Discount; none takes that of the task specification.")
    loss: Literal["huber", "mse"] = option(
        "huber", "Learning", "Loss of an error: huber, or mse, the mean squared error."
    )
    optimiser: Literal["adam", "adamw", "sgd", "rmsprop", "rmsprop-graves"] = option(
        "adam", "Learning", "adam, adamw, sgd, rmsprop, or rmsprop-graves (Graves 2013, equations 38-45)."
    )
    learning_rate: Positive = option(5e-4, "Learning", "Step size of the optimiser.")
    clip_norm: NotNegative = option(
        0.0, "Learning", "Largest Euclidean norm of the gradient of all weights; 0 does not clip."
    )
    average_rate: Share = option(
        0.0002,
        "Learning",
        "How far the averaged network, which plays when exploring is off, moves towards the online network "
        "at each update; 9 / (updates + 8) while that is larger. 0: the online network plays.",
    )


@dataclass(frozen=True)
class ReplayOptions:
    """The options of the replay memory, the update schedule and the targets."""

    clock: Literal["steps", "games"] = option(
        "steps",
        "Learning",
        "Unit of warm_up, update_every and epsilon: decisions while learning (steps), or games.",
    )
    replay: AtLeastOne = option(
        100_000, "Replay", "Transitions in the replay memory; a new one replaces the oldest."
    )
    warm_up: AtLeastZero = option(1_000, "Learning", "Ticks of the clock before learning starts.")
    update_every: AtLeastOne = option(4, "Learning", "Ticks of the clock from one update to the next.")
    background: bool = option(True, "Learning", "Learn in a thread beside the play; the result is the same.")
    n_step: AtLeastOne = option(3, "Replay", "Decisions whose rewards are summed before the bootstrap.")
    priority: NotNegative = option(
        0.0, "Replay", "Exponent of prioritised replay (Schaul et al. 2016, equation 1); 0 draws uniformly."
    )
    double: bool = option(
        True, "Learning", "Choose the bootstrap action with the online network (van Hasselt et al. 2016)."
    )
    mask: bool = option(
        True, "Learning", "Take the bootstrap maximum over legal moves only. false shows what that is worth."
    )
    negamax: bool = option(
        True,
        "Learning",
        "Negate the discount where the other side decides next. false shows what that is worth.",
    )
    target_every: AtLeastOne = option(
        1, "Learning", "Updates from one move of the target network to the next."
    )
    target_rate: Share = option(
        0.005, "Learning", "How far the target network moves towards the online network; 1 copies it."
    )


@dataclass(frozen=True)
class DQNConfig(Schedule, ReplayOptions, LearningOptions, NetworkOptions):
    """The options of a DQN agent. A step is one decision of the agent. A forced pass is not a step.

    All options come from the base classes. This class only changes some default values of `Schedule`.
    """

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
