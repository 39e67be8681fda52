"""The Glue of an agent and an environment behind connections: a step's bytes are passed on as they came."""

from rlglue.codec import payloads, wire
from rlglue.codec.proxies import AgentProxy, EnvironmentProxy, Request
from rlglue.glue import Glue
from rlglue.types import EMPTY, Reward_observation_terminal


class Relay(Glue):
    """Glue with a short cut for its most frequent call.

    What env_step answers (terminal, reward, observation) holds what agent_step is told (reward, observation)
    and begins what RL_step answers (all of that, and an action): only terminal and reward are read.
    """

    def __init__(self, ask_agent: Request, ask_environment: Request) -> None:
        super().__init__(AgentProxy(ask_agent), EnvironmentProxy(ask_environment))
        self._ask_agent = ask_agent
        self._ask_environment = ask_environment
        self._step_bytes = b""

    def RL_step_bytes(self) -> bytes:
        """RL_step, and its answer as a payload."""
        terminal = self._advance()
        return self._step_bytes + (EMPTY if terminal else self._last_action.to_bytes())

    def _both_step(self) -> int:
        action = self._last_action.to_bytes()
        terminal, reward, step = self._ask_environment(wire.ENV_STEP, action, payloads.relay_step)
        self._count(terminal, reward)
        self._step_bytes = step
        if terminal:
            self._ask_agent(wire.AGENT_END, step[4:12], payloads.decode_nothing)
        else:
            self._last_action = self._ask_agent(wire.AGENT_STEP, step[4:], payloads.decode_action)
        return terminal

    def _last_step(self) -> Reward_observation_terminal:
        return payloads.decode_step(self._step_bytes)
