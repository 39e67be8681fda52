"""Matches of the policies that runs kept, against opponents of one's choice."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from experiment.compare.match.summary import Summary
from experiment.run.results.checkpoint import policy_name
from experiment.run.results.kept_policies import kept_policies
from experiment.run.results.run_folder import RunFolder
from experiment.study.statistics.intervals import OVER_RUNS, Estimate, over_runs
from experiment.study.statistics.units import PAIRED

PER_POLICY = f"one run: {PAIRED};\nseveral: {OVER_RUNS}"
"""What to write beside `scores`."""


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


def by_opponent(results: Iterable[PolicyResult]) -> dict[str, list[PolicyResult]]:
    """Sort results by opponent, in the order in which they come."""
    found: dict[str, list[PolicyResult]] = {}
    for result in results:
        found.setdefault(result.opponent, []).append(result)
    return found


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
