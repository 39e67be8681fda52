"""Small learners of every method, with the tests of `test_every_learner.py` for each learner."""

import math
from typing import NamedTuple

from othello_lab.environment.config import EnvironmentConfig
from tests.agent.parts import AGAINST_RANDOM

ALPHAZERO = "alphazero,width=32,blocks=1,simulations=4,solve=3,batch=32,memory=500"
DQN = "dqn,hidden=16,warm_up=20,replay=300,batch=8,epsilon_steps=100,frames=2"
DQN_SELFPLAY = (
    "dqn,preset=selfplay,hidden=24,batch=32,learning_rate=0.01,epochs=1,solve_targets_below=0,wipeout_guard=0"
)
MCQ = "mcq,games=5,batch=64"
PPO = "ppo,width=32,horizon=100,batch=32"


class Bounds(NamedTuple):
    name: str
    least: float
    most: float = math.inf


class Single(NamedTuple):
    before: int
    after: int
    middle: Bounds | None = None
    end: Bounds | None = None


class Rounds(NamedTuple):
    done: range  # The finished games before each round. The step is the number of games in a round.
    pool: str
    opening: int = 2


class Seat(NamedTuple):
    learned: int
    played: int = 100
    config: EnvironmentConfig = AGAINST_RANDOM
    player: str = "trained"


class Learner(NamedTuple):
    text: str
    single: Single | None = None  # The test that continues from a checkpoint.
    rounds: Rounds | None = None  # The same test in self-play, with a checkpoint after half of the rounds.
    # The test with one and two processes. A round of more than 512 games has more than one shard.
    processes: Rounds | None = None
    seat: Seat | None = None  # The test that the learner plays the same in every seat.
    other: str = ""  # The text of a learner with another network, whose checkpoints must be refused.
    arrays: tuple[str, ...] = ()  # The arrays that a checkpoint must contain, each with the right form.


FOR_BOTH = "random=0.3,past=0.1"
FOR_TABLE = "random=0.2,corner-greedy=0.2,mobility=0.1,past=0.2"
UNTRAINED = Seat(0, 8, EnvironmentConfig(size=6, opponent="greedy", first="alternate"), player="dqn")

LEARNERS = {
    "alphazero": Learner(
        ALPHAZERO,
        Single(13, 9),
        rounds=Rounds(range(0, 60, 30), FOR_BOTH, opening=4),
        processes=Rounds(range(0, 1040, 520), FOR_BOTH, opening=4),
        seat=Seat(20),
        other=ALPHAZERO.replace("width=32", "width=16"),
        arrays=("memory.policies", "memory.own", "adam.exp_avg", "weights", "network.first.bias"),
    ),
    "dqn": Learner(
        DQN, Single(25, 25), seat=Seat(25, 20, player="dqn"), other=DQN.replace("hidden=16", "hidden=32")
    ),
    "dqn-prioritised": Learner(f"{DQN},priority=0.6,n_step=2", Single(25, 25)),
    "dqn-graves": Learner(f"{DQN},optimiser=rmsprop-graves", Single(25, 25)),
    "dqn-selfplay": Learner(DQN_SELFPLAY, rounds=Rounds(range(0, 400, 100), "random=0.2,past=0.3")),
    "dqn-1-frame": Learner("dqn,hidden=16,frames=1", seat=UNTRAINED),
    "mcq": Learner(
        MCQ,
        Single(13, 9, middle=Bounds("waiting", 3, 3)),  # between two times of learning
        rounds=Rounds(range(0, 400, 100), FOR_BOTH),
        seat=Seat(30),
        other=f"{MCQ},network=net",
        arrays=("waiting.boards", "adam.exp_avg", "network.first.bias"),
    ),
    "ntuple": Learner("ntuple,lam=0.5", Single(30, 30)),
    "ppo": Learner(
        PPO,
        Single(23, 30, middle=Bounds("waiting", 1, 99), end=Bounds("updates", 1)),
        rounds=Rounds(range(0, 60, 30), FOR_BOTH, opening=4),
        processes=Rounds(range(0, 1040, 520), FOR_BOTH, opening=4),
        seat=Seat(60),
        other=PPO.replace("width=32", "width=16"),
        arrays=("memory.moves", "memory.own", "adam.exp_avg", "weights"),
    ),
    "table": Learner(
        "table",
        Single(30, 30, end=Bounds("states", 51)),
        rounds=Rounds(range(0, 120, 60), FOR_TABLE),
        processes=Rounds(range(0, 1040, 520), FOR_TABLE),
        seat=Seat(300),
    ),
    "tabular": Learner("tabular,learning_rate=none", Single(40, 40), seat=Seat(200, 30)),
    "tabular-step": Learner("tabular,learning_rate=0.5", Single(40, 40)),
    "td": Learner(
        "td",
        Single(10, 10, end=Bounds("updates", 101)),
        rounds=Rounds(range(0, 400, 100), FOR_BOTH),
        seat=Seat(25, 20),
        other="td,hidden=129",
    ),
    "td-output": Learner("td", other="td,output=sigmoid"),
    "td-conv": Learner("td,network=conv,channels=3,dense=5", Single(10, 10, end=Bounds("updates", 101))),
}
