"""The tabular agent as a whole: how it explores, what it reaches, its checkpoints, and what it refuses."""

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays
from othello_lab.agent.make import make_agent
from othello_lab.agent.task import TaskError
from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.study.truth import Lines, Summary
from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.batch.positions import Positions
from othello_lab.game.decisions import every_game, on_every_position
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import RegistryError, make
from tests.agent.parts import freeze, play, trio
from tests.agent.tabular_parts import values


def test_500_games_of_self_play_teach_a_part_of_the_board(tmp_path: Path) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    play(glue, 500)
    player = make(f"trained:{agent.save_policy('table')}", 4)
    rng = np.random.default_rng(0)
    kept = Summary.of(on_every_position(player, rng)).outcome
    # Random moves: 0.915 and 0.49.
    assert kept.everywhere.share > 0.925
    assert kept.where_it_matters.share > 0.57
    # It does not vary: from a position on it always plays the same, so that few games are left.
    games = Lines.of(every_game(player, Colour.WHITE, rng), Colour.WHITE)
    assert games.tally.games < 2000


@pytest.mark.parametrize("explore", ["least-known", "random"])
def test_epsilon_is_the_share_of_moves_that_explore(explore: str) -> None:
    glue, agent = trio("tabular", opponent="self", explore=explore, epsilon="0")
    games = set(play(glue, 20))
    assert len(games) < 12, "it goes on with what did well"
    assert json.loads(agent.agent_message("stats"))["epsilon"] == 0
    glue, agent = trio("tabular", opponent="self", explore=explore)
    assert len(set(play(glue, 20))) > 12
    assert json.loads(agent.agent_message("stats"))["epsilon"] == 1
    freeze(glue)
    assert len(set(play(glue, 20))) == 1
    assert json.loads(agent.agent_message("stats"))["epsilon"] == 0


def test_it_plays_and_learns_on_with_a_policy(tmp_path: Path) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    play(glue, 50)
    agent.save_policy("table")
    again, other = trio("tabular", tmp_path, seed=2, opponent="self")
    assert again.RL_agent_message("load_policy table").startswith("message understood")
    assert other.learner.numbers["moves"] == agent.learner.numbers["moves"]
    play(again, 5)
    assert other.learner.numbers["updates"] > 0
    apart, _ = trio("tabular", tmp_path, opponent="self", symmetries="false")
    assert "holds another table: symmetries=True, here False" in apart.RL_agent_message("load_policy table")


def test_a_position_is_worth_its_best_move_also_for_who_must_pass(tmp_path: Path) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    transcripts = play(glue, 100)
    text = f"trained:{agent.save_policy('table')}"
    boards = [board for transcript in transcripts for board in Game.from_transcript(transcript, 4).boards]
    evaluator = make_evaluator(text, 4)
    found = evaluator.values(Positions.of(boards))
    for board, value in zip(boards, found, strict=True):
        if board.must_pass:
            (after,) = evaluator.values(Positions.of([board.play(PASS)]))
            assert value == -after
        elif board.is_over:
            assert value == 0
        else:
            assert value == max(values(agent.learner, board))
    assert any(board.must_pass for board in boards)
    assert make(f"search:depth=2,eval={text}", 4).choose(Game(Board.start(4)), np.random.default_rng(0)) >= 0


def test_boards_larger_than_4x4_are_refused() -> None:
    with pytest.raises(TaskError, match=r"boards up to 4x4, not 6x6: use --size 4"):
        make_agent("tabular", size=6)
    agent = make_agent("tabular")
    with pytest.raises(TaskError, match="boards up to 4x4, not 8x8"):
        agent.agent_init(OthelloEnvironment(EnvironmentConfig()).env_init())
    for line, blamed in (("run --agent tabular", "--agent"), ("agent tabular --size 8", "TEXT")):
        result = CliRunner().invoke(cli, line.split())
        assert result.exit_code == 2
        assert f"{blamed}: this agent is for boards up to 4x4, not 8x8: use --size 4" in result.output


def reverse(arrays: Arrays) -> None:
    arrays.update({name: array[::-1] for name, array in arrays.items()})


def repeat(arrays: Arrays) -> None:
    arrays["keys"][1] = arrays["keys"][0]


def spoil(arrays: Arrays) -> None:
    arrays["values"][0, 0] = np.nan


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (reverse, "states that are not in ascending order"),
        (repeat, "states that are not in ascending order"),
        (spoil, "values that are no finite numbers"),
        (lambda arrays: arrays.pop("tries"), "lacks array 'tries'"),
        (lambda arrays: arrays.clear(), "lacks array"),
        (lambda arrays: arrays.update(keys=arrays["keys"].astype(np.int64)), "has another array 'keys'"),
        (lambda arrays: arrays.update(values=arrays["values"][:, :9]), "has another array 'values'"),
    ],
)
def test_a_forged_table_is_refused_and_changes_nothing(
    tmp_path: Path, change: Callable[[Arrays], object], why: str
) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    play(glue, 5)
    path = agent.save("good")
    stored = checkpoint.load(path)
    change(stored.arrays)
    checkpoint.save(tmp_path / "forged.safetensors", "tabular", stored.arrays, stored.values)
    for message in ("load forged", "load_policy forged"):
        assert why in agent.agent_message(message)
    with pytest.raises(RegistryError, match=why):
        make(f"trained:{tmp_path / 'forged.safetensors'}", 4)
    assert agent.save("after").read_bytes() == path.read_bytes()


def test_a_checkpoint_is_for_4x4_alone(tmp_path: Path) -> None:
    glue, agent = trio("tabular", tmp_path, opponent="self")
    play(glue, 5)
    stored = checkpoint.load(agent.save("four"))
    checkpoint.save(tmp_path / "six.safetensors", "tabular", stored.arrays, {**stored.values, "size": 6})
    with pytest.raises(RegistryError, match="is for 6x6 boards, a table for 4x4 alone"):
        make(f"trained:{tmp_path / 'six.safetensors'}", 6)
