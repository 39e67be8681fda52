"""Compare groups of runs. The runs of a group differ only in the seed."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from statistics import fmean
from typing import Any, NamedTuple

from othello_lab.experiment.run.outcomes import FROM_OPENINGS, Tally, against
from othello_lab.experiment.run.record import ENVIRONMENT_OPTIONS
from othello_lab.experiment.run.run_folder import START, SUFFIX, RunFolder, RunFolderError
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.study.statistics.intervals import OVER_RUNS, Estimate, difference, over_runs
from othello_lab.game.safe_files import WEIGHTS, read_bytes

Curve = Mapping[int, Tally]  # The tally of each evaluation (both colours), by training episode.
Options = Mapping[str, Any]
_SELFPLAY = ("opponents", "games_at_once", "random_opening")  # options that affect learning
_DIGITS = 8  # number of shown digits of the SHA-256 of a run's initial policy
_ONE_SEED = "one seed: the spread between seeds is unknown, the interval is that of its games alone"
_PAIR = 2  # number of groups in a table with a difference row


class Matchup(NamedTuple):
    """A board size and an opponent. Results are comparable only within a matchup."""

    size: int | None  # The board size, or None if unknown.
    opponent: str

    def __str__(self) -> str:
        on = f" on {self.size}x{self.size}" if self.size else ""
        return f"{against(self.opponent)}{on}".strip()


Curves = Mapping[Matchup, Curve]  # The evaluations of a finished run, except evaluations from openings.


def last(curve: Curve) -> Tally:
    """Return the tally of the last evaluation."""
    return curve[max(curve)]


@dataclass(frozen=True)
class Group:
    """Runs that differ only in the seed."""

    name: str
    runs: Sequence[Curves]

    def curves(self, matchup: Matchup) -> list[Curve]:
        """Return the curve of each run that has this matchup."""
        return [curves[matchup] for curves in self.runs if matchup in curves]

    def finals(self, matchup: Matchup) -> list[Tally]:
        """Return the last evaluation of each run that has this matchup."""
        return [last(curve) for curve in self.curves(matchup)]

    def estimate(self, matchup: Matchup) -> Estimate:
        """Return the final win rate. At least one run must have this matchup."""
        return _win_rate(self.finals(matchup))

    def curve(self, matchup: Matchup) -> dict[int, Estimate]:
        """Return the win rate by episode. If only the runs' lengths differ, pair evaluations by index."""
        curves = self.curves(matchup)
        tallies: dict[int, list[Tally]] = {}
        if len({max(curve) for curve in curves}) > 1 and len({len(curve) for curve in curves}) == 1:
            for evaluations in zip(*(sorted(curve.items()) for curve in curves), strict=True):
                mean = round(fmean(episode for episode, _ in evaluations))
                tallies.setdefault(mean, []).extend(tally for _, tally in evaluations)
        else:
            for episode, tally in (item for curve in curves for item in curve.items()):
                tallies.setdefault(episode, []).append(tally)
        return {episode: _win_rate(tallies[episode]) for episode in sorted(tallies)}


def _win_rate(tallies: Sequence[Tally]) -> Estimate:
    return over_runs([tally.win_rate for tally in tallies], [tally.games for tally in tallies])


def matchups(groups: Iterable[Group]) -> list[Matchup]:
    """Return all matchups in the order of their first occurrence, grouped by board size."""
    every = dict.fromkeys(matchup for group in groups for curves in group.runs for matchup in curves)
    sizes = dict.fromkeys(matchup.size for matchup in every)
    return [matchup for size in sizes for matchup in every if matchup.size == size]


def read_groups(runs: Mapping[str, Iterable[RunFolder]]) -> tuple[list[Group], list[str]]:
    """Return the groups with results, and the names of the runs without results."""
    groups, left_out = list[Group](), list[str]()
    for name, folders in runs.items():
        results = list[Curves]()
        for folder in folders:
            if curves := read_curves(folder):
                results.append(curves)
            else:
                left_out.append(folder.path.name)
        groups += [Group(name, results)] if results else []
    return groups, left_out


def read_curves(folder: RunFolder) -> Curves | None:
    """Return the evaluations of a run, or None if the run is unfinished or unreadable."""
    try:
        record = folder.read_record()
    except RunFolderError:
        return None
    evaluations, done = folder.evaluations(), folder.games()
    newest = max((evaluation.episode for evaluation in evaluations), default=0)
    if done < (record.experiment.episodes or 1) or (record.experiment.final_games and newest < done):
        return None
    # A resumed run may repeat an evaluation, so use the last result.
    counted = {(each.episode, each.opponent, each.colour): each for each in evaluations}.values()
    curves: dict[Matchup, dict[int, Tally]] = {}
    for each in counted:
        if not each.opponent.endswith(FROM_OPENINGS):
            curve = curves.setdefault(Matchup(record.size, each.opponent), {})
            curve[each.episode] = curve.get(each.episode, Tally()) + each.tally
    return curves


