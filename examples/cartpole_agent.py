"""Q-learning for CartPole as it was written for rlglue-py3, in a table over a coarse grid of states.

    othello glue & othello gymnasium CartPole-v1 & python examples/cartpole_agent.py &

and any experiment: the answers of the message `returns` are those of the episodes so far.
"""

import random

from rlglue.agent import AgentLoader
from rlglue.agent.Agent import Agent
from rlglue.types import Action, Observation
from rlglue.utils.TaskSpecVRLGLUE3 import TaskSpecParser

WIDTHS = (2.4, 3.0, 0.21, 3.0)
"""Cart position and speed, pole angle and speed: what lies further out counts as this far."""
CELLS = (1, 3, 7, 7)
State = tuple[int, ...]


class cartpole_agent(Agent):  # noqa: N801 - the loaders of old expect the name of the module
    """Learns what each of two pushes is worth in each cell; explores less from episode to episode."""

    def agent_init(self, taskSpec: str) -> None:  # noqa: N803 - the codec's name
        """Four doubles are observed, one int is done."""
        self.discount = TaskSpecParser(taskSpec).getDiscountFactor()
        self.values: dict[State, list[float]] = {}
        self.returns: list[float] = []
        self.random = random.Random(0)  # noqa: S311 - no secret

    def agent_start(self, observation: Observation) -> Action:
        """Begin an episode."""
        self.returns.append(0.0)
        return self._act(observation)

    def agent_step(self, reward: float, observation: Observation) -> Action:
        """Learn from one step: towards the reward and the best that may follow."""
        self._learn(reward, max(self._of(self._state(observation))))
        return self._act(observation)

    def agent_end(self, reward: float) -> None:
        """Learn that the pole has fallen: nothing follows, and the last push was no good."""
        self._learn(reward - 100, 0.0)

    def agent_message(self, message: str) -> str:
        """Answer `returns` with those of all episodes so far."""
        return " ".join(map(str, self.returns)) if message == "returns" else ""

    def _learn(self, reward: float, following: float) -> None:
        values = self._of(self.state)
        values[self.action] += 0.2 * (reward + self.discount * following - values[self.action])
        self.returns[-1] += 1

    def _act(self, observation: Observation) -> Action:
        self.state = self._state(observation)
        values = self._of(self.state)
        explores = self.random.random() < 0.5 * 0.95 ** len(self.returns)
        self.action = self.random.randrange(2) if explores else values.index(max(values))
        action = Action(1)
        action.intArray[0] = self.action
        return action

    def _of(self, state: State) -> list[float]:
        return self.values.setdefault(state, [0.0, 0.0])

    def _state(self, observation: Observation) -> State:
        shares = [(x / width + 1) / 2 for x, width in zip(observation.doubleArray, WIDTHS, strict=True)]
        pairs = zip(shares, CELLS, strict=True)
        return tuple(min(max(int(share * cells), 0), cells - 1) for share, cells in pairs)


if __name__ == "__main__":
    AgentLoader.loadAgent(cartpole_agent())
