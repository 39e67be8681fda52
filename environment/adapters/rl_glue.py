"""Any RL-Glue environment as one of Gymnasium."""

from typing import Any

import gymnasium

from environment.adapters import numbers
from rlglue import taskspec
from rlglue.glue import EnvironmentLike
from rlglue.types import Action


class RLGlueEnv(gymnasium.Env[Any, Any]):
    """An environment object, or a program's (`rlglue.testing.program`), driven by Gymnasium's calls.

    Spaces come from the task specification: one int is Discrete, more are a Box of int32, doubles a Box of
    float64. `reset(seed=N)` sends the message `seed N`, which an environment may or may not understand. An
    end is always `terminated`: RL-Glue knows of no other. Raises TaskSpecError, and ValueError for a task
    with chars or with both ints and doubles.
    """

    def __init__(self, environment: EnvironmentLike) -> None:
        self._environment = environment
        task = taskspec.parse(environment.env_init())
        self.observation_space = numbers.space_of(task.observations)
        self.action_space = numbers.space_of(task.actions)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Begin an episode; there are no options."""
        super().reset(seed=seed)
        if seed is not None:
            self._environment.env_message(f"seed {seed}")
        seen = self._environment.env_start()
        return numbers.read(seen, self.observation_space), {}

    def step(self, action: Any) -> tuple[Any, float, bool, bool, dict[str, Any]]:  # noqa: ANN401  of its space
        """Apply an action."""
        sent = Action()
        numbers.write(action, self.action_space, sent)
        step = self._environment.env_step(sent)
        return numbers.read(step.o, self.observation_space), float(step.r), bool(step.terminal), False, {}

    def close(self) -> None:
        """Tell the environment that the run is over."""
        self._environment.env_cleanup()
