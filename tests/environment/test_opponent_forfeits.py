import numpy as np
import pytest

from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.environment.testing import action_of
from othello_lab.game import Board, Game
from othello_lab.game.errors import UnplayableError
from othello_lab.game.players.player import Forfeit, Player
from tests.environment.parts import environment, stats


class Quitter(Player):
    def __init__(self, moves: int) -> None:
        self.left = moves

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        if not self.left:
            raise Forfeit("engine died")
        self.left -= 1
        return next(iter(game.board.legal_moves))


class Particular(Quitter):
    """Fails in one position, or in every game that does not begin at the standard start."""

    def __init__(self, refused: Board | None = None) -> None:
        super().__init__(99)
        self.refused = refused

    def start(self, game: Game) -> None:
        standard = Board.start(game.size)
        if game.boards[0] == self.refused or (self.refused is None and game.boards[0] != standard):
            raise UnplayableError("it is set up by moves")


def environment_with(opponent: Player, first: str = "agent") -> OthelloEnvironment:
    env = environment(first=first, reward="3,-0.5,-1")
    env.settings.opponent = opponent
    return env


def test_the_agent_wins_by_forfeit(caplog: pytest.LogCaptureFixture) -> None:
    env = environment_with(Quitter(0))
    env.env_start()
    step = env.env_step(action_of(19))
    assert (step.r, bool(step.terminal)) == (3.0, True)
    assert "the agent wins episode 0 by forfeit: engine died" in caplog.text
    assert stats(env)["opponent_forfeits"] == 1
    env.settings.opponent = Quitter(99)
    env.env_start()
    step = env.env_step(action_of(19))
    assert (step.r, bool(step.terminal)) == (0.0, False)


def test_an_opponent_that_cannot_open_loses_at_the_first_step() -> None:
    env = environment_with(Quitter(0), first="opponent")
    before = env.env_start()
    step = env.env_step(action_of(0))
    assert (step.r, bool(step.terminal)) == (3.0, True)
    assert list(step.o.intArray) == list(before.intArray)
    assert stats(env)["illegal_total"] == 0


def test_a_start_that_an_experiment_names_ends_no_environment(caplog: pytest.LogCaptureFixture) -> None:
    env = environment_with(Particular())
    position = "-" * 27 + "XO------OX" + "-" * 27 + " X"
    assert env.env_message(f"start {position}").startswith("message understood")
    env.env_start()
    step = env.env_step(action_of(next(iter(env.game.board.legal_moves))))
    assert (step.r, bool(step.terminal)) == (3.0, True)
    assert "by forfeit: it is set up by moves" in caplog.text
    env.env_message("start standard")
    env.env_start()
    assert not env.env_step(action_of(19)).terminal


def test_an_opponent_for_no_game_of_this_environment_is_told() -> None:
    env = environment_with(Particular(refused=Board.start(8)))
    env.env_start()
    with pytest.raises(UnplayableError, match="set up by moves"):
        env.env_step(action_of(19))
