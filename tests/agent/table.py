from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.agent.checkpoint import Arrays, Forms, Stored, Values
from othello_lab.agent.learner import GROUP, BatchLearner, Method, Seeds
from othello_lab.agent.memory.recorder import Recorder, Transition, Transitions
from othello_lab.agent.policy import Learned, MovePolicy, positions_of
from othello_lab.agent.selfplay.games import GameBatch
from othello_lab.agent.task import Task
from othello_lab.game.batch import Positions, legal_moves, to_mask

SQUARES = 16
Table = dict[bytes, NDArray[np.float64]]


@dataclass(frozen=True)
class TableConfig:
    rate: float = 0.3
    epsilon: float = 0.2


class TableLearner(BatchLearner):
    def __init__(self, config: TableConfig, size: int, seeds: Seeds) -> None:
        self.config, self.table = config, Table()

    @property
    def numbers(self) -> dict[str, float]:
        return {"states": len(self.table)}

    def recorder(self, task: Task) -> Recorder:
        return Recorder(Transitions(self.take), SQUARES, task.gamma)

    def choose(self, stack: NDArray[np.uint8], legal: NDArray[np.int64], rng: np.random.Generator) -> int:
        return int(legal[self.move_values(positions_of(stack[:1], 4)).argmax()])

    def take(self, t: Transition) -> None:
        ahead = 0.0
        if t.next_state is not None:
            ahead = float(self.move_values(positions_of(t.next_state[None], 4)).max())
        self._learn(positions_of(t.state[None], 4), [t.action], [t.reward + t.discount * ahead])

    def _learn(self, positions: Positions, moves: Iterable[int], targets: Iterable[float]) -> None:
        for key, move, target in zip(keys(positions), moves, targets, strict=True):
            values = self.table.setdefault(key, np.zeros(SQUARES))
            values[move] += self.config.rate * (target - values[move])

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        return move_values(self.table, positions)

    def learn(self, batch: GameBatch) -> None:
        ahead = batch.values[batch.next_index] * batch.discount
        self._learn(batch.positions, batch.moves, np.where(batch.next_index < 0, batch.results, ahead))

    def weights(self) -> Arrays:
        return self.policy()

    def take_weights(self, arrays: Arrays) -> None:
        self.table = table_of(arrays)

    def state(self) -> tuple[Arrays, Values]:
        return self.policy(), {}

    def restore(self, stored: Stored) -> None:
        self.table = table_of(stored.arrays)

    def policy(self) -> Arrays:
        discs = np.frombuffer(b"".join(self.table), np.uint64).reshape(-1, 2)
        return {"discs": discs, "values": np.array(list(self.table.values())).reshape(-1, SQUARES)}

    def take_policy(self, policy: Learned[TableConfig]) -> None:
        self.table = table_of(policy.arrays)


class TablePolicy(MovePolicy[TableConfig]):
    @classmethod
    def forms(cls, config: TableConfig, size: int, arrays: Arrays) -> Forms:
        states = len(arrays.get("discs", ()))
        return {"discs": ((states, 2), np.uint64), "values": ((states, SQUARES), np.float64)}

    def move_values(self, positions: Positions) -> NDArray[np.float64]:
        return move_values(table_of(self.arrays), positions)


def table_of(arrays: Arrays) -> Table:
    rows = zip(arrays["discs"], arrays["values"], strict=True)
    return {discs.tobytes(): values.copy() for discs, values in rows}


def keys(positions: Positions) -> list[bytes]:
    return [discs.tobytes() for discs in np.hstack([positions.own, positions.opponent])]


def move_values(table: Table, positions: Positions) -> NDArray[np.float64]:
    rows = zip(keys(positions), to_mask(legal_moves(positions), 4), strict=True)
    return np.concatenate([table.get(key, np.zeros(SQUARES))[legal] for key, legal in rows])


TABLE = Method(
    name="table",
    config=TableConfig,
    learner="tests.agent.table:TableLearner",
    policy="tests.agent.table:TablePolicy",
)


def announce(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the metadata of a package that has a learner, as `pip install` does."""
    folder = tmp_path / "installed" / "table-1.0.dist-info"
    folder.mkdir(parents=True)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: table\nVersion: 1.0\n")
    (folder / "entry_points.txt").write_text(f"[{GROUP}]\ntable = tests.agent.table:TABLE\n")
    monkeypatch.syspath_prepend(str(folder.parent))
    monkeypatch.chdir(tmp_path)
