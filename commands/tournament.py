"""`othello tournament`: play all pairs of some players, and store every game in a database."""

import json
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import Games, lines_of
from othello_lab.commands.options import option, options, refuse, takes
from othello_lab.commands.workers import workers

if TYPE_CHECKING:
    from othello_lab.experiment.compare.tournament.results import Results
    from othello_lab.experiment.compare.tournament.schedule import Plan

_OF_GAMES: Final = {"openings", "repeat", "seed", "jobs", "ray", "diagonal"}  # not valid without PLAYER


@options
class _Options(Games):
    players: tuple[str, ...] = fields.player_argument(metavar="[PLAYER]...", nargs=-1)
    database: Path | None = option(
        "Database of the games. The command adds new games and does not repeat stored games.  [default: "
        "tournaments/8x8.sqlite on 8x8]",
        type=fields.FILE,
        metavar="FILE",
    )
    diagonal: bool = option(
        "Let every player also play against itself, which shows the value of each colour."
    )
    matrices: bool = option(
        "Also print the wins, scores and discs of every pair of players.", section="Results"
    )
    as_json: bool = fields.json_flag("everything")
    tables: Path | None = option(
        "Write the tables and matrices into this folder.", type=fields.FOLDER, metavar="DIR"
    )
    plots: Path | None = option(
        "Save pictures in this folder, as PNG and SVG.", type=fields.FOLDER, metavar="DIR"
    )
    config: None = fields.config()
    runs_dir: Path = fields.runs_dir()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Play every PLAYER against every other PLAYER, and rate the players.

    The players play from every opening, with both colours. PLAYER is a run, the path of a checkpoint, or a
    player such as alphabeta:depth=4. `othello players` lists the players. PLAYER can also be the command of
    an RL-Glue agent, such as "python my_agent.py". The file of --config may have a list of players, such as
    `players = ["random", "greedy"]`. The command plays only games that are not in the database. After Ctrl-C,
    the same command continues the tournament. Without PLAYER, the command prints the results in the database.
    """
    from othello_lab.experiment.compare.tournament.results import Results
    from othello_lab.experiment.compare.tournament.schedule import play_tournament
    from othello_lab.experiment.compare.tournament.store import reading

    if not options.players:
        board = {"size"} if options.database else set()
        refuse(_OF_GAMES | board, "without PLAYER nothing is played, only shown")
    players = [named(text, options.runs_dir, "PLAYER") for text in options.players]
    size = chosen_size(options.size, *players)
    path = options.database or Path("tournaments") / f"{size}x{size}.sqlite"
    if not players:
        with blaming("--database"), reading(path) as store:
            results = Results.of(store.entrants(), store.games()).sorted()
        _report(results, options)
        return
    plan = _plan([player.text for player in players], size, options)
    with workers(options.jobs, options.ray) as processes:
        session = play_tournament(plan, path, processes, Console(stderr=True))
    _report(Results.of(plan.entrants, session.games).sorted(), options)
    if session.exit_status:
        left = plan.games - len(session.games)
        click.echo(f"stopped with {left:,} of {plan.games:,} games left: the same command goes on", err=True)
        raise SystemExit(session.exit_status)


def _plan(texts: list[str], size: int, options: _Options) -> "Plan":
    from othello_lab.experiment.compare.tournament.entrants import check_different, entrant
    from othello_lab.experiment.compare.tournament.schedule import Plan
    from othello_lab.game.catalogue import make

    lines = lines_of(options.openings, size)
    with blaming("PLAYER"):
        if len(texts) < 2:
            raise ValueError(f"{texts[0]} has no opponent: name two players or more")
        for text in texts:
            make(text, size).close()
        entrants = [entrant(text, size) for text in texts]
        check_different(entrants)
    return Plan(entrants, size, lines, options.repeat, options.seed, options.diagonal)


def _report(results: "Results", options: _Options) -> None:
    from othello_lab.experiment.compare.tournament import tables
    from othello_lab.experiment.compare.tournament.results import ratings_of

    ratings = ratings_of(results)
    if options.as_json:
        click.echo(json.dumps(tables.as_json(results, ratings), indent=2))
    else:
        width = get_terminal_size((120, 24)).columns
        click.echo("\n".join(tables.text(results, ratings, width, options.matrices)))
    if options.tables:
        tables.write_csv(results, ratings, options.tables)
        click.echo(f"tables: {options.tables}", err=True)
    if options.plots:
        from othello_lab.experiment.compare.tournament import figures

        figures.write(figures.figures(results, ratings), options.plots)
        click.echo(f"pictures: {options.plots}", err=True)
