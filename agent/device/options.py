"""A learner's options for games on a device, and the checks of a run there."""

import torch

from agent import learners
from agent.device.learning import OPTIMISERS
from agent.device.pool import make_opponent
from agent.device.rules import Rules
from agent.device.selfplay import rows_of
from agent.dqn.config import DQNConfig
from agent.dqn.length import DEVICE, GPU
from agent.selfplay.shares import PAST, read_shares
from game.registry import RegistryError, parse

_PRESETS = {"cpu": DEVICE, "cuda": GPU}
_OPTIONS = (
    "preset", "network", "hidden", "channels", "blocks", "dueling", "symmetric_play", "replay", "batch",
    "n_step", "double", "gamma", "loss", "optimiser", "learning_rate", "rate_games", "clip_norm",
    "target_rate", "average_rate", "epochs", "epsilon_schedule", "epsilon_start", "epsilon_end",
    "epsilon_from", "epsilon_steps", "clock",
)  # fmt: skip
"""What this way of playing takes of a DQN agent's options."""


def learner_for(text: str, size: int, device: torch.device, at_once: int) -> str:
    """Return the text of a learner with its preset for games on a device; raises ValueError.

    `at_once`: games side by side.
    """
    spec = parse(text)
    method = learners.find(spec.name)
    if not method.devices:
        raise RegistryError(f"{spec.name} computes on the processor: leave --device out")
    for key in spec.options.keys() - {*_OPTIONS}:
        raise RegistryError(f"{spec.name} on a device has no option {key!r}; it has {', '.join(_OPTIONS)}")
    options = {"preset": _PRESETS[device.type], **spec.options}
    if options["preset"] not in _PRESETS.values():
        raise RegistryError(
            f"preset={options['preset']} is not for games on a device: expected {DEVICE} or {GPU}"
        )
    _check(method.configure(options, size, None), at_once)
    return text if "preset" in spec.options else f"{text},preset={options['preset']}"


def _check(config: DQNConfig, at_once: int) -> None:
    if config.optimiser not in OPTIMISERS:
        raise ValueError(f"optimiser is {config.optimiser}, expected here {', '.join(OPTIMISERS)}")
    if not config.gamma:
        raise ValueError("gamma must be above 0")
    if (rows := rows_of(config, at_once)) <= 2 * config.n_step:
        raise ValueError(f"replay={config.replay} is {rows} plies of {at_once} games: too few for n_step")


def check_size(size: int) -> None:
    """Raise ValueError for a board whose squares fit no word."""
    Rules(size)


def check_opponents(text: str, size: int) -> None:
    """Raise ValueError for a pool with somebody who does not play on a device."""
    rules = Rules(size)
    for share in read_shares(text):
        if share.name != PAST:
            make_opponent(share.name, rules)
