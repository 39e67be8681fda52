"""Rules that Othello sets every agent."""

from collections.abc import Callable
from functools import partial
from typing import Final

import numpy as np

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.environment.testing.positions import legal_of, pass_position
from othello_lab.game.board import Colour
from rlglue.glue import AgentLike, EnvironmentLike, Glue
from rlglue.testing.rules import BrokenRule, Rule
from rlglue.types import Action, Observation, Reward_observation_terminal

SIZES: Final = (8, 4, 16)
"""Boards that every agent is tried on, the first one with all rules: from few numbers to many."""

_EPISODES: Final = 4


def rules(size: int = SIZES[0]) -> tuple[Rule[AgentLike], ...]:
    """The rules for an agent on a board of that size, beside those of RL-Glue."""
    return (
        size_rule(size),
        Rule(
            "Where no square is legal the action is -1 (pass)", "Othello, Action", partial(_check_pass, size)
        ),
        Rule(
            "A start is a new game, also after an episode that was cut off",
            "Othello, RL-Glue semantics",
            partial(_check_games, size, (3, 0, 1, 2, 0)),
        ),
        Rule(
            "Where EXTRA is missing the board size follows from the count of ints",
            "Othello, Task spec",
            partial(_check_without_extra, size),
        ),
    )


def size_rule(size: int) -> Rule[AgentLike]:
    """Legal play on a board of one size, which the agent reads from the task specification."""
    return Rule(
        f"An action is one int, a legal square, or -1 where there is none: {size}x{size}",
        "Othello, Action",
        partial(_check_games, size, (0,) * _EPISODES),
    )


class Referee:
    """An environment that raises BrokenRule as soon as an action is not exactly one legal int."""

    def __init__(self, environment: EnvironmentLike) -> None:
        self.environment = environment
        self._legal: list[int] = []
        self.env_init: Callable[[], str] = environment.env_init
        self.env_message, self.env_cleanup = environment.env_message, environment.env_cleanup

    def env_start(self) -> Observation:
        """Start, and note which moves are legal."""
        seen = self.environment.env_start()
        self._legal = legal_of(seen)
        return seen

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Judge the action, then pass it on."""
        moves = np.asarray(action.intArray).tolist()
        if len(moves) != 1:
            raise BrokenRule(f"the action has {len(moves)} ints, {moves[:5]}; expected one")
        if moves[0] not in self._legal:
            raise BrokenRule(f"the action is {moves[0]}; expected one of {self._legal}")
        step = self.environment.env_step(action)
        self._legal = legal_of(step.o)
        return step


def environment_of(size: int) -> OthelloEnvironment:
    """The environment that agents are tried in: a fixed opponent, colours in turn."""
    return OthelloEnvironment(EnvironmentConfig(size=size, first="alternate"))


def _check_games(size: int, limits: tuple[int, ...], agent: AgentLike) -> None:
    _play(agent, Referee(environment_of(size)), limits)


def _check_without_extra(size: int, agent: AgentLike) -> None:
    environment = Referee(environment_of(size))
    task = environment.env_init().partition(" EXTRA")[0]
    environment.env_init = lambda: task
    _play(agent, environment, (0,))


def _check_pass(size: int, agent: AgentLike) -> None:
    environment = environment_of(size)
    board = pass_position(size)
    environment.settings.set_start(str(board))
    environment.settings.first = "agent" if board.turn is Colour.BLACK else "opponent"
    _play(agent, Referee(environment), (1, 0))


def _play(agent: AgentLike, environment: EnvironmentLike, limits: tuple[int, ...]) -> None:
    """A run of episodes, each with a limit of actions, 0 for none."""
    glue = Glue(agent, environment)
    glue.RL_init()
    for limit in limits:
        glue.RL_episode(limit)
    glue.RL_cleanup()
