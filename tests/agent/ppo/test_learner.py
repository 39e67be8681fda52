"""PPO as a learner: self-play and single games, saved and resumed to the byte, in every seat."""

import json
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.make import check_learner
from othello_lab.agent.ppo.policy import policies_of
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Game
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import RegistryError, make
from tests.agent.parts import games_of_policy, play
from tests.agent.ppo.parts import selfplay, trio


@pytest.mark.parametrize("opponent", ["self", "random"])
def test_single_games_go_on_from_a_checkpoint_to_the_byte(tmp_path: Path, opponent: str) -> None:
    (glue, agent), (again, other) = trio(tmp_path, 1, opponent), trio(tmp_path, 9, opponent)
    play(glue, 23)
    assert 0 < agent.learner.numbers["waiting"] < 100
    agent.save("middle")
    rest = play(glue, 30)
    again.RL_env_message("episode 23")
    assert again.RL_agent_message("load middle").startswith("message understood")
    assert play(again, 30) == rest
    assert agent.learner.numbers["updates"] > 0
    assert other.stats() == agent.stats()
    assert other.save("b").read_bytes() == agent.save("a").read_bytes()


def test_it_learns_to_beat_random_within_seconds(tmp_path: Path) -> None:
    _, agent = trio(tmp_path, learning_rate="0.003", batch="256")
    with Pool() as pool:
        rounds = selfplay(agent, pool, "random=0.9")
        for done in range(0, 6000, 300):
            told = rounds.play(done, 300)
    won, drawn, lost = np.sum([told.results["random", colour] for colour in ("black", "white")], axis=0)
    assert (won + drawn / 2) / (won + drawn + lost) > 0.75


def test_it_learns_from_single_games_and_plays_the_same_in_every_seat(tmp_path: Path) -> None:
    glue, agent = trio(tmp_path, opponent="random")
    play(glue, 60)
    assert json.loads(glue.RL_agent_message("stats"))["updates"] > 0
    path = agent.save_policy("net")
    for message in ("freeze learning", "freeze exploring", "load_policy net"):
        assert glue.RL_agent_message(message).startswith("message understood")
    glue.RL_env_message("episode 5000")
    assert games_of_policy(path) == play(glue, 100)


def test_it_plays_the_move_that_it_finds_most_likely_and_says_how_likely(tmp_path: Path) -> None:
    glue, agent = trio(tmp_path, opponent="random")
    play(glue, 60)
    player, game = make(f"trained:{agent.save_policy('net')}", 4), Game(Board.start(4).play(1))
    rng = np.random.default_rng(1)
    told = player.values(game, rng)
    assert told is not None
    assert told.unit == "probability in the policy"
    assert told.values.sum() == pytest.approx(1)
    assert player.choose(game, rng) == [*game.board.legal_moves][told.values.argmax()]


def test_its_network_judges_positions_and_guides_a_search(tmp_path: Path) -> None:
    glue, agent = trio(tmp_path, opponent="random")
    play(glue, 60)
    path, board = agent.save_policy("net"), Board.start(4).play(1)
    assert 0 < abs(make_evaluator(f"trained:{path}", 4).values(Positions.of([board]))[0]) < 1
    guided, alone = (make(f"mcts:simulations={n},eval=trained:{path}", 4) for n in (4, 0))
    assert guided.choose(Game(board), np.random.default_rng(1)) in board.legal_moves
    shares = policies_of(agent.learner._guide, Positions.of([board]))
    assert alone.choose(Game(board), np.random.default_rng(1)) == shares.argmax()


def test_only_what_its_own_policy_has_drawn_is_learned_from(tmp_path: Path) -> None:
    glue, agent = trio(tmp_path)
    glue.RL_episode(3)
    assert agent.learner.numbers["waiting"] == 0, "a game that was cut off"
    play(glue, 1)
    waiting = agent.learner.numbers["waiting"]
    assert 4 < waiting <= 12, "the decisions of one game"
    glue.RL_agent_message("freeze exploring")
    play(glue, 1)
    assert agent.learner.numbers["waiting"] == waiting, "a game without chance"
    agent.save_policy("net")
    glue.RL_agent_message("load_policy net")
    assert agent.learner.numbers["waiting"] == 0, "another policy from here on"


def test_it_explores_by_its_policy_alone() -> None:
    _, agent = trio()
    assert agent.epsilon == 0
    glue, _ = trio()
    assert len(set(play(glue, 20))) > 10


def test_wrong_options_and_files_are_refused(tmp_path: Path) -> None:
    for options, reason in [
        ("width=0", "width is 0, expected 1 or more"),
        ("clip=0", "clip is 0.0, expected a number above 0"),
        ("lam=2", "lam is 2.0, expected 0 to 1"),
        ("horizont=4", "ppo has no option 'horizont'"),
    ]:
        with pytest.raises(ValueError, match=reason):
            check_learner(f"ppo,{options}", 4)
    _, agent = trio(tmp_path)
    path = agent.save("four")
    with pytest.raises(RegistryError, match="is for 4x4 boards, this game is 6x6"):
        make(f"trained:{path}", 6)
    glue, _ = trio(tmp_path, width="16")
    assert "other options" in glue.RL_agent_message("load four")
    assert "holds another network" in glue.RL_agent_message("load_policy four")


@pytest.mark.parametrize(
    ("name", "value"), [("moves", 16), ("moves", 0), ("ahead", 1000), ("ahead", -1), ("results", 2)]
)
def test_decisions_of_no_game_are_refused(tmp_path: Path, name: str, value: int) -> None:
    glue, agent = trio(tmp_path)
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    before = agent.save("before").read_bytes()
    stored.arrays[f"memory.{name}"][0] = value
    checkpoint.save(tmp_path / "one.safetensors", stored.kind, stored.arrays, stored.values)
    assert "holds decisions that are those of no game" in glue.RL_agent_message("load one")
    assert agent.save("after").read_bytes() == before


@pytest.mark.parametrize("name", ["memory.moves", "memory.own", "adam.exp_avg", "weights"])
def test_damaged_checkpoints_are_refused(tmp_path: Path, name: str) -> None:
    glue, agent = trio(tmp_path)
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    arrays = {key: array for key, array in stored.arrays.items() if key != name}
    checkpoint.save(tmp_path / "one.safetensors", stored.kind, arrays, stored.values)
    assert f"lacks array '{name}'" in glue.RL_agent_message("load one")
    arrays[name] = stored.arrays[name][..., :-1]
    checkpoint.save(tmp_path / "one.safetensors", stored.kind, arrays, stored.values)
    assert "has another array" in glue.RL_agent_message("load one")
