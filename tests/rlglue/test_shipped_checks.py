from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.environment.testing import AGENT_CHECKS, OTHELLO_CHECKS, Referee, action_of
from othello_lab.game.notation import PASS
from rlglue.agent.Agent import Agent
from rlglue.glue import AgentLike, EnvironmentLike
from rlglue.taskspec import parse
from rlglue.testing.rules import ENVIRONMENT_CHECKS, Finding, draw_action, findings
from rlglue.types import Action, Observation, Reward_observation_terminal
from tests.environment.parts import legal_of

SIZE = 4


class Mover(Agent):
    def agent_start(self, observation: Observation) -> Action:
        return action_of(self.move(observation))

    def move(self, observation: Observation) -> int:
        return legal_of(observation)[0]

    def agent_step(self, reward: float, observation: Observation) -> Action:
        return self.agent_start(observation)


class AlwaysPasses(Mover):
    def move(self, observation: Observation) -> int:
        return PASS


class NeverPasses(Mover):
    def move(self, observation: Observation) -> int:
        return max(legal_of(observation)[0], 0)


class TwoInts(Mover):
    def agent_start(self, observation: Observation) -> Action:
        return action_of(0, 1)


class PlaysTheGameBefore(Mover):
    """Clears its state in agent_end, which is never called for an episode that is cut off."""

    game: Any = None

    def agent_start(self, observation: Observation) -> Action:
        self.game = self.game or legal_of(observation)
        return action_of(self.game[0])

    def agent_step(self, reward: float, observation: Observation) -> Action:
        self.game = None
        return super().agent_step(reward, observation)

    def agent_end(self, reward: float) -> None:
        self.game = None


class NeedsExtra(Mover):
    def agent_init(self, taskSpec: str) -> None:  # noqa: N803 - the protocol's name
        self.known = "EXTRA" in taskSpec

    def move(self, observation: Observation) -> int:
        return legal_of(observation)[0] if self.known else -9


class AnswersNumbers(Mover):
    def agent_message(self, message: str) -> Any:  # noqa: ANN401 - the fault
        return 7


def broken_by_agent(agent: AgentLike) -> list[Finding]:
    return [finding for finding in findings(AGENT_CHECKS, agent, Referee(SIZE)) if finding.broken]


def test_an_agent_that_keeps_the_rules_is_told_so() -> None:
    assert not broken_by_agent(Mover())


@pytest.mark.parametrize(
    ("agent", "rule", "seen"),
    [
        (AlwaysPasses(), "An action is one int, a legal square", "the action is -1"),
        (NeverPasses(), "Where no square is legal the action is -1", "expected one of [-1]"),
        (TwoInts(), "An action is one int, a legal square", "has 2 ints"),
        (PlaysTheGameBefore(), "An episode may be cut off without agent_end", "expected one"),
        (NeedsExtra(), "Where EXTRA is missing", "the action is -9"),
        (AnswersNumbers(), "A message may come at any time", "was answered with 7"),
    ],
    ids=lambda value: type(value).__name__ if isinstance(value, Mover) else "",
)
def test_an_agent_is_told_the_rule_it_breaks(agent: AgentLike, rule: str, seen: str) -> None:
    broken = broken_by_agent(agent)
    assert any(found.rule.startswith(rule) and seen in (found.broken or "") for found in broken), broken


Step = Reward_observation_terminal


class Broken(OthelloEnvironment):
    def __init__(self, fault: "Fault") -> None:
        super().__init__(EnvironmentConfig(size=SIZE))
        self.fault = fault
        self.ends = 0

    def env_step(self, action: Action) -> Step:
        step = super().env_step(action)
        self.fault(self, step)
        return step


Fault = Callable[[Broken, Step], None]


def planes(step: Step, plane: int, value: int) -> None:
    numbers = np.array(step.o.intArray)
    numbers[plane * SIZE * SIZE] = value
    step.o.intArray = numbers


def rewarded(step: Step, factor: float = 1.0, more: float = 0.0) -> None:
    step.r = step.r * factor + more


