"""The control channel: what the experiment says to agent and environment, and what it hears.

A stranger's agent or environment may understand none of it: every function here says so by its result.
"""

import json
from dataclasses import dataclass
from typing import Any, TypeAlias

from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.proxies import GlueProxy

AnyGlue: TypeAlias = Glue | GlueProxy
"""A Glue in this process or one behind a connection."""


class ControlError(GlueError):
    """A message that had to be understood was not."""


def tell_agent(glue: AnyGlue, message: str) -> bool:
    """Give the agent an order; False if it does not understand."""
    return understood(glue.RL_agent_message(message))


def tell_environment(glue: AnyGlue, message: str) -> bool:
    """Give the environment an order; False if it does not understand."""
    return understood(glue.RL_env_message(message))


def understood(answer: str) -> bool:
    """Tell whether an answer is that of a peer that has done what was asked."""
    return answer.lower().startswith("message understood")


def saved_path(glue: AnyGlue, message: str) -> str | None:
    """Order `save NAME` or `save_policy NAME`; the path that the agent answers, None if it cannot.

    An agent that understands and has nothing to save answers no path: that is None as well.
    """
    _, said, path = glue.RL_agent_message(message).partition("message understood, saved ")
    return path.strip() or None if said else None


def agent_values(glue: AnyGlue, message: str) -> dict[str, Any]:
    """Ask the agent for `stats` or `config`; empty if it does not tell."""
    return _object(glue.RL_agent_message(message))


def agent_numbers(glue: AnyGlue) -> dict[str, float]:
    """Return the learner's numbers by name; empty if the agent does not tell."""
    values = agent_values(glue, "stats").items()
    return {name: float(x) for name, x in values if isinstance(x, int | float) and not isinstance(x, bool)}


def environment_values(glue: AnyGlue) -> dict[str, Any]:
    """Ask the environment for its `stats`; empty if it does not tell."""
    return _object(glue.RL_env_message("stats"))


def _object(answer: str) -> dict[str, Any]:
    try:
        value = json.loads(answer)
    except ValueError:
        return {}
    return value if isinstance(value, dict) else {}


@dataclass(frozen=True)
class EnvironmentState:
    """What an evaluation changes in the environment, so that it can be put back."""

    seed: int
    episode: int
    """The index of the next episode."""
    first: str
    start: str
    opponent: str
    """"" if the environment does not tell."""

    @classmethod
    def of(cls, glue: AnyGlue) -> "EnvironmentState | None":
        """Ask for it; None if the environment does not tell."""
        values = environment_values(glue)
        try:
            return cls(
                int(values["seed"]),
                int(values["episode"]) + 1,
                str(values["first"]),
                str(values["start"]),
                str(values.get("opponent", "")),
            )
        except (KeyError, TypeError, ValueError):
            return None

    def restore(self, glue: AnyGlue) -> None:
        """Put it back; raise ControlError if the environment refuses."""
        orders = [
            f"seed {self.seed}",
            f"episode {self.episode}",
            f"first {self.first}",
            f"start {self.start}",
        ]
        # Only where it was changed: an environment may have an opponent that it takes from nobody.
        if environment_values(glue).get("opponent", "") != self.opponent:
            orders.append(f"opponent {self.opponent}")
        # All of them, also when one is refused.
        refused = [order for order in orders if not tell_environment(glue, order)]
        if refused:
            raise ControlError(f"the environment does not obey {refused[0]!r}")


def require(glue: AnyGlue, message: str) -> None:
    """Give the environment an order that it must understand; raise ControlError, with its answer, if not."""
    answer = glue.RL_env_message(message)
    if not understood(answer):
        said = answer.removeprefix("error: ")[:200]
        raise ControlError(f"the environment does not obey {message!r}" + (f": {said}" if said else ""))
