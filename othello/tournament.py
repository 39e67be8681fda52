"""`othello tournament`: all pairs of some players, every game kept."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from othello.completion import a_player_or_run
from othello.config_file import config_option, use_file
from othello.ending import blaming, playing, reported_errors
from othello.groups import Command, section
from othello.openings import Openings, lines_of
from othello.options import DEFAULT_SIZE, openings_options, runs_dir_option, seed_option
from othello.player_names import named
from othello.workers import workers, workers_options

if TYPE_CHECKING:
    from experiment.compare.ratings.elo import Ratings
    from experiment.compare.tournament.anchor import Anchor
    from experiment.compare.tournament.entrants import Entrant
    from experiment.compare.tournament.play_tournament import Session
    from experiment.compare.tournament.results import Results
    from experiment.compare.tournament.schedule import Plan
    from experiment.run.results.player_names import Named

ARGUMENT = "PLAYER"


class PlayerText(click.ParamType[str]):
    """A registry text or another name of a player; in a file also a table that says the same."""

    name = "player"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:  # noqa: ANN401  as in click
        """Return the text."""
        from game.registry import RegistryError
        from game.registry_tables import compose

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
    listed = (context.default_map or {}).get(str(argument.name), [])
    return tuple(argument.type.convert(each, argument, context) for each in listed)


@click.command(cls=Command)
@config_option
@click.argument(
    "players",
    nargs=-1,
    type=PlayerText(),
    metavar="[PLAYER...|FILE.toml]",
    shell_complete=a_player_or_run,
    is_eager=True,
    callback=_or_file,
)
@section(
    "Games",
    click.option("--size", type=int, help="Length of a side: even, 4 to 16.  [default: the players', or 8]"),
    openings_options,
    seed_option("Seed of all randomness."),
    workers_options,
    click.option(
        "--database",
        type=click.Path(dir_okay=False, path_type=Path),
        metavar="FILE",
        help="Keep the games in this file, and use those that it has.  "
        "[default: tournaments/8x8.sqlite on 8x8]",
    ),
)
@section(
    "Results",
    click.option(
        "--anchor",
        metavar="PLAYER=RATING",
        help="Give this player this rating, such as random=0.  [default: the mean is 0]",
    ),
    click.option(
        "--matrices", is_flag=True, help="Also print who beat whom: wins, scores and discs of every pair."
    ),
    click.option("--json", "as_json", is_flag=True, help="Print everything as JSON, for programs."),
    click.option(
        "--csv",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Write the tables, matrices too, to this folder.",
    ),
    click.option(
        "--plots",
        type=click.Path(file_okay=False, path_type=Path),
        metavar="DIR",
        help="Draw pictures into this folder.",
    ),
)
@runs_dir_option("Where run folders are.")
def command(
    players: tuple[str, ...],
    size: int | None,
    openings: Openings,
    repeat: int,
    seed: int,
    jobs: int,
    ray: str | None,
    database: Path | None,
    anchor: str | None,
    runs_dir: Path,
    **wishes: Any,  # noqa: ANN401  the other options about results
) -> None:
    """Play every PLAYER against every other, and rate them.

    They play from all openings with both colours. A PLAYER is what `othello match` takes: greedy,
    alphabeta:depth=4, "engine:gtp-rhino -l 1", a run, a checkpoint; or FILE.toml has a list of them, `players
    = ["random", "greedy"]`, and options. Games that the database has are not played again: the same command
    goes on after Ctrl-C, and a further player adds only its own games. Without PLAYER the results that are
    there are shown.
    """
    from game.threads import use_threads

    use_threads(1)
    found = [named(text, runs_dir, ARGUMENT) for text in players]
    size = size or next((each.size for each in found if each.size), DEFAULT_SIZE)
    path = database or Path("tournaments") / f"{size}x{size}.sqlite"
    if not found:
        _tell(_read(path), anchor, wishes)
        return
    plan = _plan(found, size, openings, repeat, seed)
    _anchored(plan.entrants, anchor)  # before anything is played
    session = _play(plan, path, jobs, ray)
    _tell(_results(plan, session), anchor, wishes)
    if session.exit_status:
        left = plan.games - len(session.games)
        click.echo(f"stopped with {left:,} of {plan.games:,} games left: the same command goes on", err=True)
        raise SystemExit(session.exit_status)


def _tell(results: "Results", anchor: str | None, wishes: Mapping[str, Any]) -> None:
    """Print what the games say, and write what is asked for."""
    from experiment.compare.tournament import data, report
    from experiment.compare.tournament.anchor import ratings_of

    ratings = ratings_of(results, _anchored(results.entrants, anchor))
    if wishes["as_json"]:
        click.echo(json.dumps(data.as_json(results, ratings), indent=2))
    else:
        click.echo("\n".join(report.text(results, ratings, _width(), wishes["matrices"])))
    _write(results, ratings, wishes["csv"], wishes["plots"])


def _plan(found: Sequence["Named"], size: int, openings: Openings, repeat: int, seed: int) -> "Plan":
    """Return what is to be played; raise click.BadParameter for what cannot be."""
    from experiment.compare.tournament.entrants import check_different, entrant
    from experiment.compare.tournament.schedule import Plan
    from game.board import check_size
    from game.players import make

    with blaming("--size"):
        check_size(size)
    lines = lines_of(openings, size)
    texts = [each.text for each in found]
    with blaming(ARGUMENT):
        if len(texts) < 2:
            raise ValueError(f"{texts[0]} has nobody to play against: name two players or more")
        for text in texts:
            make(text, size).close()
        entrants = [entrant(text, size) for text in texts]
        check_different(entrants, size)
        return Plan(entrants, size, lines, repeat, seed)


def _play(plan: "Plan", path: Path, jobs: int, ray: str | None) -> "Session":
    from rich.console import Console

    from experiment.compare.tournament.play_tournament import play_tournament

    with reported_errors(), playing(), workers(jobs, ray) as playing_on:
        return play_tournament(plan, path, playing_on, Console(stderr=True))


def _results(plan: "Plan", session: "Session") -> "Results":
    from experiment.compare.tournament.results import Results

    return Results.of(plan.entrants, session.games).sorted()


def _anchored(entrants: Sequence["Entrant"], anchor: str | None) -> "Anchor | None":
    """Return whose rating is known; raise click.BadParameter for a text that does not say it."""
    from experiment.compare.tournament.anchor import anchored

    with blaming("--anchor"):
        return None if anchor is None else anchored(entrants, anchor)


def _read(path: Path) -> "Results":
    from experiment.compare.tournament.results import Results
    from experiment.compare.tournament.store import reading

    with reported_errors(), blaming("--database"), reading(path) as store:
        return Results.of(store.entrants(), store.games()).sorted()


def _write(results: "Results", ratings: "Ratings | None", csv: Path | None, plots: Path | None) -> None:
    """Write the tables and draw the pictures that are asked for."""
    with reported_errors():
        if csv:
            from experiment.compare.tournament.data import write_csv

            write_csv(results, ratings, csv)
            click.echo(f"tables: {csv}", err=True)
        if plots:
            from experiment.compare.tournament import figures

            figures.write(figures.figures(results, ratings), plots)
            click.echo(f"pictures: {plots}", err=True)


def _width() -> int:
    """Return how wide a line may be."""
    from shutil import get_terminal_size

    return get_terminal_size((120, 24)).columns
