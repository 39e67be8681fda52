"""Make an agent from a text such as `dqn,preset=classic`."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Union

from othello_lab.agent.learner import find_method, method_names
from othello_lab.agent.task import check_board
from othello_lab.game.registry import Spec, parse

if TYPE_CHECKING:
    from othello_lab.agent.learning_agent import LearningAgent
    from othello_lab.agent.player_agent import PlayerAgent


def learns(spec: Spec) -> bool:
    """Return whether a text names a learner. A name with an argument, such as `dqn:PATH`, names a player."""
    return spec.argument is None and spec.name in method_names()


def check_learner(text: str, size: int) -> None:
    """Raise ValueError if the learner of a text does not support the board size or an option."""
    spec = parse(text)
    method = find_method(spec.name)
    check_board(size, method.largest)
    method.configure(spec.options, size, None)


def make_agent(
    text: str, seed: int = 0, checkpoint_dir: Path | None = None, size: int | None = None, device: str = "cpu"
) -> Union["LearningAgent", "PlayerAgent"]:
    """Return the agent of a text. `dqn,preset=classic,frames=1` names a learner. Other texts name players.

    A learner's name with an argument, such as `dqn:PATH`, also names a player. `device` is a torch device
    from `read_device`. Raises ValueError for a text without an agent, and for a device that the agent does
    not support.
    """
    spec = parse(text)
    method = find_method(spec.name) if learns(spec) else None
    if device != "cpu" and not (method and method.devices):
        able = " or ".join(name for name in method_names() if find_method(name).devices)
        raise ValueError(f"{spec.name} computes on the CPU only: leave the device out, or use {able}")
    if method:
        from othello_lab.agent.learning_agent import LearningAgent  # here, because players do not need it

        check_board(size or 0, method.largest)
        return LearningAgent(method, spec.options, seed, size, checkpoint_dir, device)
    from othello_lab.agent.player_agent import PlayerAgent

    if size is None:
        from othello_lab.game import catalogue

        catalogue.PLAYERS.check(text)
    return PlayerAgent(text, seed, size, checkpoint_dir)


def read_device(text: str) -> str:
    """Return the torch device for `auto`, `cpu`, `cuda` or `cuda:N`, such as "cuda:0". Raises ValueError."""
    if not re.fullmatch("auto|cpu|cuda(:[0-9]{1,3})?", text):
        raise ValueError(f"{text[:40]!r} is no device: expected auto, cpu, cuda or cuda:N")
    if text == "cpu":
        return text
    import torch  # here, because most agents use the CPU, and players do not need torch

    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if text == "auto":
        return "cuda:0" if count else "cpu"
    if not count:
        raise ValueError(f"{text}: torch sees no CUDA device here; use cpu")
    index = int(text.partition(":")[2] or 0)
    if index >= count:
        raise ValueError(f"{text}: the last CUDA device here is cuda:{count - 1}")
    return f"cuda:{index}"
