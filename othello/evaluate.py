"""`othello evaluate`: agents against many opponents, here or over RL-Glue."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from othello.candidates import CONNECTED, Candidate, candidate, common_size, opponents
from othello.completion import a_player_or_run
from othello.config_file import config_option
from othello.ending import blaming, interruptible, playing, reported_errors
from othello.groups import Command, section
from othello.openings import lines_of
from othello.options import (
    check_new_file,
    connect_timeout_option,
    openings_options,
    runs_dir_option,
    seed_option,
    server_address_options,
)
from othello.permission import ProgramText
from othello.training_options import given
from othello.workers import workers, workers_options
from rlglue.exit_codes import INTERRUPTED
from rlglue.net.address import parse_address

if TYPE_CHECKING:
    from contextlib import AbstractContextManager

    from experiment.compare.judging.judge import Play
    from experiment.compare.judging.trial import Judgement, Trial
    from experiment.run.episodes.control import AnyGlue
    from experiment.workers.interrupts import Interrupts


@click.command(cls=Command)
@click.argument("agents", type=ProgramText(), metavar="[AGENT]...", nargs=-1, shell_complete=a_player_or_run)
@section(
    "Games",
    click.option(
        "--opponent",
        multiple=True,
        metavar="TEXT",
        shell_complete=a_player_or_run,
        help="Play against this player instead of the usual eight; may be given several times.",
    ),
    click.option("--size", type=int, help="Length of a side: even, 4 to 16.  [default: the agents', or 8]"),
    openings_options,
    seed_option("Seed of all randomness, except that of agents in other processes."),
    workers_options,
)
@section(
    "Results",
    click.option(
        "--csv", type=click.Path(dir_okay=False, path_type=Path), help="Write the results to this file."
    ),
    click.option("--json", "as_json", is_flag=True, help="Print the results as JSON, for programs."),
)
@section(
    "Connection",
    click.option("--glue", metavar="HOST:PORT", help="Judge the agent of this running server."),
    server_address_options,
    connect_timeout_option,
)
@runs_dir_option("Where run folders are.")
@config_option
@click.pass_context
def command(
    context: click.Context,
    /,
    agents: Sequence[str],
    csv: Path | None,
    as_json: bool,
    **values: Any,  # noqa: ANN401  options
) -> None:
    """Measure how strong each AGENT is: a table of scores, and what they come to.

    It plays against opponents of many kinds, from every opening with both colours. An AGENT is a player, the
    name of a run, the path of a run's folder or of a checkpoint, or in quotes the command line of an RL-Glue
    agent in any language, which is started here. Without AGENT, the agent of the server at --glue is judged,
    or the one that connects to --host and --port.
    """
    from game.threads import use_threads

    use_threads(1)
    if values["glue"] and agents:
        raise click.UsageError("--glue and AGENT: expected one of them")
    if values["glue"]:
        with blaming("--glue"):
            parse_address(values["glue"])
    if csv:
        check_new_file(csv, "--csv")
    if agents and "port" not in given(context):
        values["port"] = 0  # any: who is started here is told
    candidates = [candidate(text, values["runs_dir"]) for text in agents] or [CONNECTED]
    if not values["glue"]:  # whose environment says the size
        _set_size(candidates, values)
    judged: list[list[Judgement]] = []
    with interruptible() as interrupts:
        try:
            complete = all(_judge(who, values, interrupts, judged, as_json) for who in candidates)
        finally:  # also what was played before an agent left
            _report([own for own in judged if own], csv, as_json)
    if not complete:
        raise SystemExit(INTERRUPTED)


def _set_size(candidates: Sequence[Candidate], values: dict[str, Any]) -> None:
    """Settle on a board; find what cannot be played there before anything is, raise click.BadParameter."""
    with blaming("--size"):
        values["size"] = values["size"] or common_size(candidates)
    _trials(CONNECTED, values["size"], values)
    for one in candidates:
        one.check(values["size"])


def _trials(who: Candidate, size: int, values: Mapping[str, Any]) -> "list[Trial]":
    """Return the matches of a candidate; raise click.BadParameter."""
    from experiment.compare.judging.trial import Trial
    from game.board import check_size

    with blaming("--size"):
        check_size(size)
    lines = lines_of(values["openings"], size)
    found = opponents(values["opponent"], size, values["runs_dir"])
    rest = size, lines, values["repeat"], values["seed"], who.name
    return [Trial(who.text, text, *rest, name) for name, text in found.items()]


def _judge(
    who: Candidate,
    values: Mapping[str, Any],
    interrupts: "Interrupts",
    judged: "list[list[Judgement]]",
    quiet: bool,
) -> bool:
    """Have a candidate play against everybody and print its table; tell whether it came to its end."""
    own: list[Judgement] = []
    judged.append(own)
    try:
        planned = _play(who, values, interrupts, own)
    finally:
        if own and not quiet:
            _print_table(own)
    games = sum(judgement.summary.total.games for judgement in own)
    if games < planned:
        click.echo(f"{who.name} was stopped after {games:,} of {planned:,} games", err=True)
    return games == planned


def _play(who: Candidate, values: Mapping[str, Any], interrupts: "Interrupts", own: "list[Judgement]") -> int:
    """Have a candidate play, until an interrupt; return how many games there would be in all."""
    from rich.console import Console

    from experiment.compare.judging.judge import judge

    with playing(), _playing(who, values, interrupts) as (play, size, name):
        trials = _trials(replace(who, name=name), size, values)
        judge(trials, play, Console(stderr=True), own)
    return sum(trial.games for trial in trials)


@contextmanager
def _playing(
    who: Candidate, values: Mapping[str, Any], interrupts: "Interrupts"
) -> "Iterator[tuple[Play, int, str]]":
    """Yield what plays a candidate's matches, the size of the board, and what to call the candidate."""
    from experiment.compare.judging.judge import played_by
    from experiment.compare.judging.over_glue import OverGlue, othello_task
    from experiment.run.episodes.control import agent_values
    from experiment.run.results.short_names import told_name

    if who.plays_here:
        with workers(values["jobs"], values["ray"]) as playing_on:
            yield played_by(playing_on), values["size"], who.name
        return
    with _glue(who, values) as glue:
        task, size = othello_task(glue)
        if values["size"] not in (None, size):
            raise ValueError(f"the environment plays on {size}x{size}: leave --size out")
        interrupts.patient = True  # a game that is on its way is played to its end
        name = who.name if who.text else told_name(agent_values(glue, "config")) or who.name
        yield OverGlue(glue, task, lambda: interrupts.requested).play, size, name


