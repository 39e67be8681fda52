"""`othello match`: two players against each other."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import Console

from othello_lab.commands.checks import check_new_records, check_player, chosen_size, named, write_records
from othello_lab.commands.openings import Games, lines_of
from othello_lab.commands.options import argument, option, options, takes
from othello_lab.commands.programs import ProgramText
from othello_lab.commands.reporting import interruptible, playing
from othello_lab.commands.shared_options import FILE, a_player_or_run, a_runs_dir, as_json_flag
from othello_lab.commands.workers import workers

if TYPE_CHECKING:
    from othello_lab.experiment.compare.match import Summary
    from othello_lab.game.play import Pairing, Played


@options
class _Options(Games):
    a: str = argument(type=ProgramText(), shell_complete=a_player_or_run)
    b: str = argument(type=ProgramText(), shell_complete=a_player_or_run)
    records: Path | None = option(
        "Write the games to this new file: .jsonl, .ggf, .wtb, .txt.", type=FILE, section="Results"
    )
    as_json: bool = as_json_flag()
    runs_dir: Path = a_runs_dir()


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Play A against B and print A's score: its wins and half of the draws, as a share of the games.

    They play from every opening with both colours. A and B are players, such as greedy,
    alphabeta:depth=4,eval=mobility or "engine:gtp-rhino -l 1", names of runs, paths of run folders or
    checkpoints, or commands of RL-Glue agents, such as "python my_agent.py".
    """
    match = _match(said)
    if said.records:
        check_new_records(said.records, "--records", match.size)
    summary, games, exit_status = _play(match, said)
    click.echo(json.dumps(summary.as_json()) if said.as_json else summary.text())
    if said.records and games:
        write_records(said.records, (game.record for game in games))
    if len(games) < match.games:
        click.echo(f"stopped after {len(games):,} of {match.games:,} games", err=True)
        raise SystemExit(exit_status)


def _match(said: _Options) -> "Pairing":
    """Make the match; raise click.BadParameter for what cannot be played."""
    from othello_lab.game.play import Pairing

    found = {"A": named(said.a, said.runs_dir, "A"), "B": named(said.b, said.runs_dir, "B")}
    size = chosen_size(said.size, *found.values())
    lines = lines_of(said.openings, size)
    for word, player in found.items():
        check_player(word, player.text, size)
    return Pairing(found["A"].text, found["B"].text, size, lines, said.repeat, said.seed)


def _play(match: "Pairing", said: _Options) -> tuple["Summary", list["Played"], int]:
    """Return what came of the match, and the exit code where an interrupt ended it."""
    from othello_lab.experiment.compare.match import play_match

    with playing(), interruptible() as interrupts, workers(said.jobs, said.ray) as playing_on:
        return *play_match(match, playing_on, Console(stderr=True)), interrupts.exit_status
