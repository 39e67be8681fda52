"""The vector environment with the interface of Stable-Baselines3 and sb3-contrib."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from othello_lab.environment.adapters.gymnasium_env import Planes
from othello_lab.environment.adapters.vector import Actions, Infos, OthelloVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "the adapter sb3 needs Stable-Baselines3: python -m pip install 'othello-lab[sb3]'",
        name="stable_baselines3",
    ) from None

Indices = int | Sequence[int] | None  # Indices of games. None means all games.


class OthelloVecEnv(VecEnv):  # type: ignore[misc]  # untyped
    """`OthelloVectorEnv` as a VecEnv. Infos of finished games have `terminal_observation` and `illegal`."""

    def __init__(self, num_envs: int, **arguments: Any) -> None:  # noqa: ANN401  as in OthelloVectorEnv
        self._envs = OthelloVectorEnv(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
        self._actions: Actions = np.zeros(0, np.int64)
        super().__init__(num_envs, self._envs.single_observation_space, self._envs.single_action_space)

    def reset(self) -> Planes:
        """Begin all games with the seed and the options that were set for the first game."""
        seed, options = self._seeds[0], self._options[0]
        planes, _ = self._envs.reset(seed=seed, options=options)
        self._reset_seeds()
        self._reset_options()
        return planes

    def step_async(self, actions: Actions) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> tuple[Planes, NDArray[np.float32], NDArray[np.bool_], list[Infos]]:
        """Play the stored actions. Return planes, rewards, whether games ended, and infos."""
        planes, rewards, over, _, all_infos = self._envs.step(self._actions)
        infos: list[Infos] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(over):
            illegal = bool(all_infos["final_info"]["illegal"][row])
            infos[row] = {"terminal_observation": all_infos["final_obs"][row], "illegal": illegal}
        return planes, rewards.astype(np.float32), over, infos

    def close(self) -> None:
        """Close the opponent."""
        self._envs.close()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute once for each game. Raises AttributeError if the attribute does not exist."""
        return [getattr(self._envs, attr_name)] * len(self._get_indices(indices))

    def set_attr(self, attr_name: str, value: object, indices: Indices = None) -> None:
        """Raise AttributeError, because a single game has no attributes."""
        raise AttributeError(f"{attr_name} cannot be set: pass it to the constructor or to set_options")

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:  # noqa: ANN401
        """Return one mask, bool [N*N + 1], for each game. Raises AttributeError for other methods."""
        if method_name != "action_masks":
            raise AttributeError(f"there is no method {method_name}, only action_masks")
        return [*self._envs.action_masks()[self._get_indices(indices)]]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """Return False for each game."""
        return [False] * len(self._get_indices(indices))
