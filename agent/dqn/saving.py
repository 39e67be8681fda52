"""What stands in the checkpoints of a DQN agent, and how an agent takes it up again: all of it or nothing."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from agent import checkpoint
from agent.checkpoint import Arrays, CheckpointError, Values, check_arrays, check_values, generator
from agent.dqn import config
from agent.dqn.config import DQNConfig
from agent.dqn.learner import Learner
from agent.dqn.network import network_weights
from agent.dqn.priorities import make_replay

if TYPE_CHECKING:
    from agent.dqn.agent import DQNAgent

_COUNTERS = {"steps": int, "games": int, "unbeaten": int, "done": bool, "learning": bool, "exploring": bool}
_TYPES = {**_COUNTERS, "updates": int, "numbers": dict, "appended": int, "explore": dict, "replay": dict}
_REPLAY = "replay."


def policy(agent: DQNAgent) -> tuple[Arrays, Values]:
    """Return the network that plays when exploration is frozen."""
    weights = agent.learner.average.state_dict()
    return {f"average.{key}": value.numpy() for key, value in weights.items()}, _identity(agent)


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
    """Read a checkpoint of a DQN agent for boards of `size`; raises CheckpointError for any other file."""
    arrays, values = checkpoint.load(path)
    if "config" not in values:
        raise CheckpointError(f"{path} is not of a dqn agent")
    if values.get("size") != size:
        made = f"{values.get('size')}x{values.get('size')}"
        raise CheckpointError(f"{path} is for {made} boards, this game is {size}x{size}: use the same --size")
    try:
        return config.from_json(values["config"]), arrays, values
    except ValueError as error:
        raise CheckpointError(f"{path}: {error}") from None


def take_policy(agent: DQNAgent, path: Path) -> None:
    """Put the network of a checkpoint into an agent's learner; raises CheckpointError."""
    assert agent.size is not None  # noqa: S101  agent_init came before
    made, arrays, _ = read_network(path, agent.size)
    learner = Learner(agent.config, agent.size, seed=0)
    try:
        learner.adopt(network_weights(arrays))
    except (KeyError, RuntimeError):
        raise CheckpointError(
            f"{path} holds another network: made by {made.network}, frames={made.frames}, "
            f"hidden={list(made.hidden)}, dueling={made.dueling}"
        ) from None
    learner.updates, learner.numbers = agent.learner.updates, agent.learner.numbers
    agent.adopt(learner, agent.replay)


def restore(agent: DQNAgent, path: Path) -> None:
    """Put everything of a checkpoint into an agent; raises CheckpointError."""
    assert agent.size is not None  # noqa: S101  agent_init came before
    _, arrays, values = read_network(path, agent.size)
    if values["config"] != json.loads(json.dumps(asdict(agent.config))):
        raise CheckpointError(f"{path} is of an agent with other options: {values['config']}")
    if "appended" not in values:
        raise CheckpointError(f"{path} holds a policy only: load_policy takes it")
    check_values(path, values, _TYPES)
    learner = Learner(agent.config, agent.size, seed=0)
    replay = make_replay(agent.config, agent.size)
    replay.appended = values["appended"]
    if any(name.startswith("optimiser.") for name in arrays):
        learner.make_optimiser_state()
    expected = learner.arrays() | {_REPLAY + name: array for name, array in replay.held().items()}
    check_arrays(path, arrays, {name: (array.shape, array.dtype) for name, array in expected.items()})
    explore, draw = generator(path, values["explore"]), generator(path, values["replay"])
    learner.restore(arrays)
    learner.updates, learner.numbers = values["updates"], values["numbers"]
    replay.restore({name: arrays[_REPLAY + name] for name in replay.arrays})
    agent.adopt(learner, replay)
    agent.explore_rng, agent.replay_rng = explore, draw
    for name in _COUNTERS:
        setattr(agent, name, values[name])
    agent.recorder.store(agent.learning)
