"""The options of `python -m agent.device`: argparse, for machines without the command line's libraries."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch

from agent.device.recipe import Recipe, default
from agent.device.speed import SPEEDS
from agent.dqn.config import CHOICES, DQNConfig

_OF_GAMES = ("size", "seed", "games", "updates", "opponents", "random_opening", "epsilon", "plies")
OF_LEARNING = (
    "network", "hidden", "channels", "blocks", "dueling", "symmetric_play", "replay", "batch", "n_step",
    "double", "gamma", "loss", "optimiser", "learning_rate", "clip_norm", "target_rate", "average_rate",
)  # fmt: skip
"""What this way of playing takes of a DQN agent's options."""
_HELP = {
    "size": "length of a side: 4, 6 or 8",
    "games": "games that go on at once",
    "updates": "times that is learned after each ply of all games",
    "opponents": "NAME=SHARE,...: who plays one side of which share of the games, or none",
    "random_opening": "a game begins with 0 to this many random plies",
    "epsilon": "share of random moves",
    "plies": "length of the whole training, over which the learning rate falls to a tenth; 0 is open",
    "replay": "transitions that are kept",
    "hidden": "units of each layer of an mlp, such as 512,512",
}


def parser() -> argparse.ArgumentParser:
    """Return what reads the command line. Options of the recipe are None unless given."""
    found = argparse.ArgumentParser(
        "python -m agent.device",
        description="Train a DQN network by self-play on one device. It needs torch, numpy and safetensors "
        "alone. The network plays as trained:DIR/policy.safetensors.",
    )
    found.add_argument("--out", type=Path, metavar="DIR", help="where all files go")
    found.add_argument(
        "--check", action="store_true", help="only compare the rules there with those on the CPU"
    )
    found.add_argument("--resume", action="store_true", help="go on with the training in DIR")
    found.add_argument("--minutes", type=float, default=9.0, help="length of this piece, all in all [9]")
    found.add_argument("--device", default="auto", help="auto, cpu, cuda or cuda:N [auto]")
    found.add_argument(
        "--speed", choices=SPEEDS, default="auto", help="how its kernels are started [auto: graph on CUDA]"
    )
    found.add_argument("--points", type=int, default=6, help="evaluations and saves of a piece [6]")
    found.add_argument("--eval-games", type=int, default=1000, help="games with each opponent there [1000]")
    for name in (*_OF_GAMES, *OF_LEARNING):
        _add(found, name)
    return found


def _add(to: argparse.ArgumentParser, name: str) -> None:
    form: type[Any] = Recipe if name in _OF_GAMES else DQNConfig
    values = [getattr(default(device), name) for device in ("cuda", "cpu")] if form is Recipe else None
    values = values or [getattr(default(device).config, name) for device in ("cuda", "cpu")]
    shown = " or, on a CPU, ".join(dict.fromkeys(map(_text, values)))
    to.add_argument(
        f"--{name.replace('_', '-')}",
        type=_reader(values[0]),
        choices=CHOICES.get(name) if name != "optimiser" else None,
        metavar=None if name in CHOICES and name != "optimiser" else _METAVARS[type(values[0])],
        help=f"{_HELP[name] + ' ' if name in _HELP else ''}[{shown}]",
    )


_METAVARS = {int: "N", float: "X", bool: "yes|no", tuple: "N,N,...", str: "TEXT"}


def _text(value: object) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value))
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _reader(value: object) -> Any:  # noqa: ANN401  what argparse calls
    if isinstance(value, bool):
        return _flag
    return _numbers if isinstance(value, tuple) else type(value)


_FLAGS = {"yes": True, "true": True, "no": False, "false": False}


def _flag(text: str) -> bool:
    if text not in _FLAGS:
        raise ValueError
    return _FLAGS[text]


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(int(word) for word in text.split(","))


def given(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the recipe that were given."""
    names = (*_OF_GAMES, *OF_LEARNING)
    return {name: value for name in names if (value := getattr(arguments, name)) is not None}


def recipe_of(values: dict[str, Any], device: torch.device) -> Recipe:
    """Return the recipe of a new training with these options; raises ValueError."""
    start = default(device.type)
    own = {name: value for name, value in values.items() if name in _OF_GAMES}
    config = replace(start.config, **{name: value for name, value in values.items() if name in OF_LEARNING})
    return replace(start, **own, config=config)
