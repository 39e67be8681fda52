"""Checks of Othello for agents and environments, in addition to the checks of `rlglue.testing.rules`."""

import json
from collections.abc import Callable, Iterator
from typing import Final, NamedTuple

import numpy as np

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game import observation
from othello_lab.game.board import Board, Colour
from othello_lab.game.notation import PASS
from rlglue.glue import AgentLike, EnvironmentLike
from rlglue.taskspec import TaskSpec
from rlglue.testing import rules
from rlglue.testing.rules import BrokenRule, Check, demand, in_run, run_episodes
from rlglue.types import Action, Observation, Reward_observation_terminal

_EPISODES: Final = 4


def action_of(*moves: int) -> Action:
    """Return an action with these ints. A legal action has exactly one int."""
    action = Action()
    action.intArray = list(moves)
    return action


def board_of(state: Observation) -> Board:
    """Return the position in an observation, with the agent as black. Raises BrokenRule if malformed."""
    try:
        return Board(*observation.sides(state.intArray), Colour.BLACK)
    except ValueError as error:
        raise BrokenRule(f"an observation is no position: {error}") from None


# Agents


class Referee(OthelloEnvironment):
    """An environment that raises BrokenRule if an action is not exactly one legal int."""

    def __init__(self, size: int) -> None:
        super().__init__(EnvironmentConfig(size=size, first="alternate"))

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Check the action, then play the move."""
        moves, legal = np.asarray(action.intArray).tolist(), list(self.game.board.legal_moves) or [PASS]
        demand(len(moves) == 1, f"the action has {len(moves)} ints, {moves[:5]}; expected one")
        demand(moves[0] in legal, f"the action is {moves[0]}; expected one of {legal}")
        return super().env_step(action)


class _WithoutExtra(Referee):
    def env_init(self) -> str:
        return super().env_init().partition(" EXTRA")[0]


def check_legal(agent: AgentLike, referee: Referee) -> None:
    """An action is one int, a legal square, or -1 where there is none (Othello, Action)."""
    run_episodes(agent, referee, (0,) * _EPISODES)


def check_pass(agent: AgentLike, referee: Referee) -> None:
    """Where no square is legal the action is -1 (Othello, Action)."""
    size = referee.config.size
    referee = Referee(size)
    referee.settings.set_start(f"OX{'-' * (size * size - 2)} X")
    referee.settings.first = "agent"
    run_episodes(agent, referee, (1, 0))


def check_without_extra(agent: AgentLike, referee: Referee) -> None:
    """Where EXTRA is missing the board size follows from the count of ints (Othello, Task spec)."""
    run_episodes(agent, _WithoutExtra(referee.config.size), (0,))


# The checks of an agent: findings(AGENT_CHECKS, MyAgent(), Referee(8)).
AGENT_CHECKS: Final[tuple[Check, ...]] = (check_legal, check_pass, check_without_extra, *rules.AGENT_CHECKS)


# Environments with a built-in opponent. The task specification gives the rewards.


class _Step(NamedTuple):
    before: Board
    move: int
    after: Board
    result: Reward_observation_terminal


def _episodes(environment: EnvironmentLike) -> Iterator[_Step]:
    rng = np.random.default_rng(0)
    for _ in range(_EPISODES):
        yield from _episode(environment, lambda legal: int(rng.choice(legal)))


def _episode(environment: EnvironmentLike, choose: Callable[[list[int]], int]) -> Iterator[_Step]:
    before = board_of(environment.env_start())
    for _ in range(8 * before.size**2):
        move = choose(list(before.legal_moves) or [PASS])
        result = environment.env_step(action_of(move))
        after = board_of(result.o)
        yield _Step(before, move, after, result)
        if result.terminal or after.is_over:
            return
        before = after
    demand(False, "an episode went on after more moves than there are squares")


@in_run
def check_task(environment: EnvironmentLike, task: TaskSpec) -> None:
    """EXTRA begins with othello and names the size; 4*N*N ints are observed (Othello, Task spec)."""
    size = task.extra_values().get("size", "")
    demand(task.extra.startswith("othello ") and size.isdigit(), f"EXTRA is {task.extra[:60]!r}")
    ints, last = task.observations.int_count, int(size) ** 2 - 1
    demand(ints == 4 * int(size) ** 2, f"{ints} ints are announced for size={size}")
    actions = [(item.low, item.high, item.count) for item in task.actions.ints]
    demand(actions == [(-1, last, 1)], f"ACTIONS is {task.actions}; expected INTS (-1 {last})")


@in_run
def check_planes(environment: EnvironmentLike, task: TaskSpec) -> None:
    """The planes are 0 or 1: own discs, opponent's, own moves, opponent's (Othello, Observation)."""
    for _ in range(_EPISODES):
        _check_observation(environment.env_start(), "at a start")
    for count, step in enumerate(_episodes(environment), start=1):
        _check_observation(step.result.o, f"after step {count}")


def _check_observation(state: Observation, when: str) -> None:
    board = board_of(state)
    demand(not board.own & board.opponent, f"{when} a square holds two discs")
    planes = np.asarray(state.intArray).reshape(4, -1)
    expected = observation.encode(board, board.turn).reshape(4, -1)
    for name, plane, right in zip(observation.PLANES, planes, expected, strict=True):
        wrong = np.flatnonzero(plane != right)[:5].tolist()
        demand(not wrong, f"{when} the plane {name} is {plane[wrong].tolist()} on the squares {wrong}")


@in_run
def check_steps(environment: EnvironmentLike, task: TaskSpec) -> None:
    """A step is the agent's move, then the opponent's move or pass (Othello, One step)."""
    for step in _episodes(environment):
        possible = [(board.black, board.white) for board in _replies(step.before.play(step.move))]
        position = step.after.black, step.after.white  # in board_of the agent is black
        what = f"move {step.move} brought a position that no move of the opponent leads to"
        demand(position in possible, what)


def _replies(board: Board) -> list[Board]:
    """Return the positions after each move or the pass of the opponent."""
    if board.is_over:
        return [board]
    return [board.play(move) for move in board.legal_moves] or [board.play(PASS)]


@in_run
def check_end(environment: EnvironmentLike, task: TaskSpec) -> None:
    """An episode ends when neither side can move, and only then (Othello, One step)."""
    for step in _episodes(environment):
        over, terminal = step.after.is_over, bool(step.result.terminal)
        demand(terminal or not over, "neither side can move and the step was not terminal")
        demand(over or not terminal, "a step was terminal while a side could move")


@in_run
def check_rewards(environment: EnvironmentLike, task: TaskSpec) -> None:
    """The reward is 0 until the end, then win, draw or loss as EXTRA says (Othello, Reward)."""
    for step in _episodes(environment):
        expected = _final_reward(step.after, task) if step.result.terminal else 0.0
        own, opponent = step.after.counts()
        what = f"with {own} discs to {opponent}, terminal {step.result.terminal}, the reward was"
        demand(float(step.result.r) == expected, f"{what} {step.result.r}; expected {expected}")


def _final_reward(board: Board, task: TaskSpec) -> float:
    own, opponent = board.counts()
    if task.extra_values().get("reward") == "discs":
        return float(own - opponent)
    return _reward_of("win" if own > opponent else "loss" if own < opponent else "draw", task)


def _reward_of(result: str, task: TaskSpec) -> float:
    defaults = dict(zip(("win", "draw", "loss"), EnvironmentConfig().rewards, strict=True))
    value = task.extra_values().get(result, defaults[result])
    try:
        return float(value)
    except ValueError:
        raise BrokenRule(f"EXTRA has {result}={value}; expected a number") from None


@in_run
def check_after_end(environment: EnvironmentLike, task: TaskSpec) -> None:
    """A step after the end answers the same position, terminal, 0 (Othello, Action)."""
    *_, last = _episode(environment, lambda legal: legal[-1])
    again = environment.env_step(action_of(PASS))
    demand(bool(again.terminal), "the step was not terminal")
    demand(float(again.r) == 0.0, f"the reward was {again.r}")
    demand(again.o.sameAs(last.result.o), "the position changed")


@in_run
def check_illegal(environment: EnvironmentLike, task: TaskSpec) -> None:
    """An illegal action forfeits: terminal, loss, same position; or EXTRA says ignored (Othello, Action)."""
    ignored = task.extra_values().get("illegal") == "ignored"
    terminal, reward = (False, 0.0) if ignored else (True, _reward_of("loss", task))
    for index in range(6):
        state = environment.env_start()
        moves = _illegal_actions(state)[index]
        result = environment.env_step(action_of(*moves))
        what = f"the action {list(moves)} was answered with"
        demand(bool(result.terminal) == terminal, f"{what} terminal {result.terminal}")
        demand(float(result.r) == reward, f"{what} the reward {result.r}; expected {reward}")
        demand(board_of(result.o) == board_of(state), f"{what} another position")


def _illegal_actions(state: Observation) -> list[tuple[int, ...]]:
    """Return six illegal actions: a pass, an occupied square, two numbers off the board, 0 ints, 2 ints."""
    board = board_of(state)
    occupied = (board.black | board.white).bit_length() - 1
    no_pass = PASS if board.legal_moves else occupied
    return [(no_pass,), (occupied,), (board.size**2,), (-2,), (), (occupied, occupied)]


@in_run
def check_stats(environment: EnvironmentLike, task: TaskSpec) -> None:
    """The message stats counts illegal actions, as JSON with illegal (Othello, Action)."""
    for expected in (0, 1):
        environment.env_start()
        for _ in range(expected):
            environment.env_step(action_of(-2))
        answer = environment.env_message("stats") or ""
        try:
            stats = json.loads(answer)
        except ValueError:
            stats = None
        is_right = isinstance(stats, dict) and stats.get("illegal") == expected
        demand(is_right, f"after {expected} illegal actions the answer was {answer[:200]!r}")


@in_run
def check_seeds(environment: EnvironmentLike, task: TaskSpec) -> None:
    """seed N and episode K: the same actions bring the same episode (Othello, Randomness)."""
    episodes = []
    for _ in range(2):
        for message in ("seed 7", "episode 3"):
            answer = environment.env_message(message) or ""
            demand(not answer.startswith("error"), f"{message!r} was answered with {answer[:80]!r}")
        episodes.append([step.after for step in _episode(environment, lambda legal: legal[0])])
        list(_episode(environment, lambda legal: legal[-1]))  # this episode must have no side effect
    demand(episodes[0] == episodes[1], "the two episodes differ")


@in_run
def check_unknown(environment: EnvironmentLike, task: TaskSpec) -> None:
    """A message that is not understood is answered with error: ... (Othello, Messages)."""
    answer = environment.env_message("no such message") or ""
    demand(answer.startswith("error:"), f"the answer was {answer[:80]!r}")


# The checks of an environment: findings((*rules.ENVIRONMENT_CHECKS, *OTHELLO_CHECKS), MyEnvironment()).
OTHELLO_CHECKS: Final[tuple[Check, ...]] = (
    *(check_task, check_planes, check_steps, check_end, check_rewards, check_after_end, check_illegal),
    *(check_stats, check_seeds, check_unknown),
)
