"""The presets of a DQN agent, its options from texts, and its method in the catalogue."""

from dataclasses import replace
from typing import Any

from agent.dqn.config import DQNConfig
from agent.learner import Method
from agent.options import read_length, read_options
from game.registry import similar

DEFAULT, SELFPLAY, DEVICE, GPU = "default", "selfplay", "device", "gpu"
"""The presets that something goes by: of games one by one; of thousands at once by compiled code; and of
thousands at once by torch, on a processor and on a GPU."""
LENGTH = 5_000
"""Games of a run, where nobody says how many there will be."""
_DECISIONS = 425
"""Decisions of a game for 1,000 squares of the board: 27 on 8x8, 15 on 6x6, 7 on 4x4."""


def schedules(preset: str, size: int, episodes: int) -> dict[str, int]:
    """Return the schedules of a run of this many games, by the names that the configuration has for them.

    One by one, epsilon falls over four fifths of the run. A short run starts to learn earlier and learns more
    from each game: an update at every decision up to 299 games, at every fourth from 600 on. By the thousand,
    the learning rate falls over the whole run.
    """
    if preset != DEFAULT:
        return {"rate_games": episodes} if preset in {SELFPLAY, DEVICE, GPU} else {}
    decisions = _DECISIONS * size * size * episodes // 1000
    return {
        "epsilon_steps": decisions * 4 // 5,
        "warm_up": min(1_000, decisions // 20),
        "update_every": min(4, max(1, episodes // 150)),
    }


def following(options: dict[str, str]) -> set[str]:
    """Return the schedules that follow the length: who says how long epsilon falls has said all of them."""
    preset = options.get("preset", DEFAULT)
    if preset == DEFAULT and "epsilon_steps" in options:
        return set()
    return schedules(preset, 8, LENGTH).keys() - options.keys()


def default(size: int) -> DQNConfig:
    """Return what learns within minutes on two cores; epsilon falls over about 4,000 games on any board.

    It falls by a factor, not by steps: much exploration at first, so that replay is never without it, and
    whole games without a random move at the end, without which a strict opponent is not learned.
    """
    return DQNConfig(epsilon_steps=1_700 * size * size)


_AS_IN_2015 = DQNConfig(
    n_step=1, symmetries=False, symmetric_play=False, double=False, loss="mse", average_rate=0.0
)
"""Deep Q-learning as it was first published, of which the presets of earlier projects are variants."""


def classic(size: int) -> DQNConfig:
    """Return the sizes and schedules of the 2017 trio.

    Nine layers as wide as the input of nine frames of four planes: 48 million weights on 8x8.
    """
    return replace(
        _AS_IN_2015,
        frames=9,
        hidden=(4 * size * size * 9,) * 9,
        replay=20_000,
        warm_up=5_000,
        batch=128,
        update_every=1,
        optimiser="rmsprop-graves",
        learning_rate=0.00025,
        target_every=10_000,
        target_rate=1.0,
        epsilon_schedule="linear",
        epsilon_start=1.0,
        epsilon_end=0.001,
        epsilon_from=5_000,
        epsilon_steps=15_000,
        freeze_after_wins=200,
    )


def report(size: int) -> DQNConfig:
    """Return the course report's Q-network as it was trained against the positional player, 10,000 games.

    Epsilon falls by 0.99975 a game: 0.1 * 0.99975 ** 10,000 = 0.0082.
    """
    return replace(
        _AS_IN_2015,
        hidden=(128,),
        replay=10_000,
        warm_up=1_000,
        batch=512,
        clock="games",
        update_every=1,
        gamma=0.99,
        learning_rate=5e-4,
        target_every=1,
        target_rate=0.01,
        epsilon_schedule="exponential",
        epsilon_start=0.1,
        epsilon_end=0.1 * 0.99975**10_000,
        epsilon_steps=10_000,
        opening_moves=3,
        opening_epsilon=0.5,
    )


def report_selfplay(size: int) -> DQNConfig:
    """Return the course report's Q-network as it was trained by self-play, 15,000 games."""
    return replace(
        report(size), epsilon_schedule="linear", epsilon_start=0.05, epsilon_end=0.05, opening_moves=0
    )


def selfplay(size: int) -> DQNConfig:
    """Return what learns from thousands of games at once; its learning rate falls to nothing."""
    return DQNConfig(
        hidden=(512, 256, 256),
        batch=512,
        epochs=2,
        exact=6,
        sudden=6,
        loss="mse",
        learning_rate=1e-3,
        target_rate=1.0,
        epsilon_schedule="linear",
        epsilon_start=0.1,
        epsilon_end=0.1,
        epsilon_steps=0,
    )


def device(size: int) -> DQNConfig:
    """Return what learns beside thousands of games on a device, as much as two cores can do."""
    return DQNConfig(
        hidden=(256, 256),
        replay=200_000,
        warm_up=0,
        batch=512,
        gamma=1.0,
        learning_rate=1e-3,
        average_rate=0.001,
        epsilon_schedule="linear",
        epsilon_start=0.1,
        epsilon_end=0.1,
        epsilon_steps=0,
    )


def gpu(size: int) -> DQNConfig:
    """Return the same for a GPU."""
    own = device(size)
    return replace(own, hidden=(512, 512, 512), replay=4_000_000, batch=4096, average_rate=0.0002)


PRESETS = {
    DEFAULT: default,
    "classic": classic,
    "report": report,
    "report-selfplay": report_selfplay,
    SELFPLAY: selfplay,
    DEVICE: device,
    GPU: gpu,
}
"""Preset name: board size to configuration."""


def configure(options: dict[str, str], size: int, episodes: int | None = None) -> DQNConfig:
    """Return the configuration that `preset=NAME` and other key=value texts describe; raises ValueError.

    Schedules that are not given are made for a run of this many episodes, or as many as `episodes=N` says.
    """
    own = dict(options)
    preset = own.pop("preset", DEFAULT)
    if preset not in PRESETS:
        raise ValueError(f"there is no preset {preset!r}{similar(preset, list(PRESETS))}")
    length = read_length(own.pop("episodes", str(episodes or LENGTH)))
    given = read_options("dqn", DQNConfig, own, ("preset", "episodes"))
    found = schedules(preset, size, length)
    follow: dict[str, Any] = {name: found[name] for name in following(options)}
    return replace(PRESETS[preset](size), **follow, **given)


DQN: Method[DQNConfig, Any] = Method(
    name="dqn",
    config=DQNConfig,
    learner="agent.dqn.learner:DQNLearner",
    policy="agent.dqn.policy:DQNPolicy",
    from_texts=configure,
    schedule=lambda config: config,
    following=following,
    batched=f"preset={SELFPLAY}",
    devices=True,
)
"""Deep Q-learning (Mnih et al. 2015) and what came after it, each part an option."""
