"""Othello against an opponent as a Gymnasium environment, one game at a time."""

from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from othello_lab.environment.adapters import spaces
from othello_lab.environment.adapters.spaces import (
    DEFAULTS,
    Planes,
    Rewards,
    check_render_mode,
    config_of,
    set_options,
)
from othello_lab.environment.othello import NotStartedError, OthelloEnvironment
from othello_lab.game.drawing import as_text
from othello_lab.game.game import Game
from rlglue.types import Observation


class OthelloEnv(gymnasium.Env[Planes, np.int64]):
    """`OthelloEnvironment` in Gymnasium. In each step the agent moves and the opponent replies.

    Each argument except `render_mode` and `rewards` is the field of `EnvironmentConfig` with the same name.
    `opponent` may also be a player object of `othello_lab.player`. Module `spaces` describes the observations
    and the actions. After an illegal action, the game ends as a loss and `info["illegal"]` is True.
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
        self.observation_space = spaces.observation_space(size)
        self.action_space = spaces.action_space(size)
        self.render_mode = render_mode
        self._legal = np.zeros(size * size + 1, np.bool_)

    @property
    def game(self) -> Game:
        """The current game."""
        return self._environment.game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, dict[str, Any]]:
        """Begin a game. A seed determines this game and all later games until the next seed.

        The option `start` is a transcript or a position. The options `opponent` and `first` mean the same as
        in the constructor. All options apply to this game only. Raises ValueError for an invalid option.
        """
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
            step = environment.env_step(spaces.rl_glue_action(int(action), self.game.size))
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
        planes = spaces.planes_of(state, self.game.size)
        mask = spaces.mask_of(planes[2].ravel(), planes[2].any() & ~np.bool_(over))
        self._legal = mask.astype(np.bool_)
        return planes, {"action_mask": mask, "illegal": illegal}
