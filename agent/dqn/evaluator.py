"""A trained network as an evaluator."""

from functools import partial

from agent.checkpoint import CheckpointError, Stored
from agent.dqn.acting import move_values
from agent.dqn.saving import read_network
from agent.move_evaluator import MoveEvaluator


def network_evaluator(stored: Stored, size: int) -> MoveEvaluator:
    """Return the network of a checkpoint as an evaluator.

    Raises CheckpointError, also for one that looks at a history.
    """
    config, network = read_network(stored, size)
    if config.frames != 1:
        raise CheckpointError(
            f"{stored.path} looks at {config.frames} frames: only a network with frames=1 can say what a "
            "position is worth without the game before it"
        )

    return MoveEvaluator(partial(move_values, network, symmetric=config.symmetric_play))
