import logging

import pytest

from othello_lab.agent.make import make_agent
from othello_lab.environment.othello import OthelloEnvironment
from rlglue.client import connect_experiment
from rlglue.errors import ServerLost
from rlglue.requests import RemoteGlue
from rlglue.types import Action, Observation
from tests.rlglue.parts import trio


def ask(glue: RemoteGlue, name: str) -> None:
    call = getattr(glue, name)
    if name in ("RL_agent_step", "RL_agent_end"):
        call(0.0, *([Observation()] if name == "RL_agent_step" else []))
    elif name == "RL_agent_start":
        call(glue.RL_env_start())
    else:
        call(*([Action()] if name == "RL_env_step" else []))


TOO_EARLY = {
    "RL_start": "RL_start before RL_init",
    "RL_step": "RL_step before RL_init",
    "RL_episode": "RL_episode before RL_init",
    "RL_env_start": "RL_env_start before RL_init",
    "RL_env_step": "RL_env_step before RL_init",
    "RL_agent_step": "RL_agent_step before RL_init",
    "RL_agent_end": "RL_agent_end before RL_init",
    "RL_init RL_step": "RL_step before RL_start",
    "RL_init RL_env_step": "RL_env_step before RL_start",
    "RL_init RL_agent_step": "RL_agent_step before RL_start",
    "RL_init RL_env_start RL_step": "RL_step before RL_start",
    "RL_init RL_start RL_init RL_step": "RL_step before RL_start",
    "RL_init RL_start RL_cleanup RL_step": "RL_step before RL_start",
    "RL_init RL_cleanup RL_cleanup RL_env_step": "RL_env_step before RL_start",
}
ALLOWED = (
    "RL_cleanup RL_cleanup RL_num_steps RL_return RL_num_episodes RL_init",
    "RL_init RL_init RL_start RL_step RL_step RL_start RL_episode RL_step",
    "RL_init RL_start RL_cleanup RL_cleanup RL_init RL_episode RL_cleanup RL_start",
    "RL_init RL_env_start RL_env_step RL_agent_end RL_agent_start RL_agent_end",
)


@pytest.mark.slow
@pytest.mark.parametrize("agent", ["random", "dqn,hidden=[4],replay=2000"])
def test_one_experiment_after_another_on_the_same_parts(agent: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "rlglue")
    with trio(make_agent(agent), OthelloEnvironment()) as server:
        for calls, reason in TOO_EARLY.items():
            *before, last = calls.split()
            with connect_experiment(*server.address) as glue:
                assert "opponent" in glue.RL_env_message("stats")
                for name in before:
                    ask(glue, name)
                with pytest.raises(ServerLost, match=f"during {last}: its log says"):
                    ask(glue, last)
            assert f"sent {reason}" in caplog.messages[-1]
        for calls in ALLOWED:
            with connect_experiment(*server.address) as glue:
                glue.RL_agent_message("stats")
                for name in calls.split():
                    ask(glue, name)
