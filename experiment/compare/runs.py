"""The comparison of runs: groups of runs that differ only in the seed, their results, their policies."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.run.outcomes import FROM_OPENINGS, Tally, against, by_opponent
from othello_lab.experiment.run.player_names import policy_paths
from othello_lab.experiment.run.record import ENVIRONMENT_OPTIONS, known
from othello_lab.experiment.run.run_folder import START, SUFFIX, RunFolder, RunFolderError, policy_name
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.study.statistics.intervals import OVER_RUNS, Estimate, difference, over_runs
from othello_lab.experiment.study.statistics.units import PAIRED
from othello_lab.game import Colour
from othello_lab.game.safe_files import WEIGHTS, read_bytes

Curve = Mapping[int, Tally]
"""The evaluations of a run, both colours together, by the number of training episodes before them."""
Options = Mapping[str, Any]
PER_POLICY = f"one run: {PAIRED};\nseveral: {OVER_RUNS}"
"""The meaning of the intervals of policy scores."""
_LENGTHS = ("minutes", "plies", "episodes")
"""Options for the length of a run; the first option that is set decides."""
_SELFPLAY = ("opponents", "games_at_once", "random_opening")
"""Options of self-play that change how the agent learns."""
_DIGITS = 8
"""Digits of the checksum of a run's first policy."""
_ONE_SEED = "one seed: the spread between seeds is unknown, the interval is that of its games alone"
_PAIR = 2
"""Number of groups for which a table has a row with their difference."""


class Matchup(NamedTuple):
    """A board size and an opponent. Only results of the same matchup are compared."""

    size: int | None
    """None if the environment does not report the size."""
    opponent: str

    def __str__(self) -> str:
        on = f" on {self.size}x{self.size}" if self.size else ""
        return f"{against(self.opponent)}{on}".strip()


Curves = Mapping[Matchup, Curve]
"""The evaluations of a finished run by matchup, without games from openings."""


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
        """Return the last evaluation of each run in a matchup."""
        return [last(curve) for curve in self.curves(matchup)]

    def estimate(self, matchup: Matchup) -> Estimate:
        """Return the final win rate; at least one run must have the matchup."""
        return _win_rate(self.finals(matchup))

    def curve(self, matchup: Matchup) -> dict[int, Estimate]:
        """Return the win rate by the number of training episodes.

        If the runs have different lengths, for example because of a time limit, the n-th evaluations of all
        runs form one point, at the mean of their numbers of episodes.
        """
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
    """Return all matchups, grouped by board size, in the order of the files."""
    every = dict.fromkeys(matchup for group in groups for curves in group.runs for matchup in curves)
    sizes = dict.fromkeys(matchup.size for matchup in every)
    return [matchup for size in sizes for matchup in every if matchup.size == size]


def read_groups(runs: Mapping[str, Iterable[RunFolder]]) -> tuple[list[Group], list[str]]:
    """Return the groups that have results, and the names of the runs without results."""
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
    """Return the evaluations of a run; None if the run is not finished or cannot be read."""
    try:
        record = known(folder.config())
    except RunFolderError:
        return None
    evaluations, done = folder.evaluations(), folder.games()
    newest = max((evaluation.episode for evaluation in evaluations), default=0)
    if done < record.experiment.episodes or (record.experiment.final_games and newest < done):
        return None
    # A resumed run may have repeated an evaluation: use the last result.
    counted = {(each.episode, each.opponent, each.colour): each for each in evaluations}.values()
    curves: dict[Matchup, dict[int, Tally]] = {}
    for each in counted:
        if not each.opponent.endswith(FROM_OPENINGS):
            curve = curves.setdefault(Matchup(record.size, each.opponent), {})
            curve[each.episode] = curve.get(each.episode, Tally()) + each.tally
    return curves


def grouped(folders: Iterable[RunFolder]) -> tuple[dict[str, list[RunFolder]], dict[str, str]]:
    """Group runs that differ only in the seed.

    Returns the groups by name and, for each name, the options that differ between the groups.
    """
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
    """Raise RunFolderError if two folders are the same run, even if their paths differ."""
    for first, second in combinations(folders, 2):
        if first.path.resolve() == second.path.resolve():
            paths = " and ".join(dict.fromkeys((str(first.path), str(second.path))))
            raise RunFolderError(f"{paths}: one run is there twice, name each once")


def same_seeds(groups: Mapping[str, Sequence[RunFolder]]) -> Iterator[str]:
    """Yield a warning for each seed that several runs of a group share."""
    for name, folders in groups.items():
        for seed, times in Counter(folder.config().get("seed") for folder in folders).items():
            if times > 1 and seed is not None:
                yield f"{name}: {times} of these runs have the same seed {seed}, but count as different ones"


def _options(folder: RunFolder) -> Options:
    """Return the recorded options of a run that change how the agent learns; raise RunFolderError."""
    config = folder.config()
    try:
        agent = config["agent"] or config.get("agent_config") or {}
        environment = {**(config.get("environment_stats") or {}), **(config["environment"] or {})}
        experiment, selfplay = config["experiment"], config.get("selfplay") or {}
        text = agent.get("text") or agent.get("command")
        options = {"agent": text or json.dumps(agent, sort_keys=True)}
        options |= {key: environment[key] for key in (*ENVIRONMENT_OPTIONS, "command") if key in environment}
        length = next((key for key in _LENGTHS if experiment.get(key)), "episodes")
        options |= {key: experiment[key] for key in (length, "max_steps") if key in experiment}
        options |= {key: selfplay[key] for key in _SELFPLAY if key in selfplay}
        start = folder.checkpoints / (START + SUFFIX)
        if selfplay.get("start") and start.is_file():
            options["from"] = hashlib.sha256(read_bytes(start, WEIGHTS)).hexdigest()[:_DIGITS]
    except (KeyError, TypeError, AttributeError):
        raise RunFolderError(f"{folder.path / 'config.json'} is not a run's") from None
    return options


