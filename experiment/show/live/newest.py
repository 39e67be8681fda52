"""The newest run in a folder, and the newest policy of a run."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from experiment.run.evaluation.opponents import SELF
from experiment.run.record import known
from experiment.run.results.names import run_names
from experiment.run.results.player_names import is_player, newest_first, trained
from experiment.run.results.programs import programs_in
from experiment.run.results.run_folder import RunFolder, RunFolderError
from experiment.show.tail import last_change


def newest_run(runs: Path) -> RunFolder:
    """Return the run in a folder in which something happened last; raise RunFolderError without any."""
    names = run_names(runs)
    if not names:
        raise RunFolderError(f"there is no run in {runs}: start one with `othello run`, or say --runs-dir")
    return RunFolder(runs / max(names, key=lambda name: last_change(runs / name)))


class NoPolicyError(ValueError):
    """There is nobody yet who could play for a run."""


class Seated(NamedTuple):
    """A player of a run."""

    text: str
    """Its registry text."""
    name: str
    """What to call it."""


def newest_policy(folder: RunFolder, config: Mapping[str, Any]) -> Seated:
    """Return the newest policy of a run; raise NoPolicyError without any.

    No program is started for it: the folder may be a stranger's.
    """
    agent = known(config).agent.text
    if agent and is_player(agent) and not programs_in("agent", agent):
        return Seated(agent, agent)
    for checkpoint, path in newest_first(folder):
        return Seated(trained(path), f"policy after {checkpoint.episode:,} games")
    raise NoPolicyError("no checkpoint to show a game from")


def opponent_of(config: Mapping[str, Any], policy: Seated) -> Seated:
    """Return whom the policy of a run trains against; itself where that is so, or is a program to start."""
    text = known(config).environment_stats.opponent or ""
    return policy if text in ("", SELF) or programs_in("opponent", text) else Seated(text, text)
