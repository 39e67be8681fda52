"""The meaning of the RL_* calls, without sockets.

`Glue` works with any agent and environment objects: real objects in one process, or a server's proxies. In
one process both sides share the same arrays, so an agent or environment must copy what it keeps or reuses.
"""

from typing import Protocol

from rlglue.errors import GlueError
from rlglue.types import (
    Action,
    Observation,
    Observation_action,
    Reward_observation_action_terminal,
    Reward_observation_terminal,
)


class AgentLike(Protocol):
    """The methods of an agent. agent_end has no observation; a cut-off episode has no agent_end."""

    def agent_init(self, taskSpec: str, /) -> None:
        """Prepare for the task that the specification describes."""

    def agent_start(self, observation: Observation, /) -> Action:
        """Return the first action of an episode."""

    def agent_step(self, reward: float, observation: Observation, /) -> Action:
        """Return the next action, given the reward and observation after the last one."""

    def agent_end(self, reward: float, /) -> None:
        """Receive the last reward of an episode that reached its end."""

    def agent_cleanup(self) -> None:
        """End the run; another agent_init may follow."""

    def agent_message(self, message: str, /) -> str | None:
        """Answer a message; None is the empty answer."""


class EnvironmentLike(Protocol):
    """The methods of an environment."""

    def env_init(self) -> str:
        """Prepare for a run; return the task specification."""

    def env_start(self) -> Observation:
        """Begin an episode."""

    def env_step(self, action: Action, /) -> Reward_observation_terminal:
        """Apply an action."""

    def env_cleanup(self) -> None:
        """End the run; another env_init may follow."""

    def env_message(self, message: str, /) -> str | None:
        """Answer a message; None is the empty answer."""


class Glue:
    """The calls of an experiment on one agent and one environment.

    The order of calls is not checked: a step after a terminal step, or a second RL_cleanup, is passed on. But
    if a call was interrupted, its episode is over, because it is unknown which side has taken its step.
    """

    def __init__(self, agent: AgentLike, environment: EnvironmentLike) -> None:
        self.agent = agent
        self.environment = environment
        self._last_action = Action()
        self._step = Reward_observation_terminal()
        self._broken_off = False
        self._total_reward = 0.0
        self._num_steps = 0
        self._num_episodes = 0

    def RL_init(self) -> str:
        """Initialise the environment, then the agent; return the task specification."""
        task_spec = self.environment.env_init() or ""
        self.agent.agent_init(task_spec)
        self._total_reward, self._num_steps, self._num_episodes = 0.0, 0, 0
        self._last_action = Action()
        return task_spec

    def RL_start(self) -> Observation_action:
        """Begin an episode; return the first observation and the agent's first action."""
        self._broken_off = True
        observation = self.RL_env_start()
        self._last_action = self.RL_agent_start(observation)
        self._broken_off = False
        return Observation_action(observation, self._last_action)

    def RL_step(self) -> Reward_observation_action_terminal:
        """Apply the agent's last action, and get its next action; after a terminal step it is empty.

        Raises GlueError if an earlier call of the same episode was interrupted or failed.
        """
        self._advance()
        step = self._last_step()
        action = Action() if step.terminal else self._last_action
        return Reward_observation_action_terminal(step.r, step.o, action, int(step.terminal))

    def RL_episode(self, max_steps: int = 0) -> int:
        """Run an episode; return its terminal flag: 1, or 0 if it was cut off at `max_steps` actions.

        `max_steps` 0 means no limit. Agent and environment are not told about a cut-off.
        """
        self.RL_start()
        terminal = 0
        while not terminal and (max_steps == 0 or self._num_steps < max_steps):
            terminal = self._advance()
        return terminal

    def RL_return(self) -> float:
        """Return the undiscounted sum of this episode's rewards."""
        return self._total_reward

    def RL_num_steps(self) -> int:
        """Return the number of actions in this episode; the start counts as 1."""
        return self._num_steps

    def RL_num_episodes(self) -> int:
        """Return the number of episodes that reached their end since RL_init."""
        return self._num_episodes

    def RL_agent_message(self, message: str) -> str:
        """Pass a message to the agent, at any time."""
        return self.agent.agent_message(message) or ""

    def RL_env_message(self, message: str) -> str:
        """Pass a message to the environment, at any time."""
        return self.environment.env_message(message) or ""

    def RL_cleanup(self) -> None:
        """End the run for the environment, then the agent. The counters stay."""
        self.environment.env_cleanup()
        self.agent.agent_cleanup()

    def RL_env_start(self) -> Observation:
        """Begin an episode of the environment alone."""
        self._total_reward, self._num_steps = 0.0, 1
        return self.environment.env_start() or Observation()

    def RL_env_step(self, action: Action) -> Reward_observation_terminal:
        """Make one counted step of the environment alone."""
        step = self.environment.env_step(action)
        if step.terminal not in (0, 1):
            raise GlueError(f"env_step answered the terminal flag {step.terminal!r}; expected 0 or 1")
        self._count(step.terminal, float(step.r))
        return step

    def _count(self, terminal: int, reward: float) -> None:
        self._total_reward += reward
        if terminal:
            self._num_episodes += 1
        else:
            self._num_steps += 1

    def RL_agent_start(self, observation: Observation) -> Action:
        """Pass a first observation to the agent alone."""
        return self.agent.agent_start(observation) or Action()

    def RL_agent_step(self, reward: float, observation: Observation) -> Action:
        """Pass a reward and an observation to the agent alone."""
        return self.agent.agent_step(reward, observation) or Action()

    def RL_agent_end(self, reward: float) -> None:
        """Pass a last reward to the agent alone."""
        self.agent.agent_end(reward)

    def _advance(self) -> int:
        """Step the environment and then the agent; return the terminal flag."""
        if self._broken_off:
            raise GlueError("this episode was broken off: begin another with RL_start")
        self._broken_off = True
        terminal = self._both_step()
        self._broken_off = False
        return terminal

    def _both_step(self) -> int:
        step = self._step = self.RL_env_step(self._last_action)
        if step.terminal:
            self.agent.agent_end(step.r)
        else:
            self._last_action = self.RL_agent_step(step.r, step.o)
        return int(step.terminal)

    def _last_step(self) -> Reward_observation_terminal:
        return self._step
