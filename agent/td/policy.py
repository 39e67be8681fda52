"""A value network as it plays."""

from functools import partial

from agent.checkpoint import Arrays, Forms
from agent.policy import PositionPolicy
from agent.saved_policy import SavedPolicy
from agent.td.config import TDConfig
from agent.td.evaluator import ValueEvaluator
from agent.td.network import make_network
from agent.td.values import make_values
from agent.weights import forms_of, put


class TDPolicy(PositionPolicy[TDConfig]):
    """Plays the move whose afterstate is worth most."""

    prefix = "network."

    def __init__(self, saved: SavedPolicy[TDConfig]) -> None:
        self._values = make_values(saved.config, saved.size)
        put(saved.arrays, self._values.network, self.prefix)

    @classmethod
    def forms(cls, config: TDConfig, size: int, arrays: Arrays) -> Forms | None:
        """See `Learned`."""
        few = len(config.hidden) <= len(arrays)
        return forms_of(partial(make_network, config, size), cls.prefix) if few else None

    def evaluator(self) -> ValueEvaluator:
        """See `Learned`."""
        return ValueEvaluator(self._values)
