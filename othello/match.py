"""`othello match`: two players against each other."""

import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.completion import a_player_or_run
from othello.ending import blaming
from othello.options import runs_dir_option, seed_option
from rlglue.exit_codes import INTERRUPTED

if TYPE_CHECKING:
    from experiment.match.loop import Match, Played
    from experiment.match.summary import Summary

DEFAULT_SIZE = 8


@click.command()
@click.argument("a", shell_complete=a_player_or_run)
@click.argument("b", shell_complete=a_player_or_run)
@click.option("--size", type=int, help="Length of a side: even, 4 to 16.  [default: the players', or 8]")
@click.option(
    "--openings",
    type=click.IntRange(1),
    metavar="N",
    help="Begin from so many of the positions after four plies (236 on 8x8), evenly spread.  [default: all]",
)
@click.option("--repeat", type=click.IntRange(1), default=1, show_default=True, help="Rounds of all that.")
@seed_option("Of all randomness.")
@click.option("--jobs", type=click.IntRange(1), default=1, show_default=True, help="Processes to play on.")
@click.option(
    "--records",
    type=click.Path(dir_okay=False, path_type=Path),
    help="Write the games to this new file: .jsonl, .ggf, .wtb.",
)
@click.option("--json", "as_json", is_flag=True, help="Print the result as JSON.")
@runs_dir_option("Where run folders are.")
def command(
    a: str,
    b: str,
    size: int | None,
    openings: int | None,
    repeat: int,
    seed: int,
    jobs: int,
    records: Path | None,
    as_json: bool,
    runs_dir: Path,
) -> None:
    """Play A against B from every opening with both colours, and print A's score: wins and half the draws.

    A and B are players, such as greedy, alphabeta:depth=4,eval=mobility or "engine:gtp-rhino -l 1", names of
    runs, or paths of run folders or checkpoints.
    """
    from agent.checkpoint import board_size
    from experiment.results.player_names import find
    from game.threads import use_threads

    use_threads(1)
    with blaming("A"):
        first = find(a, runs_dir, board_size)
    with blaming("B"):
        second = find(b, runs_dir, board_size)
    size = size or first.size or second.size or DEFAULT_SIZE
    match = _match(first.text, second.text, size, openings, repeat, seed)
    if records:
        _check_records(records, size)
    summary, games = _play(match, jobs)
    click.echo(json.dumps(summary.as_json()) if as_json else summary.text())
    if records and games:
        _write(records, games)
    if len(games) < match.games:
        click.echo(f"stopped after {len(games)} of {match.games} games", err=True)
        raise SystemExit(INTERRUPTED)


def _match(a: str, b: str, size: int, openings: int | None, repeat: int, seed: int) -> "Match":
    """Make the match; raise click.BadParameter for what cannot be played."""
    from experiment.match.loop import Match
    from game.board import check_size
    from game.openings import standard_openings
    from game.players import make

    option = "--size"
    try:
        check_size(size)
        option = "--openings"
        lines = standard_openings(size, openings)
        for option, text in (("A", a), ("B", b)):  # noqa: B007  names the culprit below
            make(text, size).close()
    except ValueError as error:
        raise click.BadParameter(str(error), param_hint=option) from None
    return Match(a, b, size, lines, repeat, seed)


def _check_records(path: Path, size: int) -> None:
    from game.records import RecordError, check_suffix

    try:
        check_suffix(path, size)
    except RecordError as error:
        raise click.BadParameter(str(error), param_hint="--records") from None
    if path.exists():
        raise click.BadParameter(f"{path} exists: name a new file", param_hint="--records")
    if not path.parent.is_dir():
        raise click.BadParameter(f"there is no folder {path.parent}", param_hint="--records")


def _play(match: "Match", jobs: int) -> tuple["Summary", list["Played"]]:
    """Play the match, or until Ctrl-C, and show how it goes."""
    from contextlib import closing, suppress

    from rich.console import Console

    from experiment.display.progress import make_display
    from experiment.match.loop import play
    from experiment.match.summary import Summary
    from experiment.workers.interrupts import Interrupts
    from experiment.workers.pool import WorkerDiedError

    summary, games, begin = Summary(match), list["Played"](), time.monotonic()
    display = make_display(Console(stderr=True), 0, match.games, watch=False, what="game")
    try:
        with suppress(KeyboardInterrupt), Interrupts(), display, closing(play(match, jobs)) as played:
            for game in played:
                summary.add(game)
                games.append(game)
                display.advance(len(games), [f"score {summary.total.score:.3f}"])
    except (ValueError, WorkerDiedError) as error:
        raise click.ClickException(str(error)) from None
    summary.seconds = time.monotonic() - begin
    return summary, games


def _write(path: Path, games: list["Played"]) -> None:
    from game import records

    try:
        records.write(path, (game.record for game in games))
    except (OSError, records.RecordError) as error:
        raise click.ClickException(f"the games were not written: {error}") from None
