"""The default options and the schedules of DQN, and its configuration from key=value texts."""

from dataclasses import replace
from typing import Any

from othello_lab.agent.dqn.config import DQNConfig
from othello_lab.agent.learner import Method, Options
from othello_lab.agent.options import Described, read_length, read_options
from othello_lab.game.registry import similar

# Two presets. `default` is for single games, `selfplay` for thousands of games at once.
DEFAULT, SELFPLAY = "default", "selfplay"
PRESETS = {
    DEFAULT: "Learns within minutes on two cores.",
    "classic": "The sizes of the 2017 programs: 9 frames, nine layers as wide as the input. Slow.",
    "report": "As in a course report of 2024: one layer of 128 units, for 10,000 games against positional.",
    "report-selfplay": "As in the same report, for 15,000 games of self-play.",
    SELFPLAY: "For othello selfplay: layers of 512, 256 and 256 units. The learning rate falls to 0.",
}
LENGTH = 5_000  # The schedules assume this number of games if the number is unknown.
TEXTS = {
    "preset": Described(DEFAULT, "Run", "A preset from the list below. The other options change its values."),
    "episodes": Described(
        str(LENGTH),
        "Run",
        "Number of games for the schedules. If this option is not given, the experiment sets it.",
    ),
}
_DECISIONS = 425  # Thousandths of a decision per square: 27 decisions in a game on 8x8, 7 on 4x4.


def schedules(preset: str, size: int, episodes: int) -> dict[str, int]:
    """Return the options that depend on `episodes`, the number of games.

    In the default preset, a short run begins to learn earlier and updates more often.
    """
    if preset != DEFAULT:
        return {"rate_games": episodes} if preset == SELFPLAY else {}
    decisions = _DECISIONS * size * size * episodes // 1000
    return {
        "epsilon_steps": decisions * 4 // 5,
        "warm_up": min(1_000, decisions // 20),
        "update_every": min(4, max(1, episodes // 150)),
    }


def follows_length(options: Options) -> set[str]:
    """Return the options that depend on the length of the run and that the user has not set.

    If the user sets `epsilon_steps` in the default preset, the result is empty.
    """
    preset = options.get("preset", DEFAULT)
    if preset == DEFAULT and "epsilon_steps" in options:
        return set()
    return schedules(preset, 8, LENGTH).keys() - options.keys()


def default(size: int) -> DQNConfig:
    """Return the default preset. Its epsilon falls exponentially, so many late games have no random move."""
    return DQNConfig(epsilon_steps=1_700 * size * size, endgame=min(10, size * size // 6))


def configure(options: Options, size: int, episodes: int | None = None) -> DQNConfig:
    """Return the configuration from texts such as `preset=NAME` and `episodes=N`. Raises ValueError."""
    texts = dict(options)
    preset = texts.pop("preset", DEFAULT)
    if preset not in PRESETS:
        raise ValueError(f"there is no preset {preset!r}{similar(preset, list(PRESETS))}")
    learner = "dqn"
    if preset == SELFPLAY:
        from othello_lab.agent.dqn import selfplay  # imported here because agents over RL-Glue do not need it

        start: DQNConfig = selfplay.SELFPLAY
        learner = f"dqn,preset={SELFPLAY}"
    elif preset == DEFAULT:
        start = default(size)
    else:
        from othello_lab.agent.dqn.presets import presets

        start = presets(size)[preset]
    length = read_length(texts.pop("episodes", str(episodes or LENGTH)))
    values = read_options(learner, type(start), texts, TEXTS)
    planned = schedules(preset, size, length)
    follow: dict[str, Any] = {name: planned[name] for name in follows_length(options)}
    return replace(start, **follow, **values)


DQN = Method(
    name="dqn",
    config=DQNConfig,
    learner="othello_lab.agent.dqn.learner:DQNLearner",
    policy="othello_lab.agent.dqn.policy:DQNPolicy",
    from_texts=configure,
    schedule=lambda config: config,
    follows_length=follows_length,
    batched=f"preset={SELFPLAY}",
    finds_legal_moves=False,
    devices=True,
    line="deep Q-learning (Mnih et al. 2015); each later improvement is an option",
    texts=TEXTS,
    presets=PRESETS,
)
