"""Othello against an opponent as a Gymnasium vector environment. One step plays thousands of games."""

from math import isqrt
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from othello_lab.environment.adapters.gymnasium_env import (
    DEFAULTS,
    Mask,
    Planes,
    Rewards,
    action_space,
    config_of,
    mask_of,
    observation_space,
    set_options,
)
from othello_lab.environment.messages import Settings
from othello_lab.environment.othello import agent_is_black
from othello_lab.environment.vectorised import Flags, many_openings
from othello_lab.game.batch import STAY, BatchGames, Positions, from_mask, pick_each, planes, to_mask
from othello_lab.game.board import Board
from othello_lab.game.notation import PASS
from othello_lab.game.players.player import Policy

Actions = NDArray[np.int64]
Infos = dict[str, Any]
Rows = NDArray[np.intp]


class OthelloVectorEnv(VectorEnv[Planes, Actions, NDArray[Any]]):
    """Many games of `OthelloEnv` at once. Raises ValueError for an invalid argument.

    The opponent chooses its moves in all games with one call, so it must be a Policy, such as `greedy` or a
    trained network. `autoreset_mode` is NextStep or SameStep.
    """

    def __init__(
        self,
        num_envs: int = 1,
        size: int = DEFAULTS.size,
        opponent: object = DEFAULTS.opponent,
        rewards: Rewards = DEFAULTS.rewards,
        first: str = DEFAULTS.first,
        random_opening: int = DEFAULTS.random_opening,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
    ) -> None:
        self._mode = AutoresetMode(autoreset_mode)
        if self._mode is AutoresetMode.DISABLED:
            raise ValueError("autoreset_mode is Disabled, expected NextStep or SameStep")
        self.metadata = {"autoreset_mode": self._mode}
        self._config = config_of(size, opponent, rewards, first, random_opening)
        self._settings = Settings(self._config, vectorised=True)
        self._games = BatchGames.start(Board.start(size), num_envs)
        self._agent_black: Flags = np.ones(num_envs, np.bool_)
        self._over: Flags = np.ones(num_envs, np.bool_)
        self._illegal: Flags = np.zeros(num_envs, np.bool_)  # True if the last move was illegal.
        self._luck = np.zeros(num_envs, np.uint64)  # The seeds of the opponent's random choices.
        self._next_episodes = np.zeros(num_envs, np.int64)  # Indices of the next episodes, for `alternate`.
        self.num_envs = num_envs
        self.single_observation_space = observation_space(size)
        self.single_action_space = action_space(size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Planes, Infos]:
        """Begin all games. The options apply until the next reset. Raises ValueError for a wrong option."""
        set_options(self._settings, options or {})
        super().reset(seed=seed)
        if seed is not None:
            self._next_episodes[:] = 0
        self._begin(np.arange(self.num_envs))
        return self._look()

    def step(self, actions: Actions) -> tuple[Planes, NDArray[np.float64], Flags, Flags, Infos]:
        """Play an action in each game. Raises ValueError for an action outside the action space."""
        over = self._over.copy()
        rewards = self._play(self._moves(actions))
        if self._mode is AutoresetMode.NEXT_STEP:
            self._begin(np.flatnonzero(over))
        terminated, final = self._over.copy(), Infos()
        if self._mode is AutoresetMode.SAME_STEP:
            final = self._final(np.flatnonzero(terminated))
            self._begin(np.flatnonzero(terminated))
        planes, infos = self._look()
        return planes, rewards, terminated, np.zeros(self.num_envs, np.bool_), infos | final

    def action_masks(self) -> NDArray[np.bool_]:
        """Return a mask of the legal actions, bool [num_envs, N*N + 1]."""
        return mask_of(to_mask(self._games.legal, self._games.size), self._open).astype(np.bool_)

    def close_extras(self, **kwargs: Any) -> None:  # noqa: ANN401  as Gymnasium declares it
        """Close the opponent."""
        self._settings.close_opponent()

    def _begin(self, rows: Rows) -> None:
        settings, rng = self._settings, self.np_random
        black = agent_is_black(settings.first, self._next_episodes[rows], rng)
        games = many_openings(settings.start_from.board, settings.random_opening, len(rows), rng)
        luck = rng.integers(1 << 64, size=len(rows), dtype=np.uint64)
        opponent_opens = games.black_to_move != black
        if opponent_opens.any():
            games.play(self._replies(games, opponent_opens, luck))
        self._games.put(rows, games)
        self._agent_black[rows], self._luck[rows] = black, luck
        self._next_episodes[rows] += 1
        self._over[rows] = self._illegal[rows] = False

    def _moves(self, actions: Actions) -> NDArray[np.int64]:
        actions, squares = np.asarray(actions), self._config.size**2
        if actions.dtype.kind not in "iu" or actions.min() < 0 or actions.max() > squares:
            raise ValueError(f"an action is not in the action space: expected ints from 0 to {squares}")
        return np.where(actions == squares, PASS, actions.astype(np.int64))

    def _play(self, moves: NDArray[np.int64]) -> NDArray[np.float64]:
        """Play the agent's moves, int64 [n], then the opponent's replies. Return the rewards, float64 [n]."""
        games = self._games
        going_on = ~(self._over | games.finished)
        legal = games.are_legal(moves)
        self._illegal = going_on & ~legal
        going_on &= legal
        games.play(np.where(going_on, moves, STAY))
        games.play(self._replies(games, going_on & ~games.finished, self._luck))
        ended = ~self._over & (games.finished | self._illegal)
        self._over |= ended
        return self._rewards(np.flatnonzero(ended))

    def _replies(self, games: BatchGames, on_turn: Flags, luck: NDArray[np.uint64]) -> NDArray[np.int64]:
        """Return the opponent's moves, int64 [n], with STAY where `on_turn` is False."""
        opponent = self._settings.opponent
        assert isinstance(opponent, Policy)  # noqa: S101  checked by Settings
        moves = np.where(on_turn, PASS, STAY)
        choosing = np.flatnonzero(on_turn & games.can_move)
        if len(choosing):
            moves[choosing] = opponent.choose_many(games.positions.take(choosing), luck[choosing])
        return moves

    def _rewards(self, ended: Rows) -> NDArray[np.float64]:
        """Return the rewards, float64 [n]: 0 except for the games `ended`, which end in this step."""
        win, draw, loss = self._config.rewards
        rewards = np.zeros(self.num_envs)
        own, opponent = self._of_agent(ended).counts()
        difference = own - opponent
        results = np.array([draw, win, loss])[np.sign(difference)]
        rewards[ended] = difference if self._config.in_discs else results
        rewards[self._illegal] = loss
        return rewards

    def _of_agent(self, rows: Rows) -> Positions:
        """Return the positions of the games `rows`, with the agent's discs as `own`."""
        # After the end of a game, the opponent may be the side to move.
        moves = (self._games.black_to_move[rows] == self._agent_black[rows])[:, None]
        own, opponent = self._games.positions.own[rows], self._games.positions.opponent[rows]
        return Positions(self._config.size, np.where(moves, own, opponent), np.where(moves, opponent, own))

    @property
    def _open(self) -> Flags:
        """True for each game that is not over and in which the agent has a legal square, bool [n]."""
        return self._games.can_move & ~self._over

    def _planes(self, rows: Rows) -> Planes:
        """Return the agent's observations, int8 [rows, 4, N, N]."""
        return planes(self._of_agent(rows), np.int8)

    def _look(self) -> tuple[Planes, Infos]:
        planes = self._planes(np.arange(self.num_envs))
        mask = mask_of(planes[:, 2].reshape(self.num_envs, -1), self._open)
        return planes, self._infos(mask, np.ones(self.num_envs, np.bool_))

    def _final(self, ended: Rows) -> Infos:
        if not len(ended):
            return {}
        known = np.zeros(self.num_envs, np.bool_)
        known[ended] = True
        last = np.full(self.num_envs, None, object)
        for row, observation in zip(ended, self._planes(ended), strict=True):
            last[row] = observation.copy()
        mask = np.zeros((self.num_envs, self._config.size**2 + 1), np.int8)
        mask[ended, -1] = 1
        infos = self._infos(mask, known)
        return {"final_obs": last, "_final_obs": known, "final_info": infos, "_final_info": known.copy()}

    def _infos(self, mask: Mask, known: Flags) -> Infos:
        """Return the infos. As in Gymnasium, `_name` marks the games that have a value in `name`."""
        infos = {"action_mask": mask, "illegal": self._illegal.copy()}
        return infos | {f"_{name}": known.copy() for name in infos}


def random_actions(mask: Mask, rng: np.random.Generator) -> Actions:
    """Return a random legal action for each game, int64 [games]. `mask` is `action_mask` in the infos."""
    squares = mask.shape[1] - 1
    size = isqrt(squares)
    chosen = pick_each(from_mask(mask[:, :squares], size), size, rng)
    chosen[chosen == PASS] = squares
    return chosen
