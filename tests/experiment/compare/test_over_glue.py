import json
from collections.abc import Iterator

import numpy as np
import pytest

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.compare.evaluate import OverGlue, othello_task
from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.run.control import ControlError
from othello_lab.experiment.workers.interrupts import Stopped
from othello_lab.game import Game
from othello_lab.game.openings import standard_openings
from othello_lab.game.play import Pairing, Played
from othello_lab.game.players.player import Player
from rlglue.agent.Agent import Agent
from rlglue.environment.Environment import Environment
from rlglue.glue import Glue
from rlglue.types import Action, Observation


class LastSquare(Agent):
    """Takes the last legal square. The class has the import paths of rlglue-py3."""

    def __init__(self) -> None:
        self.heard: list[str] = []
        self.illegal_from = 10**6
        self.starts = 0

    def agent_start(self, observation: Observation) -> Action:
        self.starts += 1
        squares = len(observation.intArray) // 4
        legal = np.flatnonzero(observation.intArray[2 * squares : 3 * squares])
        action = Action()
        action.intArray = [int(legal[-1]) if len(legal) else -1]
        if self.starts > self.illegal_from:
            action.intArray = [0, 0]
        return action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        self.starts -= 1
        return self.agent_start(observation)

    def agent_message(self, message: str) -> str:
        self.heard.append(message)
        return ""


class LastSquarePlayer(Player):
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return max(game.board.legal_moves)


def against(opponent: str) -> Summary:
    return Summary(Pairing("last", opponent, 6, standard_openings(6, 7), 1, 3), "last", opponent)


def over_glue(
    agent: Agent, summary: Summary, environment: OthelloEnvironment | None = None
) -> tuple[Summary, Iterator[Played]]:
    glue = Glue(agent, environment or OthelloEnvironment(EnvironmentConfig(size=6)))
    return summary, OverGlue(glue, othello_task(glue)[0]).play(summary)


def result(summary: Summary, games: Iterator[Played]) -> object:
    for game in games:
        summary.add(game)
    return json.dumps(summary.as_json(), sort_keys=True)


def test_games_do_not_depend_on_other_opponents() -> None:
    glue = Glue(LastSquare(), OthelloEnvironment(EnvironmentConfig(size=6)))
    judge = OverGlue(glue, othello_task(glue)[0])
    _, second = (list(judge.play(against(name))) for name in ("greedy", "random"))
    _, alone = over_glue(LastSquare(), against("random"))
    assert [game.record.game.moves for game in alone] == [game.record.game.moves for game in second]


def test_the_agent_is_frozen_and_what_it_does_not_understand_is_noted() -> None:
    agent = LastSquare()
    summary, games = over_glue(agent, against("random"))
    list(games)
    assert summary.notes == ("learning could not be frozen", "exploration could not be frozen")
    assert {"freeze learning", "freeze exploring", "unfreeze learning"} <= {*agent.heard}


def test_the_environment_is_left_as_it_was() -> None:
    environment = OthelloEnvironment(EnvironmentConfig(size=6, opponent="greedy", first="alternate", seed=9))
    _, games = over_glue(LastSquare(), against("random"), environment)
    list(games)
    stats = environment.stats()
    before = {"opponent": "greedy", "first": "alternate", "start": "standard", "seed": 9}
    assert before.items() <= stats.items()


def test_an_illegal_action_is_a_forfeit() -> None:
    agent = LastSquare()
    agent.illegal_from = 4
    summary, games = over_glue(agent, against("random"))
    result(summary, games)
    assert summary.forfeits["a"].total() == 10
    assert summary.total.loss >= 10
    assert len(summary.disc_diffs) == 4


class Stumbling(LastSquare):
    stumbled = False

    def agent_start(self, observation: Observation) -> Action:
        action, self.stumbled = super().agent_start(observation), not self.stumbled
        if self.stumbled:
            action.intArray = [0, 0]
        return action


def test_an_illegal_action_that_the_environment_ignores_is_no_forfeit() -> None:
    environment = OthelloEnvironment(EnvironmentConfig(size=6, illegal_action="ignored"))
    summary, games = over_glue(Stumbling(), against("greedy"), environment)
    stumbled = result(summary, games)
    assert environment.illegal_total > 100
    assert not summary.forfeits["a"]
    assert stumbled == result(*over_glue(LastSquare(), against("greedy")))


def test_an_opponent_that_the_environment_does_not_take_is_named() -> None:
    _, games = over_glue(LastSquare(), against("engine:cat"))
    with pytest.raises(ControlError, match=r"engine:cat.*--allow-opponent"):
        list(games)


class Elsewhere(Environment):
    def env_init(self) -> str:
        return "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 1 OBSERVATIONS INTS (0 1)"


class Silent(OthelloEnvironment):
    def env_message(self, message: str) -> str:
        return "" if message == "transcript" else super().env_message(message)


def test_a_task_that_is_no_othello_is_refused() -> None:
    with pytest.raises(ControlError, match="the environment's task is no Othello"):
        othello_task(Glue(LastSquare(), Elsewhere()))


def test_an_environment_that_tells_no_transcript_is_found_out() -> None:
    _, games = over_glue(LastSquare(), against("random"), Silent(EnvironmentConfig(size=6)))
    with pytest.raises(ControlError, match="expected the same"):
        list(games)


def test_it_stops_between_two_games() -> None:
    glue = Glue(LastSquare(), OthelloEnvironment(EnvironmentConfig(size=6)))
    asked: list[bool] = []
    judge = OverGlue(glue, othello_task(glue)[0], lambda: len(asked) == 3)
    games = judge.play(against("random"))
    asked += [bool(next(games)) for _ in range(3)]
    with pytest.raises(Stopped):
        next(games)
    assert len(asked) == 3
