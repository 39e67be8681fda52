import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import Arrays, Values
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.game.catalogue import make
from othello_lab.game.registry import RegistryError
from rlglue.glue import Glue
from tests.agent.parts import AnyAgent, dqn_agent

OPTIONS = {"hidden": "16", "warm_up": "20", "replay": "200", "batch": "8", "epsilon_steps": "100"}


def trained(directory: Path, size: int = 4) -> AnyAgent:
    agent = dqn_agent(OPTIONS, seed=1, directory=directory)
    glue = Glue(agent, OthelloEnvironment(EnvironmentConfig(size=size, seed=1)))
    glue.RL_init()
    for _ in range(10):
        glue.RL_episode(0)
    return agent


@pytest.fixture(scope="module")
def agent(tmp_path_factory: pytest.TempPathFactory) -> AnyAgent:
    """One agent for all tests, because no test changes it."""
    return trained(tmp_path_factory.mktemp("agent"))


def state(agent: AnyAgent) -> bytes:
    return saved(agent, "state").read_bytes()


def saved(agent: AnyAgent, name: str) -> Path:
    answer = agent.agent_message(f"save {name}")
    assert answer.startswith("message understood"), answer
    return Path(answer.removeprefix("message understood, saved "))


def refused(agent: AnyAgent, message: str) -> str:
    answer = agent.agent_message(message)
    assert answer.startswith("error: "), f"{message} was answered {answer!r}"
    assert "\n" not in answer
    return answer


Change = Callable[[Arrays, Values], Any]


def forged(agent: AnyAgent, change: Change) -> Path:
    """Return a checkpoint with a change and a good digest, under the name `one`."""
    path = saved(agent, "one")
    _, kind, arrays, values = checkpoint.load(path, "dqn")
    change(arrays, values)
    checkpoint.save(path, kind, arrays, values)
    return path


def without(name: str) -> Change:
    def change(arrays: Arrays, values: Values) -> None:
        arrays.pop(name, None)
        values.pop(name, None)

    return change


def with_value(name: str, value: object) -> Change:
    return lambda _, values: values.update({name: value})


def reshape_all(arrays: Arrays, _: Values) -> None:
    arrays.update({name: array.reshape(1, *array.shape) for name, array in arrays.items()})


def retype_all(arrays: Arrays, _: Values) -> None:
    arrays.update({name: array.astype(np.float64) for name, array in arrays.items()})


def shorten_replay(arrays: Arrays, _: Values) -> None:
    """Leave one slot, which NumPy would broadcast."""
    arrays.update({name: array[:1] for name, array in arrays.items() if name.startswith("replay.")})


def with_square(square: int) -> Change:
    return lambda arrays, _: arrays["replay.action"].__setitem__(0, square)


TOO_LARGE = {"bit_generator": "PCG64", "state": {"state": 2**200, "inc": 1}, "has_uint32": 0, "uinteger": 0}


def test_other_sizes_versions_and_kinds_of_file_are_refused_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, agent: AnyAgent
) -> None:
    before, folder = state(agent), saved(agent, "one").parent
    (folder / "six.safetensors").write_bytes(saved(trained(tmp_path, size=6), "one").read_bytes())
    with monkeypatch.context() as patch:
        patch.setattr(checkpoint, "VERSION", 99)
        saved(agent, "future")
    (folder / "pickle.safetensors").write_bytes(pickle.dumps({"steps": 3}))
    reasons = {"six": "6x6 boards", "future": "version 99", "pickle": "no readable checkpoint", "no": "no ch"}
    for name, reason in reasons.items():
        for order in ("load", "load_policy"):
            assert reason in refused(agent, f"{order} {name}")
        with pytest.raises(RegistryError, match=reason):
            make(f"dqn:{folder / name}.safetensors", 4)
    assert state(agent) == before


@pytest.mark.parametrize(
    "change",
    [
        lambda arrays, _: arrays.clear(),
        lambda _, values: values.clear(),
        lambda arrays, _: arrays.pop(next(name for name in arrays if not name.startswith("replay."))),
        lambda arrays, _: arrays.pop(next(name for name in arrays if name.startswith("replay."))),
        lambda arrays, _: arrays.update({"more": np.zeros(3)}),
        reshape_all,
        retype_all,
        shorten_replay,
        *(without(name) for name in ("config", "size", "steps", "updates", "explore", "draws", "appended")),
        *(with_value("size", value) for value in (6, "4")),
        *(with_value("config", value) for value in (None, {}, {"hidden": "x"})),
        *(with_value("appended", value) for value in (-1, 2**62)),
        *(with_value("explore", value) for value in ({}, TOO_LARGE)),
        with_value("steps", 2.0),
        with_value("numbers", {}),
        with_value("updates", -8),
        with_square(32767),
        with_square(-1),
        with_value("games", True),
        with_value("done", 0),
    ],
)
def test_a_forged_checkpoint_is_refused_and_changes_nothing(agent: AnyAgent, change: Change) -> None:
    before = state(agent)
    forged(agent, change)
    refused(agent, "load one")
    assert state(agent) == before


@pytest.mark.parametrize("change", [reshape_all, without("config"), lambda arrays, _: arrays.clear()])
def test_a_forged_network_is_refused_by_agent_and_player(agent: AnyAgent, change: Change) -> None:
    before, path = state(agent), forged(agent, change)
    refused(agent, "load_policy one")
    with pytest.raises(RegistryError, match=r"one\.safetensors"):
        make(f"dqn:{path}", 4)
    assert state(agent) == before


def test_a_checkpoint_of_before_an_option_is_read_with_its_default(agent: AnyAgent) -> None:
    before = state(agent)
    forged(agent, lambda _, values: values["config"].pop("units"))
    assert agent.agent_message("load one").startswith("message understood")
    assert state(agent) == before
    forged(agent, lambda _, values: values["config"].update(units="leaky-relu"))
    assert "holds another policy: units=leaky-relu, here relu" in refused(agent, "load_policy one")


NUMBERS = (0, -1, 2.0, 1e300, 10**7, 2**40, 2**63, 10**400)
# Wrong values for a configuration. All numbers describe networks of terabytes or more.
ODD: tuple[object, ...] = (None, True, *NUMBERS, "x" * 10_000, [], [10**7, 10**7], [1] * 10**5, {})


@pytest.mark.slow
def test_whatever_stands_in_the_configuration_is_read_or_refused_in_a_line(agent: AnyAgent) -> None:
    path, before = saved(agent, "one"), state(agent)
    _, kind, arrays, values = checkpoint.load(path, "dqn")
    refusals = 0
    for name in [*values["config"], "unheard_of"]:
        for odd in ODD:
            checkpoint.save(path, kind, arrays, {**values, "config": {**values["config"], name: odd}})
            for order in ("load_policy one", "load one"):
                answer = agent.agent_message(order)
                assert answer.startswith(("error: ", "message understood")), (name, odd)
                assert "\n" not in answer
                assert len(answer) < 600, (name, odd)
                refusals += answer.startswith("error: ")
    assert "no option 'unheard_of'" in answer
    assert refusals > 600
    checkpoint.save(path, kind, arrays, values)
    assert agent.agent_message("load one").startswith("message understood")
    assert state(agent) == before


def test_a_small_file_does_not_ask_for_terabytes(agent: AnyAgent) -> None:
    def change(arrays: Arrays, values: Values) -> None:
        arrays.clear()
        values["config"].update(hidden=[10**7, 10**7])

    path = forged(agent, change)
    assert path.stat().st_size < 4000
    with pytest.raises(RegistryError, match=r"one\.safetensors"):
        make(f"dqn:{path}", 4)
