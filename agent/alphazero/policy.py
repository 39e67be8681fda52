"""A trained AlphaZero network: it plays by a search that it guides."""

from othello_lab.agent.alphazero.method import AlphaZeroConfig
from othello_lab.agent.policy_value.guide import GuidePolicy
from othello_lab.game.players.base import Player
from othello_lab.game.players.guided import GuidedPolicy
from othello_lab.game.search.guided import GuidedLimits


def limits_of(config: AlphaZeroConfig) -> GuidedLimits:
    """Return how far the searches of a configuration go."""
    return GuidedLimits(config.simulations, config.considered, solve=config.solve)


class AlphaZeroPolicy(GuidePolicy[AlphaZeroConfig]):
    """Plays by the search of its configuration."""

    def player(self) -> Player:
        """See `Learned`."""
        return GuidedPolicy(self.guide, limits_of(self.config))
