"""`othello tournament`: all pairs of some players, every game kept."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any, Final

import click
from click.core import ParameterSource
from rich.console import Console

from othello_lab.commands.checks import chosen_size, named
from othello_lab.commands.config_file import use_file
from othello_lab.commands.ending import blaming
from othello_lab.commands.openings import Games, lines_of
from othello_lab.commands.options import argument, option, options, refuse, takes
from othello_lab.commands.programs import ProgramText
from othello_lab.commands.reporting import playing, reported_errors
from othello_lab.commands.shared_options import (
    FILE,
    FOLDER,
    a_config,
    a_player_or_run,
    a_runs_dir,
    as_json_flag,
)
from othello_lab.commands.workers import workers

if TYPE_CHECKING:
    from othello_lab.experiment.compare.ratings import Ratings
    from othello_lab.experiment.compare.tournament.entrants import Entrant
    from othello_lab.experiment.compare.tournament.results import Anchor, Results
    from othello_lab.experiment.compare.tournament.schedule import Plan, Session

ARGUMENT = "PLAYER"
_PLAYED: Final = {"openings", "repeat", "seed", "jobs", "ray", "diagonal"}
"""Options of games that are played."""


class PlayerText(ProgramText):
    """The text of a player or an agent's command; in a file also a table with the same meaning."""

    name = "player"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401  as in click
        """Return the text."""
        from othello_lab.game.registry import RegistryError, compose

        try:
            text = compose(value) if isinstance(value, Mapping) else value
        except RegistryError as error:
            self.fail(str(error), param, ctx)
        if not isinstance(text, str):
            self.fail(f"{text!r} is no player: say a text or a table", param, ctx)
        return text


def _or_file(context: click.Context, argument: click.Parameter, words: tuple[str, ...]) -> tuple[str, ...]:
    """Return the players; those of the file where a file stands in their place."""
    if len(words) != 1 or not words[0].endswith(".toml"):
        return words
    use_file(context, argument, Path(words[0]))
    context.set_parameter_source(str(argument.name), ParameterSource.DEFAULT_MAP)  # nobody typed them
    listed = (context.default_map or {}).get(str(argument.name), [])
    return tuple(argument.type.convert(each, argument, context) for each in listed)


@options
class _Options(Games):
    players: tuple[str, ...] = argument(
        nargs=-1,
        type=PlayerText(),
        metavar="[PLAYER...|FILE.toml]",
        shell_complete=a_player_or_run,
        is_eager=True,
        callback=_or_file,
    )
    database: Path | None = option(
        "Keep the games in this file, and use those that it has.  [default: tournaments/8x8.sqlite on 8x8]",
        type=FILE,
        metavar="FILE",
    )
    diagonal: bool = option("Have every player meet itself too, which says what each colour is worth to it.")
    anchor: str | None = option(
        "Give this player this rating, such as random=0.  [default: the mean is 0]",
        metavar="PLAYER=RATING",
        section="Results",
    )
    matrices: bool = option("Also print who beat whom: wins, scores and discs of every pair.")
    as_json: bool = as_json_flag("everything")
    csv: Path | None = option("Write the tables, matrices too, to this folder.", type=FOLDER, metavar="DIR")
    plots: Path | None = option("Draw pictures into this folder.", type=FOLDER, metavar="DIR")
    config: None = a_config()
    runs_dir: Path = a_runs_dir()


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Play every PLAYER against every other, and rate them.

    They play from all openings with both colours. A PLAYER is what `othello match` takes: greedy,
    alphabeta:depth=4, "engine:gtp-rhino -l 1", a run, a checkpoint, "python my_agent.py"; or FILE.toml has a
    list of players, `players = ["random", "greedy"]`, and options. Games that the database has are not played
    again: the same command goes on after Ctrl-C, and a further player adds only its own games. Without PLAYER
    the results of the database are shown.
    """
    from othello_lab.experiment.compare.tournament.results import Results

    found = [named(text, said.runs_dir, ARGUMENT) for text in said.players]
    if not found:
        board = {"size"} if said.database else set()
        refuse(_PLAYED | board, "without PLAYER nothing is played, only shown")
    size = chosen_size(said.size, *found)
    path = said.database or Path("tournaments") / f"{size}x{size}.sqlite"
    if not found:
        _tell(_read(path), said)
        return
    plan = _plan([each.text for each in found], size, said)
    _anchored(plan.entrants, said)  # before anything is played
    session = _play(plan, path, said)
    _tell(Results.of(plan.entrants, session.games).sorted(), said)
    if session.exit_status:
        left = plan.games - len(session.games)
        click.echo(f"stopped with {left:,} of {plan.games:,} games left: the same command goes on", err=True)
        raise SystemExit(session.exit_status)


def _tell(results: "Results", said: _Options) -> None:
    """Print what the games say, and write what is asked for."""
    from othello_lab.experiment.compare.tournament.results import ratings_of
    from othello_lab.experiment.compare.tournament.tables import as_json, text

    ratings = ratings_of(results, _anchored(results.entrants, said))
    if said.as_json:
        click.echo(json.dumps(as_json(results, ratings), indent=2))
    else:
        width = get_terminal_size((120, 24)).columns
        click.echo("\n".join(text(results, ratings, width, said.matrices)))
    _write(results, ratings, said)


def _plan(texts: Sequence[str], size: int, said: _Options) -> "Plan":
    """Return what is to be played; raise click.BadParameter for what cannot be."""
    from othello_lab.experiment.compare.tournament.entrants import check_different, entrant
    from othello_lab.experiment.compare.tournament.schedule import Plan
    from othello_lab.game.players.catalogue import make

    lines = lines_of(said.openings, size)
    with blaming(ARGUMENT):
        if len(texts) < 2:
            raise ValueError(f"{texts[0]} has nobody to play against: name two players or more")
        for text in texts:
            make(text, size).close()
        entrants = [entrant(text, size) for text in texts]
        check_different(entrants, size)
        return Plan(entrants, size, lines, said.repeat, said.seed, said.diagonal)


def _play(plan: "Plan", path: Path, said: _Options) -> "Session":
    from othello_lab.experiment.compare.tournament.schedule import play_tournament

    with reported_errors(), playing(), workers(said.jobs, said.ray) as playing_on:
        return play_tournament(plan, path, playing_on, Console(stderr=True))


def _anchored(entrants: Sequence["Entrant"], said: _Options) -> "Anchor | None":
    """Return whose rating is known; raise click.BadParameter for a text that does not say it."""
    from othello_lab.experiment.compare.tournament.results import anchored

    with blaming("--anchor"):
        return None if said.anchor is None else anchored(entrants, said.anchor)


def _read(path: Path) -> "Results":
    from othello_lab.experiment.compare.tournament.results import Results
    from othello_lab.experiment.compare.tournament.store import reading

    with reported_errors(), blaming("--database"), reading(path) as store:
        return Results.of(store.entrants(), store.games()).sorted()


def _write(results: "Results", ratings: "Ratings | None", said: _Options) -> None:
    """Write the tables and draw the pictures that are asked for."""
    with reported_errors():
        if said.csv:
            from othello_lab.experiment.compare.tournament.tables import write_csv

            write_csv(results, ratings, said.csv)
            click.echo(f"tables: {said.csv}", err=True)
        if said.plots:
            from othello_lab.experiment.compare.tournament import figures

            figures.write(figures.figures(results, ratings), said.plots)
            click.echo(f"pictures: {said.plots}", err=True)
