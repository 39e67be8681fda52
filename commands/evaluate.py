"""`othello evaluate`: play agents against many opponents, in this process or over RL-Glue."""

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import (
    check_new_file,
    check_new_records,
    check_player,
    named,
    opponents,
    write_records,
)
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import Matches, lines_of
from othello_lab.commands.options import explicit_options, option, options, refuse, takes
from othello_lab.commands.workers import interruptible, playing, workers
from othello_lab.experiment.workers.interrupts import Interrupts
from othello_lab.game.notation import USUAL_SIZE
from rlglue.address import parse_address

if TYPE_CHECKING:
    from othello_lab.experiment.compare.match import Play, Summary
    from othello_lab.experiment.run.player_names import Named


@options
class _Against:
    opponent: tuple[str, ...] = fields.player(
        "Play against this player instead of the eight default opponents. The option may be given several "
        "times.",
        section="Games",
    )
    size: int | None = fields.players_size("the agents")


@options
class _Options(Matches, _Against):
    agents: tuple[str, ...] = fields.player_argument(metavar="[AGENT]...", nargs=-1)
    seed: int = fields.seed(
        "Seed of all randomness. An agent in a separate process must read the seed from RLGLUE_SEED."
    )
    csv: Path | None = option("Write the results to this new file.", type=fields.FILE, section="Results")
    lost: Path | None = option(
        "New file for the games that the agents lose (.jsonl, .ggf, .wtb or .txt).", type=fields.FILE
    )
    as_json: bool = fields.json_flag("the results")
    glue: str | None = option(
        "Evaluate the agent that is connected to this running server.",
        metavar="HOST:PORT",
        section="Connection",
    )
    host: str = fields.host()
    port: int = fields.port()
    connect_timeout: float = fields.connect_timeout()
    runs_dir: Path = fields.runs_dir()
    config: None = fields.config()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Measure the strength of each AGENT, and print a table of scores and a verdict.

    Each AGENT plays against opponents of many kinds, from every opening and with both colours. AGENT is a
    run, the path of a checkpoint, or a player such as greedy. `othello players` lists the players. AGENT can
    also be the command of an RL-Glue agent in any language, such as "python my_agent.py". Without AGENT, the
    command evaluates an agent that is already running. The agent is connected to the server at --glue, or
    connects to --host and --port.
    """
    from othello_lab.experiment.run.player_names import Named

    if options.glue and options.agents:
        raise click.UsageError("--glue and AGENT: expected one of them")
    if options.glue:
        refuse(("host", "port"), "the server is that of --glue")
        with blaming("--glue"):
            parse_address(options.glue)
    if options.csv:
        check_new_file(options.csv, "--csv")
    if options.lost:
        check_new_records(options.lost, "--lost")
    agents = [named(text, options.runs_dir, "AGENT") for text in options.agents]
    agents = agents or [Named("", None, "the agent that connected", command="")]
    size = options.size
    if not options.glue:  # with --glue, the environment has the size
        size = _size(agents, options)
        if options.lost:
            check_new_records(options.lost, "--lost", size)
    evaluations: list[list[Summary]] = []
    with interruptible() as interrupts:
        try:
            is_complete = all(_evaluate(agent, size, options, interrupts, evaluations) for agent in agents)
        finally:  # also after an error: report the games played so far
            _report([played for summaries in evaluations if (played := _played(summaries))], options)
    if not is_complete:
        raise SystemExit(interrupts.exit_status)


def _size(agents: "Sequence[Named]", options: _Options) -> int:
    sizes = {agent.size for agent in agents if agent.size}
    if options.size is None and len(sizes) > 1:
        boards = " and ".join(f"{size}x{size}" for size in sorted(sizes))
        why = f"the agents are for different boards, {boards}: evaluate them one by one"
        raise click.BadParameter(why, param_hint="--size")
    size = options.size or max(sizes, default=USUAL_SIZE)
    _summaries(agents[0], size, options)
    for agent in agents:
        if agent.command is None:
            check_player("AGENT", agent.text, size)
    return size


def _summaries(agent: "Named", size: int, options: _Options) -> "list[Summary]":
    from othello_lab.experiment.compare.match import Summary
    from othello_lab.game.play import Pairing

    a = agent.text if agent.command is None else agent.command
    rest = size, lines_of(options.openings, size), options.repeat, options.seed
    players = opponents(options.opponent, size, options.runs_dir)
    return [Summary(Pairing(a, text, *rest), agent.name, name) for name, text in players.items()]


def _played(summaries: "Sequence[Summary]") -> "list[Summary]":
    return [summary for summary in summaries if summary.total.games]


def _evaluate(
    agent: "Named",
    size: int | None,
    options: _Options,
    interrupts: Interrupts,
    evaluations: "list[list[Summary]]",
) -> bool:
    """Play an agent's games, append the results and print a table. Return whether all games were played."""
    from othello_lab.experiment.compare.evaluate_table import table
    from othello_lab.experiment.compare.match import play_all
    from othello_lab.experiment.show.progress import Display
    from othello_lab.experiment.show.tables import grid

    summaries: list[Summary] = []
    evaluations.append(summaries)
    try:
        with playing(), _ready(agent, size, options, interrupts) as (play, matches):
            summaries += matches
            planned = sum(summary.match.games for summary in summaries)
            display = Display(Console(stderr=True), 0, planned, "game")
            play_all(summaries, play, display, keep_games=options.lost is not None)
    finally:
        if (played := _played(summaries)) and not options.as_json:
            Console().print(grid(table(played)))
    games = sum(summary.total.games for summary in summaries)
    if games < planned:
        click.echo(f"{agent.name} was stopped after {games:,} of {planned:,} games", err=True)
    return games == planned and not interrupts.requested


