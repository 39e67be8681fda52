"""stable-baselines3's DQN at the same work, for `bench.py`; nothing where it is not installed."""

from importlib import import_module
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

NAME = "stable-baselines3"


def full_dqn(inputs: int, actions: int, hidden: tuple[int, ...], replay: int) -> Any:  # noqa: ANN401  untyped
    """Return its DQN with an MLP and a full replay buffer of random states; the rest as it is by default.

    `train(gradient_steps, batch_size)` then learns, and `predict(state)` acts.
    """
    environment = type("Still", (import_module("gymnasium").Env,), _spaces(inputs, actions, np.float32))
    model = import_module("stable_baselines3").DQN(
        "MlpPolicy",
        environment(),
        buffer_size=replay,
        policy_kwargs={"net_arch": list(hidden)},
        seed=0,
        device="cpu",
    )
    model.set_logger(import_module("stable_baselines3.common.logger").Logger(None, []))
    rng, buffer = np.random.default_rng(0), model.replay_buffer
    for states in (buffer.observations, buffer.next_observations):
        states[:] = rng.integers(2, size=states.shape, dtype=np.uint8)
    buffer.actions[:] = rng.integers(actions, size=buffer.actions.shape)
    buffer.full = True
    return model


def bytes_per_transition(inputs: int, dtype: DTypeLike) -> float:
    """Return the memory that its replay buffer takes for states of this many numbers of this type."""
    size = 1000
    spaces = _spaces(inputs, 64, dtype)
    buffer = import_module("stable_baselines3.common.buffers").ReplayBuffer(
        size, spaces["observation_space"], spaces["action_space"]
    )
    return sum(array.nbytes for array in vars(buffer).values() if isinstance(array, np.ndarray)) / size


def _spaces(inputs: int, actions: int, dtype: DTypeLike) -> dict[str, Any]:
    spaces = import_module("gymnasium").spaces
    return {
        "observation_space": spaces.Box(0, 1, (inputs,), dtype),
        "action_space": spaces.Discrete(actions),
    }
