"""A little environment as written for rlglue-py3: five steps of any kind, the last one pays 1."""

from rlglue.environment import EnvironmentLoader
from rlglue.environment.Environment import Environment
from rlglue.types import Action, Observation, Reward_observation_terminal

TASK_SPEC = (
    "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 1 OBSERVATIONS INTS (0 5) "
    "ACTIONS INTS (0 1) REWARDS (0 1) EXTRA skeleton"
)


class skeleton_environment(Environment):  # noqa: N801 - the loaders of old expect the name of the module
    """Counts its steps."""

    def env_init(self) -> str:
        """Give the task specification."""
        return TASK_SPEC

    def env_start(self) -> Observation:
        """Start counting."""
        self.steps = 0
        return Observation(1)

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Count on; whatever the action."""
        self.steps += 1
        observation = Observation(1)
        observation.intArray[0] = self.steps
        last = self.steps == 5
        return Reward_observation_terminal(1.0 if last else 0.0, observation, last)

    def env_message(self, message: str) -> str:
        """Understand nothing."""
        return f"I don't understand {message}"


if __name__ == "__main__":
    EnvironmentLoader.loadEnvironment(skeleton_environment())
