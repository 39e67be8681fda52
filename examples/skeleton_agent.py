"""A little agent as written for rlglue-py3: it always answers 1, and the message it last got."""

from rlglue.agent import AgentLoader
from rlglue.agent.Agent import Agent
from rlglue.types import Action, Observation


class skeleton_agent(Agent):  # noqa: N801 - the loaders of old expect the name of the module
    """Does the same always."""

    def agent_start(self, observation: Observation) -> Action:
        """Answer 1."""
        action = Action()
        action.intArray = [1]
        return action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Answer 1."""
        return self.agent_start(observation)

    def agent_message(self, message: str) -> str:
        """Say it back."""
        return message


if __name__ == "__main__":
    AgentLoader.loadAgent(skeleton_agent())
