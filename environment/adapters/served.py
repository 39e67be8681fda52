"""Any Gymnasium environment as one of RL-Glue."""

import json
from typing import Any

import gymnasium

from environment.adapters import numbers
from rlglue import messages
from rlglue.taskspec import TaskSpec
from rlglue.types import Action, Observation, Reward_observation_terminal


class GymnasiumEnvironment:
    """Serves an environment whose observations and actions are numbers; ValueError for other spaces.

    RL-Glue has one flag for the end of an episode: a truncated one ends like any other, with what is seen and
    won then, and the message `stats` says that it was truncated. A step after the end answers the same
    observation, terminal, with reward 0. Messages: `seed N` for the next start, `stats`, `help`.
    """

    def __init__(self, env: gymnasium.Env[Any, Any], seed: int | None = None, discount: float = 0.99) -> None:
        self._env, self._seed = env, seed
        observations, actions = (
            numbers.ranges_of(space) for space in (env.observation_space, env.action_space)
        )
        name = env.spec.id if env.spec else type(env.unwrapped).__name__
        self._task = TaskSpec("episodic", discount, observations, actions, extra=f"gymnasium {name}")
        self._last = Reward_observation_terminal()
        self._stats = {"episode": -1, "steps": 0, "terminated": False, "truncated": False}

    def env_init(self) -> str:
        """Return the task specification; rewards have no known range."""
        return str(self._task)

    def env_start(self) -> Observation:
        """Begin an episode."""
        seen, _ = self._env.reset(seed=self._seed)
        self._seed = None
        self._stats |= {"episode": self._stats["episode"] + 1, "steps": 0}
        return self._keep(seen, 0.0, terminated=False, truncated=False).o

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Apply an action; raise numbers.WrongNumbersError for one that is not in the action space."""
        if self._last.terminal:
            return Reward_observation_terminal(0.0, self._last.o, True)
        value = numbers.read(action, self._env.action_space)
        seen, reward, terminated, truncated, _ = self._env.step(value)
        self._stats["steps"] += 1
        return self._keep(seen, float(reward), bool(terminated), bool(truncated))

    def env_cleanup(self) -> None:
        """Another run may follow, so nothing is released: who made the environment closes it."""

    def env_message(self, message: str) -> str:
        """Carry out or answer a message; `help` lists them."""
        handlers = {"seed": self._set_seed, "stats": lambda _: json.dumps(self._stats)}
        return messages.answer(handlers, message, "environment")

    def _set_seed(self, text: str) -> str:
        self._seed = messages.natural(text, messages.LARGEST_SEED)
        return f"message understood, the next episode begins with seed {self._seed}"

    def _keep(
        self,
        seen: Any,  # noqa: ANN401  of any space
        reward: float,
        terminated: bool,
        truncated: bool,
    ) -> Reward_observation_terminal:
        shown = Observation()
        numbers.write(seen, self._env.observation_space, shown)
        self._stats |= {"terminated": terminated, "truncated": truncated}
        self._last = Reward_observation_terminal(reward, shown, terminated or truncated)
        return self._last