def _glue(who: Candidate, values: Mapping[str, Any]) -> "AbstractContextManager[AnyGlue]":
    from experiment.compare.judging.connecting import hosted, joined

    patience = values["connect_timeout"]
    if values["glue"]:
        return joined(values["glue"], patience)
    size, where = values["size"], (values["host"], values["port"])
    found = opponents(values["opponent"], size, values["runs_dir"]).values()
    return hosted(who.text, list(found), size, where, patience, partial(click.echo, err=True))


def _report(judged: "Sequence[Sequence[Judgement]]", csv: Path | None, as_json: bool) -> None:
    """Print what came of it, and write it down."""
    from experiment.compare.judging.table import as_json as json_of
    from experiment.compare.judging.table import table
    from experiment.show.files import as_csv
    from game.files import replace

    every = [judgement for own in judged for judgement in own]
    if as_json:
        click.echo(json.dumps([json_of(judgement) for judgement in every], indent=2))
    else:
        _print(judged, every)
    if csv and every:
        with reported_errors():
            replace(csv, as_csv(table(every)))


def _print_table(judgements: "Sequence[Judgement]") -> None:
    from rich.console import Console

    from experiment.compare.judging.table import table
    from experiment.show.terminal_tables import grid

    Console().print(grid(table(judgements)))


def _print(judged: "Sequence[Sequence[Judgement]]", every: "Sequence[Judgement]") -> None:
    from rich.console import Console

    from experiment.compare.judging.table import explanations, joint_tables, verdicts
    from experiment.show.terminal_tables import grid

    if not every:
        return
    console = Console()
    if len(judged) > 1:
        console.print(*map(grid, joint_tables(judged, console.width)))
    console.print("", *explanations(every), sep="\n", markup=False, highlight=False)
    console.print("", *verdicts(judged), sep="\n", markup=False, highlight=False, soft_wrap=True)
