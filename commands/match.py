"""`othello match`: play two players against each other."""

import json
from pathlib import Path

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import check_new_records, check_player, chosen_size, named, write_records
from othello_lab.commands.openings import Games, lines_of
from othello_lab.commands.options import option, options, takes
from othello_lab.commands.workers import interruptible, workers


@options
class _Options(Games):
    a: str = fields.player_argument()
    b: str = fields.player_argument()
    records: Path | None = option(
        "Write the games to this new file (.jsonl, .ggf, .wtb or .txt).", type=fields.FILE, section="Results"
    )
    as_json: bool = fields.json_flag()
    runs_dir: Path = fields.runs_dir()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Play A against B, and print the score of A.

    A win counts 1 point, and a draw counts half a point. The score is the mean of the points over all games.
    The players play from every opening, with both colours. A and B are players such as
    alphabeta:depth=4,eval=mobility or "engine:gtp-rhino -l 1". A run, the path of a checkpoint, and the
    command of an RL-Glue agent are also players.
    """
    from othello_lab.experiment.compare.match import play_match
    from othello_lab.experiment.show.progress import Display
    from othello_lab.game.play import Pairing

    a, b = (named(text, options.runs_dir, name) for text, name in ((options.a, "A"), (options.b, "B")))
    size = chosen_size(options.size, a, b)
    lines = lines_of(options.openings, size)
    check_player("A", a.text, size)
    check_player("B", b.text, size)
    match = Pairing(a.text, b.text, size, lines, options.repeat, options.seed)
    if options.records:
        check_new_records(options.records, "--records", size)
    with interruptible() as interrupts:
        with workers(options.jobs, options.ray) as processes:
            display = Display(Console(stderr=True), 0, match.games, "game")
            summary = play_match(match, processes, display)
        click.echo(json.dumps(summary.as_json()) if options.as_json else "\n".join(summary.lines()))
        if options.records and summary.games:
            write_records(options.records, (game.record for game in summary.games))
    if summary.total.games < match.games:
        click.echo(f"stopped after {summary.total.games:,} of {match.games:,} games", err=True)
        raise SystemExit(interrupts.exit_status)
