"""All that decides a training on a device, as one value."""

from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any

from agent.device.learning import OPTIMISERS
from agent.device.rules import SIZES
from agent.dqn.config import DQNConfig
from agent.selfplay.shares import STANDARD, read_shares


def _config() -> DQNConfig:
    return DQNConfig(
        hidden=(512, 512, 512), batch=4096, replay=4_000_000, n_step=3, gamma=1.0, learning_rate=1e-3
    )


@dataclass(frozen=True)
class Recipe:
    """One frozen value per knob."""

    size: int = 8
    """The length of a side: 4, 6 or 8."""
    seed: int = 1
    games: int = 32_768
    """Games that go on at once."""
    updates: int = 8
    """Times that is learned after each ply of all games."""
    opponents: str = STANDARD
    """Who plays one side of which share of the games."""
    random_opening: int = 10
    """Plies at most that are played at random before a game counts."""
    epsilon: float = 0.1
    """The share of the learner's moves that are random."""
    plies: int = 0
    """The length of the whole training, over which the learning rate falls to a tenth; 0 is open, and the
    rate stays."""
    config: DQNConfig = field(default_factory=_config)
    """The network and how it learns; what the replay there holds is transitions."""

    def __post_init__(self) -> None:
        if self.size not in SIZES:
            raise ValueError(f"size is {self.size}, expected 4, 6 or 8")
        for name in ("games", "updates"):
            if getattr(self, name) < 1:
                raise ValueError(f"{name} is {getattr(self, name)}, expected 1 or more")
        for name in ("random_opening", "plies", "seed"):
            if getattr(self, name) < 0:
                raise ValueError(f"{name} is {getattr(self, name)}, expected 0 or more")
        if not 0 <= self.epsilon <= 1:
            raise ValueError(f"epsilon is {self.epsilon}, expected 0 to 1")
        read_shares(self.opponents)
        self._check_config()

    def _check_config(self) -> None:
        config = self.config
        if config.optimiser not in OPTIMISERS:
            raise ValueError(f"optimiser is {config.optimiser}, expected here {', '.join(OPTIMISERS)}")
        if config.frames != 1 or config.priority:
            raise ValueError("frames and priority are for games that are played one by one")
        if not config.gamma:
            raise ValueError("gamma must be given, above 0")
        if self.rows <= 2 * config.n_step:
            raise ValueError(
                f"replay={config.replay} is {self.rows} plies of {self.games} games: too few for n_step"
            )

    @property
    def rows(self) -> int:
        """How many plies of all games the replay holds."""
        return self.config.replay // self.games


def default(device: str) -> Recipe:
    """Return the recipe for a type of device: `cuda`, or what two cores can do."""
    recipe = Recipe()
    if device == "cuda":
        return recipe
    config = replace(recipe.config, hidden=(256, 256), batch=512, replay=200_000, average_rate=0.001)
    return replace(recipe, games=512, updates=1, config=config)


def to_values(recipe: Recipe) -> dict[str, Any]:
    """Return a recipe as values of a checkpoint."""
    return asdict(recipe)


def from_values(values: object) -> Recipe:
    """Return the recipe that `to_values` gave; raises ValueError for what is none."""
    found = _typed(Recipe(), values)
    assert isinstance(found, Recipe)  # noqa: S101  as its pattern is
    return found


def _typed(pattern: Any, values: object) -> Any:  # noqa: ANN401  a dataclass in, the same out
    """Return a dataclass with these values, each of the type that it has in the pattern."""
    names = {one.name for one in fields(pattern)}
    if not isinstance(values, dict) or values.keys() != names:
        raise ValueError("its options are not those of this version")
    return replace(pattern, **{name: _value(name, getattr(pattern, name), values[name]) for name in names})


def _value(name: str, pattern: object, value: Any) -> Any:  # noqa: ANN401  whatever a file holds
    if isinstance(pattern, DQNConfig):
        return _typed(pattern, value)
    if isinstance(pattern, tuple) and isinstance(value, list) and all(type(one) is int for one in value):
        return tuple(value)
    if type(value) is type(pattern):
        return value
    raise ValueError(f"its option {name} is {str(value)[:40]!r}, expected {type(pattern).__name__}")
