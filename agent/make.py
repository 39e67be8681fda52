"""From text to an agent."""

from pathlib import Path
from typing import TYPE_CHECKING, Union

from game.players import catalogue as registry

if TYPE_CHECKING:
    from agent.dqn.agent import DQNAgent
    from agent.player_agent import PlayerAgent


def make_agent(
    text: str,
    seed: int = 0,
    checkpoint_dir: Path | None = None,
    size: int | None = None,
) -> Union["DQNAgent", "PlayerAgent"]:
    """Return the agent that a text names: `dqn,preset=classic,frames=1` learns, any other is a player.

    `dqn` with an argument (`dqn:PATH`) is a player too. Raises ValueError for a text that names no agent.
    """
    spec = registry.parse(text)
    if spec.name == "dqn" and spec.argument is None:
        # Imported here: a random player need not wait for torch.
        from agent.dqn.agent import DQNAgent

        return DQNAgent(spec.options, seed, size, checkpoint_dir)
    from agent.player_agent import PlayerAgent

    if size is None:
        registry.check(text)
    return PlayerAgent(text, seed, size, checkpoint_dir)
