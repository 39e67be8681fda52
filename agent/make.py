"""The agent that a text names."""

from pathlib import Path
from typing import TYPE_CHECKING, Any, Union

from othello_lab.agent.learner import find_method, method_names
from othello_lab.agent.task import check_board
from othello_lab.game.players import catalogue as registry
from othello_lab.game.registry import Spec, parse

if TYPE_CHECKING:
    from othello_lab.agent.learning_agent import LearningAgent
    from othello_lab.agent.player_agent import PlayerAgent


def learns(spec: Spec) -> bool:
    """Tell whether a text names a learner; with an argument it is a checkpoint's path, so a player."""
    return spec.argument is None and spec.name in method_names()


def check_learner(text: str, size: int) -> None:
    """Raise ValueError for a board or options that the learner of a text does not take; loads no torch."""
    spec = parse(text)
    method = find_method(spec.name)
    check_board(size, method.largest)
    method.configure(spec.options, size, None)


def make_agent(
    text: str,
    seed: int = 0,
    checkpoint_dir: Path | None = None,
    size: int | None = None,
    device: str = "cpu",
) -> Union["LearningAgent[Any, Any]", "PlayerAgent"]:
    """Return the agent that a text names: `dqn,preset=classic,frames=1` learns, any other is a player.

    The name of a learner with an argument (`dqn:PATH`) is a player too. `device` is where a learner computes,
    one that torch has; see `agent.device.torch_device`. Raises ValueError for a text that names no agent, or
    one that computes on the processor alone.
    """
    spec = parse(text)
    if device != "cpu":
        _check_device(spec)
    if learns(spec):
        # Imported here: a player need not wait for it.
        from othello_lab.agent.learning_agent import LearningAgent

        method = find_method(spec.name)
        check_board(size or 0, method.largest)
        return LearningAgent(method, spec.options, seed, size, checkpoint_dir, device)
    from othello_lab.agent.player_agent import PlayerAgent

    if size is None:
        registry.check(text)
    return PlayerAgent(text, seed, size, checkpoint_dir)


def _check_device(spec: Spec) -> None:
    """Raise ValueError for an agent that computes on the processor alone."""
    if not learns(spec) or not find_method(spec.name).devices:
        able = " or ".join(name for name in method_names() if find_method(name).devices)
        raise ValueError(f"{spec.name} computes on the processor only: leave the device out, or take {able}")
