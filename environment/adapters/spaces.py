"""Functions that all adapters use: spaces, masks, drawings of a game, arguments of constructors.

Actions 0 to N*N - 1 are squares, row by row from a1. Action N*N is the pass, which is legal only if no square
is legal.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from othello_lab.environment.config import SELF, EnvironmentConfig
from othello_lab.environment.messages import Settings
from othello_lab.game.game import STANDARD
from othello_lab.game.notation import PASS
from othello_lab.game.players.given import text_of
from rlglue.types import Action, Observation

Planes = NDArray[np.int8]
"""The four planes of `game.observation`: [4, N, N] for one game, [games, 4, N, N] for many games."""
Mask = NDArray[np.int8]
"""An array, [N*N + 1] or [games, N*N + 1], with 1 for each legal action, else 0. After the end of a game,
only the pass has 1."""


def observation_space(size: int) -> spaces.MultiBinary:
    """Return the space of the planes, 0 or 1, [4, N, N]."""
    return spaces.MultiBinary((4, size, size))


def action_space(size: int) -> spaces.Discrete:
    """Return the space of the actions: all squares and the pass."""
    return spaces.Discrete(size * size + 1)


def planes_of(state: Observation, size: int) -> Planes:
    """Return the planes of an RL-Glue observation, int8 [4, N, N]."""
    return np.array(state.intArray, np.int8).reshape(4, size, size)


def mask_of(legal: NDArray[np.int8 | np.bool_], open_: NDArray[np.bool_] | np.bool_) -> Mask:
    """Return a mask of the legal actions, int8 [..., N*N + 1].

    `open_`, bool [...], marks the games that are not over and have a legal square. In all other games, only
    the pass is legal. `legal`, [..., N*N], marks the legal squares.
    """
    mask = np.empty((*legal.shape[:-1], legal.shape[-1] + 1), np.int8)
    mask[..., :-1] = legal & np.expand_dims(open_, -1)
    mask[..., -1] = ~open_
    return mask


def rl_glue_action(action: int, size: int) -> Action:
    """Return an RL-Glue action that holds the same square, or -1 for the pass."""
    glue_action = Action()
    glue_action.intArray = [PASS if action == size * size else action]
    return glue_action


DEFAULTS: Final = EnvironmentConfig()
Rewards = tuple[float, float, float] | Literal["discs"]
"""The rewards of a win, a draw and a loss, or `discs` for the difference of discs."""
OPTIONS: Final = ("start", "opponent", "first")
"""The options of `reset`."""


def config_of(
    size: int, opponent: object, rewards: Rewards, first: str, random_opening: int
) -> EnvironmentConfig:
    """Return a configuration from the arguments of a constructor. Raises ValueError for a wrong argument."""
    if opponent == SELF:
        raise ValueError("an agent that plays both sides uses the adapter pettingzoo, not Gymnasium")
    in_discs = rewards == "discs"
    if not in_discs and (isinstance(rewards, str) or len(rewards) != 3):
        raise ValueError(f"rewards are {rewards!r}, expected those of a win, a draw and a loss, or 'discs'")
    win, draw, loss = DEFAULTS.rewards if in_discs else map(float, rewards)
    return EnvironmentConfig(
        size=size,
        opponent=text_of(opponent),
        first=first,
        random_opening=random_opening,
        reward="discs" if in_discs else "result",
        reward_win=win,
        reward_draw=draw,
        reward_loss=loss,
    )


def set_options(settings: Settings, options: Mapping[str, Any]) -> None:
    """Set the options of `reset`. A missing option gets its default. Raises ValueError for a wrong option."""
    for key in options.keys() - {*OPTIONS}:
        raise ValueError(f"reset has no option {key!r}; its options: {', '.join(OPTIONS)}")
    settings.set_start(options.get("start", STANDARD))
    settings.set_first(options.get("first", settings.config.first))
    opponent = text_of(options.get("opponent", settings.config.opponent))
    if opponent != settings.opponent_text:
        settings.change_opponent(opponent)


def check_render_mode(mode: str | None, modes: Sequence[str]) -> None:
    """Raise ValueError if `mode` is neither None nor one of `modes`."""
    if mode is not None and mode not in modes:
        raise ValueError(f"render_mode is {mode!r}, expected one of {', '.join(modes)}")
