"""Runs to compare: those that differ in the seed only as a group, and the results in their folders."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

from othello_lab.experiment.run.names import START, SUFFIX
from othello_lab.experiment.run.outcomes import FROM_OPENINGS, Evaluation, Tally, against, by_opponent, total
from othello_lab.experiment.run.record import ENVIRONMENT_OPTIONS, known
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.study.statistics.intervals import Estimate, over_runs
from othello_lab.game.files import WEIGHTS, read_bytes

Curve = Mapping[int, Tally]
"""Training episodes to the games played after them, both colours together."""


class Matchup(NamedTuple):
    """What can be compared: games on one size of board against one opponent."""

    size: int | None
    """None where the environment does not tell."""
    opponent: str

    def __str__(self) -> str:
        on = f" on {self.size}x{self.size}" if self.size else ""
        return f"{against(self.opponent)}{on}".strip()


@dataclass(frozen=True)
class Result:
    """A run that came to its end: its curve against each opponent, those from the openings left out."""

    curves: Mapping[str, Curve]
    size: int | None = None

    def final(self, opponent: str) -> Tally:
        """Return the last games against an opponent."""
        curve = self.curves[opponent]
        return curve[max(curve)]


@dataclass(frozen=True)
class Group:
    """Runs of one variant."""

    name: str
    results: Sequence[Result]

    def against(self, matchup: Matchup) -> list[Result]:
        """Return the runs that were evaluated on that board against that opponent."""
        return [
            result
            for result in self.results
            if result.size == matchup.size and matchup.opponent in result.curves
        ]

    def finals(self, matchup: Matchup) -> list[Tally]:
        """Return the last games of each run against an opponent."""
        return [result.final(matchup.opponent) for result in self.against(matchup)]

    def estimate(self, matchup: Matchup) -> Estimate:
        """Return the final win rate; there must be some."""
        return won(self.finals(matchup))

    def curve(self, matchup: Matchup) -> dict[int, Estimate]:
        """Return the win rate after this many episodes.

        Runs of unlike lengths, such as those of a given time, are taken together evaluation by evaluation,
        after the mean of their episodes.
        """
        curves = [result.curves[matchup.opponent] for result in self.against(matchup)]
        tallies: dict[int, list[Tally]] = {}
        if len({max(curve) for curve in curves}) > 1 and len({len(curve) for curve in curves}) == 1:
            for episodes in zip(*map(sorted, curves), strict=True):
                found = [curve[episode] for curve, episode in zip(curves, episodes, strict=True)]
                tallies.setdefault(round(fmean(episodes)), []).extend(found)
        else:
            for curve in curves:
                for episode, tally in curve.items():
                    tallies.setdefault(episode, []).append(tally)
        return {episode: won(tallies[episode]) for episode in sorted(tallies)}


def won(tallies: Sequence[Tally]) -> Estimate:
    """Return the win rate of at least one run."""
    return over_runs([tally.win_rate for tally in tallies], [tally.games for tally in tallies])


def matchups(groups: Iterable[Group]) -> list[Matchup]:
    """Return everybody that was played, board by board, in the order of the files."""
    found = [Matchup(run.size, name) for group in groups for run in group.results for name in run.curves]
    boards = dict.fromkeys(matchup.size for matchup in found)
    return [matchup for size in boards for matchup in dict.fromkeys(found) if matchup.size == size]


def read_groups(runs: Mapping[str, Iterable[RunFolder]]) -> tuple[list[Group], list[str]]:
    """Return the groups that have results, and the names of runs that cannot be compared."""
    groups, left_out = list[Group](), list[str]()
    for name, folders in runs.items():
        read = [(folder.path.name, read_result(folder)) for folder in folders]
        results = [result for _, result in read if result and result.curves]
        left_out += [run for run, result in read if not (result and result.curves)]
        groups += [Group(name, results)] if results else []
    return groups, left_out


def read_result(folder: RunFolder) -> Result | None:
    """Return what came of a run; None if it has not come to its end, or cannot be read."""
    try:
        record = known(folder.config())
    except RunFolderError:
        return None
    evaluations = folder.evaluations()
    done = folder.games()
    last = max((evaluation.episode for evaluation in evaluations), default=0)
    if done < record.experiment.episodes or (record.experiment.final_games and last < done):
        return None
    return Result(_curves(evaluations), record.size)


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


_LENGTHS = ("minutes", "plies", "episodes")
"""How long a run was to be: by the first that it has. How many episodes a given time had is a result."""
_SELFPLAY = ("opponents", "games_at_once", "random_opening")
"""What else matters of a run of self-play."""
_DIGITS = 8
"""Of the checksum that stands for the policy that a run began with."""

Settings = Mapping[str, Any]


def grouped(folders: Iterable[RunFolder]) -> tuple[dict[str, list[RunFolder]], dict[str, str]]:
    """Put runs that differ in the seed only together, under their names.

    Return the groups, and for each what sets it apart from the others.
    """
    folders = list(folders)
    called = Counter(folder.path.name for folder in folders)
    groups: dict[str, list[RunFolder]] = {}
    settings: dict[str, Settings] = {}
    for folder in folders:
        own = _settings(folder)
        key = json.dumps(own, sort_keys=True)
        settings[key] = own
        groups.setdefault(key, []).append(folder)
    named = {_name(own, called): own for own in groups.values()}
    return named, dict(zip(named, _differences(list(settings.values())), strict=True))


def check_each_once(folders: Iterable[RunFolder]) -> None:
    """Raise RunFolderError if a run is there twice, also where two paths lead to it."""
    for one, other in combinations(folders, 2):
        if one.path.resolve() == other.path.resolve():
            said = " and ".join(dict.fromkeys((str(one.path), str(other.path))))
            raise RunFolderError(f"{said}: one run is there twice, name each once")


def same_seeds(groups: Mapping[str, Sequence[RunFolder]]) -> Iterator[str]:
    """Yield a line for each group that has a seed more than once: such runs say nothing new."""
    for name, own in groups.items():
        for seed, times in Counter(folder.config().get("seed") for folder in own).items():
            if times > 1 and seed is not None:
                yield f"{name}: {times} of these runs have the same seed {seed}, but count as different ones"


def _name(folders: Sequence[RunFolder], called: Mapping[str, int]) -> str:
    """Return the names of runs; the path where another run has the same name."""
    return ", ".join(
        folder.path.name if called[folder.path.name] == 1 else folder.path.as_posix() for folder in folders
    )


def _settings(folder: RunFolder) -> Settings:
    """The settings of a run that matter; what is not known of its parts is taken from what they said."""
    config = folder.config()
    try:
        agent = config["agent"] or config.get("agent_config") or {}
        environment = {**(config.get("environment_stats") or {}), **(config["environment"] or {})}
        experiment = config["experiment"]
        said = agent.get("text") or agent.get("command")
        own = {"agent": said or json.dumps(agent, sort_keys=True)}
        own |= {key: environment[key] for key in (*ENVIRONMENT_OPTIONS, "command") if key in environment}
        # How often was evaluated or saved changes nothing in how an agent learns.
        length = next((key for key in _LENGTHS if experiment.get(key)), "episodes")
        own |= {key: experiment[key] for key in (length, "max_steps") if key in experiment}
        return own | _selfplay(folder, config.get("selfplay") or {})
    except (KeyError, TypeError, AttributeError):
        raise RunFolderError(f"{folder.path / 'config.json'} is not a run's") from None


def _selfplay(folder: RunFolder, table: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings of a run of self-play that change how the agent learns."""
    own = {key: table[key] for key in _SELFPLAY if key in table}
    start = folder.checkpoints / (START + SUFFIX)
    if table.get("start") and start.is_file():
        own["from"] = hashlib.sha256(read_bytes(start, WEIGHTS)).hexdigest()[:_DIGITS]
    return own


def _differences(settings: Sequence[Settings]) -> list[str]:
    """Say of each by which values it differs from others."""
    keys = list(dict.fromkeys(key for own in settings for key in own))
    telling = [key for key in keys if len({json.dumps(own.get(key)) for own in settings}) > 1]
    return [
        "  ".join(f"{key.replace('_', ' ')} {own[key]}" for key in telling if key in own) for own in settings
    ]
