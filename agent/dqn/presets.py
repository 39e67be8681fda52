"""Configurations with a name: ours, and those of earlier projects without their faults."""

from dataclasses import replace

from agent.dqn.config import DQNConfig
from agent.dqn.length import DEFAULT, DEVICE, GPU, SELFPLAY


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
