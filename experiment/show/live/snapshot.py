"""A snapshot of a run: what is shown of all that was read."""

from dataclasses import replace

from experiment.show.curves import MEANS
from experiment.show.evaluation_table import sums, table
from experiment.show.headline import headline
from experiment.show.live.contents import Snapshot
from experiment.show.live.numbers import newest
from experiment.show.live.phase import phase_of
from experiment.show.run_files import Following
from experiment.show.training_charts import panels, rates


def snapshot(run: Following) -> Snapshot:
    """Return how a run stands by what was read of it."""
    config = run.config
    last = [result for result in run.evaluations if result.episode == run.evaluations[-1].episode]
    return Snapshot(
        headline(config),
        run.folder.path.resolve().name,
        str(config.get("seed", "")),
        phase_of(run, run.silent),
        replace(rates(run, MEANS, by_colour=False), title="Share of games won"),
        list(panels(run.curves)),
        table("", sums(last, config)),
        last[0].episode if last else 0,
        newest(run.curves),
    )
