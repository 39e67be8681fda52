"""`othello match`: two players against each other."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.completion import a_player_or_run
from othello.ending import blaming, playing
from othello.groups import Command, section
from othello.openings import Openings, lines_of
from othello.options import DEFAULT_SIZE, check_new_file, openings_options, runs_dir_option, seed_option
from othello.player_names import named
from othello.workers import workers, workers_options
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from experiment.compare.match.loop import Match, Played
    from experiment.compare.match.summary import Summary


@click.command(cls=Command)
@click.argument("a", shell_complete=a_player_or_run)
@click.argument("b", shell_complete=a_player_or_run)
@section(
    "Games",
    click.option("--size", type=int, help="Length of a side: even, 4 to 16.  [default: the players', or 8]"),
    openings_options,
    seed_option("Seed of all randomness."),
    workers_options,
)
@section(
    "Results",
    click.option(
        "--records",
        type=click.Path(dir_okay=False, path_type=Path),
        help="Write the games to this new file: .jsonl, .ggf, .wtb, .txt.",
    ),
    click.option("--json", "as_json", is_flag=True, help="Print the result as JSON, for programs."),
)
@runs_dir_option("Where run folders are.")
def command(
    a: str,
    b: str,
    size: int | None,
    openings: Openings,
    repeat: int,
    seed: int,
    jobs: int,
    ray: str | None,
    records: Path | None,
    as_json: bool,
    runs_dir: Path,
) -> None:
    """Play A against B and print A's score: its wins and half of the draws, as a share of the games.

    They play from every opening with both colours. A and B are players, such as greedy,
    alphabeta:depth=4,eval=mobility or "engine:gtp-rhino -l 1", names of runs, or paths of run folders or
    checkpoints.
    """
    from game.threads import use_threads

    use_threads(1)
    first, second = named(a, runs_dir, "A"), named(b, runs_dir, "B")
    size = size or first.size or second.size or DEFAULT_SIZE
    match = _match(first.text, second.text, size, openings, repeat, seed)
    if records:
        _check_records(records, size)
    summary, games = _play(match, jobs, ray)
    click.echo(json.dumps(summary.as_json()) if as_json else summary.text())
    if records and games:
        _write(records, games)
    if len(games) < match.games:
        click.echo(f"stopped after {len(games):,} of {match.games:,} games", err=True)
        raise SystemExit(INTERRUPTED)


def _match(a: str, b: str, size: int, openings: Openings, repeat: int, seed: int) -> "Match":
    """Make the match; raise click.BadParameter for what cannot be played."""
    from experiment.compare.match.loop import Match
    from game.board import check_size
    from game.players import make

    with blaming("--size"):
        check_size(size)
    lines = lines_of(openings, size)
    for argument, text in (("A", a), ("B", b)):
        with blaming(argument):
            make(text, size).close()
    return Match(a, b, size, lines, repeat, seed)


def _check_records(path: Path, size: int) -> None:
    from game.records import RecordError, check_suffix, files_of

    try:
        check_suffix(path, size)
    except RecordError as error:
        raise click.BadParameter(str(error), param_hint="--records") from None
    for file in files_of(path):
        check_new_file(file, "--records")


def _play(match: "Match", jobs: int, ray: str | None) -> tuple["Summary", list["Played"]]:
    from rich.console import Console

    from experiment.compare.match.play_match import play_match

    with playing(), workers(jobs, ray) as playing_on:
        return play_match(match, playing_on, Console(stderr=True))


def _write(path: Path, games: list["Played"]) -> None:
    from game import records

    try:
        records.write(path, (game.record for game in games))
    except (OSError, records.RecordError) as error:
        raise click.ClickException(f"the games were not written: {error}") from None
