"""The base class that agents written for rlglue-py3 extend."""

from rlglue.types import Action, Observation


class Agent:
    """An agent. A subclass must override agent_start and agent_step, and may override other methods."""

    def agent_init(self, taskSpec: str) -> None:
        """Prepare for the task that the specification describes."""

    def agent_start(self, observation: Observation) -> Action:
        """Return the first action of an episode."""
        raise NotImplementedError(f"{type(self).__name__} has no agent_start")

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Return the next action. `reward` and `observation` are the results of the last action."""
        raise NotImplementedError(f"{type(self).__name__} has no agent_step")

    def agent_end(self, reward: float) -> None:
        """Receive the last reward of an episode."""

    def agent_cleanup(self) -> None:
        """End the run."""

    def agent_message(self, message: str) -> str | None:
        """Return the answer to a message, or None for an empty answer."""
        return None
