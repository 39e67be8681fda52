"""Headlines: the words for what a run was about and whom it was measured with."""

from collections.abc import Mapping
from typing import Any

from othello_lab.experiment.run.names import told_name
from othello_lab.experiment.run.outcomes import FROM_OPENINGS, SELF, STAND_IN
from othello_lab.experiment.run.record import known
from rlglue.messages import shortened

NEVER_MET = "never met: "

_LONGEST_NAME = 30
_SEATS = {
    "agent": " as black",
    "opponent": " as white",
    "alternate": " as black and white in turn",
    "random": " as black or white by lot",
}


def headline(config: Mapping[str, Any]) -> str:
    """Say who played whom, such as `dqn as black against corner-greedy on 6x6`, from a run's config.json."""
    record = known(config)
    agent, stats = record.agent, record.environment_stats
    name = agent.text or agent.command or told_name(record.agent_config)
    words = shortened(name or "the agent", 2 * _LONGEST_NAME)
    if not stats.opponent:
        return words
    if stats.opponent == SELF:
        against = " against itself" + (" and others" if pool_names(config) else "")
    else:
        seat = _SEATS.get(stats.first or "", "")
        against = f"{seat} against {shortened(stats.opponent, _LONGEST_NAME)}"
    return f"{words}{against} on {stats.size}x{stats.size}"


def result_name(opponent: str, config: Mapping[str, Any], width: int | None = None) -> str:
    """Name an opponent of evaluations.csv as tables and plots do, with at most `width` characters, if that is
    given.
    """
    named, from_openings, _ = opponent.partition(FROM_OPENINGS)
    before, after = "", ", openings" if from_openings else ""
    if is_held_out(opponent, config):
        before, after = NEVER_MET, ""
    name = named or "its opponent"
    return before + (shortened(name, width - len(before + after)) if width else name) + after


def is_held_out(opponent: str, config: Mapping[str, Any]) -> bool:
    """Tell whether an opponent of evaluations.csv is one that the agent never met in training."""
    own = known(config).environment_stats.opponent or ""
    met = {STAND_IN if own == SELF else own, *pool_names(config)}  # all openings are played against the first
    return opponent.endswith(FROM_OPENINGS) and opponent.removesuffix(FROM_OPENINGS) not in met


def pool_names(config: Mapping[str, Any]) -> list[str]:
    """Return the players that a run of batched self-play trains against besides itself."""
    own = known(config).selfplay
    parts = own.opponents.split(",") if own else ()
    return [name for name, share, _ in (part.rpartition("=") for part in parts) if share]
