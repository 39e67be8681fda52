"""AlphaZero as a learner: self-play and single games, saved and resumed to the byte, in every seat."""

import json
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.make import check_learner
from othello_lab.game import PASS, Board
from othello_lab.game.batch.positions import Positions, repeated
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.play.loop import Turn
from othello_lab.game.play.luck import seat_words
from othello_lab.game.players import RegistryError, make
from tests.agent.alphazero.parts import learner, trio
from tests.agent.parts import games_of_policy, play


@pytest.mark.parametrize("opponent", ["self", "random"])
def test_single_games_go_on_from_a_checkpoint_to_the_byte(tmp_path: Path, opponent: str) -> None:
    (glue, agent), (again, other) = trio(tmp_path, 1, opponent), trio(tmp_path, 9, opponent)
    play(glue, 13)
    agent.save("middle")
    rest = play(glue, 9)
    again.RL_env_message("episode 13")
    assert again.RL_agent_message("load middle").startswith("message understood")
    assert play(again, 9) == rest
    assert other.stats() == agent.stats()
    assert other.save("b").read_bytes() == agent.save("a").read_bytes()


def test_it_learns_from_single_games_and_plays_the_same_in_every_seat(tmp_path: Path) -> None:
    glue, agent = trio(tmp_path, opponent="random", learning_rate="0.003", epochs="4")
    play(glue, 200)
    stats = json.loads(glue.RL_agent_message("stats"))
    assert stats["updates"] > 100
    assert stats["policy_loss"] < 1.2
    path = agent.save_policy("net")
    for message in ("freeze learning", "freeze exploring", "load_policy net"):
        assert glue.RL_agent_message(message).startswith("message understood")
    glue.RL_env_message("episode 5000")
    assert games_of_policy(path) == play(glue, 100)


def test_a_game_that_was_cut_off_is_not_learned_from() -> None:
    glue, agent = trio()
    glue.RL_episode(3)
    play(glue, 1)
    assert 4 < agent.learner.numbers["remembered"] <= 12, "the decisions of one game"


def test_only_the_last_decisions_are_remembered() -> None:
    glue, agent = trio(memory="40")
    play(glue, 6)
    assert agent.learner.numbers["remembered"] == 40


def test_it_explores_by_the_noise_of_its_search_alone() -> None:
    positions, words = repeated(Board.start(4), 50), seat_words(1, np.arange(50), 1)
    made = learner(considered="2")
    turn = Turn(np.arange(50), positions, np.ones(50, np.bool_))
    decide = made.deciding(len(words), 0.0).decide
    chosen = decide(turn, words)
    assert len(set(chosen.moves.tolist())) > 1
    assert np.array_equal(decide(turn, words).moves, chosen.moves)
    _, agent = trio()
    assert agent.epsilon == 0


def test_a_position_before_a_pass_is_worth_minus_what_it_is_to_the_other_side(tmp_path: Path) -> None:
    glue, agent = trio(tmp_path)
    play(glue, 20)
    evaluator = make_evaluator(f"trained:{agent.save_policy('net')}", 4)
    board = Board.parse("XXX-XOOOXXO-XXX- O")
    values = evaluator.values(Positions.of([board, board.play(PASS)]))
    assert values[0] == pytest.approx(-values[1])
    assert 0 < abs(values[0]) < 1


def test_wrong_options_and_files_are_refused(tmp_path: Path) -> None:
    for options, reason in [
        ("width=0", "width is 0, expected 1 or more"),
        ("precision=half", "precision is 'half', expected float32 or bfloat16"),
        ("bootstrap=2", "bootstrap is 2.0, expected 0 to 1"),
        ("widht=4", "alphazero has no option 'widht'"),
    ]:
        with pytest.raises(ValueError, match=reason):
            check_learner(f"alphazero,{options}", 4)
    _, agent = trio(tmp_path)
    path = agent.save("four")
    with pytest.raises(RegistryError, match="is for 4x4 boards, this game is 6x6"):
        make(f"trained:{path}", 6)
    glue, _ = trio(tmp_path, width="16")
    assert "other options" in glue.RL_agent_message("load four")
    assert "holds another network" in glue.RL_agent_message("load_policy four")


@pytest.mark.parametrize(
    "name", ["memory.policies", "memory.own", "adam.exp_avg", "weights", "network.first.bias"]
)
def test_damaged_checkpoints_are_refused(tmp_path: Path, name: str) -> None:
    glue, agent = trio(tmp_path)
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    arrays = {key: array for key, array in stored.arrays.items() if key != name}
    before = agent.save("before").read_bytes()
    checkpoint.save(tmp_path / "one.safetensors", stored.kind, arrays, stored.values)
    assert f"lacks array '{name}'" in glue.RL_agent_message("load one")
    arrays[name] = stored.arrays[name][..., :-1]
    checkpoint.save(tmp_path / "one.safetensors", stored.kind, arrays, stored.values)
    assert "has another array" in glue.RL_agent_message("load one")
    assert agent.save("after").read_bytes() == before
