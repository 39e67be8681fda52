import pytest

from othello_lab.agent.make import make_agent
from othello_lab.environment.config import ILLEGAL_ACTION, EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.environment.testing import AGENT_CHECKS, OTHELLO_CHECKS, Referee
from rlglue.glue import AgentLike, EnvironmentLike
from rlglue.testing.rules import ENVIRONMENT_CHECKS, findings
from tests.rlglue.parts import hosting

TEXTS = ("random", "greedy", "corner-greedy", "dqn,hidden=[16],warm_up=20,replay=200,batch=8,frames=2")


def check_agent(agent: AgentLike, size: int) -> None:
    assert not [finding for finding in findings(AGENT_CHECKS, agent, Referee(size)) if finding.broken]


def check_environment(environment: EnvironmentLike) -> None:
    results = findings((*ENVIRONMENT_CHECKS, *OTHELLO_CHECKS), environment)
    assert not [finding for finding in results if finding.broken]


@pytest.mark.parametrize(
    ("size", "first"), [(4, "random"), (6, "alternate"), (8, "agent"), (8, "opponent"), (10, "random")]
)
def test_environment_in_process(size: int, first: str) -> None:
    check_environment(OthelloEnvironment(EnvironmentConfig(size=size, first=first)))


@pytest.mark.parametrize(("illegal", "reward"), [*zip(ILLEGAL_ACTION, ("1,-0.5,-1", "discs"), strict=True)])
def test_environment_over_tcp(illegal: str, reward: str) -> None:
    config = EnvironmentConfig(size=6, random_opening=4, illegal_action=illegal, reward=reward)
    environment = OthelloEnvironment(config)
    with hosting(make_agent("random"), environment) as server:
        check_environment(server.glue.environment)


@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("text", TEXTS)
def test_agent_in_process(size: int, text: str) -> None:
    check_agent(make_agent(text), size)


@pytest.mark.parametrize(("text", "size"), [*zip(TEXTS, (4, 6, 8, 6), strict=True)])
def test_agent_over_tcp(size: int, text: str) -> None:
    with hosting(make_agent(text), OthelloEnvironment(EnvironmentConfig(size=size))) as server:
        check_agent(server.glue.agent, size)
