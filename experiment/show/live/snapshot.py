"""A snapshot of a run: what is shown of all that was read."""

from collections.abc import Iterator, Sequence

import numpy as np

from experiment.run.episodes.outcomes import Tally
from experiment.run.evaluation.opponents import FROM_OPENINGS, SELF
from experiment.run.evaluation.result import Evaluation, by_opponent
from experiment.show.curves import MEANS, means, running_mean, window_of
from experiment.show.evaluation_table import sums, table
from experiment.show.headline import headline, result_name
from experiment.show.live.contents import Chart, Line, Snapshot
from experiment.show.live.numbers import newest
from experiment.show.live.phase import phase_of
from experiment.show.live.run_files import Following
from experiment.show.palette import SERIES, TRAINING
from experiment.show.panels import PANELS, pool_panels
from experiment.study.statistics.shares import WILSON, wilson


def snapshot(run: Following) -> Snapshot:
    """Return how a run stands by what was read of it."""
    config = run.config
    last = [result for result in run.evaluations if result.episode == run.evaluations[-1].episode]
    return Snapshot(
        headline(config),
        run.folder.path.resolve().name,
        str(config.get("seed", "")),
        phase_of(run, run.silent),
        Chart("Share of games won", _says(run), "share of games", list(_rates(run)), 0.0, 1.0),
        list(_charts(run)),
        table("", sums(last, config)),
        last[0].episode if last else 0,
        newest(run.curves),
    )


def _says(run: Following) -> str:
    itself = " against itself, no measure of its strength" if run.view.selfplay else ""
    evaluations = f"points: games without learning and exploration, {WILSON}"
    return f"lines: training games{itself}; {evaluations}; good: up"


def _rates(run: Following) -> Iterator[Line]:
    yield from _rounds(run) if run.rounds else _training(run)
    repeated = [result for result in run.evaluations if not result.opponent.endswith(FROM_OPENINGS)]
    for place, (name, own) in enumerate(by_opponent(repeated).items()):
        yield _evaluations(f"evaluation against {result_name(name, run.config)}", own, _series(place))


def _training(run: Following) -> Iterator[Line]:
    """Yield running shares of training games that are recorded one by one."""
    for place, (wanted, what) in enumerate(run.view.shares_shown):
        hits = run.outcomes(wanted)
        if len(hits):
            window = window_of(len(hits))
            # The first few windows hold too few games to say anything.
            first = min(window, len(hits)) // 5
            at = np.unique(np.linspace(first, len(hits) - 1, min(len(hits), MEANS)).astype(np.intp))
            shares = running_mean(hits, window)[at]
            yield _line(f"training: {what}, last {window:,} games", at + 1, shares, _training_look(place))


def _rounds(run: Following) -> Iterator[Line]:
    """Yield what black and white won of the games against itself."""
    own = [result for result in run.rounds if result.opponent == SELF]
    for place, (wanted, what) in enumerate(run.view.shares_shown if own else ()):
        shares = means([result.tally.share(wanted) for result in own])
        ends = means([result.episode for result in own])
        yield _line(f"training: {what}, against itself", ends, shares, _training_look(place))


def _evaluations(label: str, results: Sequence[Evaluation], look: str) -> Line:
    """The share won, all colours together."""
    tallies: dict[int, Tally] = {}
    for result in results:
        tallies[result.episode] = tallies.get(result.episode, Tally()) + result.tally
    low, high = zip(*(wilson(tally.win_rate, tally.games) for tally in tallies.values()), strict=True)
    shares = [tally.win_rate for tally in tallies.values()]
    return Line(label, [float(x) for x in tallies], shares, list(low), list(high), look)


def _line(label: str, x: Sequence[float] | np.ndarray, y: Sequence[float] | np.ndarray, look: str) -> Line:
    return Line(label, [float(each) for each in x], [float(each) for each in y], [], [], look)


def _training_look(place: int) -> str:
    return f"training-{min(place, len(TRAINING) - 1)}"


def _series(place: int) -> str:
    return f"series-{place % len(SERIES)}"


def _charts(run: Following) -> Iterator[Chart]:
    for panel in (*PANELS, *pool_panels(run.curves)):
        look = _series if panel.of_opponents else _training_look
        found = [(*run.curves[name], label) for name, label in panel.lines.items() if name in run.curves]
        lines = [_line(label, means(x), means(y), look(place)) for place, (x, y, label) in enumerate(found)]
        if lines:
            low = 0.0 if panel.from_zero else None
            yield Chart(panel.title, panel.says.replace("\n", " "), panel.axis, lines, low)
