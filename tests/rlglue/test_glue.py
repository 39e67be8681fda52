import pytest

from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.types import Action, Reward_observation_terminal
from tests.rlglue.parts import SPEC, CountingAgent, FiveSteps


@pytest.mark.parametrize(
    ("limit", "terminal", "steps", "episodes", "total"),
    [
        (0, 1, 5, 1, 5),
        (1, 0, 1, 0, 0),
        (2, 0, 2, 0, 1),
        (4, 0, 4, 0, 3),
        (5, 0, 5, 0, 4),
        (6, 1, 5, 1, 5),
        (7, 1, 5, 1, 5),
    ],
)
def test_step_limits(limit: int, terminal: int, steps: int, episodes: int, total: float) -> None:
    agent = CountingAgent()
    glue = Glue(agent, FiveSteps())
    glue.RL_init()
    assert glue.RL_episode(limit) == terminal
    assert (glue.RL_num_steps(), glue.RL_num_episodes(), glue.RL_return()) == (steps, episodes, total)
    assert (("end", 1.0) in agent.calls) == bool(terminal), "a cut-off episode has no agent_end"


def test_counters_before_init_and_after_cleanup() -> None:
    glue = Glue(CountingAgent(), FiveSteps())
    assert (glue.RL_num_steps(), glue.RL_num_episodes(), glue.RL_return()) == (0, 0, 0.0)
    assert glue.RL_init() == SPEC
    glue.RL_episode()
    glue.RL_cleanup()
    glue.RL_cleanup()
    assert (glue.RL_num_steps(), glue.RL_num_episodes(), glue.RL_return()) == (5, 1, 5.0)
    glue.RL_init()
    assert (glue.RL_num_steps(), glue.RL_num_episodes(), glue.RL_return()) == (0, 0, 0.0)


def test_step_by_step_and_past_the_end() -> None:
    agent, environment = CountingAgent(), FiveSteps()
    glue = Glue(agent, environment)
    glue.RL_init()
    start = glue.RL_start()
    assert (start.o.intArray, start.a.intArray) == ([0], [2])
    steps = [glue.RL_step() for _ in range(6)]
    assert [step.terminal for step in steps] == [0, 0, 0, 0, 1, 1]
    assert [step.a.intArray for step in steps] == [[3], [4], [5], [6], [], []]
    assert environment.actions == [[2], [3], [4], [5], [6], [6]]
    assert agent.calls[-2:] == [("end", 1.0), ("end", 1.0)]
    assert glue.RL_num_episodes() == 2


def test_a_step_before_the_start_sends_an_empty_action() -> None:
    environment = FiveSteps()
    Glue(CountingAgent(), environment).RL_step()
    assert environment.actions == [[]]


def test_messages_and_their_empty_answers() -> None:
    glue = Glue(CountingAgent(), FiveSteps())
    assert (glue.RL_agent_message("ab"), glue.RL_env_message("ab")) == ("AB", "ba")
    assert (glue.RL_agent_message(""), glue.RL_env_message("")) == ("", "")


class TwoAtTheEnd(FiveSteps):
    def env_step(self, action: Action) -> Reward_observation_terminal:
        return Reward_observation_terminal(0.0, None, 2)


def test_a_terminal_flag_of_two_is_refused() -> None:
    with pytest.raises(GlueError, match="terminal flag 2; expected 0 or 1"):
        Glue(CountingAgent(), TwoAtTheEnd()).RL_step()
