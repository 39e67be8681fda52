"""`othello evaluate`: agents against many opponents, here or over RL-Glue."""

import json
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands.checks import (
    CONNECTED,
    Candidate,
    candidate,
    check_new_file,
    check_new_records,
    common_size,
    opponents,
    write_records,
)
from othello_lab.commands.ending import blaming
from othello_lab.commands.openings import Matches, lines_of
from othello_lab.commands.options import argument, given, option, options, refuse, takes
from othello_lab.commands.programs import ProgramText
from othello_lab.commands.reporting import interruptible, playing, reported_errors
from othello_lab.commands.shared_options import (
    FILE,
    a_config,
    a_connect_timeout,
    a_host,
    a_player_or_run,
    a_player_text,
    a_port,
    a_runs_dir,
    a_seed,
    a_size,
    as_json_flag,
)
from othello_lab.commands.workers import workers
from othello_lab.experiment.workers.interrupts import Interrupts
from rlglue.address import parse_address

if TYPE_CHECKING:
    from othello_lab.experiment.compare.judging.trial import Judgement, Play, Trial
    from rlglue.glue import Glue


@options
class _Against:
    opponent: tuple[str, ...] = a_player_text(
        "Play against this player instead of the usual eight; may be given several times.", section="Games"
    )
    size: int | None = a_size("the agents'")


@options
class _Options(_Against, Matches):
    agents: tuple[str, ...] = argument(
        type=ProgramText(), metavar="[AGENT]...", nargs=-1, shell_complete=a_player_or_run
    )
    seed: int = a_seed("Seed of all randomness; an agent in a process of its own must read RLGLUE_SEED.")
    csv: Path | None = option("Write the results to this new file.", type=FILE, section="Results")
    lost: Path | None = option(
        "Write the games that the agents lose to this new file: .jsonl, .ggf, .wtb, .txt.", type=FILE
    )
    as_json: bool = as_json_flag("the results")
    glue: str | None = option(
        "Judge the agent of this running server.", metavar="HOST:PORT", section="Connection"
    )
    host: str = a_host()
    port: int = a_port()
    connect_timeout: float = a_connect_timeout()
    runs_dir: Path = a_runs_dir()
    config: None = a_config()


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Measure how strong each AGENT is: a table of scores, and what they come to.

    It plays against opponents of many kinds, from every opening with both colours. An AGENT is a player, the
    name of a run, the path of a run's folder or of a checkpoint, or in quotes the command line of an RL-Glue
    agent in any language, which is started here. Without AGENT, the agent of the server at --glue is judged,
    or the one that connects to --host and --port.
    """
    if said.glue and said.agents:
        raise click.UsageError("--glue and AGENT: expected one of them")
    if said.glue:
        refuse(("host", "port"), "the server is that of --glue")
        with blaming("--glue"):
            parse_address(said.glue)
    if said.csv:
        check_new_file(said.csv, "--csv")
    if said.lost:
        check_new_records(said.lost, "--lost")
    if said.agents and "port" not in given():
        said = replace(said, port=0)  # any: who is started here is told
    candidates = [candidate(text, said.runs_dir) for text in said.agents] or [CONNECTED]
    if not said.glue:  # whose environment says the size
        said = replace(said, size=_size(candidates, said))
        if said.lost:
            check_new_records(said.lost, "--lost", said.size)
    judged: list[list[Judgement]] = []
    with interruptible() as interrupts:
        try:
            complete = all(_judge(who, said, interrupts, judged) for who in candidates)
        finally:  # also what was played before an agent left
            _report([own for own in judged if own], said)
    if not complete:
        raise SystemExit(interrupts.exit_status)


def _size(candidates: Sequence[Candidate], said: _Options) -> int:
    """Settle on a board; find what cannot be played there before anything is, raise click.BadParameter."""
    with blaming("--size"):
        size = common_size(candidates) if said.size is None else said.size
    _trials(CONNECTED, size, said)
    for one in candidates:
        one.check(size)
    return size


def _trials(who: Candidate, size: int, said: _Options) -> "list[Trial]":
    """Return the matches of a candidate; raise click.BadParameter."""
    from othello_lab.experiment.compare.judging.trial import Trial

    lines = lines_of(said.openings, size)
    found = opponents(said.opponent, size, said.runs_dir)
    rest = size, lines, said.repeat, said.seed, who.name
    return [Trial(who.text, text, *rest, name) for name, text in found.items()]


def _judge(who: Candidate, said: _Options, interrupts: Interrupts, judged: "list[list[Judgement]]") -> bool:
    """Have a candidate play against everybody and print its table; tell whether it came to its end."""
    own: list[Judgement] = []
    judged.append(own)
    try:
        planned = _play(who, said, interrupts, own)
    finally:
        if own and not said.as_json:
            from othello_lab.experiment.compare.judging.table import table
            from othello_lab.experiment.show.tables import grid

            Console().print(grid(table(own)))
    games = sum(judgement.summary.total.games for judgement in own)
    if games < planned:
        click.echo(f"{who.name} was stopped after {games:,} of {planned:,} games", err=True)
    return games == planned and not interrupts.requested


def _play(who: Candidate, said: _Options, interrupts: Interrupts, own: "list[Judgement]") -> int:
    """Have a candidate play, until an interrupt; return how many games there would be in all."""
    from othello_lab.experiment.compare.judging.trial import judge

    with playing(), _playing(who, said, interrupts) as (play, size, name):
        trials = _trials(replace(who, name=name), size, said)
        judge(trials, play, Console(stderr=True), own)
    return sum(trial.games for trial in trials)


@contextmanager
def _playing(who: Candidate, said: _Options, interrupts: Interrupts) -> "Iterator[tuple[Play, int, str]]":
    """Yield what plays a candidate's matches, the size of the board, and what to call the candidate."""
    from othello_lab.experiment.compare.judging.over_glue import OverGlue, othello_task
    from othello_lab.experiment.compare.judging.trial import played_by
    from othello_lab.experiment.run.control import agent_values
    from othello_lab.experiment.run.names import told_name

    if who.plays_here:
        assert said.size  # noqa: S101  settled on before
        with workers(said.jobs, said.ray) as playing_on:
            yield played_by(playing_on), said.size, who.name
        return
    with _glue(who, said) as glue:
        task, size = othello_task(glue)
        if said.size not in (None, size):
            raise ValueError(f"the environment plays on {size}x{size}: add --size {size}")
        interrupts.patient = True  # a game that is on its way is played to its end
        name = who.name if who.text else told_name(agent_values(glue, "config")) or who.name
        try:
            yield OverGlue(glue, task, lambda: interrupts.requested).play, size, name
        finally:
            interrupts.patient = False


