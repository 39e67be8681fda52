"""A small environment in the style of rlglue-py3. After five steps, an episode ends with the reward 1."""

from rlglue.environment import EnvironmentLoader
from rlglue.environment.Environment import Environment
from rlglue.types import Action, Observation, Reward_observation_terminal

TASK_SPEC = (
    "VERSION RL-Glue-3.0 PROBLEMTYPE episodic DISCOUNTFACTOR 1 OBSERVATIONS INTS (0 5) "
    "ACTIONS INTS (0 1) REWARDS (0 1) EXTRA skeleton"
)


class skeleton_environment(Environment):  # noqa: N801 - the old loaders expect the name of the module
    """An environment whose observation is the number of steps."""

    def env_init(self) -> str:
        """Return the task specification."""
        return TASK_SPEC

    def env_start(self) -> Observation:
        """Begin an episode at step 0."""
        self.steps = 0
        return Observation(1)

    def env_step(self, action: Action) -> Reward_observation_terminal:
        """Count a step and ignore the action."""
        self.steps += 1
        observation = Observation(1)
        observation.intArray[0] = self.steps
        last = self.steps == 5
        return Reward_observation_terminal(1.0 if last else 0.0, observation, last)

    def env_message(self, message: str) -> str:
        """Return a reply that quotes the message."""
        return f"I don't understand {message}"


if __name__ == "__main__":
    EnvironmentLoader.loadEnvironment(skeleton_environment())