def grouped(folders: Iterable[RunFolder]) -> tuple[dict[str, list[RunFolder]], dict[str, str]]:
    """Group the runs that differ only in the seed. Also return the options in which the groups differ."""
    folders = list(folders)
    count = Counter(folder.path.name for folder in folders)
    groups: dict[str, list[RunFolder]] = {}
    options: dict[str, Options] = {}
    for folder in folders:
        of_run = _options(folder)
        key = json.dumps(of_run, sort_keys=True)
        options[key] = of_run
        groups.setdefault(key, []).append(folder)
    named = {
        ", ".join(
            folder.path.name if count[folder.path.name] == 1 else folder.path.as_posix() for folder in group
        ): group
        for group in groups.values()
    }
    return named, dict(zip(named, _differences(list(options.values())), strict=True))


def check_each_once(folders: Iterable[RunFolder]) -> None:
    """Raise RunFolderError if a run occurs twice, even under different paths."""
    for first, second in combinations(folders, 2):
        if first.path.resolve() == second.path.resolve():
            paths = " and ".join(dict.fromkeys((str(first.path), str(second.path))))
            raise RunFolderError(f"{paths}: one run is there twice, name each once")


def same_seeds(groups: Mapping[str, Sequence[RunFolder]]) -> Iterator[str]:
    """Yield a warning for each seed that several runs of a group share."""
    for name, folders in groups.items():
        for seed, times in Counter(folder.read_record().seed for folder in folders).items():
            if times > 1 and seed is not None:
                yield f"{name}: {times} of these runs have the same seed {seed}, but count as different ones"


def _options(folder: RunFolder) -> Options:
    """Return the recorded options that affect learning. Raises RunFolderError."""
    config = folder.config()
    try:
        agent = config["agent"] or config.get("agent_config") or {}
        environment = {**(config.get("environment_stats") or {}), **(config["environment"] or {})}
        experiment, selfplay = config["experiment"], config.get("selfplay") or {}
        text = agent.get("text") or agent.get("command")
        options = {"agent": text or json.dumps(agent, sort_keys=True)}
        options |= {key: environment[key] for key in (*ENVIRONMENT_OPTIONS, "command") if key in environment}
        length = "minutes" if experiment.get("minutes") else "episodes"
        options |= {key: experiment[key] for key in (length, "max_steps") if key in experiment}
        options |= {key: selfplay[key] for key in _SELFPLAY if key in selfplay}
        start = folder.checkpoints / (START + SUFFIX)
        if selfplay.get("start") and start.is_file():
            options["from"] = hashlib.sha256(read_bytes(start, WEIGHTS)).hexdigest()[:_DIGITS]
    except (KeyError, TypeError, AttributeError):
        raise RunFolderError(f"{folder.path / 'config.json'} is not a run's") from None
    return options


def _differences(options: Sequence[Options]) -> list[str]:
    """Return one line for each set of options, with only the options that differ between the sets."""
    keys = dict.fromkeys(key for each in options for key in each)
    differing = [key for key in keys if len({json.dumps(each.get(key)) for each in options}) > 1]
    return [
        "  ".join(f"{key.replace('_', ' ')} {each[key]}" for key in differing if key in each)
        for each in options
    ]


class _Won(NamedTuple):
    """A table row: the last evaluations of a group in a matchup."""

    name: str
    estimate: Estimate
    rates: Sequence[float]  # The percentage of games won by each run.
    games: int


def _ends(estimate: Estimate) -> list[float]:
    return [100 * end for end in estimate.interval]


_WON: tuple[Column[_Won], ...] = (
    Column("run", lambda it: it.name),
    Column("seeds", lambda it: len(it.rates), "{}".format),
    Column("won %", lambda it: 100 * it.estimate.value, "{:.1f}".format),
    Column("95 %", lambda it: _ends(it.estimate), "{0[0]:.1f}-{0[1]:.1f}".format),
    Column("min", lambda it: min(it.rates), "{:.1f}".format),
    Column("max", lambda it: max(it.rates), "{:.1f}".format),
    Column("games", lambda it: it.games, "{:,}".format),
)


def tables(groups: Sequence[Group]) -> Iterator[Table]:
    """Yield a table per matchup, with a row per group, and a difference row if there are two groups."""
    for matchup in matchups(groups):
        rows = []
        for group in groups:
            if finals := group.finals(matchup):
                rates = [100 * tally.win_rate for tally in finals]
                games = sum(tally.games for tally in finals)
                rows.append(_Won(group.name, _win_rate(finals), rates, games))
        says = f"{OVER_RUNS}; {_ONE_SEED}" if any(len(row.rates) == 1 for row in rows) else OVER_RUNS
        table = Table.of(f"Won {matchup}".strip(), _WON, rows, says)
        if len(rows) == _PAIR:
            apart = difference(*(row.estimate for row in rows))
            low, high = _ends(apart)
            share = f"{100 * apart.value:+.1f}"
            more = ("the first minus the second", "", share, f"{low:+.1f} to {high:+.1f}", "", "", "")
            table = replace(table, rows=[*table.rows, more])
        yield table
