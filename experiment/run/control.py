"""The control channel: messages of the experiment to agent and environment.

Another program may understand none of them: the result of every function shows it.
"""

from dataclasses import dataclass
from typing import Any

from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.messages import json_object, understood

_LONGEST_REASON = 300


class ControlError(GlueError):
    """A required message was not understood."""


def tell_agent(glue: Glue, message: str) -> bool:
    """Send the agent an order; return False if it does not understand."""
    return understood(glue.RL_agent_message(message))


def tell_environment(glue: Glue, message: str) -> bool:
    """Send the environment an order; return False if it does not understand."""
    return understood(glue.RL_env_message(message))


def refusal(glue: Glue, message: str, answer: str) -> str | None:
    """Return why an agent could not obey a message, on one line; None if it does not know the message.

    The answer alone does not tell: an agent lists the messages that it knows, a line each, in its answer to
    `help`.
    """
    order = message.split()[0]
    known = {line.split()[0] for line in glue.RL_agent_message("help").splitlines() if line.strip()}
    return reason(answer) if order in known else None


def reason(answer: str) -> str:
    """Return the reason in an answer, on one line of bounded length."""
    return " ".join(answer.removeprefix("error: ").split())[:_LONGEST_REASON] or "it answered nothing"


def saved_path(answer: str) -> str | None:
    """Return the path in an answer to `save NAME` or `save_policy NAME`; None if nothing was saved."""
    return answer.partition("message understood, saved ")[2].strip() or None


def agent_values(glue: Glue, message: str) -> dict[str, Any]:
    """Return the agent's answer to `stats` or `config`; empty if it does not know the message."""
    return _object(glue.RL_agent_message(message))


def agent_numbers(glue: Glue) -> dict[str, float]:
    """Return the learner's numbers by name; empty if the agent does not report them."""
    values = agent_values(glue, "stats").items()
    return {name: float(x) for name, x in values if isinstance(x, int | float) and not isinstance(x, bool)}


def environment_values(glue: Glue) -> dict[str, Any]:
    """Return the environment's answer to `stats`; empty if it does not know the message."""
    return _object(glue.RL_env_message("stats"))


def opponent_forfeits(glue: Glue) -> int:
    """Return the number of games forfeited by the environment's opponents; 0 if it is not reported."""
    count = environment_values(glue).get("opponent_forfeits")
    return count if isinstance(count, int) else 0


def _object(answer: str) -> dict[str, Any]:
    try:
        return json_object(answer)
    except ValueError:
        return {}


@dataclass(frozen=True)
class EnvironmentState:
    """The settings of the environment that an evaluation changes, to be restored."""

    seed: int
    episode: int
    """The index of the next episode."""
    first: str
    start: str
    opponent: str
    """"" if the environment does not report it."""

    @classmethod
    def of(cls, glue: Glue) -> "EnvironmentState | None":
        """Return the environment's state; None if it does not report it."""
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
        # Only if it was changed: an environment may refuse the text of its first opponent.
        if environment_values(glue).get("opponent", "") != self.opponent:
            orders.append(f"opponent {self.opponent}")
        # All of them, also if one is refused.
        refused = [order for order in orders if not tell_environment(glue, order)]
        if refused:
            raise ControlError(f"the environment does not obey {refused[0]!r}")


def require(glue: Glue, message: str) -> None:
    """Send the environment an order; raise ControlError with its answer if it does not obey."""
    answer = glue.RL_env_message(message)
    if not understood(answer):
        raise ControlError(f"the environment does not obey {message!r}: {reason(answer)}")
