"""The base class that environments written for rlglue-py3 extend."""

from rlglue.types import Action, Observation, Reward_observation_terminal


class Environment:
    """An environment; a subclass overrides what it needs."""

    def env_init(self) -> str:
        """Prepare for a run; return the task specification."""
        raise NotImplementedError(f"{type(self).__name__} has no env_init")

    def env_start(self) -> Observation:
        """Begin an episode."""
        raise NotImplementedError(f"{type(self).__name__} has no env_start")

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Apply an action."""
        raise NotImplementedError(f"{type(self).__name__} has no env_step")

    def env_cleanup(self) -> None:
        """End the run."""

    def env_message(self, message: str) -> str | None:
        """Answer a message."""
        return None
