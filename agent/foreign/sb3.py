"""A policy of Stable-Baselines3 or sb3-contrib: its weights alone, or loaded with the code in its file.

Their file is a zip. `policy.pth` holds the weights, which torch reads as numbers alone. `data` is JSON in
which pickles stand as text: they are not touched. Whatever is more than linear layers, their library loads,
which runs whatever code is in the file.
"""

import json
import re
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

from torch import Tensor, nn

from othello_lab.agent.foreign.files import PolicyError, member, reading
from othello_lab.agent.foreign.state_dict import (
    ACTIVATIONS,
    DIVERGED,
    Weights,
    is_finite,
    layers_of,
    read_weights,
    stacked,
)

CODE: Final = "allow-code=1"
"""What lets a file run code."""
_LARGEST_DATA: Final = 16 * 2**20
"""Bytes of the settings beside the weights."""


class _Family(NamedTuple):
    """Algorithms whose policies have the same parts."""

    plays: tuple[str, ...]
    """How the names of the weights begin that choose an action, in their order."""
    beside: tuple[str, ...]
    """Those of the weights that are for learning."""
    activation: str
    """That of MlpPolicy."""


_FAMILIES: Final = (
    _Family(("mlp_extractor.policy_net.", "action_net."), ("mlp_extractor.value_net.", "value_net."), "tanh"),
    _Family(("q_net.",), ("q_net_target.",), "relu"),
    _Family(("quantile_net.",), ("quantile_net_target.",), "relu"),
)
"""PPO, A2C, TRPO and MaskablePPO; DQN; QR-DQN."""


def network_of(path: Path, activation: str | None, size: int) -> nn.Module:
    """Return the network of an MlpPolicy, float [n, 4 * N * N] to [n, N * N + 1].

    Raises PolicyError, also for a policy of another kind.
    """
    weights, data = _read(path)
    family = _family(path, weights)
    playing = {name: weight for name, weight in weights.items() if name.startswith(family.plays)}
    layers = layers_of(path, playing)
    if family.plays == ("quantile_net.",):
        layers[-1] = _mean_of_quantiles(layers[-1], size * size + 1)
    return stacked(path, layers, activation or _activation(path, data, family), size)


def _read(path: Path) -> tuple[Weights, dict[str, Any]]:
    with reading(path, "is no file that Stable-Baselines3 has saved"), ZipFile(path) as file:
        weights = read_weights(path, member(path, file, "policy.pth"))
        data = json.loads(member(path, file, "data", _LARGEST_DATA))
    return weights, data if isinstance(data, dict) else {}


def _family(path: Path, weights: Weights) -> _Family:
    for family in _FAMILIES:
        if all(name.startswith(family.plays + family.beside) for name in weights):
            return family
    raise PolicyError(
        f"{path} is no MlpPolicy of linear layers. Another policy is loaded by running code in the file: "
        f"if you trust who made it, say sb3:{path},algorithm=NAME,{CODE}"
    )


def _mean_of_quantiles(layer: nn.Linear, actions: int) -> nn.Linear:
    """Return a last layer that says the mean of what `layer` says, [quantiles * actions], for each action."""
    quantiles = layer.out_features // actions
    if quantiles * actions != layer.out_features:
        return layer
    mean = nn.Linear(layer.in_features, actions, bias=layer.bias is not None)
    mean.weight.data = layer.weight.view(quantiles, actions, -1).mean(0)
    if mean.bias is not None:
        mean.bias.data = layer.bias.view(quantiles, actions).mean(0)
    return mean


def _activation(path: Path, data: dict[str, Any], family: _Family) -> str:
    """Return the activation that `policy_kwargs` names, as text, or that of MlpPolicy."""
    arguments = data.get("policy_kwargs")
    told = arguments.get("activation_fn") if isinstance(arguments, dict) else None
    if told is None:
        return family.activation
    name = re.sub(r"\W*$", "", str(told)).rpartition(".")[2].lower()
    if name not in ACTIVATIONS:
        raise PolicyError(f"{path} has the activation {str(told)[:60]!r}: {CODE} lets its library load it")
    return name


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
