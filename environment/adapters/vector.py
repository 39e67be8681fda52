"""Othello against an opponent as a Gymnasium vector environment: thousands of games in each step."""

from collections.abc import Sequence
from math import isqrt
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from othello_lab.environment.adapters import spaces
from othello_lab.environment.adapters.gymnasium_env import OthelloEnv
from othello_lab.environment.adapters.spaces import (
    DEFAULTS,
    Mask,
    Planes,
    Rewards,
    check_render_mode,
    config_of,
    rendered,
    set_options,
)
from othello_lab.environment.vectorised import Flags, ManyEpisodes, Rows
from othello_lab.game.batch.games import from_mask, pick_each
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS

Actions = NDArray[np.int64]
Infos = dict[str, Any]


class OthelloVectorEnv(VectorEnv[Planes, Actions, NDArray[Any]]):
    """Many games at once. Each game is as in `OthelloEnv`.

    The opponent must be a Policy, which plays many games at once, such as `random`, `greedy`,
    `corner-greedy`, `positional` or a trained network. `autoreset_mode` is one of Gymnasium's modes.
    `threads` compute the rules; the games are the same. Raises ValueError for an invalid argument.
    """

    def __init__(
        self,
        num_envs: int = 1,
        size: int = DEFAULTS.size,
        opponent: object = DEFAULTS.opponent,
        rewards: Rewards = DEFAULTS.rewards,
        first: str = DEFAULTS.first,
        random_opening: int = DEFAULTS.random_opening,
        render_mode: str | None = None,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int = 1,
    ) -> None:
        self._mode = AutoresetMode(autoreset_mode)
        self.metadata = {**OthelloEnv.metadata, "autoreset_mode": self._mode}
        check_render_mode(render_mode, self.metadata["render_modes"])
        self._episodes = ManyEpisodes(
            config_of(size, opponent, rewards, first, random_opening), num_envs, threads
        )
        self.num_envs, self.render_mode = num_envs, render_mode
        self.single_observation_space = spaces.observation_space(size)
        self.single_action_space = spaces.action_space(size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self,
        *,
        seed: int | Sequence[int | None] | None = None,
        options: dict[str, Any] | None = None,
    ) -> tuple[Planes, Infos]:
        """Begin all games, or only the games in `options["reset_mask"]`, bool [num_envs].

        `seed` is one number, or a list with a number for each game. It determines these and all later games.
        The other options are `start`, `opponent` and `first`. They apply to all games that begin before the
        next `reset`. Raises ValueError for an unknown option or an invalid value, and for a new opponent
        while other games go on: all games have the same opponent.
        """
        rows, options = self._rows(options or {})
        if isinstance(seed, Sequence) and len(seed) != self.num_envs:
            raise ValueError(f"there are {len(seed)} seeds, expected one number or {self.num_envs}")
        self._set_options(options, rows)
        if seed is not None:
            self._seed(seed)
            self._episodes.next_episodes[rows] = 0
        self._episodes.begin(rows, self.np_random)
        return self._look()

    def step(self, actions: Actions) -> tuple[Planes, NDArray[np.float64], Flags, Flags, Infos]:
        """Play an action in each game. Raises ValueError for an action outside the action space.

        After a game has ended, the next game begins in the same step (mode same step) or in the next step,
        which ignores its action (next step). In the mode disabled the game stays ended.
        """
        episodes, over = self._episodes, self._episodes.over.copy()
        rewards = episodes.step(self._moves(actions))
        if self._mode is AutoresetMode.NEXT_STEP:
            episodes.begin(np.flatnonzero(over), self.np_random)
        terminated, final = episodes.over.copy(), Infos()
        if self._mode is AutoresetMode.SAME_STEP:
            final = self._final(np.flatnonzero(terminated))
            episodes.begin(np.flatnonzero(terminated), self.np_random)
        planes, infos = self._look()
        return planes, rewards, terminated, np.zeros(self.num_envs, np.bool_), infos | final

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal, bool [num_envs, N*N + 1]."""
        return spaces.mask_of(self._episodes.legal, self._episodes.open).astype(np.bool_)

    def render(self) -> tuple[Any, ...] | None:
        """Return each position as a text or a picture. The last move is not marked."""
        if self.render_mode is None:
            return None
        games = (Game(self._episodes.board(index)) for index in range(self.num_envs))
        return tuple(rendered(game, self.render_mode) for game in games)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ANN401  as Gymnasium declares it
        """Release the resources of the opponent."""
        self._episodes.close()

    def _rows(self, options: dict[str, Any]) -> tuple[Rows, dict[str, Any]]:
        """Return the indices of the games to begin, and the options without `reset_mask`."""
        others = dict(options)
        mask = np.asarray(others.pop("reset_mask", np.ones(self.num_envs, np.bool_)))
        if mask.dtype != np.bool_ or mask.shape != (self.num_envs,):
            raise ValueError(f"reset_mask is {mask.dtype} {mask.shape}, expected bool ({self.num_envs},)")
        return np.flatnonzero(mask), others

    def _set_options(self, options: dict[str, Any], begins: Rows) -> None:
        """Set the options. After an error keep the old opponent: games against it may go on."""
        settings, goes_on = self._episodes.settings, ~self._episodes.over
        goes_on[begins] = False
        before = settings.opponent_text
        try:
            set_options(settings, options)
            self._episodes.check_opponent()
            if settings.opponent_text != before and goes_on.any():
                raise ValueError(
                    f"games against {before!r} go on: name it as the opponent, or begin them too"
                )
        except ValueError:
            if settings.opponent_text != before:
                settings.change_opponent(before)
            raise

    def _seed(self, seed: int | Sequence[int | None]) -> None:
        if isinstance(seed, int):
            super().reset(seed=seed)
            return
        if seeds := [number for number in seed if number is not None]:
            self.np_random = np.random.default_rng(seeds)

    def _moves(self, actions: Actions) -> NDArray[np.int64]:
        actions, squares = np.asarray(actions), self._episodes.config.size**2
        if actions.dtype.kind not in "iu" or actions.min() < 0 or actions.max() > squares:
            raise ValueError(f"an action is not in the action space: expected ints from 0 to {squares}")
        return np.where(actions == squares, PASS, actions.astype(np.int64))

    def _look(self) -> tuple[Planes, Infos]:
        planes, known = self._episodes.planes(), np.ones(self.num_envs, np.bool_)
        mask = spaces.mask_of(planes[:, 2].reshape(self.num_envs, -1), self._episodes.open)
        return planes, _infos(mask, self._episodes.illegal, known)

    def _final(self, ended: Rows) -> Infos:
        """Return the infos of games that have ended in a step in which the next game begins."""
        if not len(ended):
            return {}
        planes, known = self._episodes.planes(ended), np.zeros(self.num_envs, np.bool_)
        known[ended] = True
        last = np.full(self.num_envs, None, object)
        for row, observation in zip(ended, planes, strict=True):
            last[row] = observation.copy()
        mask = np.zeros((self.num_envs, self._episodes.config.size**2 + 1), np.int8)
        mask[ended, -1] = 1
        infos = _infos(mask, self._episodes.illegal, known)
        return {"final_obs": last, "_final_obs": known, "final_info": infos, "_final_info": known.copy()}


def _infos(mask: Mask, illegal: Flags, known: Flags) -> Infos:
    """Return the infos in Gymnasium's form: for each value `name` a flag `_name`, the games that have it."""
    return {
        "action_mask": mask,
        "_action_mask": known.copy(),
        "illegal": illegal.copy(),
        "_illegal": known.copy(),
    }


def random_actions(mask: Mask, rng: np.random.Generator) -> Actions:
    """Return a random legal action for each game, [games]. `mask` is `action_mask` from the infos."""
    squares = mask.shape[1] - 1
    size = isqrt(squares)
    chosen = pick_each(from_mask(mask[:, :squares], size), size, rng)
    chosen[chosen == PASS] = squares
    return chosen
