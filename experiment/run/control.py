"""The control channel: what the experiment says to agent and environment, and what it hears.

Another program's agent or environment may understand none of it: every function here says so by its result.
"""

from dataclasses import dataclass
from typing import Any

from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.messages import json_object, understood

_LONGEST_REASON = 300


class ControlError(GlueError):
    """A message that had to be understood was not."""


def tell_agent(glue: Glue, message: str) -> bool:
    """Give the agent an order; False if it does not understand."""
    return understood(glue.RL_agent_message(message))


def tell_environment(glue: Glue, message: str) -> bool:
    """Give the environment an order; False if it does not understand."""
    return understood(glue.RL_env_message(message))


def refusal(glue: Glue, message: str, answer: str) -> str | None:
    """Return why an agent did not do what a message asked, on one line; None if it does not know the message.

    What the answer says in words does not tell which: by the protocol of messages an agent lists what it
    understands, a line each, when it is asked for `help`, and only what stands there can have failed.
    """
    order = message.split()[0]
    known = {line.split()[0] for line in glue.RL_agent_message("help").splitlines() if line.strip()}
    return reason(answer) if order in known else None


def reason(answer: str) -> str:
    """Return what an answer gives as the reason, on one line of bounded length."""
    return " ".join(answer.removeprefix("error: ").split())[:_LONGEST_REASON] or "it answered nothing"


def saved_path(answer: str) -> str | None:
    """Return the path in an answer to `save NAME` or `save_policy NAME`.

    None if nothing was saved: an agent that understands may have nothing to save, and answers no path then.
    """
    _, said, path = answer.partition("message understood, saved ")
    return path.strip() or None if said else None


def agent_values(glue: Glue, message: str) -> dict[str, Any]:
    """Ask the agent for `stats` or `config`; empty if it does not tell."""
    return _object(glue.RL_agent_message(message))


def agent_numbers(glue: Glue) -> dict[str, float]:
    """Return the learner's numbers by name; empty if the agent does not tell."""
    values = agent_values(glue, "stats").items()
    return {name: float(x) for name, x in values if isinstance(x, int | float) and not isinstance(x, bool)}


def environment_values(glue: Glue) -> dict[str, Any]:
    """Ask the environment for its `stats`; empty if it does not tell."""
    return _object(glue.RL_env_message("stats"))


def opponent_forfeits(glue: Glue) -> int:
    """Return how many games the environment's opponents have given up so far, as far as it tells."""
    told = environment_values(glue).get("opponent_forfeits")
    return told if isinstance(told, int) else 0


def _object(answer: str) -> dict[str, Any]:
    try:
        return json_object(answer)
    except ValueError:
        return {}


@dataclass(frozen=True)
class EnvironmentState:
    """What an evaluation changes in the environment, so that it can be restored."""

    seed: int
    episode: int
    """The index of the next episode."""
    first: str
    start: str
    opponent: str
    """"" if the environment does not tell."""

    @classmethod
    def of(cls, glue: Glue) -> "EnvironmentState | None":
        """Ask the environment for its state; None if it does not tell."""
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

    def restore(self, glue: Glue) -> None:
        """Restore this state; raise ControlError if the environment refuses."""
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


def require(glue: Glue, message: str) -> None:
    """Give the environment an order that it must understand; raise ControlError, with its answer, if not."""
    answer = glue.RL_env_message(message)
    if not understood(answer):
        raise ControlError(f"the environment does not obey {message!r}: {reason(answer)}")
