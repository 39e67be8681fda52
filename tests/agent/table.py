"""A second learning method, as small as can be: Q-learning in a table, for boards of 4x4."""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from agent.checkpoint import Arrays, CheckpointError, Stored, Values, check_arrays
from agent.learner import Method, Options, Seeds
from agent.memory.frames import pack, unpack
from agent.memory.recorder import Recorder
from agent.memory.transitions import Transition, Transitions
from agent.options import read_options
from agent.schedule import Schedule
from agent.selfplay.played import Played
from agent.task import Task
from game import observation
from game.batch.games import legal_moves, planes, to_mask
from game.batch.positions import Positions
from game.evaluators import Evaluator
from game.game import Game
from game.players import Player

SQUARES = 16
Table = dict[bytes, NDArray[np.float64]]
"""The values of all squares by packed planes."""


@dataclass(frozen=True)
class TableConfig:
    rate: float = 0.3
    epsilon: float = 0.2


def configure(options: Options, size: int, episodes: int | None) -> TableConfig:
    return replace(TableConfig(), **read_options("table", TableConfig, options))


def best(table: Table, key: bytes, legal: NDArray[np.int64]) -> int:
    values = table.get(key, np.zeros(SQUARES))
    return int(legal[values[legal].argmax()])


class TableLearner:
    def __init__(self, config: TableConfig, size: int, seeds: Seeds) -> None:
        self.config, self.table = config, Table()
        self.sink = Transitions(self.take)

    @property
    def numbers(self) -> dict[str, float]:
        return {"states": len(self.table)}

    def begin(self, best: bool) -> None:
        pass

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        return best(self.table, stack[0].tobytes(), legal)

    def step(self, steps: int) -> None:
        pass

    def end(self, games: int) -> None:
        pass

    def take(self, t: Transition) -> None:
        ahead = 0.0
        if t.next_state is not None:
            legal = unpack(t.next_state[None], SQUARES)[2].astype(bool)
            ahead = float(self.table.get(t.next_state.tobytes(), np.zeros(SQUARES))[legal].max())
        values = self.table.setdefault(t.state.tobytes(), np.zeros(SQUARES))
        values[t.action] += self.config.rate * (t.reward + t.discount * ahead - values[t.action])

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        nothing, legal = np.zeros(SQUARES), to_mask(legal_moves(positions), 4)
        rows = [self.table.get(key, nothing)[own] for key, own in zip(keys(positions), legal, strict=True)]
        return np.concatenate(rows)

    def learn(self, played: Played) -> None:
        ahead = np.append(played.best, 0.0)[played.following] * played.discount
        targets = np.where(played.following < 0, played.results, ahead)
        for key, move, target in zip(keys(played.positions), played.moves, targets, strict=True):
            values = self.table.setdefault(key, np.zeros(SQUARES))
            values[move] += self.config.rate * (target - values[move])

    def weights(self) -> Arrays:
        return self.policy()

    def take_weights(self, arrays: Arrays) -> None:
        self.table = table_of(arrays)

    def state(self) -> tuple[Arrays, Values]:
        return self.policy(), {"updates": 0}

    def restore(self, stored: Stored) -> None:
        self.table = read_table(stored)

    def policy(self) -> Arrays:
        keys = np.frombuffer(b"".join(self.table), np.uint8).reshape(-1, SQUARES // 2)
        return {"keys": keys, "values": np.array(list(self.table.values())).reshape(-1, SQUARES)}

    def take_policy(self, stored: Stored) -> None:
        self.table = read_table(stored)


def read_table(stored: Stored) -> Table:
    return table_of(stored.arrays)


def table_of(arrays: Arrays) -> Table:
    rows = zip(arrays["keys"], arrays["values"], strict=True)
    return {key.tobytes(): values.copy() for key, values in rows}


def keys(positions: Positions) -> list[bytes]:
    seen = planes(positions, np.float32).reshape(-1, 4 * SQUARES).astype(np.int32)
    return [pack(one).tobytes() for one in seen]


def read(stored: Stored, size: int) -> TableConfig:
    if (stored.values["size"], size) != (4, 4):
        raise CheckpointError(f"{stored.path} is for 4x4 boards")
    states = len(stored.arrays.get("keys", ()))
    shapes = {"keys": ((states, SQUARES // 2), np.uint8), "values": ((states, SQUARES), np.float64)}
    check_arrays(stored.path, stored.arrays, shapes)
    return TableConfig(**stored.values["config"])


def recorder(learner: TableLearner, task: Task) -> Recorder:
    return Recorder(learner.sink, SQUARES, task.gamma)


class TablePlayer(Player):
    def __init__(self, stored: Stored, size: int) -> None:
        read(stored, size)
        self._table = read_table(stored)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        seen = observation.encode(game.board, game.board.turn)
        return best(self._table, pack(seen).tobytes(), np.flatnonzero(seen[2 * SQUARES : 3 * SQUARES]))


class TableEvaluator(Evaluator):
    def __init__(self, stored: Stored, size: int) -> None:
        read(stored, size)
        self._table = read_table(stored)

    def values(self, positions: Positions) -> NDArray[np.float64]:
        return np.array([self._table.get(key, np.zeros(1)).max() for key in keys(positions)])


TABLE = Method(
    name="table",
    configure=configure,
    schedule=lambda config: Schedule(epsilon_start=config.epsilon, epsilon_end=config.epsilon),
    load=lambda: TableLearner,
    recorder=recorder,
    read=read,
    player=TablePlayer,
    evaluator=TableEvaluator,
)