def _glue(who: Candidate, said: _Options) -> "AbstractContextManager[Glue]":
    from othello_lab.experiment.compare.judging.over_glue import hosted, joined

    if said.glue:
        return joined(said.glue, said.connect_timeout)
    assert said.size  # noqa: S101  settled on before
    found = opponents(said.opponent, said.size, said.runs_dir).values()
    where, say = (said.host, said.port), partial(click.echo, err=True)
    return hosted(who.text, list(found), said.size, where, said.connect_timeout, say, said.seed)


def _report(judged: "Sequence[Sequence[Judgement]]", said: _Options) -> None:
    """Print what came of it, and write it down."""
    from othello_lab.experiment.compare.judging.table import as_json as json_of
    from othello_lab.experiment.compare.judging.table import table
    from othello_lab.experiment.show.tables import as_csv
    from othello_lab.game.files import replace as write

    every = [judgement for own in judged for judgement in own]
    if said.as_json:
        click.echo(json.dumps([json_of(judgement) for judgement in every], indent=2))
    else:
        _print(judged, every)
    if said.csv and every:
        with reported_errors():
            write(said.csv, as_csv(table(every)))
    if said.lost and (lost := [record for judgement in every for record in judgement.lost]):
        write_records(said.lost, lost)


def _print(judged: "Sequence[Sequence[Judgement]]", every: "Sequence[Judgement]") -> None:
    from othello_lab.experiment.compare.judging.table import explanations, joint_tables, verdicts
    from othello_lab.experiment.show.tables import grid

    if not every:
        return
    console = Console()
    if len(judged) > 1:
        console.print(*map(grid, joint_tables(judged, console.width)))
    console.print("", *explanations(every), sep="\n", markup=False, highlight=False)
    console.print("", *verdicts(judged), sep="\n", markup=False, highlight=False, soft_wrap=True)
