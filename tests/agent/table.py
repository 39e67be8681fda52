"""A whole learning method, as small as can be: Q-learning in a table, for boards of 4x4."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, Forms, SavedPolicy, Stored, Values
from othello_lab.agent.learner import Method, Seeds
from othello_lab.agent.memory.frames import pack, unpack
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.policy import MovePolicy
from othello_lab.agent.selfplay.games import GameBatch
from othello_lab.agent.task import Task
from othello_lab.game.batch.games import legal_moves, planes, to_mask
from othello_lab.game.batch.positions import Positions

SQUARES = 16
Table = dict[bytes, NDArray[np.float64]]
"""The values of all squares by packed planes."""
NOTHING = np.zeros(SQUARES)
"""Those of a position that was never met."""


@dataclass(frozen=True)
class TableConfig:
    rate: float = 0.3
    epsilon: float = 0.2


class TableLearner:
    def __init__(self, config: TableConfig, size: int, seeds: Seeds) -> None:
        self.config, self.table = config, Table()

    @property
    def numbers(self) -> dict[str, float]:
        return {"states": len(self.table)}

    def recorder(self, task: Task) -> Recorder:
        return Recorder(Transitions(self.take), SQUARES, task.gamma)

    def begin(self, best: bool) -> None:
        pass

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        return int(legal[self.table.get(stack[0].tobytes(), NOTHING)[legal].argmax()])

    def step(self, steps: int) -> None:
        pass

    def end(self, games: int) -> None:
        pass

    def take(self, t: Transition) -> None:
        ahead = 0.0
        if t.next_state is not None:
            legal = unpack(t.next_state[None], SQUARES)[2].astype(bool)
            ahead = float(self.table.get(t.next_state.tobytes(), NOTHING)[legal].max())
        values = self.table.setdefault(t.state.tobytes(), np.zeros(SQUARES))
        values[t.action] += self.config.rate * (t.reward + t.discount * ahead - values[t.action])

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        return move_values(self.table, positions)

    def learn(self, played: GameBatch) -> None:
        ahead = np.append(played.values, 0.0)[played.next_index] * played.discount
        targets = np.where(played.next_index < 0, played.results, ahead)
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
        self.table = table_of(stored.arrays)

    def policy(self) -> Arrays:
        keys = np.frombuffer(b"".join(self.table), np.uint8).reshape(-1, SQUARES // 2)
        return {"keys": keys, "values": np.array(list(self.table.values())).reshape(-1, SQUARES)}

    def take_policy(self, saved: SavedPolicy[TableConfig]) -> None:
        self.table = table_of(saved.arrays)


class TablePolicy(MovePolicy[TableConfig]):
    def __init__(self, saved: SavedPolicy[TableConfig]) -> None:
        self._table = table_of(saved.arrays)

    @classmethod
    def forms(cls, config: TableConfig, size: int, arrays: Arrays) -> Forms:
        states = len(arrays.get("keys", ()))
        return {"keys": ((states, SQUARES // 2), np.uint8), "values": ((states, SQUARES), np.float64)}

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        return move_values(self._table, positions)


def table_of(arrays: Arrays) -> Table:
    rows = zip(arrays["keys"], arrays["values"], strict=True)
    return {key.tobytes(): values.copy() for key, values in rows}


def keys(positions: Positions) -> list[bytes]:
    seen = planes(positions, np.float32).reshape(-1, 4 * SQUARES).astype(np.int32)
    return [pack(one).tobytes() for one in seen]


def move_values(table: Table, positions: Positions) -> NDArray[np.float64]:
    rows = zip(keys(positions), to_mask(legal_moves(positions), 4), strict=True)
    return np.concatenate([table.get(key, NOTHING)[legal] for key, legal in rows])


TABLE: Method[TableConfig, TableLearner] = Method(
    name="table",
    config=TableConfig,
    learner="tests.agent.table:TableLearner",
    policy="tests.agent.table:TablePolicy",
)