def _differences(options: Sequence[Options]) -> list[str]:
    """Return, for each set of options, a text with the options that differ between the sets."""
    keys = dict.fromkeys(key for each in options for key in each)
    differing = [key for key in keys if len({json.dumps(each.get(key)) for each in options}) > 1]
    return [
        "  ".join(f"{key.replace('_', ' ')} {each[key]}" for key in differing if key in each)
        for each in options
    ]


class _Won(NamedTuple):
    """The last evaluations of a group in a matchup."""

    name: str
    estimate: Estimate
    rates: Sequence[float]
    """The percentage of games that each run won."""
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
    """Yield a table for each matchup, with a row for each group; two groups also have a difference row."""
    for matchup in matchups(groups):
        rows = []
        for group in groups:
            if finals := group.finals(matchup):
                rates, games = (
                    [100 * tally.win_rate for tally in finals],
                    sum(tally.games for tally in finals),
                )
                rows.append(_Won(group.name, _win_rate(finals), rates, games))
        says = _with_one_seed(OVER_RUNS, (len(row.rates) for row in rows))
        table = Table.of(f"Won {matchup}".strip(), _WON, rows, says)
        if len(rows) == _PAIR:
            apart = difference(*(row.estimate for row in rows))
            low, high = _ends(apart)
            share = f"{100 * apart.value:+.1f}"
            more = ("the first minus the second", "", share, f"{low:+.1f} to {high:+.1f}", "", "", "")
            table = replace(table, rows=[*table.rows, more])
        yield table


def _with_one_seed(caption: str, seeds: Iterable[int]) -> str:
    """Return a caption, with a warning if a row has only one seed."""
    return f"{caption}; {_ONE_SEED}" if 1 in seeds else caption


class Policy(NamedTuple):
    """A saved policy of a run."""

    group: str
    run: str
    episode: int
    path: Path
    was_kept: bool
    """Whether --keep-policies saved the policy; else it is one of the newest checkpoints."""

    def __str__(self) -> str:
        return f"{self.run} after {self.episode:,}"


class PolicyResult(NamedTuple):
    """The match of a policy against one opponent."""

    policy: Policy
    opponent: str
    """The short name of the opponent."""
    summary: Summary


def policies(groups: Mapping[str, Iterable[RunFolder]]) -> list[Policy]:
    """Return the saved policies of all runs."""
    return [
        Policy(group, folder.path.name, episode, path, path.stem == policy_name(episode))
        for group, folders in groups.items()
        for folder in folders
        for episode, path in policy_paths(folder.checkpoints, folder.saved()).items()
    ]


def scores(results: Iterable[PolicyResult]) -> dict[int, tuple[int, Estimate]]:
    """Return, for each number of training games, the number of runs and their score.

    The interval of the score is over the openings for one run, and over the runs for several runs.
    """
    by_episode: dict[int, list[Summary]] = {}
    for result in results:
        by_episode.setdefault(result.policy.episode, []).append(result.summary)
    by_number = dict[int, tuple[int, Estimate]]()
    for episode, summaries in sorted(by_episode.items()):
        score = summaries[0].score()
        if len(summaries) > 1:
            games = [summary.total.games for summary in summaries]
            score = over_runs([summary.score().value for summary in summaries], games)
        by_number[episode] = len(summaries), score
    return by_number


class _Score(NamedTuple):
    """The score of a group's policies after `episode` training games."""

    group: str
    episode: int
    seeds: int
    score: Estimate


_SCORES: tuple[Column[_Score], ...] = (
    Column("run", lambda it: it.group),
    Column("seeds", lambda it: it.seeds, "{}".format),
    Column("after", lambda it: it.episode, "{:,}".format),
    Column("score", lambda it: it.score.value, "{:.3f}".format),
    Column("95 %", lambda it: it.score.interval, "{0.low:.3f}-{0.high:.3f}".format),
)


def policy_tables(results: Sequence[PolicyResult]) -> Iterator[Table]:
    """Yield a table for each opponent of the saved policies."""
    for opponent, played in by_opponent(results).items():
        rows = []
        for group in dict.fromkeys(result.policy.group for result in played):
            of_group = scores(result for result in played if result.policy.group == group)
            rows += [_Score(group, episode, *score) for episode, score in of_group.items()]
        says = _with_one_seed(PER_POLICY, (row.seeds for row in rows))
        yield Table.of(f"Score against {opponent}", _SCORES, rows, says)


_MATCHES: tuple[Column[PolicyResult], ...] = (
    Column("group", lambda it: it.policy.group),
    Column("run", lambda it: it.policy.run),
    Column("episode", lambda it: it.policy.episode),
    Column("opponent", lambda it: it.opponent),
    Column("games", lambda it: it.summary.total.games),
    Column("win", lambda it: it.summary.total.win),
    Column("draw", lambda it: it.summary.total.draw),
    Column("loss", lambda it: it.summary.total.loss),
    Column("score", lambda it: it.summary.score().value),
    Column("score_low", lambda it: it.summary.score().interval.low),
    Column("score_high", lambda it: it.summary.score().interval.high),
    Column("black_score", lambda it: it.summary.score(Colour.BLACK).value),
    Column("white_score", lambda it: it.summary.score(Colour.WHITE).value),
    Column("mean_disc_diff", lambda it: it.summary.mean_discs),
)


def match_table(results: Sequence[PolicyResult]) -> Table:
    """Return a table with a row for each match of a policy."""
    return Table.of("Matches of policies", _MATCHES, results)
