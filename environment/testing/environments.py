"""Rules that Othello sets an environment with an opponent of its own.

The rewards are those that the task specification names. Agents that play both sides are another matter.
"""

import json
from collections.abc import Callable, Iterator
from typing import Final

import numpy as np

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.testing.positions import action_of, board_of, legal_of, planes_of
from othello_lab.game.board import Board
from othello_lab.game.notation import PASS
from rlglue.glue import EnvironmentLike
from rlglue.taskspec import TaskSpec
from rlglue.testing.environments import task_of
from rlglue.testing.rules import BrokenRule, Rule, demand
from rlglue.types import Observation, Reward_observation_terminal

_EPISODES: Final = 4
_DEFAULTS: Final = EnvironmentConfig()


_RULES: Final[list[Rule[EnvironmentLike]]] = []
_Check = Callable[[EnvironmentLike, TaskSpec], None]


def rules() -> tuple[Rule[EnvironmentLike], ...]:
    """The rules for an Othello environment, beside those of RL-Glue."""
    return tuple(_RULES)


def is_othello(task_spec: str) -> bool:
    """Whether a task specification says that it is one of Othello."""
    return " EXTRA othello" in task_spec


def _rule(source: str, text: str) -> Callable[[_Check], _Check]:
    """Make a check, of an environment within a run and of its task, one of the rules."""

    def add(check: _Check) -> _Check:
        def run(environment: EnvironmentLike) -> None:
            check(environment, task_of(environment))
            environment.env_cleanup()

        _RULES.append(Rule(text, f"Othello, {source}", run))
        return check

    return add


def _episodes(environment: EnvironmentLike) -> Iterator["_Step"]:
    """The steps of some episodes of random legal moves."""
    rng = np.random.default_rng(0)
    for _ in range(_EPISODES):
        yield from _episode(environment, lambda legal: int(rng.choice(legal)))


class _Step:
    """One step: what was seen before it, the move, and what came of it."""

    def __init__(self, seen: Observation, move: int, result: Reward_observation_terminal) -> None:
        self.before, self.move, self.after = board_of(seen), move, board_of(result.o)
        self.result = result


def _episode(environment: EnvironmentLike, choose: Callable[[list[int]], int]) -> Iterator[_Step]:
    seen = environment.env_start()
    for _ in range(2 * len(seen.intArray)):
        move = choose(list(board_of(seen).legal_moves) or [PASS])
        result = environment.env_step(action_of(move))
        step = _Step(seen, move, result)
        yield step
        if result.terminal or step.after.is_over:
            return
        seen = result.o
    demand(False, "an episode went on after more moves than there are squares")


@_rule("Task spec", "EXTRA begins with othello and names the size; 4*N*N ints are observed")
def _check_task(environment: EnvironmentLike, task: TaskSpec) -> None:
    size = task.extra_values().get("size", "")
    demand(task.extra.startswith("othello ") and size.isdigit(), f"EXTRA is {task.extra[:60]!r}")
    ints = task.observations.int_count
    demand(ints == 4 * int(size) ** 2, f"{ints} ints are announced for size={size}")
    space = task.actions.ints
    demand(
        [(item.low, item.high, item.count) for item in space] == [(-1, int(size) ** 2 - 1, 1)],
        f"ACTIONS is {task.actions}; expected INTS (-1 {int(size) ** 2 - 1})",
    )


@_rule("Observation", "The planes are 0 or 1: own discs, opponent's, own moves, opponent's")
def _check_planes(environment: EnvironmentLike, task: TaskSpec) -> None:
    for _ in range(_EPISODES):
        _check_observation(environment.env_start(), "at a start")
    for number, step in enumerate(_episodes(environment), start=1):
        _check_observation(step.result.o, f"after step {number}")


def _check_observation(seen: Observation, when: str) -> None:
    values = set(np.asarray(seen.intArray).tolist())
    demand(values <= {0, 1}, f"{when} the planes hold {sorted(values)[:5]}")
    board, planes = board_of(seen), planes_of(seen)
    demand(not board.own & board.opponent, f"{when} a square holds two discs")
    for name, plane, legal in (
        ("own", planes.legal, board.legal_moves),
        ("opponent's", planes.opponent_legal, board.opponent_moves),
    ):
        shown, right = np.flatnonzero(plane).tolist(), sorted(legal)
        demand(shown == right, f"{when} the plane of {name} moves shows {shown}; expected {right}")


@_rule("One step", "A step is the agent's move, then the opponent's move or pass")
def _check_steps(environment: EnvironmentLike, task: TaskSpec) -> None:
    for step in _episodes(environment):
        possible = [(board.black, board.white) for board in _replies(step.before.play(step.move))]
        found = step.after.black, step.after.white  # board_of has the agent black
        what = f"move {step.move} brought a position that no move of the opponent leads to"
        demand(found in possible, what)


