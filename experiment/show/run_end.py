"""The last words of a run."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rich.console import Console

from othello_lab.experiment.run.outcomes import FROM_OPENINGS, RunResult
from othello_lab.experiment.run.player_names import is_player
from othello_lab.experiment.run.record import headline, is_held_out, is_selfplay, known
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.run.verdict import met_in, verdict
from othello_lab.experiment.show import wording
from othello_lab.experiment.show.evaluation_table import at_the_end, first_evaluation
from othello_lab.experiment.show.progress import clock
from othello_lab.experiment.show.tables import grid
from othello_lab.experiment.study.statistics.intervals import WILSON

_SHORT = 24
"""Characters of a name in the table."""


def print_report(
    console: Console, report: RunResult, folder: RunFolder, plot: Path | None, resume_command: str
) -> None:
    """Print what was done, one table of all results, where everything is, and what to do next."""

    def say(text: str) -> None:
        console.print(text, markup=False, highlight=False, soft_wrap=True)

    say(f"\n{headline(folder.config())}")
    for line in _work(report, folder):
        say(line)
    if report.evaluations:
        say("\nGames without learning and exploration:")
        early = first_evaluation(folder.evaluations(), report.episodes)
        console.print(grid(at_the_end(report.evaluations, report.held_out, early, folder.config(), _SHORT)))
        for line in _explanations(report, folder):
            say(line)
    for note in notes_of(report):
        say(f"note: {note}")
    say("")
    if met := [*met_in([*report.evaluations, *report.held_out])]:
        size = known(folder.config()).environment_stats.size
        console.print(f"Verdict: {verdict(met, size)}\n", markup=False, highlight=False)
    width = max(len(what) for what, _ in _next_steps(report, folder, plot, resume_command))
    for what, where in _next_steps(report, folder, plot, resume_command):
        say(f"{what:{width}}  {where}")


def _work(report: RunResult, folder: RunFolder) -> Iterator[str]:
    """Say what was done, how fast, and from which seed."""
    work, seed = report.work, folder.config().get("seed")
    seconds = max(work.seconds, 1e-9)
    speeds = f"{work.games / seconds:,.1f} games and {work.decisions / seconds:,.0f} decisions a second"
    yield f"{work.games:,} training games in {clock(work.seconds)}: {speeds}"
    before = report.episodes - work.games
    resumed = f"; {before:,} games before it was resumed" if before else ""
    state = "stopped after" if report.interrupted else "wall time"
    yield f"{state} {clock(report.seconds)}, evaluations included; seed {seed}{resumed}"


def _explanations(report: RunResult, folder: RunFolder) -> Iterator[str]:
    """Say what the table means, as far as it has it."""
    config = folder.config()
    yield f"won %: with its {WILSON}"
    if any(result.opponent.endswith(FROM_OPENINGS) for result in report.evaluations):
        never = "" if is_selfplay(config) else "; training never begins there"
        yield f"openings: every position after four moves{never}"
    if any(is_held_out(result.opponent, config) for result in report.held_out):
        yield "never met: players that it has not trained against, from openings"
    if early := first_evaluation(folder.evaluations(), report.episodes):
        when = f"after {early[0].episode:,} training games" if early[0].episode else "without any training"
        yield f"before: won % {when}"


def notes_of(report: RunResult) -> tuple[str, ...]:
    """Return what a reader of the results has to know, each once."""
    as_it_is = [f"evaluated as it is: {note}" for result in report.evaluations for note in result.notes]
    return tuple(dict.fromkeys([*report.notes, *as_it_is]))


def _next_steps(
    report: RunResult, folder: RunFolder, plot: Path | None, resume: str
) -> Sequence[tuple[str, str]]:
    """What there is to look at and to do: a name, and a path or a command to paste."""
    steps = [("run", str(folder.path))]
    if plot:
        steps += [("picture", str(plot)), ("curves", wording.tensorboard(folder.path.parent))]
    if known(folder.config()).agent.command:
        if report.checkpoint:
            again = [folder.path.name, *wording.runs_dir(folder.path.parent), "--allow-programs"]
            steps.append(("play it", wording.othello("play", *again)))
    elif report.policy:
        steps.append(("play it", _play(report.policy, folder)))
    if report.interrupted and (report.checkpoint or not report.episodes):
        steps.append(("go on", resume))
    elif not report.checkpoint:
        steps.append(("go on", "not possible: the agent has saved no checkpoint"))
    else:
        length = "games" if is_selfplay(folder.config()) else "episodes"
        steps.append(("train on", f"{resume} --{length} {2 * report.episodes}"))
    return steps


def _play(policy: str, folder: RunFolder) -> str:
    """The command that plays against the policy: by the run's name where the policy is in its folder.

    A player of that name would be found first: then by the folder.
    """
    if not Path(policy).is_relative_to(folder.checkpoints):
        return wording.othello("play", policy)
    name, runs = folder.path.name, folder.path.parent
    if is_player(name):
        return wording.othello("play", str(folder.path))
    return wording.othello("play", name, *wording.runs_dir(runs))
