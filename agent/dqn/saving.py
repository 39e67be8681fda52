"""What stands in the checkpoints of a DQN agent, and how an agent takes it up again: all of it or nothing."""

from __future__ import annotations

from dataclasses import asdict, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec
import numpy as np

from agent import checkpoint
from agent.checkpoint import Arrays, CheckpointError, Values, check_arrays, generator, typed
from agent.dqn.config import DQNConfig
from agent.dqn.learner import Learner
from agent.dqn.network import network_shapes, network_weights
from agent.memory.priorities import make_replay

if TYPE_CHECKING:
    from agent.dqn.agent import DQNAgent

KIND = "dqn"
"""Of the checkpoints."""
_COUNTERS = ("steps", "games", "unbeaten", "done", "learning", "exploring")
_REPLAY = "replay."
_PLAYS = "average."
"""What the arrays of the network that plays begin with."""

Count = Annotated[int, msgspec.Meta(ge=0, le=2**53)]


class Policy(msgspec.Struct):
    """The values of every checkpoint."""

    size: int
    config: DQNConfig


class Everything(Policy):
    """The values of a checkpoint that holds all that a resume needs."""

    steps: Count
    games: Count
    unbeaten: Count
    done: bool
    learning: bool
    exploring: bool
    updates: Count
    numbers: dict[str, float]
    appended: Count
    explore: dict[str, Any]
    replay: dict[str, Any]


def policy(agent: DQNAgent) -> tuple[Arrays, Values]:
    """Return the network that plays when exploration is frozen."""
    weights = agent.learner.average.state_dict()
    return {_PLAYS + key: value.numpy() for key, value in weights.items()}, _identity(agent)


def everything(agent: DQNAgent) -> tuple[Arrays, Values]:
    """Return all that a resume needs."""
    arrays = agent.learner.arrays() | {_REPLAY + key: array for key, array in agent.replay.held().items()}
    values = {
        **_identity(agent),
        **{name: getattr(agent, name) for name in _COUNTERS},
        "updates": agent.learner.updates,
        "numbers": agent.learner.numbers,
        "appended": agent.replay.appended,
        "explore": agent.explore_rng.bit_generator.state,
        "replay": agent.replay_rng.bit_generator.state,
    }
    return arrays, values


def _identity(agent: DQNAgent) -> Values:
    return {"size": agent.size, "config": asdict(agent.config)}


def read_network(path: Path, size: int) -> tuple[DQNConfig, Arrays, Values]:
    """Read a checkpoint of a DQN agent for boards of `size`; raises CheckpointError for any other file.

    The network that plays is there, in the shapes that the configuration says.
    """
    arrays, values = checkpoint.load(path, KIND)
    found = typed(path, values, Policy)
    if found.size != size:
        made = f"{found.size}x{found.size}"
        raise CheckpointError(f"{path} is for {made} boards, this game is {size}x{size}: use the same --size")
    if unknown := sorted(values["config"].keys() - {field.name for field in fields(DQNConfig)}):
        raise CheckpointError(f"{path} does not fit this version: dqn has no option {unknown[0][:40]!r}")
    _check_network(path, found.config, size, arrays)
    return found.config, arrays, values


def _check_network(path: Path, config: DQNConfig, size: int, arrays: Arrays) -> None:
    """Raise CheckpointError unless the network that plays is the one that the configuration describes.

    Nothing is built for it: a small file may describe a network of terabytes.
    """
    plays = {name: array for name, array in arrays.items() if name.startswith(_PLAYS)}
    layers = config.blocks if config.network == "conv" else len(config.hidden)
    shapes = network_shapes(config, size) if layers <= len(plays) else None
    if shapes is None:
        raise CheckpointError(f"{path} does not hold the network that it describes")
    check_arrays(path, plays, {_PLAYS + name: (shape, np.float32) for name, shape in shapes.items()})


def take_policy(agent: DQNAgent, path: Path) -> None:
    """Put the network of a checkpoint into an agent's learner; raises CheckpointError."""
    assert agent.size is not None  # noqa: S101  agent_init came before
    made, arrays, _ = read_network(path, agent.size)
    if network_shapes(made, agent.size) != network_shapes(agent.config, agent.size):
        raise CheckpointError(f"{path} holds another network: {differences(made, agent.config)}")
    learner = Learner(agent.config, agent.size, seed=0)
    learner.adopt(network_weights(arrays))
    learner.updates, learner.numbers = agent.learner.updates, agent.learner.numbers
    agent.adopt(learner, agent.replay)


def differences(found: DQNConfig, own: DQNConfig) -> str:
    """Say which options differ, and how."""
    theirs, ours = asdict(found), asdict(own)
    return ", ".join(f"{key}={theirs[key]}, here {ours[key]}" for key in ours if theirs[key] != ours[key])


def restore(agent: DQNAgent, path: Path) -> None:
    """Put everything of a checkpoint into an agent; raises CheckpointError."""
    assert agent.size is not None  # noqa: S101  agent_init came before
    config, arrays, values = read_network(path, agent.size)
    if replace(config, **agent.schedules) != agent.config:
        raise CheckpointError(
            f"{path} is of an agent with other options: {differences(config, agent.config)}"
        )
    if "appended" not in values:
        raise CheckpointError(f"{path} holds a policy only: load_policy takes it")
    saved = typed(path, values, Everything)
    learner = Learner(agent.config, agent.size, seed=0)
    replay = make_replay(agent.config, agent.size)
    replay.appended = saved.appended
    if any(name.startswith("optimiser.") for name in arrays):
        learner.make_optimiser_state()
    expected = learner.arrays() | {_REPLAY + name: array for name, array in replay.held().items()}
    check_arrays(path, arrays, {name: (array.shape, array.dtype) for name, array in expected.items()})
    if saved.numbers.keys() != learner.numbers.keys():
        raise CheckpointError(f"{path} does not fit this version: its numbers are {list(saved.numbers)[:9]}")
    explore, draw = generator(path, saved.explore), generator(path, saved.replay)
    learner.restore(arrays)
    learner.updates, learner.numbers = saved.updates, saved.numbers
    replay.restore({name: arrays[_REPLAY + name] for name in replay.arrays})
    agent.config = config
    agent.explore_rng, agent.replay_rng = explore, draw
    agent.adopt(learner, replay)
    for name in _COUNTERS:
        setattr(agent, name, getattr(saved, name))
    agent.recorder.store(agent.learning)