def endless(environment: Broken, step: Step) -> None:
    step.terminal = 0


def early(environment: Broken, step: Step) -> None:
    step.terminal = int(len(environment.game.moves) > 4) or step.terminal


def short(environment: Broken, step: Step) -> None:
    step.o.intArray = np.array(step.o.intArray)[:-1]


def rewarded_after_the_end(environment: Broken, step: Step) -> None:
    environment.ends = environment.ends + 1 if step.terminal else 0
    step.r += environment.ends > 1


def forgives(environment: Broken, step: Step) -> None:
    if environment.illegal and environment.over:
        step.terminal = 0


def broken_by_environment(environment: EnvironmentLike) -> list[Finding]:
    checks = (*ENVIRONMENT_CHECKS, *OTHELLO_CHECKS)
    return [finding for finding in findings(checks, environment) if finding.broken]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fault", "rule"),
    [
        (lambda _, step: planes(step, 2, 1), "The planes are 0 or 1"),
        (lambda _, step: planes(step, 0, 5), "An observation has the numbers that OBSERVATIONS announces"),
        (short, "An observation has the numbers that OBSERVATIONS announces"),
        (lambda _, step: planes(step, 1, 1), "A step is the agent's move, then the opponent's"),
        (lambda _, step: rewarded(step, 10.0), "A reward is a number within the range"),
        (lambda _, step: rewarded(step, -1.0), "The reward is 0 until the end, then win, draw or loss"),
        (lambda _, step: rewarded(step, more=0.25), "The reward is 0 until the end, then win, draw or loss"),
        (endless, "An episode ends when neither side can move, and only then"),
        (early, "An episode ends when neither side can move, and only then"),
        (rewarded_after_the_end, "A step after the end answers the same position, terminal, 0"),
        (forgives, "An illegal action forfeits"),
    ],
)
def test_an_environment_is_told_the_rule_it_breaks(fault: Fault, rule: str) -> None:
    broken = broken_by_environment(Broken(fault))
    assert any(found.rule.startswith(rule) for found in broken), broken


@pytest.mark.parametrize(
    ("message", "answer", "rule"),
    [
        ("seed 7", "error: what?", "seed N and episode K"),
        ("stats", "{}", "The message stats counts illegal actions"),
        ("stats", "no JSON", "The message stats counts illegal actions"),
        ("no such message", "fine", "A message that is not understood"),
        ("", 5, "A message may come at any time"),
    ],
)
def test_an_environment_is_told_which_message_it_fails(message: str, answer: str | int, rule: str) -> None:
    environment = OthelloEnvironment(EnvironmentConfig(size=SIZE))
    right = environment.env_message
    vars(environment)["env_message"] = lambda output: answer if output == message else right(output)
    assert [found.rule[: len(rule)] for found in broken_by_environment(environment)] == [rule]


def test_a_range_may_be_open_on_one_side_and_numbers_are_finite() -> None:
    task = parse(
        "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 1 OBSERVATIONS INTS (0 1) "
        "ACTIONS INTS (5000 POSINF) DOUBLES (NEGINF -5000) REWARDS (UNSPEC UNSPEC) EXTRA none"
    )
    action = draw_action(task.actions, np.random.default_rng(0))
    assert action.intArray[0] >= 5000 > -5000 >= action.doubleArray[0]
    told = Broken(lambda _, step: rewarded(step, more=float("nan")))
    vars(told)["env_init"] = lambda: OthelloEnvironment.env_init(told).replace(
        "(-1.0 1.0)", "(UNSPEC UNSPEC)"
    )
    assert any(found.rule.startswith("A reward is a number") for found in broken_by_environment(told))


def test_an_episode_that_depends_on_the_one_before_is_found() -> None:
    environment = OthelloEnvironment(EnvironmentConfig(size=8, opponent="random"))
    vars(environment)["env_message"] = lambda output: (
        "fine" if output.startswith(("seed", "episode")) else "error:"
    )
    assert any(found.rule.startswith("seed N and") for found in broken_by_environment(environment))