def _replies(board: Board) -> list[Board]:
    """The positions that may follow the agent's move."""
    if board.is_over:
        return [board]
    return [board.play(move) for move in board.legal_moves] or [board.play(PASS)]


@_rule("One step", "An episode ends when neither side can move, and only then")
def _check_end(environment: EnvironmentLike, task: TaskSpec) -> None:
    for step in _episodes(environment):
        over, said = step.after.is_over, bool(step.result.terminal)
        demand(said or not over, "neither side can move and the step was not terminal")
        demand(over or not said, "a step was terminal while a side could move")


@_rule("Reward", "The reward is 0 until the end, then win, draw or loss as EXTRA says")
def _check_rewards(environment: EnvironmentLike, task: TaskSpec) -> None:
    for step in _episodes(environment):
        expected = _reward(step.after, task) if step.result.terminal else 0.0
        own, opponent = step.after.counts()
        what = f"with {own} discs to {opponent}, terminal {step.result.terminal}, the reward was"
        demand(float(step.result.r) == expected, f"{what} {step.result.r}; expected {expected}")


def _reward(board: Board, task: TaskSpec) -> float:
    own, opponent = board.counts()
    if task.extra_values().get("reward") == "discs":
        return float(own - opponent)
    result = "win" if own > opponent else "loss" if own < opponent else "draw"
    return _worth(result, task)


def _worth(result: str, task: TaskSpec) -> float:
    defaults = dict(zip(("win", "draw", "loss"), _DEFAULTS.rewards, strict=True))
    said = task.extra_values().get(result, defaults[result])
    try:
        return float(said)
    except ValueError:
        raise BrokenRule(f"EXTRA has {result}={said}; expected a number") from None


@_rule("Action", "A step after the end answers the same position, terminal, 0")
def _check_after_end(environment: EnvironmentLike, task: TaskSpec) -> None:
    *_, last = _episode(environment, lambda legal: legal[-1])
    again = environment.env_step(action_of(PASS))
    demand(bool(again.terminal), "the step was not terminal")
    demand(float(again.r) == 0.0, f"the reward was {again.r}")
    demand(again.o.sameAs(last.result.o), "the position changed")


@_rule("Action", "An illegal action forfeits: terminal, loss, same position; or is ignored as EXTRA says")
def _check_illegal(environment: EnvironmentLike, task: TaskSpec) -> None:
    ignored = task.extra_values().get("illegal") == "ignored"
    terminal, reward = (False, 0.0) if ignored else (True, _worth("loss", task))
    for number in range(6):
        seen = environment.env_start()
        moves = _wrong_moves(seen)[number]
        result = environment.env_step(action_of(*moves))
        what = f"the action {list(moves)} was answered with"
        demand(bool(result.terminal) == terminal, f"{what} terminal {result.terminal}")
        demand(float(result.r) == reward, f"{what} the reward {result.r}; expected {reward}")
        demand(board_of(result.o) == board_of(seen), f"{what} another position")


def _wrong_moves(seen: Observation) -> list[tuple[int, ...]]:
    """Six illegal actions: a pass, an occupied square, two that are no squares, too few ints and too many."""
    board, legal = board_of(seen), legal_of(seen)
    occupied = (board.black | board.white).bit_length() - 1
    no_pass = PASS if legal != [PASS] else occupied
    return [(no_pass,), (occupied,), (board.size**2,), (-2,), (), (legal[0], occupied)]


@_rule("Action", "The message stats counts illegal actions, as JSON with illegal")
def _check_stats(environment: EnvironmentLike, task: TaskSpec) -> None:
    for expected in (0, 1):
        environment.env_start()
        for _ in range(expected):
            environment.env_step(action_of(-2))
        answer = environment.env_message("stats") or ""
        demand(_illegal_in(answer) == expected, f"after {expected} of them it is {answer[:200]!r}")


def _illegal_in(answer: str) -> object:
    try:
        stats = json.loads(answer)
    except ValueError:
        return None
    return stats.get("illegal") if isinstance(stats, dict) else None


@_rule("Randomness", "seed N and episode K: the same actions bring the same episode")
def _check_seeds(environment: EnvironmentLike, task: TaskSpec) -> None:
    episodes = []
    for _ in range(2):
        for message in ("seed 7", "episode 3"):
            answer = environment.env_message(message) or ""
            demand(not answer.startswith("error"), f"{message!r} was answered with {answer[:80]!r}")
        steps = _episode(environment, lambda legal: legal[0])
        episodes.append([(step.after.own, step.after.opponent) for step in steps])
        for _ in _episode(environment, lambda legal: legal[-1]):  # what lies between must not matter
            pass
    demand(episodes[0] == episodes[1], "the two episodes differ")


@_rule("Messages", "A message that is not understood is answered with error: ...")
def _check_unknown(environment: EnvironmentLike, task: TaskSpec) -> None:
    answer = environment.env_message("no such message") or ""
    demand(answer.startswith("error:"), f"the answer was {answer[:80]!r}")
