"""The presets of DQN that follow earlier projects, without their faults."""

from dataclasses import replace

from othello_lab.agent.dqn.config import DQNConfig

# DQN as first published (Mnih et al. 2015), the base of the presets of earlier projects.
_PLAIN = DQNConfig(
    n_step=1, symmetries=False, symmetric_play=False, double=False, loss="mse", average_rate=0.0
)
# The preset `report`. Each game multiplies epsilon by 0.99975, from 0.1 down to 0.0082.
_REPORT = replace(
    _PLAIN,
    hidden=(128,),
    replay=10_000,
    batch=512,
    clock="games",
    update_every=1,
    gamma=0.99,
    target_rate=0.01,
    epsilon_start=0.1,
    epsilon_end=0.1 * 0.99975**10_000,
    epsilon_steps=10_000,
    opening_moves=3,
)
_REPORT_SELFPLAY = replace(
    _REPORT, epsilon_schedule="linear", epsilon_start=0.05, epsilon_end=0.05, opening_moves=0
)


def classic(size: int) -> DQNConfig:
    """Return the preset `classic`, with the size of the 2017 trio: 48 million weights on 8x8."""
    return replace(
        _PLAIN,
        frames=9,
        hidden=(4 * size * size * 9,) * 9,
        replay=20_000,
        warm_up=5_000,
        update_every=1,
        optimiser="rmsprop-graves",
        learning_rate=0.00025,
        target_every=10_000,
        target_rate=1.0,
        epsilon_schedule="linear",
        epsilon_end=0.001,
        epsilon_from=5_000,
        epsilon_steps=15_000,
        freeze_after_wins=200,
    )


def presets(size: int) -> dict[str, DQNConfig]:
    """Return these presets by name, for boards of `size`."""
    return {"classic": classic(size), "report": _REPORT, "report-selfplay": _REPORT_SELFPLAY}
