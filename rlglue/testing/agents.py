"""Rules that RL-Glue sets every agent, whatever its task."""

from collections.abc import Callable
from functools import partial
from typing import Final

from rlglue.glue import AgentLike, EnvironmentLike, Glue
from rlglue.testing.rules import Rule, demand

MESSAGES: Final = ("", "no such message", "freeze learning", "unfreeze learning", "Zug 7: ä€𝄞", "x" * 5_000)
"""What a part must answer, with whatever text."""


def rules(environment: EnvironmentLike) -> tuple[Rule[AgentLike], ...]:
    """The rules, checked in an environment whose task the agent can do."""
    return (
        Rule(
            "An agent plays episodes to their end, and agent_end tells it the last reward",
            "RL-Glue, agent_end",
            partial(_check_episodes, environment),
        ),
        Rule(
            "An episode may be cut off without agent_end; agent_start begins the next one",
            "RL-Glue, RL_episode",
            partial(_check_cut_off, environment),
        ),
        Rule(
            "A message may come at any time and is answered with a text, the empty one if need be",
            "RL-Glue, agent_message",
            partial(_check_messages, environment),
        ),
        Rule(
            "After agent_cleanup another agent_init may follow",
            "RL-Glue, agent_init",
            partial(_check_second_run, environment),
        ),
    )


def _check_episodes(environment: EnvironmentLike, agent: AgentLike) -> None:
    glue = Glue(agent, environment)
    glue.RL_init()
    for _ in range(3):
        glue.RL_episode()
    glue.RL_cleanup()


def _check_cut_off(environment: EnvironmentLike, agent: AgentLike) -> None:
    glue = Glue(agent, environment)
    glue.RL_init()
    for limit in (1, 3, 0, 2, 0):
        glue.RL_episode(limit)
    glue.RL_cleanup()


def _check_messages(environment: EnvironmentLike, agent: AgentLike) -> None:
    glue = Glue(agent, environment)
    glue.RL_init()
    for limit in (0, 2, 0):
        check_answers(agent.agent_message)
        glue.RL_episode(limit)
    check_answers(agent.agent_message)
    glue.RL_cleanup()


def _check_second_run(environment: EnvironmentLike, agent: AgentLike) -> None:
    for _ in range(2):
        _check_episodes(environment, agent)


def check_answers(ask: Callable[[str], str | None]) -> None:
    """Raise BrokenRule if a message is answered with something else than a text or None."""
    for message in MESSAGES:
        answer = ask(message)
        demand(isinstance(answer, str | None), f"{message[:20]!r} was answered with {answer!r}")
