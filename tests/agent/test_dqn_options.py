"""The options of a deep Q-network, and the networks that ship."""

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.dqn.method import DQN, classic, configure
from othello_lab.agent.options import Schedule
from othello_lab.agent.trained import shipped
from othello_lab.game import Board, Colour, Game
from othello_lab.game.decisions import every_game
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.players import RegistryError, make


def test_epsilon_falls_linearly_between_its_steps() -> None:
    schedule = Schedule(
        epsilon_schedule="linear", epsilon_start=1.0, epsilon_end=0.0, epsilon_from=100, epsilon_steps=200
    )
    assert [schedule.epsilon(step) for step in (0, 100, 200, 300, 999)] == [1.0, 1.0, 0.5, 0.0, 0.0]


def test_classic_has_the_sizes_of_2017() -> None:
    config = classic(8)
    assert config.hidden == (2304,) * 9
    assert (config.replay, config.warm_up, config.batch, config.target_every) == (20_000, 5_000, 128, 10_000)
    schedule = DQN.schedule(config)
    assert [schedule.epsilon(step) for step in (5_000, 20_000)] == pytest.approx([1.0, 0.001])


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ({"preset": "fancy"}, "there are: default, classic, report"),
        ({"depth": "3"}, "no option 'depth'"),
        ({"batch": "many"}, "batch=many is no int"),
        ({"double": "perhaps"}, "double=perhaps is no bool"),
        ({"loss": "l1"}, "expected huber or mse"),
        ({"optimiser": "lion"}, "expected adam"),
        ({"replay": "10"}, "larger than 1000: warm_up"),
        ({"gamma": "2"}, "gamma is 2.0, expected 0 to 1"),
        ({"warm_up": "-5"}, "warm_up is -5, expected 0 or more"),
        ({"learning_rate": "inf"}, "expected a number above 0"),
        ({"network": "lstm"}, "expected mlp or conv"),
    ],
)
def test_wrong_options_are_refused(options: dict[str, str], complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        configure(options, 8)


def test_options_are_read_by_their_types() -> None:
    config = configure({"preset": "classic", "hidden": "8,8", "gamma": "none", "double": "true"}, 4)
    assert (config.hidden, config.gamma, config.double, config.frames) == ((8, 8), None, True, 9)


def test_epsilon_falls_by_the_same_factor_at_every_step() -> None:
    schedule = Schedule(
        epsilon_schedule="exponential",
        epsilon_start=1.0,
        epsilon_end=0.01,
        epsilon_from=100,
        epsilon_steps=200,
    )
    assert [schedule.epsilon(step) for step in (0, 200, 300, 999)] == pytest.approx([1.0, 0.1, 0.01, 0.01])


@pytest.mark.parametrize("size", [4, 6, 8])
def test_it_plays_and_values_and_says_how_it_was_made(size: int) -> None:
    path = shipped("dqn", size)
    assert path.stat().st_size < 5e6
    stored = checkpoint.load(path, "dqn")
    assert "othello selfplay --learner dqn" in stored.values["recipe"]
    player, rng, game = make("dqn:pretrained", size), np.random.default_rng(1), Game(Board.start(size))
    while not game.board.is_over:
        if not game.pass_if_forced():
            game.play(player.choose(game, rng))  # which refuses an illegal move
    assert make_evaluator("dqn:pretrained", size)


def test_for_other_boards_it_says_which_there_are() -> None:
    with pytest.raises(
        RegistryError, match="no dqn:pretrained for 10x10 boards; it ships for 4x4 and 6x6 and 8x8"
    ):
        make("dqn:pretrained", 10)


def test_on_4x4_it_wins_as_white_whatever_black_plays() -> None:
    player = make("dqn:pretrained", 4)
    games = every_game(player, Colour.WHITE, np.random.default_rng(0))
    outcomes = [game.board.outcome() for game in games]
    assert len(outcomes) > 10
    assert all(outcome and outcome.winner is Colour.WHITE for outcome in outcomes)
