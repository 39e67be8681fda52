"""The comparison in numbers: what runs win, and what the policies that they kept score in matches."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from othello_lab.experiment.compare.match import Summary
from othello_lab.experiment.compare.sweep.comparison import Group, Matchup, matchups
from othello_lab.experiment.run.names import policy_name
from othello_lab.experiment.run.outcomes import Tally, by_opponent
from othello_lab.experiment.run.player_names import kept_policies
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.tables import Column, Table
from othello_lab.experiment.study.statistics.intervals import OVER_RUNS, Estimate, difference, over_runs
from othello_lab.experiment.study.statistics.units import PAIRED
from othello_lab.game import Colour

PER_POLICY = f"one run: {PAIRED};\nseveral: {OVER_RUNS}"
"""The caption of a table of policy scores: what their intervals mean."""


class Policy(NamedTuple):
    """What a run had learned after this many games."""

    group: str
    """The runs that differ from it in the seed only."""
    run: str
    episode: int
    path: Path
    was_kept: bool
    """Whether every checkpoint's was to be kept, or this is one of the newest that always are."""


class PolicyResult(NamedTuple):
    """What came of a policy's match against one opponent."""

    policy: Policy
    opponent: str
    """What it is called."""
    summary: Summary

    @property
    def score(self) -> Estimate:
        """The score, its interval over the openings."""
        return self.summary.score()


def policies(groups: Mapping[str, Iterable[RunFolder]]) -> list[Policy]:
    """Return what the runs have kept to play with, run by run."""
    return [
        Policy(group, folder.path.name, episode, path, path.stem == policy_name(episode))
        for group, folders in groups.items()
        for folder in folders
        for episode, path in kept_policies(folder.checkpoints, folder.saved()).items()
    ]


def in_words(policy: Policy) -> str:
    """Say which it is."""
    return f"{policy.run} after {policy.episode:,}"


def scores(results: Iterable[PolicyResult]) -> dict[int, Estimate]:
    """Return the score after this many training games of runs that differ in the seed only.

    Of one run with its interval over the openings, of several over the runs.
    """
    by_episode: dict[int, list[PolicyResult]] = {}
    for result in results:
        by_episode.setdefault(result.policy.episode, []).append(result)
    return {episode: _together(by_episode[episode]) for episode in sorted(by_episode)}


def _together(results: Sequence[PolicyResult]) -> Estimate:
    if len(results) == 1:
        return results[0].score
    shares = [result.score.value for result in results]
    return over_runs(shares, [result.summary.total.games for result in results])


_ONE_SEED = "one seed: the spread between seeds is unknown, the interval is that of its games alone"
_PAIR = 2
"""This many groups are compared: of more nobody asks for every difference."""


class _Won(NamedTuple):
    """The last games of the runs of a group, against one opponent."""

    name: str
    found: Estimate
    finals: Sequence[Tally]

    @property
    def rates(self) -> list[float]:
        """Percent won by each run."""
        return [100 * tally.win_rate for tally in self.finals]


_WON: tuple[Column[_Won], ...] = (
    Column("run", lambda it: it.name),
    Column("seeds", lambda it: len(it.finals), "{}".format),
    Column("won %", lambda it: 100 * it.found.value, "{:.1f}".format),
    Column("95 %", lambda it: _percent(it.found), "{0[0]:.1f}-{0[1]:.1f}".format),
    Column("min", lambda it: min(it.rates), "{:.1f}".format),
    Column("max", lambda it: max(it.rates), "{:.1f}".format),
    Column("games", lambda it: sum(tally.games for tally in it.finals), "{:,}".format),
)


def _percent(found: Estimate) -> list[float]:
    return [100 * end for end in found.interval]


def tables(groups: Sequence[Group]) -> list[Table]:
    """Return a table for each board and opponent; only groups that met it are in it."""
    return [
        _won([group for group in groups if group.against(matchup)], matchup) for matchup in matchups(groups)
    ]


def _won(groups: Sequence[Group], matchup: Matchup) -> Table:
    """Return a row for each group, and of two their difference."""
    rows = [_Won(group.name, group.estimate(matchup), group.finals(matchup)) for group in groups]
    says = _with_one_seed(OVER_RUNS, (len(row.finals) for row in rows))
    found = Table.of(f"Won {matchup}".strip(), _WON, rows, says)
    if len(groups) != _PAIR:
        return found
    apart = difference(*(row.found for row in rows))
    low, high = _percent(apart)
    share = f"{100 * apart.value:+.1f}"
    more = ("the first minus the second", "", share, f"{low:+.1f} to {high:+.1f}", "", "", "")
    return replace(found, rows=[*found.rows, more])


def _with_one_seed(caption: str, seeds: Iterable[int]) -> str:
    """Return a table's caption, which says so where a row is of one seed."""
    return f"{caption}; {_ONE_SEED}" if 1 in seeds else caption


class _Score(NamedTuple):
    """What the policies of a group scored after this many games."""

    group: str
    seeds: int
    episode: int
    found: Estimate


_SCORES: tuple[Column[_Score], ...] = (
    Column("run", lambda it: it.group),
    Column("seeds", lambda it: it.seeds, "{}".format),
    Column("after", lambda it: it.episode, "{:,}".format),
    Column("score", lambda it: it.found.value, "{:.3f}".format),
    Column("95 %", lambda it: it.found.interval, "{0.low:.3f}-{0.high:.3f}".format),
)


def policy_tables(results: Sequence[PolicyResult]) -> list[Table]:
    """Return a table for each opponent that the kept policies of runs were matched with."""
    return [
        Table.of(
            f"Score against {opponent}",
            _SCORES,
            rows,
            _with_one_seed(PER_POLICY, (row.seeds for row in rows)),
        )
        for opponent, own in by_opponent(results).items()
        for rows in [list(_scores(own))]
    ]


def _scores(results: Sequence[PolicyResult]) -> Iterator[_Score]:
    for group in dict.fromkeys(result.policy.group for result in results):
        own = [result for result in results if result.policy.group == group]
        for episode, found in scores(own).items():
            seeds = sum(result.policy.episode == episode for result in own)
            yield _Score(group, seeds, episode, found)


_MATCHES: tuple[Column[PolicyResult], ...] = (
    Column("group", lambda it: it.policy.group),
    Column("run", lambda it: it.policy.run),
    Column("episode", lambda it: it.policy.episode),
    Column("opponent", lambda it: it.opponent),
    Column("games", lambda it: it.summary.total.games),
    Column("win", lambda it: it.summary.total.win),
    Column("draw", lambda it: it.summary.total.draw),
    Column("loss", lambda it: it.summary.total.loss),
    Column("score", lambda it: it.score.value),
    Column("score_low", lambda it: it.score.interval.low),
    Column("score_high", lambda it: it.score.interval.high),
    Column("black_score", lambda it: it.summary.score(Colour.BLACK).value),
    Column("white_score", lambda it: it.summary.score(Colour.WHITE).value),
    Column("mean_disc_diff", lambda it: it.summary.mean_discs),
)


def match_table(results: Sequence[PolicyResult]) -> Table:
    """Return a row for each match of a policy."""
    return Table.of("Matches of policies", _MATCHES, results)
