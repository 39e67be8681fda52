"""Every value of a DQN agent, and the presets."""

from dataclasses import dataclass, fields, replace
from typing import Any, get_args, get_origin, get_type_hints


@dataclass(frozen=True)
class DQNConfig:
    """One frozen value per knob. A step is one decision of the agent; forced passes are none."""

    # The network
    frames: int = 1
    """Observations in a stack: this decision's and the ones before it in the same game."""
    hidden: tuple[int, ...] = (256, 256, 256)
    """Units of each fully connected hidden layer."""
    # Replay
    replay: int = 100_000
    """Transitions kept; the oldest goes first."""
    warm_up: int = 1_000
    """Transitions stored before learning starts."""
    batch: int = 128
    symmetries: bool = True
    """Show each sampled transition under one of the 8 symmetries of the board, drawn anew each time."""
    # Learning
    update_every: int = 4
    """Steps between updates."""
    double: bool = True
    """Choose the bootstrap action with the online network (van Hasselt et al. 2016)."""
    gamma: float | None = None
    """Discount; None takes the task specification's."""
    loss: str = "huber"
    """huber or mse."""
    optimiser: str = "adam"
    """adam, or rmsprop-graves (Graves 2013, equations 38-45, without momentum)."""
    learning_rate: float = 5e-4
    target_every: int = 1
    """Updates between moves of the target network."""
    target_rate: float = 0.005
    """How far the target network moves towards the online one; 1 copies it."""
    average_rate: float = 0.001
    """How far the network that plays when exploration is frozen moves towards the online one at each update;
    0 lets the online network itself play."""
    # Exploration
    epsilon_start: float = 1.0
    epsilon_end: float = 0.05
    epsilon_from: int = 0
    """Step up to which epsilon stays at its start; from there it falls linearly."""
    epsilon_steps: int = 16_000
    """Steps from epsilon_from until epsilon is at its end."""
    freeze_after_wins: int = 0
    """Stop learning and exploring after so many games in a row without a loss; 0 never stops."""

    def __post_init__(self) -> None:
        if min(self.frames, self.replay, self.batch, self.update_every, self.target_every) < 1:
            raise ValueError("frames, replay, batch, update_every and target_every must be at least 1")
        if self.replay <= max(self.warm_up, self.frames):
            raise ValueError(f"replay={self.replay} must be larger than warm_up={self.warm_up} and frames")
        if self.loss not in ("huber", "mse"):
            raise ValueError(f"loss is {self.loss!r}, expected huber or mse")
        if self.optimiser not in ("adam", "rmsprop-graves"):
            raise ValueError(f"optimiser is {self.optimiser!r}, expected adam or rmsprop-graves")

    def epsilon(self, step: int) -> float:
        """Return the share of random moves at a step."""
        done = min(max((step - self.epsilon_from) / max(self.epsilon_steps, 1), 0.0), 1.0)
        return self.epsilon_start + (self.epsilon_end - self.epsilon_start) * done


def default(size: int) -> DQNConfig:
    """Return what learns within minutes on two cores; epsilon falls over about 500 games on any board."""
    return DQNConfig(epsilon_steps=250 * size * size)


def classic(size: int) -> DQNConfig:
    """Return the sizes and schedules of the 2017 trio, without its faults.

    Nine layers as wide as the input of nine frames of four planes: 48 million weights on 8x8.
    """
    return DQNConfig(
        frames=9,
        hidden=(4 * size * size * 9,) * 9,
        replay=20_000,
        warm_up=5_000,
        batch=128,
        symmetries=False,
        update_every=1,
        double=False,
        loss="mse",
        optimiser="rmsprop-graves",
        learning_rate=0.00025,
        target_every=10_000,
        target_rate=1.0,
        average_rate=0.0,
        epsilon_start=1.0,
        epsilon_end=0.001,
        epsilon_from=5_000,
        epsilon_steps=15_000,
        freeze_after_wins=200,
    )


PRESETS = {"default": default, "classic": classic}
"""Preset name: board size to configuration."""


def configure(options: dict[str, str], size: int) -> DQNConfig:
    """Return the configuration that `preset=NAME` and other key=value texts describe; raises ValueError."""
    options = dict(options)
    preset = options.pop("preset", "default")
    if preset not in PRESETS:
        raise ValueError(f"there is no preset {preset!r}; there are: {', '.join(PRESETS)}")
    known = {field.name for field in fields(DQNConfig)}
    for key in options:
        if key not in known:
            raise ValueError(f"dqn has no option {key!r}; it has preset, {', '.join(sorted(known))}")
    types = get_type_hints(DQNConfig)
    return replace(
        PRESETS[preset](size), **{key: _read(key, text, types[key]) for key, text in options.items()}
    )


def from_json(values: dict[str, Any]) -> DQNConfig:
    """Return the configuration that `dataclasses.asdict` turned into JSON; raises ValueError."""
    try:
        return DQNConfig(**{**values, "hidden": tuple(values["hidden"])})
    except (TypeError, KeyError) as error:
        raise ValueError(f"the configuration does not fit this version: {error}") from None


def _read(key: str, text: str, kind: Any) -> Any:  # noqa: ANN401  any type in, its value out
    """Read the text of one value; tuples are written `256,256`, None is `none`."""
    try:
        if kind is bool:
            return {"true": True, "1": True, "yes": True, "false": False, "0": False, "no": False}[
                text.lower()
            ]
        if get_origin(kind) is tuple:
            return tuple(int(word) for word in text.split(","))
        if type(None) in get_args(kind):
            return None if text.lower() == "none" else float(text)
        return kind(text)
    except (ValueError, KeyError):
        name = getattr(kind, "__name__", str(kind))
        raise ValueError(f"{key}={text} is no {name}") from None