@contextmanager
def _ready(
    agent: "Named", size: int | None, options: _Options, interrupts: Interrupts
) -> "Iterator[tuple[Play, list[Summary]]]":
    """Yield the function that plays matches, and the empty summaries of the matches of an agent.

    If `size` is None, the environment at --glue decides the board size.
    """
    from othello_lab.experiment.compare.evaluate import OverGlue, hosted, joined, othello_task
    from othello_lab.experiment.compare.match import played_by
    from othello_lab.experiment.run.control import agent_values
    from othello_lab.experiment.run.record import agent_name

    if size and agent.command is None:
        with workers(options.jobs, options.ray) as processes:
            yield played_by(processes), _summaries(agent, size, options)
        return
    if options.glue:
        server = joined(options.glue, options.connect_timeout)
    else:
        # An agent that the command starts learns the port from the command, so any free port will do.
        port = options.port if "port" in explicit_options() or not agent.command else 0
        players = [summary.match.b for summary in _summaries(agent, size or USUAL_SIZE, options)]
        where, say = (options.host, port), partial(click.echo, err=True)
        timeout, seed = options.connect_timeout, options.seed
        server = hosted(agent.command or "", players, size or USUAL_SIZE, where, timeout, say, seed)
    with server as glue:
        task, board = othello_task(glue)
        if size not in (None, board):
            raise ValueError(f"the environment plays on {board}x{board}: add --size {board}")
        name = agent.name if agent.command else agent_name(agent_values(glue, "config")) or agent.name
        interrupts.patient = True  # a game in progress is played to its end
        try:
            play = OverGlue(glue, task, lambda: interrupts.requested).play
            yield play, _summaries(replace(agent, name=name), board, options)
        finally:
            interrupts.patient = False


def _report(evaluations: "Sequence[Sequence[Summary]]", options: _Options) -> None:
    from othello_lab.experiment.compare import evaluate_table as tables
    from othello_lab.experiment.show.tables import as_csv, grid
    from othello_lab.game.safe_files import replace as write

    every = [summary for summaries in evaluations for summary in summaries]
    if options.as_json:
        click.echo(json.dumps([tables.as_json(summary) for summary in every], indent=2))
    elif every:
        console = Console()
        if len(evaluations) > 1:
            console.print(*map(grid, tables.joint_tables(evaluations, console.width)))
        console.print("", *tables.explanations(every), sep="\n", markup=False, highlight=False)
        verdicts = tables.verdicts(evaluations)
        console.print("", *verdicts, sep="\n", markup=False, highlight=False, soft_wrap=True)
    if options.csv and every:
        write(options.csv, as_csv(tables.table(every)))
    lost = [game.record for summary in every for game in summary.games if game.points == 0]
    if options.lost and lost:
        write_records(options.lost, lost)
