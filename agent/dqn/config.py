"""Every option of a DQN agent."""

from dataclasses import dataclass
from typing import Annotated

from othello_lab.agent.options import (
    LEARNING,
    MANY_GAMES,
    NETWORK,
    REPLAY,
    SEARCH,
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
    option,
)

NO_TEACHER = "none"


@dataclass(frozen=True)
class NetworkOptions:
    """The network."""

    network: Annotated[str, one_of("mlp", "conv")] = option(
        "mlp", NETWORK, "mlp: fully connected layers; conv: a residual tower of 3x3 convolutions."
    )
    frames: AtLeastOne = option(
        1, REPLAY, "Observations that the network sees: the last ones of the same side in the same game."
    )
    hidden: Layers = option((256, 256, 256), NETWORK, "mlp: units of each hidden layer.")
    channels: AtLeastOne = option(32, NETWORK, "conv: channels of each layer.")
    blocks: AtLeastOne = option(3, NETWORK, "conv: residual blocks of two layers each.")
    units: Annotated[str, one_of("relu", "leaky-relu")] = option(
        "relu", NETWORK, "Activation: relu, or leaky-relu with slope 0.01 below 0 (Maas et al. 2013)."
    )
    dueling: bool = option(
        False,
        NETWORK,
        "Compute the value of the position and the advantages of the moves, and add them (Wang et al. 2016, "
        "equation 9).",
    )
    symmetric_play: bool = option(
        True, NETWORK, "Play by the mean of the values under all 8 symmetries of the board."
    )
    endgame: Annotated[int, Expected("0 to 16", lambda value: 0 <= value <= 16)] = option(
        0,
        SEARCH,
        "From this many empty squares on, search for a move that wins against every reply, and play it; 0 to "
        "16. Not in games by the thousand.",
    )


@dataclass(frozen=True)
class ReplayOptions:
    """The replay memory, and how batches are drawn from it."""

    replay: AtLeastOne = option(
        100_000, REPLAY, "Transitions in the replay memory; a new one replaces the oldest."
    )
    warm_up: AtLeastZero = option(1_000, LEARNING, "Ticks of the clock before learning starts.")
    batch: AtLeastOne = option(128, LEARNING, "Transitions of an update.")
    n_step: AtLeastOne = option(3, REPLAY, "Decisions whose rewards are summed before the bootstrap.")
    priority: NotNegative = option(
        0.0, REPLAY, "Exponent of prioritised replay (Schaul et al. 2016, equation 1); 0 draws uniformly."
    )
    priority_beta: Share = option(
        0.4, REPLAY, "How far the bias of prioritised replay is corrected at first; it rises to 1."
    )
    priority_updates: AtLeastZero = option(25_000, REPLAY, "Updates until priority_beta has risen to 1.")
    symmetries: bool = option(
        True, LEARNING, "Learn from each transition under one of the 8 symmetries of the board, drawn anew."
    )


@dataclass(frozen=True)
class LearningOptions:
    """Learning from transitions."""

    clock: Annotated[str, one_of("steps", "games")] = option(
        "steps",
        LEARNING,
        "The unit of warm_up, update_every and the schedule of epsilon: steps (decisions while learning), or "
        "games.",
    )
    update_every: AtLeastOne = option(4, LEARNING, "Ticks of the clock from one update to the next.")
    background: bool = option(
        True, LEARNING, "Learn in a thread while environment and experiment work; the result is the same."
    )
    double: bool = option(
        True, LEARNING, "Choose the bootstrap action with the online network (van Hasselt et al. 2016)."
    )
    mask: bool = option(
        True,
        LEARNING,
        "Take the bootstrap maximum over legal moves only. false shows what that is worth.",
    )
    negamax: bool = option(
        True,
        LEARNING,
        "Negate the discount where the other side decides next. false shows what that is worth.",
    )
    gamma: Annotated[
        float | None, Expected("0 to 1, or none for the task's", lambda value: 0 <= value <= 1)
    ] = option(None, LEARNING, "Discount; none takes that of the task specification.")
    loss: Annotated[str, one_of("huber", "mse")] = option(
        "huber", LEARNING, "Loss of an error: huber, or mse, the mean squared error."
    )
    optimiser: Annotated[str, one_of("adam", "adamw", "sgd", "rmsprop", "rmsprop-graves")] = option(
        "adam",
        LEARNING,
        "adam, adamw, sgd, rmsprop, or rmsprop-graves (Graves 2013, equations 38-45, without momentum).",
    )
    learning_rate: Positive = option(5e-4, LEARNING, "Step size of the optimiser.")
    clip_norm: NotNegative = option(
        0.0, LEARNING, "Largest Euclidean norm of the gradient of all weights; 0 does not clip."
    )
    target_every: AtLeastOne = option(1, LEARNING, "Updates from one move of the target network to the next.")
    target_rate: Share = option(
        0.005, LEARNING, "How far the target network moves towards the online network; 1 copies it."
    )
    average_rate: Share = option(
        0.0002,
        LEARNING,
        "How far the averaged network, which plays when exploring is off, moves towards the online network "
        "at each update; 9 / (updates + 8) while that is larger, to forget the random start. 0: the online "
        "network plays.",
    )


@dataclass(frozen=True)
class ManyGamesOptions:
    """Learning from many games at once, `othello selfplay`, which needs no replay memory."""

    lam: Share = option(
        0.9, MANY_GAMES, "Lambda of the return that is the target of the move that was played."
    )
    teacher: str = option(
        NO_TEACHER,
        MANY_GAMES,
        "An evaluator, such as ntuple:pretrained, whose values of all legal moves are the targets instead; "
        "or none.",
    )
    plies: AtLeastOne = option(1, MANY_GAMES, "Plies that the teacher looks beyond each move.")
    exact: AtLeastZero = option(
        0,
        MANY_GAMES,
        "With this many empty squares or fewer, the target of every legal move is its result with best play; "
        "the returns of earlier decisions begin there.",
    )
    sudden: AtLeastZero = option(
        0,
        MANY_GAMES,
        "With this many own discs or fewer, every legal move after which the other side can take all of them "
        "at once is learned as lost.",
    )
    epochs: AtLeastOne = option(
        1, MANY_GAMES, "Times that each decision is learned from, under symmetries drawn anew."
    )
    precision: Annotated[str, one_of("float32", "bfloat16")] = option(
        "float32",
        MANY_GAMES,
        "Numbers in the network's products: float32, or bfloat16, faster on processors that have it.",
    )
    rate_games: AtLeastZero = option(
        0, MANY_GAMES, "Games over which the learning rate falls to 0, as half a cosine; 0 keeps it."
    )


@dataclass(frozen=True)
class DQNConfig(Schedule, ManyGamesOptions, LearningOptions, ReplayOptions, NetworkOptions):
    """The options of a DQN agent. A step is one decision of the agent; a forced pass is none.

    The fields of the last base come first; only the defaults of the schedule are new here.
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
