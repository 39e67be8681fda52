"""The RL_* calls without sockets. Both sides share arrays, so each must copy an array to keep or reuse it."""

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
    """The methods of an agent. If the experiment cuts off an episode, agent_end is not called."""

    def agent_init(self, taskSpec: str, /) -> None:
        """Prepare for the task that the specification describes."""
        return

    def agent_start(self, observation: Observation, /) -> Action:
        """Return the first action of an episode."""
        raise NotImplementedError(f"{type(self).__name__} has no agent_start")

    def agent_step(self, reward: float, observation: Observation, /) -> Action:
        """Return the next action. `reward` and `observation` are the results of the last action."""
        raise NotImplementedError(f"{type(self).__name__} has no agent_step")

    def agent_end(self, reward: float, /) -> None:
        """Receive the last reward of an episode."""
        return

    def agent_cleanup(self) -> None:
        """End the run. Another agent_init may follow."""
        return

    def agent_message(self, message: str, /) -> str | None:
        """Return the answer to a message, or None for an empty answer."""
        return None


class EnvironmentLike(Protocol):
    """The methods of an environment."""

    def env_init(self) -> str:
        """Prepare for a run and return the task specification."""
        raise NotImplementedError(f"{type(self).__name__} has no env_init")

    def env_start(self) -> Observation:
        """Begin an episode and return the first observation."""
        raise NotImplementedError(f"{type(self).__name__} has no env_start")

    def env_step(self, action: Action, /) -> Reward_observation_terminal:
        """Apply an action and return the reward, the next observation and the terminal flag."""
        raise NotImplementedError(f"{type(self).__name__} has no env_step")

    def env_cleanup(self) -> None:
        """End the run. Another env_init may follow."""
        return

    def env_message(self, message: str, /) -> str | None:
        """Return the answer to a message, or None for an empty answer."""
        return None


class Glue:
    """The RL_* calls for an agent and an environment, in any order. An interrupted call ends the episode."""

    def __init__(self, agent: AgentLike, environment: EnvironmentLike) -> None:
        self.agent = agent
        self.environment = environment
        self._last_action = Action()
        self._step = Reward_observation_terminal()
        self._broken_off = False  # True after an interrupted call, because one side may have missed a step.
        self._total_reward = 0.0
        self._num_steps = 0
        self._num_episodes = 0

    def RL_init(self) -> str:
        """Initialise the environment, then the agent, and return the task specification."""
        task_spec = self.environment.env_init() or ""
        self.agent.agent_init(task_spec)
        self._total_reward, self._num_steps, self._num_episodes = 0.0, 0, 0
        self._last_action = Action()
        return task_spec

    def RL_start(self) -> Observation_action:
        """Begin an episode and return the first observation and the agent's first action."""
        self._broken_off = True
        observation = self.RL_env_start()
        self._last_action = self.RL_agent_start(observation)
        self._broken_off = False
        return Observation_action(observation, self._last_action)

    def RL_step(self) -> Reward_observation_action_terminal:
        """Make a step. A terminal step has an empty action. Raises GlueError after an interrupted call."""
        self._advance()
        step = self._last_step()
        action = Action() if step.terminal else self._last_action
        return Reward_observation_action_terminal(step.r, step.o, action, int(step.terminal))

    def RL_episode(self, max_steps: int = 0) -> int:
        """Run an episode of at most `max_steps` actions (0: no limit), and return the terminal flag."""
        self.RL_start()
        terminal = 0
        while not terminal and (max_steps == 0 or self._num_steps < max_steps):
            terminal = self._advance()
        return terminal

    def RL_return(self) -> float:
        """Return the undiscounted return of this episode."""
        return self._total_reward

    def RL_num_steps(self) -> int:
        """Return the number of steps in this episode. The start is counted, but not the terminal step."""
        return self._num_steps

    def RL_num_episodes(self) -> int:
        """Return the number of episodes since RL_init that have reached a terminal step."""
        return self._num_episodes

    def RL_agent_message(self, message: str) -> str:
        """Pass a message to the agent and return the answer. A message may be sent at any time."""
        return self.agent.agent_message(message) or ""

    def RL_env_message(self, message: str) -> str:
        """Pass a message to the environment and return the answer. A message may be sent at any time."""
        return self.environment.env_message(message) or ""

    def RL_cleanup(self) -> None:
        """Call env_cleanup, then agent_cleanup. The counters keep their values."""
        self.environment.env_cleanup()
        self.agent.agent_cleanup()

    def RL_env_start(self) -> Observation:
        """Begin an episode in the environment, without the agent."""
        self._total_reward, self._num_steps = 0.0, 1
        return self.environment.env_start() or Observation()

    def RL_env_step(self, action: Action) -> Reward_observation_terminal:
        """Make one step of the environment, without the agent, and update the counters."""
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
        """Pass the first observation of an episode to the agent, without the environment."""
        return self.agent.agent_start(observation) or Action()

    def RL_agent_step(self, reward: float, observation: Observation) -> Action:
        """Pass a reward and an observation to the agent, without the environment."""
        return self.agent.agent_step(reward, observation) or Action()

    def RL_agent_end(self, reward: float) -> None:
        """Pass the last reward of an episode to the agent, without the environment."""
        self.agent.agent_end(reward)

    def _advance(self) -> int:
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
