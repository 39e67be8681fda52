"""Messages that control a run. An agent or environment may support only some messages."""

from typing import Any

from othello_lab.experiment.run.record import EnvironmentStats, stats_of
from rlglue.errors import GlueError
from rlglue.glue import Glue
from rlglue.messages import json_object, understood

_LONGEST_REASON = 300


class ControlError(GlueError):
    """The agent or the environment does not obey a required message, or does not match the run."""


def refusal(glue: Glue, message: str, answer: str) -> str | None:
    """Return an agent's reason for refusing a message, or None if `help` does not list the message."""
    order = message.split()[0]
    known = {line.split()[0] for line in glue.RL_agent_message("help").splitlines() if line.strip()}
    return reason(answer) if order in known else None


def reason(answer: str) -> str:
    """Return the error message in an answer, as one short line."""
    return " ".join(answer.removeprefix("error: ").split())[:_LONGEST_REASON] or "it answered nothing"


def agent_values(glue: Glue, message: str) -> dict[str, Any]:
    """Return the agent's answer to `stats` or `config`, or {} if the agent does not know the message."""
    return _object(glue.RL_agent_message(message))


def agent_numbers(glue: Glue) -> dict[str, float]:
    """Return the numeric values in the agent's `stats`, by name."""
    values = agent_values(glue, "stats").items()
    return {name: float(x) for name, x in values if isinstance(x, int | float) and not isinstance(x, bool)}


def environment_values(glue: Glue) -> dict[str, Any]:
    """Return the environment's answer to `stats`, or {} if the environment does not know the message."""
    return _object(glue.RL_env_message("stats"))


def _object(answer: str) -> dict[str, Any]:
    try:
        return json_object(answer)
    except ValueError:
        return {}


def environment_state(glue: Glue) -> EnvironmentStats | None:
    """Return the environment settings that an evaluation changes, or None if a setting is not reported."""
    stats = stats_of(environment_values(glue))
    return None if None in (stats.seed, stats.episode, stats.first, stats.start) else stats


def restore(glue: Glue, state: EnvironmentStats) -> None:
    """Restore the settings of the environment. Raises ControlError if the environment refuses."""
    assert state.episode is not None  # noqa: S101  checked by environment_state
    orders = [
        f"seed {state.seed}",
        f"episode {state.episode + 1}",
        f"first {state.first}",
        f"start {state.start}",
    ]
    # Send the opponent only after a change: an environment may refuse the text of its initial opponent.
    if stats_of(environment_values(glue)).opponent != state.opponent:
        orders.append(f"opponent {state.opponent}")
    # Send all orders, even after a refusal.
    refused = [order for order in orders if not understood(glue.RL_env_message(order))]
    if refused:
        raise ControlError(f"the environment does not obey {refused[0]!r}")


def require(glue: Glue, message: str) -> None:
    """Send the environment an order. Raises ControlError if the environment does not obey."""
    answer = glue.RL_env_message(message)
    if not understood(answer):
        raise ControlError(f"the environment does not obey {message!r}: {reason(answer)}")
