"""DQN from many games at once: learning, teachers, and going on over RL-Glue."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.agent.checkpoint import load
from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.dqn.learner import DQNLearner
from othello_lab.agent.dqn.method import configure
from othello_lab.agent.learner import Seeds
from othello_lab.agent.policy import move_values
from othello_lab.agent.selfplay.pool import NONE
from othello_lab.agent.selfplay.training import check_batches, for_batches
from othello_lab.agent.ship import ship
from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Game
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions, repeated
from othello_lab.game.evaluators import Evaluator, make_evaluator
from othello_lab.game.players import make
from othello_lab.game.registry import parse
from tests.agent.learners import DQN_SELFPLAY
from tests.agent.parts import for_selfplay, play, played_by, seated, selfplay

START = repeated(Board.start(4), 1)


def config(**options: str) -> DQNConfig:
    return configure(parse(DQN_SELFPLAY).options | options, 4, 500)


def learner(seed: int = 0, **options: str) -> DQNLearner:
    seeds = Seeds(np.random.SeedSequence(seed), np.random.SeedSequence(seed + 1))
    return DQNLearner(config(**options), 4, seeds)


class Discs(Evaluator):
    """The share of the discs that the side to move is ahead by."""

    def values(self, positions: Positions) -> np.ndarray:
        own, theirs = (to_mask(side, 4).sum(axis=1) for side in (positions.own, positions.opponent))
        found: np.ndarray = (own - theirs) / 16
        return found


def test_it_learns_who_wins_from_the_games() -> None:
    """The last move of a game is worth the result, whatever the network took it for."""
    made = learner(rate_games="0")
    played = played_by(made, games=200)
    last = np.flatnonzero(played.following < 0)
    ends = replace(played, positions=played.positions.take(last), moves=played.moves[last])

    def error() -> float:
        legal = to_mask(legal_moves(ends.positions), 4)
        found = np.zeros(legal.shape)
        found[legal] = made.move_values(ends.positions)
        return float(np.abs(found[np.arange(len(last)), ends.moves] - played.results[last]).mean())

    before = error()
    for _ in range(20):
        made.learn(played)
    assert error() < before * 0.6


def test_a_teacher_says_what_moves_are_worth() -> None:
    made = learner(teacher="positional", rate_games="0")
    played = played_by(made)
    wanted = move_values(played.positions, make_evaluator("positional", 4))

    def error() -> float:
        return float(np.square(made.move_values(played.positions) - wanted).mean())

    before = error()
    for _ in range(10):
        made.learn(played)
    assert error() < before / 4
    with pytest.raises(ValueError, match="no evaluator 'positionel'"):
        learner(teacher="positionel")


def test_the_learning_rate_falls_to_nothing_over_the_run() -> None:
    made = learner(rate_games="128")
    played = played_by(made)
    for wanted in (0.01, 0.005, 0.0, 0.0):
        made.learn(played)
        assert made.q.optimiser.param_groups[0]["lr"] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.parametrize(
    ("text", "option"), [("dqn,hidden=8", "rate_games"), ("ntuple,step=falling", "games")]
)
def test_what_falls_over_a_run_falls_to_its_new_end_where_it_goes_on(
    tmp_path: Path, text: str, option: str
) -> None:
    few = f"--learner {text} --size 4 --games-at-once 20 --eval-every 0 --final-games 0"
    for line in (f"--games 40 --name one {few}", "--games 60 --resume one"):
        done = CliRunner().invoke(cli, ["selfplay", *line.split(), "--runs-dir", str(tmp_path)])
        assert done.exit_code == 0, done.output
    saved = [
        load(tmp_path / "one" / "checkpoints" / f"episode-000000{games}.safetensors") for games in (40, 60)
    ]
    assert [stored.values["config"][option] for stored in saved] == [40, 60]


def test_what_selfplay_has_learned_goes_on_over_rlglue(tmp_path: Path) -> None:
    agent = for_selfplay(DQN_SELFPLAY, tmp_path)
    selfplay(agent, Pool(), NONE, random_opening=10).play(0, 50)
    updates = agent.stats()["updates"]
    agent.save("batches")
    again = for_selfplay(DQN_SELFPLAY, tmp_path)
    again.load("batches")
    play(seated(again, OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", seed=3))), 5)
    assert again.games == 55
    assert again.learner.q.optimiser.param_groups[0]["lr"] == 0.01
    assert again.stats()["updates"] > updates
    assert again.stats()["replay"] > 0


def test_many_games_at_once_begin_with_a_preset_of_their_own() -> None:
    assert for_batches("dqn") == "dqn,preset=selfplay"
    assert for_batches("dqn:lam=0.5") == "dqn:lam=0.5,preset=selfplay"
    assert for_batches("dqn,preset=report") == "dqn,preset=report"
    assert for_batches("ntuple") == "ntuple"


@pytest.mark.parametrize(("options", "frames"), [("frames=2", 2), ("preset=classic", 9)])
def test_selfplay_refuses_stacks_of_frames(options: str, frames: int) -> None:
    with pytest.raises(ValueError, match=f"frames is {frames}, expected 1"):
        check_batches(for_batches(f"dqn,{options}"), 4)


def test_selfplay_refuses_options_that_it_does_not_use() -> None:
    with pytest.raises(ValueError, match="does not use n_step, replay of dqn"):
        check_batches(for_batches("dqn,replay=9,n_step=5,lam=0.5"), 4)


def test_what_ships_is_a_policy_in_halves(tmp_path: Path) -> None:
    policy = for_selfplay(DQN_SELFPLAY, tmp_path, teacher="positional").save_policy("policy")
    stored = load(ship(policy, "how", tmp_path / "out"))
    assert stored.path == tmp_path / "out" / "dqn" / "pretrained" / "4x4.safetensors"
    assert (stored.values["recipe"], stored.values["config"]["teacher"]) == ("how", "none")
    assert all(array.dtype == np.float16 for array in stored.arrays.values())
    legal = Board.start(4).legal_moves
    assert make(f"dqn:{stored.path}", 4).choose(Game(Board.start(4)), np.random.default_rng(0)) in legal
    again = for_selfplay(DQN_SELFPLAY, stored.path.parent)
    again.load_policy("4x4")
    wanted = for_selfplay(DQN_SELFPLAY, tmp_path).learner.move_values(START)
    assert np.allclose(again.learner.move_values(START), wanted, atol=0.01)
