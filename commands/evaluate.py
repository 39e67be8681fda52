"""`othello evaluate`: play agents against many opponents."""

import json
from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import (
    check_new_file,
    check_new_records,
    check_player,
    chosen_size,
    named,
    write_records,
)
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import Games, lines_of
from othello_lab.commands.options import option, options, takes
from othello_lab.commands.workers import interruptible, workers

if TYPE_CHECKING:
    from othello_lab.experiment.compare.match import Summary
    from othello_lab.experiment.run.player_names import Named


@options
class _Options(Games):
    opponent: tuple[str, ...] = fields.player(
        "Play against this player instead of the eight default opponents. The option may be given several "
        "times."
    )
    agents: tuple[str, ...] = fields.player_argument(metavar="AGENT...", nargs=-1, required=True)
    csv: Path | None = option("Write the results to this new file.", type=fields.FILE, section="Results")
    lost: Path | None = option(
        "New file for the games that the agents lose (.jsonl, .ggf, .wtb or .txt).", type=fields.FILE
    )
    as_json: bool = fields.json_flag("the results")
    runs_dir: Path = fields.runs_dir()
    config: None = fields.config()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Measure the strength of each AGENT, and print a table of scores and a verdict.

    Each AGENT plays against opponents of many kinds, from every opening and with both colours. AGENT is a
    run, the path of a checkpoint, or a player such as greedy. `othello players` lists the players. AGENT can
    also be the command of an RL-Glue agent in any language, such as "python my_agent.py".
    """
    if options.csv:
        check_new_file(options.csv, "--csv")
    agents = [named(text, options.runs_dir, "AGENT") for text in options.agents]
    size = chosen_size(options.size, *agents)
    if options.lost:
        check_new_records(options.lost, "--lost", size)
    opponents = _opponents(options, size)
    for agent in agents:
        _check(agent, size)
    evaluations: list[list[Summary]] = []
    with interruptible() as interrupts:
        try:
            is_complete = all(_evaluate(agent, size, opponents, options, evaluations) for agent in agents)
        finally:  # also after an error: report the games played so far
            _report([played for summaries in evaluations if (played := _played(summaries))], options)
    if not is_complete:
        raise SystemExit(interrupts.exit_status)


def _opponents(options: _Options, size: int) -> Mapping[str, str]:
    """Return the names and registry texts of the opponents."""
    from othello_lab.experiment.compare.match import OPPONENTS
    from othello_lab.experiment.run.player_names import called

    players = [named(text, options.runs_dir, "--opponent") for text in options.opponent]
    for player in players:
        check_player("--opponent", player.text, size)
    return {name: player.text for name, player in called(players).items()} or OPPONENTS


def _check(agent: "Named", size: int) -> None:
    """Raise BadParameter for an unsupported board, and Forfeit if the agent's program does not start."""
    from othello_lab.game import Board, Game
    from othello_lab.game.catalogue import make

    with blaming("AGENT"), closing(make(agent.text, size)) as player:
        if agent.command:  # fail early: a program that never starts would forfeit every game
            player.start(Game(Board.start(size)))


def _played(summaries: "Sequence[Summary]") -> "list[Summary]":
    return [summary for summary in summaries if summary.total.games]


def _evaluate(
    agent: "Named",
    size: int,
    opponents: Mapping[str, str],
    options: _Options,
    evaluations: "list[list[Summary]]",
) -> bool:
    """Play an agent's games, append the results and print a table. Return whether all games were played."""
    from othello_lab.experiment.compare.evaluate_table import table
    from othello_lab.experiment.compare.match import Summary, play_all
    from othello_lab.experiment.show.progress import Display
    from othello_lab.experiment.show.tables import grid
    from othello_lab.game.play import Pairing

    rest = size, lines_of(options.openings, size), options.repeat, options.seed
    pairings = {name: Pairing(agent.text, text, *rest) for name, text in opponents.items()}
    summaries = [Summary(pairing, agent.name, name) for name, pairing in pairings.items()]
    evaluations.append(summaries)
    planned = sum(pairing.games for pairing in pairings.values())
    try:
        with workers(options.jobs, options.ray) as processes:
            display = Display(Console(stderr=True), 0, planned, "game")
            play_all(summaries, processes, display, keep_games=options.lost is not None)
    finally:
        if (played := _played(summaries)) and not options.as_json:
            Console().print(grid(table(played)))
    games = sum(summary.total.games for summary in summaries)
    if games < planned:
        click.echo(f"{agent.name} was stopped after {games:,} of {planned:,} games", err=True)
    return games == planned


def _report(evaluations: "Sequence[Sequence[Summary]]", options: _Options) -> None:
    from othello_lab.experiment.compare import evaluate_table as tables
    from othello_lab.experiment.show.tables import as_csv, grid
    from othello_lab.game.safe_files import replace as write

    every = [summary for summaries in evaluations for summary in summaries]
    if options.as_json:
        matches = [{"agent": it.agent, "opponent": it.opponent, **it.as_json()} for it in every]
        click.echo(json.dumps(matches, indent=2))
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
