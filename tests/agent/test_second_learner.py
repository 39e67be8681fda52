"""A second learner in every seat, announced as another package would: nothing of ours knows its name."""

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from numpy.typing import NDArray

from othello_lab.agent import checkpoint
from othello_lab.agent.learner import find_method, method_names
from othello_lab.agent.make import make_agent
from othello_lab.commands.cli import cli
from othello_lab.game import Game
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import RegistryError, make
from othello_lab.game.players.base import Policy
from tests.agent import table
from tests.agent.announced import announce
from tests.agent.parts import freeze, play, trio, won


@pytest.fixture(autouse=True)
def _announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announce(tmp_path, monkeypatch)


def test_it_is_found_by_its_name() -> None:
    assert "table" in method_names()
    agent = make_agent("table,rate=0.5", size=4)
    assert json.loads(agent.agent_message("config")) == {"agent": "table", "rate": "0.5"}
    with pytest.raises(ValueError, match="table has no option 'rat'; did you mean rate"):
        make_agent("table,rat=1")
    with pytest.raises(RegistryError, match="no learner 'tabel'; did you mean table"):
        find_method("tabel")


def test_it_learns_to_win() -> None:
    glue, agent = trio("table")
    play(glue, 1500)
    assert json.loads(glue.RL_agent_message("stats"))["states"] == len(agent.learner.table)
    freeze(glue)
    glue.RL_env_message("episode 5000")
    assert won(glue, 100) > 0.6


def test_its_policy_plays_and_judges_many_positions_at_once(tmp_path: Path) -> None:
    glue, agent = trio("table", tmp_path, opponent="self")
    games = [Game.from_transcript(text, 4) for text in play(glue, 100)[-8:]]
    boards = [board for game in games for board in game.boards if board.legal_moves]
    text, rng = f"trained:{agent.save_policy('net')}", np.random.default_rng(1)
    player = make(text, 4)
    found = [player.values(Game(board), rng) for board in boards]
    values = [each.by_square(board.legal_moves) for each, board in zip(found, boards, strict=True) if each]
    best = [max(each, key=each.__getitem__) for each in values]
    assert [player.choose(Game(board), rng) for board in boards] == best
    assert isinstance(player, Policy)
    many = player.choose_many(Positions.of(boards), np.zeros(len(boards), np.uint64))
    assert many.tolist() == best
    judged = make_evaluator(text, 4).values(Positions.of(boards))
    assert judged.tolist() == [max(each.values()) for each in values]
    assert np.unique(judged).size > 5


@pytest.mark.parametrize(
    ("name", "array", "reason"),
    [
        ("keys", None, "lacks array 'keys'"),
        ("more", np.zeros(3), "has an unknown array 'more'"),
        ("values", np.zeros((1, 16)), "has another array 'values'"),
    ],
)
def test_a_policy_whose_arrays_are_not_those_of_its_options_is_refused(
    tmp_path: Path, name: str, array: NDArray[np.float64] | None, reason: str
) -> None:
    glue, agent = trio("table", tmp_path)
    play(glue, 5)
    stored = checkpoint.load(agent.save_policy("net"))
    arrays = {key: own for key, own in {**stored.arrays, name: array}.items() if own is not None}
    checkpoint.save(stored.path, stored.kind, arrays, stored.values)
    with pytest.raises(RegistryError, match=reason):
        make(f"trained:{stored.path}", 4)
    assert reason in glue.RL_agent_message("load_policy net")


def test_it_costs_less_than_150_lines() -> None:
    assert len(Path(table.__file__).read_text("utf-8").splitlines()) < 150


def test_its_checkpoints_are_its_own(tmp_path: Path) -> None:
    _, agent = trio("table", tmp_path)
    path = agent.save_policy("net")
    with pytest.raises(RegistryError, match="is not of a dqn agent: its kind is table"):
        make(f"dqn:{path}", 4)
    with pytest.raises(RegistryError, match="trained as a player is trained:PATH"):
        make("trained", 4)


def test_commands_take_it() -> None:
    def call(line: str) -> str:
        result = CliRunner().invoke(cli, line.split())
        assert result.exit_code == 0, result.output
        return result.output

    call(
        "experiment train --in-process --agent table,rate=0.2 --size 4 --episodes 20 --eval-every 10 "
        "--eval-games 4 --final-games 4 --name one"
    )
    call("experiment train --in-process --resume one --episodes 30")
    call(
        "selfplay --learner table --from one --size 4 --games 200 --games-at-once 100 --eval-every 0 "
        "--final-games 4 --name selfplayed"
    )
    call("selfplay --resume selfplayed --games 300")
    assert "trained:" in call("match one random --openings 1")
    assert "random" in call("evaluate one --opponent random --openings 2")
    assert "trained:" in call("match selfplayed random --openings 1")
    found = next(Path("runs/one/checkpoints").glob("*.safetensors"))
    call(f"match trained:{found} search:depth=2,eval=trained:{found} --size 4 --openings 1")
