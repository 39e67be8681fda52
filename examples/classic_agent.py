"""A random agent in the style of rlglue-py3. The import paths of rlglue-py3 still work."""

import random

from rlglue.agent import AgentLoader
from rlglue.agent.Agent import Agent
from rlglue.types import Action, Observation
from rlglue.utils.TaskSpecVRLGLUE3 import TaskSpecParser


class classic_agent(Agent):  # noqa: N801 - the old loaders expect the name of the module
    """An agent that plays a random legal move."""

    def agent_init(self, taskSpec: str) -> None:  # noqa: N803 - the codec's name
        """Read the number of squares. An observation has four planes, and the third marks the legal moves."""
        self.squares = len(TaskSpecParser(taskSpec).getIntObservations()) // 4

    def agent_start(self, observation: Observation) -> Action:
        """Return a random legal square, or -1 for a pass if there is no legal square."""
        may_move = observation.intArray[2 * self.squares : 3 * self.squares]
        legal = [square for square in range(self.squares) if may_move[square] == 1]
        action = Action(1)
        action.intArray[0] = random.choice(legal) if legal else -1  # noqa: S311 - a game
        return action

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Ignore the reward and return a random legal move."""
        return self.agent_start(observation)


if __name__ == "__main__":
    AgentLoader.loadAgent(classic_agent())
