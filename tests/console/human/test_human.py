import time
from collections.abc import Callable

import pytest

from othello_lab.agent.task import TaskError
from othello_lab.console.terminal import Left
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game.notation import square_name
from rlglue.client import serve_agent, serve_environment
from rlglue.errors import PeerLost
from rlglue.glue import Glue
from rlglue.server import Server
from rlglue.types import Observation, Reward_observation_terminal
from tests.console.human.typing_person import Person, typed
from tests.environment.parts import environment, legal_of
from tests.rlglue.parts import Background, FiveSteps


class Shown(OthelloEnvironment):
    def env_start(self) -> Observation:
        self.shown = super().env_start()
        return self.shown

    def env_step(self, action: object) -> Reward_observation_terminal:
        result = super().env_step(action)  # type: ignore[arg-type]  # as it comes
        self.shown = result.o
        return result


def shown(**values: object) -> Shown:
    made = Shown(environment(**values).config)
    made.env_init()
    return made


def test_whole_games_end_with_their_result(monkeypatch: pytest.MonkeyPatch) -> None:
    env = shown(size=4, opponent="greedy", first="alternate", seed=1)
    person = Person(monkeypatch, lambda: square_name(legal_of(env.shown)[0], 4))
    glue = Glue(person.agent, env)
    glue.RL_init()
    for _ in range(6):
        glue.RL_episode()
        reward = glue.RL_return()
        result = {1.0: "you win", -0.5: "a draw", -1.0: "you lose"}[reward]
        assert f"The game is over: {result}, reward {reward:+g}.\n" in person.saw
    assert env.illegal_total == 0
    assert "A new game\n" in person.saw
    assert "The opponent plays " in person.saw
    assert "You have no legal move: you pass.\n" in person.saw
    assert "your move (● black): " in person.saw
    assert "your move (○ white): " in person.saw


def test_an_environment_against_oneself_asks_for_both_sides(monkeypatch: pytest.MonkeyPatch) -> None:
    env = shown(size=4, opponent="self", seed=1)
    person = Person(monkeypatch, lambda: square_name(legal_of(env.shown)[0], 4))
    glue = Glue(person.agent, env)
    glue.RL_init()
    glue.RL_episode()
    assert "your move (○ white): " in person.saw
    assert "The opponent plays" not in person.saw


def test_wrong_entries_are_a_line_and_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    entries = ["z9", "a1", "", "x" * 10_000, "\x1b[2J", "undo", "moves", "help", "b1", "quit"]
    person = Person(monkeypatch, typed(*entries))
    glue = Glue(person.agent, environment(size=4, opponent="greedy"))
    glue.RL_init()
    with pytest.raises(Left, match="You have left"):
        glue.RL_episode()
    for line in (
        "'z9' is no square",
        "a1 is not legal here: it turns over no disc for black\nlegal: b1 a2 d3 c4\n",
        "nothing was typed",
        "`undo` cannot be done in somebody else's environment",
        "moves         list your legal moves\n",
    ):
        assert line in person.saw
    assert "undo  " not in person.saw
    assert "\x1b" not in person.saw


def test_another_size_than_wanted_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person(monkeypatch, typed(), size=6)
    with pytest.raises(TaskError, match="6x6"):
        person.agent.agent_init(environment(size=4).env_init())


def slowly(seconds: float, types: Callable[[], str]) -> Callable[[], str]:
    def entry() -> str:
        time.sleep(seconds)
        return types()

    return entry


@pytest.mark.parametrize("task", [FiveSteps().env_init(), "VERSION nothing"])
def test_another_task_is_refused(task: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(TaskError):
        Person(monkeypatch, typed()).agent.agent_init(task)


def test_a_slow_person_breaks_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    env = shown(size=4, opponent="greedy", seed=3)
    person = Person(monkeypatch, slowly(0.3, lambda: square_name(legal_of(env.shown)[0], 4)))
    with Server("127.0.0.1", 0, handshake_timeout=0.1) as server:
        environment = Background(lambda: serve_environment(env, *server.address, 0.2))
        agent = Background(lambda: serve_agent(person.agent, *server.address, 5.0))
        server.wait_for_peers()
        server.glue.RL_init()
        assert server.glue.RL_agent_message("freeze learning").startswith("message understood")
        server.glue.RL_episode()
        assert server.glue.RL_return() in (1.0, -0.5, -1.0)
        server.glue.RL_cleanup()
    agent.result()
    environment.result()
    assert "The game is over: " in person.saw


def test_the_server_sees_that_the_person_has_left(monkeypatch: pytest.MonkeyPatch) -> None:
    person = Person(monkeypatch, typed("b1"))
    with Server("127.0.0.1", 0) as server:
        env = Background(lambda: serve_environment(shown(size=4, opponent="greedy"), *server.address, 5.0))
        agent = Background(lambda: serve_agent(person.agent, *server.address, 5.0))
        server.wait_for_peers()
        server.glue.RL_init()
        with pytest.raises(PeerLost, match=r"the agent .* left"):
            server.glue.RL_episode()
        with pytest.raises(Left, match="End of input: you have left"):
            agent.result()
    env.result()
