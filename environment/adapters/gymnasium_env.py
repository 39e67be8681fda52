"""Othello against an opponent as a Gymnasium environment, and the code that all adapters share."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import gymnasium
import numpy as np
from numpy.typing import NDArray

from othello_lab.environment.config import SELF, EnvironmentConfig
from othello_lab.environment.messages import Settings
from othello_lab.environment.othello import NotStartedError, OthelloEnvironment
from othello_lab.game.drawing import as_text
from othello_lab.game.game import STANDARD, Game
from othello_lab.game.notation import PASS
from othello_lab.game.players.given import text_of
from rlglue.types import Action, Observation

# The four planes of `game.observation`: [4, N, N] for one game, [games, 4, N, N] for many games.
Planes = NDArray[np.int8]
# 1 for each legal action, else 0: [N*N + 1] or [games, N*N + 1]. After the end, only the pass has 1.
Mask = NDArray[np.int8]


def observation_space(size: int) -> gymnasium.spaces.MultiBinary:
    """Return the space of the planes, 0 or 1, [4, N, N]."""
    return gymnasium.spaces.MultiBinary((4, size, size))


def action_space(size: int) -> gymnasium.spaces.Discrete:
    """Return the space of the actions: 0 to N*N - 1 are squares, row by row from a1, N*N is the pass."""
    return gymnasium.spaces.Discrete(size * size + 1)


def mask_of(legal: NDArray[np.int8 | np.bool_], open_: NDArray[np.bool_] | np.bool_) -> Mask:
    """Return a mask, int8 [..., N*N + 1]: squares `legal` [..., N*N] where `open_` [...], else the pass."""
    mask = np.empty((*legal.shape[:-1], legal.shape[-1] + 1), np.int8)
    mask[..., :-1] = legal & np.expand_dims(open_, -1)
    mask[..., -1] = ~open_
    return mask


def mask_of_game(planes: Planes, over: bool) -> Mask:
    """Return the mask of one game, int8 [N*N + 1]. `planes` is [4, N, N]."""
    legal = planes[2].ravel()
    return mask_of(legal, np.bool_(legal.any() and not over))


def rl_glue_action(action: int, size: int) -> Action:
    """Return an RL-Glue action that holds the same square, or -1 for the pass."""
    glue_action = Action()
    glue_action.intArray = [PASS if action == size * size else action]
    return glue_action


DEFAULTS: Final = EnvironmentConfig()
# The rewards of a win, a draw and a loss, or `discs` for the disc difference.
Rewards = tuple[float, float, float] | Literal["discs"]
# The options of `reset`. `start` is a transcript or a position.
OPTIONS: Final = ("start", "opponent", "first")


def config_of(
    size: int, opponent: object, rewards: Rewards, first: str, random_opening: int
) -> EnvironmentConfig:
    """Return a configuration from the arguments of a constructor. Raises ValueError for a wrong argument."""
    if opponent == SELF:
        raise ValueError("an agent that plays both sides uses the adapter pettingzoo, not Gymnasium")
    reward = rewards if isinstance(rewards, str) else ",".join(map(str, rewards))
    return EnvironmentConfig(size, text_of(opponent), first, random_opening, reward=reward)


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


class OthelloEnv(gymnasium.Env[Planes, np.int64]):
    """`OthelloEnvironment` in Gymnasium. In each step the agent moves and the opponent replies.

    Each argument except `render_mode` and `rewards` is the field of `EnvironmentConfig` with the same name.
    `opponent` may also be a player object. An illegal action loses the game and sets `info["illegal"]`.
    `info["action_mask"]` marks the legal actions. Raises ValueError for an invalid argument.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012  Gymnasium does not declare a ClassVar
        "render_modes": ["ansi"],
        "render_fps": 2,
    }

    def __init__(
        self,
        size: int = DEFAULTS.size,
        opponent: object = DEFAULTS.opponent,
        rewards: Rewards = DEFAULTS.rewards,
        first: str = DEFAULTS.first,
        random_opening: int = DEFAULTS.random_opening,
        render_mode: str | None = None,
    ) -> None:
        check_render_mode(render_mode, self.metadata["render_modes"])
        self._environment = OthelloEnvironment(config_of(size, opponent, rewards, first, random_opening))
        self.observation_space = observation_space(size)
        self.action_space = action_space(size)
        self.render_mode = render_mode
        self._legal = np.zeros(size * size + 1, np.bool_)

    @property
    def game(self) -> Game:
        """The current game."""
        return self._environment.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begin a game. The options apply to this game only. Raises ValueError for a wrong option."""
        super().reset(seed=seed)
        settings = self._environment.settings
        set_options(settings, options or {})
        if seed is not None:
            settings.next_episode = 0
        settings.seed = int(self.np_random.integers(2**63))
        return self._look(self._environment.env_start(), illegal=False, over=False)

    def step(self, action: np.int64) -> tuple[Planes, float, bool, bool, dict[str, Any]]:
        """Play an action. Raises ValueError for a wrong action, NotStartedError before the first reset."""
        if not self.action_space.contains(action):
            raise ValueError(f"{action!r} is no action: expected an int from 0 to {len(self._legal) - 1}")
        environment = self._environment
        if not environment.started:
            raise NotStartedError("step came before the first reset: call reset first")
        illegal = environment.awaits_move and not self._legal[action]
        if illegal:
            step = environment.give_up()
        else:
            step = environment.env_step(rl_glue_action(int(action), self.game.size))
        planes, info = self._look(step.o, illegal, bool(step.terminal))
        return planes, float(step.r), bool(step.terminal), False, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a mask of the legal actions, bool [N*N + 1]. sb3-contrib calls this method."""
        return self._legal.copy()

    def render(self) -> Any:  # noqa: ANN401  Gymnasium's type does not fit a single text
        """Return the position as a text if the render mode is `ansi`, else None."""
        return as_text(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Close the opponent. If the opponent is a process, the process ends."""
        self._environment.env_cleanup()

    def _look(self, state: Observation, illegal: bool, over: bool) -> tuple[Planes, dict[str, Any]]:
        size = self.game.size
        planes = np.array(state.intArray, np.int8).reshape(4, size, size)
        mask = mask_of_game(planes, over)
        self._legal = mask.astype(np.bool_)
        return planes, {"action_mask": mask, "illegal": illegal}
