"""Runs read from their folders and put into groups that differ in the seed only."""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from experiment.evaluation import FROM_OPENINGS, Evaluation, by_opponent, total
from experiment.outcomes import Tally
from experiment.run_folder import RunFolder, RunFolderError
from experiment.sweep.statistics import Estimate, estimate

Curve = Mapping[int, Tally]
"""Training episodes to the games played after them, both colours together."""


@dataclass(frozen=True)
class Result:
    """A run that came to its end: its curve against each opponent, those from the openings left out."""

    curves: Mapping[str, Curve]

    def final(self, opponent: str) -> Tally:
        """Return the last games against an opponent."""
        curve = self.curves[opponent]
        return curve[max(curve)]


@dataclass(frozen=True)
class Group:
    """Runs of one variant."""

    name: str
    results: Sequence[Result]

    def against(self, opponent: str) -> list[Result]:
        """Return the runs that were evaluated against an opponent."""
        return [result for result in self.results if opponent in result.curves]

    def finals(self, opponent: str) -> list[Tally]:
        """Return the last games of each run against an opponent."""
        return [result.final(opponent) for result in self.against(opponent)]

    def estimate(self, opponent: str) -> Estimate:
        """Return the final win rate over the seeds; there must be some."""
        return estimate([tally.win_rate for tally in self.finals(opponent)])

    def curve(self, opponent: str) -> dict[int, Estimate]:
        """Return the win rate over the seeds after so many episodes."""
        rates: dict[int, list[float]] = {}
        for result in self.against(opponent):
            for episode, tally in result.curves[opponent].items():
                rates.setdefault(episode, []).append(tally.win_rate)
        return {episode: estimate(rates[episode]) for episode in sorted(rates)}


def opponents(groups: Iterable[Group]) -> list[str]:
    """Return everybody that was played, in the order of the files."""
    return list(dict.fromkeys(name for group in groups for run in group.results for name in run.curves))


def read_groups(runs: Mapping[str, Iterable[RunFolder]]) -> tuple[list[Group], list[str]]:
    """Return the groups that have results, and the names of runs that cannot be compared."""
    groups, left_out = list[Group](), list[str]()
    for name, folders in runs.items():
        read = {folder.path.name: read_result(folder) for folder in folders}
        results = [result for result in read.values() if result and result.curves]
        left_out += [run for run, result in read.items() if not (result and result.curves)]
        groups += [Group(name, results)] if results else []
    return groups, left_out


def read_result(folder: RunFolder) -> Result | None:
    """Return what came of a run; None if it has not come to its end, or cannot be read."""
    try:
        experiment = folder.config()["experiment"]
        episodes, final_games = experiment["episodes"], experiment["final_games"]
    except (RunFolderError, KeyError, TypeError):
        return None
    evaluations = folder.evaluations()
    done = max((episode.index for episode in folder.episodes()), default=0)
    last = max((evaluation.episode for evaluation in evaluations), default=0)
    if done < episodes or (final_games and last < done):
        return None
    return Result(_curves(evaluations))


def _curves(evaluations: Iterable[Evaluation]) -> dict[str, Curve]:
    # A resumed run may have made one anew: the last of its kind counts.
    last = {(each.episode, each.opponent, each.colour): each for each in evaluations}
    return {
        opponent: {
            episode: total(each for each in own if each.episode == episode)
            for episode in dict.fromkeys(each.episode for each in own)
        }
        for opponent, own in by_opponent(last.values()).items()
        if not opponent.endswith(FROM_OPENINGS)
    }


def grouped(folders: Iterable[RunFolder]) -> dict[str, list[RunFolder]]:
    """Put runs that differ in the seed only together, under what sets each group apart from the others."""
    groups: dict[str, list[RunFolder]] = {}
    settings: dict[str, dict[str, Any]] = {}
    for folder in folders:
        own = _settings(folder)
        key = json.dumps(own, sort_keys=True)
        settings[key] = own
        groups.setdefault(key, []).append(folder)
    names = _names(list(settings.values()))
    return dict(zip(names, groups.values(), strict=True))


def _settings(folder: RunFolder) -> dict[str, Any]:
    """The options of a run without its seed; what is not known of its parts is taken from what they said."""
    config = folder.config()
    try:
        agent = config["agent"] or config.get("agent_config") or {}
        environment = config["environment"] or config.get("environment_stats") or {}
        every = {**config["experiment"], **environment, **agent}
    except (KeyError, TypeError):
        raise RunFolderError(f"{folder.path / 'config.json'} is not a run's") from None
    return {key: value for key, value in every.items() if key not in ("seed", "episode")}


def _names(settings: Sequence[Mapping[str, Any]]) -> list[str]:
    """Name each by the values in which they differ; by its agent if there is but one."""
    keys = list(dict.fromkeys(key for own in settings for key in own))
    telling = [key for key in keys if len({json.dumps(own.get(key)) for own in settings}) > 1]
    return [" ".join(_said(key, own.get(key)) for key in telling or ["text"]) for own in settings]


def _said(key: str, value: object) -> str:
    return str(value or "agent") if key in ("text", "command") else f"{key}={value}"
