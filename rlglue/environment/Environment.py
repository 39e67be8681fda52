"""The base class that environments written for rlglue-py3 extend."""

from rlglue.types import Action, Observation, Reward_observation_terminal


class Environment:
    """An environment. A subclass must override at least env_init, env_start and env_step."""

    def env_init(self) -> str:
        """Prepare for a run and return the task specification."""
        raise NotImplementedError(f"{type(self).__name__} has no env_init")

    def env_start(self) -> Observation:
        """Begin an episode and return the first observation."""
        raise NotImplementedError(f"{type(self).__name__} has no env_start")

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Apply an action and return the reward, the next observation and the terminal flag."""
        raise NotImplementedError(f"{type(self).__name__} has no env_step")

    def env_cleanup(self) -> None:
        """End the run."""

    def env_message(self, message: str) -> str | None:
        """Return the answer to a message, or None for an empty answer."""
        return None
