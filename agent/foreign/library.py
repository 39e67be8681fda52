"""A policy loaded by the library that saved it, which runs whatever code is in the file."""

from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, Final

from torch import Tensor

from agent.foreign.files import PolicyError
from agent.foreign.state_dict import DIVERGED, is_finite

Scores = Callable[[Tensor], Tensor]
"""From planes, float [n, 4 * N * N], to what each action is worth, [n, N * N + 1]; more is better."""
ALGORITHMS: Final = ("A2C", "DQN", "PPO", "MaskablePPO", "QRDQN", "TRPO")


def load(path: Path, algorithm: str, size: int) -> Scores:
    """Return how the policy in a file scores actions: it sees 4 * N * N numbers and knows N * N + 1 actions.

    Raises PolicyError for a file that the library cannot load, or a policy for something else.
    """
    try:
        model = _class_of(algorithm).load(path, device="cpu")
    except ModuleNotFoundError:
        raise
    except Exception as error:
        raise PolicyError(
            f"{path} could not be loaded as {algorithm}: {' '.join(str(error).split())[:200]}"
        ) from None
    shape, actions = model.observation_space.shape or (), getattr(model.action_space, "n", 0)
    if prod(shape) != 4 * size * size or actions != size * size + 1:
        raise PolicyError(f"{path} sees {shape} and has {actions} actions: it does not fit {size}x{size}")
    if not all(is_finite(weight) for weight in model.policy.parameters()):
        raise PolicyError(f"{path} {DIVERGED}")
    model.policy.set_training_mode(False)
    scores = _scores_of(model.policy, algorithm)
    return lambda planes: scores(planes.view(-1, *shape))


def _class_of(algorithm: str) -> Any:  # noqa: ANN401  a class of a library that need not be there
    # Here, since only who has these libraries has such files.
    import sb3_contrib
    import stable_baselines3

    return getattr(stable_baselines3, algorithm, None) or getattr(sb3_contrib, algorithm)


def _scores_of(policy: Any, algorithm: str) -> Scores:  # noqa: ANN401  a policy of that library
    if algorithm == "DQN":
        scores: Scores = policy.q_net
        return scores
    if algorithm == "QRDQN":
        return lambda seen: policy.quantile_net(seen).mean(1)
    return lambda seen: policy.get_distribution(seen).distribution.logits
