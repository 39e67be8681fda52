"""PPO as a learner: it learns to win by its own decisions, tells how likely moves are, and judges."""

from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.ppo.learner import policies_of
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Game
from othello_lab.game.batch.positions import Positions
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import make
from tests.agent.learners import PPO
from tests.agent.parts import for_selfplay, play, selfplay, trio


def test_it_learns_to_beat_random_within_seconds(tmp_path: Path) -> None:
    agent = for_selfplay(PPO, tmp_path, learning_rate="0.003", batch="256")
    with Pool() as pool:
        rounds = selfplay(agent, pool, "random=0.9", random_opening=4)
        for done in range(0, 6000, 300):
            told = rounds.play(done, 300)
    won, drawn, lost = np.sum([told.results["random", colour] for colour in ("black", "white")], axis=0)
    assert (won + drawn / 2) / (won + drawn + lost) > 0.75


def test_it_plays_the_move_that_it_finds_most_likely_and_says_how_likely(tmp_path: Path) -> None:
    glue, agent = trio(PPO, tmp_path)
    play(glue, 60)
    player, game = make(f"trained:{agent.save_policy('net')}", 4), Game(Board.start(4).play(1))
    rng = np.random.default_rng(1)
    told = player.values(game, rng)
    assert told is not None
    assert told.unit == "probability in the policy"
    assert told.values.sum() == pytest.approx(1)
    assert player.choose(game, rng) == [*game.board.legal_moves][told.values.argmax()]


def test_its_network_judges_positions_and_guides_a_search(tmp_path: Path) -> None:
    glue, agent = trio(PPO, tmp_path)
    play(glue, 60)
    path, board = agent.save_policy("net"), Board.start(4).play(1)
    assert 0 < abs(make_evaluator(f"trained:{path}", 4).values(Positions.of([board]))[0]) < 1
    guided, alone = (make(f"mcts:simulations={n},eval=trained:{path}", 4) for n in (4, 0))
    assert guided.choose(Game(board), np.random.default_rng(1)) in board.legal_moves
    shares = policies_of(agent.learner._guide, Positions.of([board]))
    assert alone.choose(Game(board), np.random.default_rng(1)) == shares.argmax()


def test_only_what_its_own_policy_has_drawn_is_learned_from(tmp_path: Path) -> None:
    glue, agent = trio(PPO, tmp_path, opponent="self")
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
    _, agent = trio(PPO, opponent="self")
    assert agent.epsilon == 0
    glue, _ = trio(PPO, opponent="self")
    assert len(set(play(glue, 20))) > 10


@pytest.mark.parametrize(
    ("name", "value"), [("moves", 16), ("moves", 0), ("ahead", 1000), ("ahead", -1), ("results", 2)]
)
def test_decisions_of_no_game_are_refused(tmp_path: Path, name: str, value: int) -> None:
    glue, agent = trio(PPO, tmp_path, opponent="self")
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    before = agent.save("before").read_bytes()
    stored.arrays[f"memory.{name}"][0] = value
    checkpoint.save(tmp_path / "one.safetensors", stored.kind, stored.arrays, stored.values)
    assert "holds decisions that are those of no game" in glue.RL_agent_message("load one")
    assert agent.save("after").read_bytes() == before
