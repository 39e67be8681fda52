"""The weights in a file of Stable-Baselines3 or sb3-contrib, read without running code of the file.

Their file is a zip. `policy.pth` holds the weights, which torch reads as numbers alone. `data` is JSON in
which pickles stand as text: they are not touched. Whatever is more than linear layers, `library` loads.
"""

import json
import re
from pathlib import Path
from typing import Any, Final, NamedTuple
from zipfile import ZipFile

from torch import nn

from agent.foreign.files import PolicyError, member, reading
from agent.foreign.layers import ACTIVATIONS, layers_of, stacked
from agent.foreign.state_dict import Weights, read_weights

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
