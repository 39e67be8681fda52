"""A small agent in the style of rlglue-py3, which always chooses the action 1 and echoes messages."""

from rlglue.agent import AgentLoader
from rlglue.agent.Agent import Agent
from rlglue.types import Action, Observation


class skeleton_agent(Agent):  # noqa: N801 - the old loaders expect the name of the module
    """An agent that always chooses the action 1."""

    def agent_start(self, observation: Observation) -> Action:
        """Return the action 1."""
        action = Action()
        action.intArray = [1]
        return action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Return the action 1."""
        return self.agent_start(observation)

    def agent_message(self, message: str) -> str:
        """Return the message."""
        return message


if __name__ == "__main__":
    AgentLoader.loadAgent(skeleton_agent())
