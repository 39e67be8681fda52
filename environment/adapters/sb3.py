"""The vector environment as Stable-Baselines3 and sb3-contrib have theirs."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from othello_lab.environment.adapters.spaces import Planes
from othello_lab.environment.adapters.vector import Actions, Infos, OthelloVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
except ModuleNotFoundError:
    raise ModuleNotFoundError(
        "the adapter sb3 needs Stable-Baselines3: python -m pip install 'othello-lab[sb3]'",
        name="stable_baselines3",
    ) from None

Indices = int | Sequence[int] | None
"""Of games; None for all."""


class OthelloVecEnv(VecEnv):  # type: ignore[misc]  # untyped
    """Games that go on together; the arguments are those of `OthelloVectorEnv`, but for `autoreset_mode`.

    `action_masks` is there for MaskablePPO. A finished game says `terminal_observation` and `illegal` in its
    info, and the next has begun. Raises ValueError for a wrong argument.
    """

    def __init__(self, num_envs: int, **arguments: Any) -> None:  # noqa: ANN401  those of OthelloVectorEnv
        self._envs = OthelloVectorEnv(num_envs, autoreset_mode=AutoresetMode.SAME_STEP, **arguments)
        self._actions: Actions = np.zeros(0, np.int64)
        super().__init__(num_envs, self._envs.single_observation_space, self._envs.single_action_space)

    def reset(self) -> Planes:
        """Begin all games as `seed` and `set_options` have said; of several options the first counts."""
        seed, options = self._seeds[0], self._options[0]
        seen, _ = self._envs.reset(seed=seed, options=options)
        self._reset_seeds()
        self._reset_options()
        return seen

    def step_async(self, actions: Actions) -> None:
        """Take the actions of the step that `step_wait` makes."""
        self._actions = actions

    def step_wait(self) -> tuple[Planes, NDArray[np.float32], NDArray[np.bool_], list[Infos]]:
        """Return planes, rewards, which games ended, and an info of each."""
        seen, rewards, over, _, infos = self._envs.step(self._actions)
        told: list[Infos] = [{} for _ in range(self.num_envs)]
        for row in np.flatnonzero(over):
            illegal = bool(infos["final_info"]["illegal"][row])
            told[row] = {"terminal_observation": infos["final_obs"][row], "illegal": illegal}
        return seen, rewards.astype(np.float32), over, told

    def close(self) -> None:
        """Have the opponent release what it holds."""
        self._envs.close()

    def get_images(self) -> Sequence[NDArray[np.uint8]]:
        """Return the pictures of all boards, with the render mode rgb_array."""
        return self._envs.render() or ()

    def get_attr(self, attr_name: str, indices: Indices = None) -> list[Any]:
        """Return an attribute, which all games share, once for each game; raise AttributeError without it."""
        return [getattr(self._envs, attr_name)] * len(self._rows(indices))

    def set_attr(self, attr_name: str, value: object, indices: Indices = None) -> None:
        """Raise AttributeError: games have nothing of their own to be set."""
        raise AttributeError(
            f"{attr_name} cannot be set: say it when the environment is made, or in set_options"
        )

    def env_method(self, method_name: str, *args: Any, indices: Indices = None, **kwargs: Any) -> list[Any]:  # noqa: ANN401
        """Return `action_masks` of each game, bool [N*N + 1], or what `render` makes of it, None without a
        render mode; there is no other method.
        """
        rows = self._rows(indices)
        if method_name == "action_masks":
            return [*self._envs.action_masks()[rows]]
        if method_name == "render":
            shown = self._envs.render()
            return [shown and shown[row] for row in rows]
        raise AttributeError(f"there is no method {method_name}, only action_masks and render")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Indices = None) -> list[bool]:
        """Return that no game is wrapped."""
        return [False] * len(self._rows(indices))

    def _rows(self, indices: Indices) -> NDArray[np.int64]:
        return np.atleast_1d(np.arange(self.num_envs)[slice(None) if indices is None else indices])
