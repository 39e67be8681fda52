"""`othello analyse`: what games show: random ones, those of two players, of a run, or of files."""

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from othello_lab.commands.checks import check_player, chosen_size, named, tell_left_out
from othello_lab.commands.ending import blaming
from othello_lab.commands.openings import Openings, lines_of, the_openings
from othello_lab.commands.options import Number, argument, option, options, refuse, takes, whole_number
from othello_lab.commands.programs import ProgramText
from othello_lab.commands.reporting import interruptible, playing
from othello_lab.commands.shared_options import (
    FOLDER,
    a_player_or_run,
    a_runs_dir,
    a_seed,
    a_size,
    as_json_flag,
)
from othello_lab.commands.workers import jobs_option, ray_option, workers

if TYPE_CHECKING:
    from othello_lab.experiment.run.player_names import Named
    from othello_lab.experiment.study.analysis.analysis import Analysis
    from othello_lab.experiment.study.analysis.games import Source
    from othello_lab.game.play import Pairing

_PLAYED: Final = {"games", "openings", "noise", "symmetry"}
"""Options of games that are played here."""
_MEASURED: Final = {"size", "seed", "jobs", "ray"}
"""Options of what is worked out from games."""


@options
class _Options:
    players: tuple[str, ...] = argument(
        metavar="[A [B]|FILE...]", nargs=-1, type=ProgramText(), shell_complete=a_player_or_run
    )
    records: tuple[Path, ...] = option(
        "Analyse the games of this file (.jsonl, .ggf, .wtb, .txt, .sgf, .pgn); may be given several times.",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        section="Games",
    )
    games: int | None = whole_number(
        "Games to play.  [default: 10,000; 200 where a player thinks of one game at a time]", lowest=1
    )
    size: int | None = a_size("the players'")
    openings: Openings = the_openings("as many as there are games for; without players 0")
    noise: float = option(
        "The share of the players' moves that are random instead.",
        default=0.0,
        type=Number(0, 1),
        metavar="SHARE",
    )
    seed: int = a_seed("Seed of the games and of all that is drawn from them.")
    jobs: int = jobs_option()
    ray: str | None = ray_option()
    turn: int | None = whole_number(
        "Turn of the histograms.  [default: half of the board]", section="What is measured"
    )
    symmetry: int | None = whole_number(
        "Ask the players about N positions of each turn and their mirror images.  "
        "[default: 10; 0 where a player thinks of one game at a time]",
        metavar="N",
    )
    csv_folder: Path | None = option(
        "Write the tables to this folder.", "--csv", type=FOLDER, section="Results"
    )
    plots: Path | None = option("Draw pictures, PNG and SVG, into this folder.", type=FOLDER)
    draw: int = whole_number(
        "Also draw N of the games, a board for each disc; needs --plots.",
        default=0,
        show_default=False,
        metavar="N",
    )
    tables: Path | None = option(
        "Play nothing: show what --csv has written to this folder, and draw it with --plots.",
        "--from",
        type=click.Path(exists=True, file_okay=False, path_type=Path),
        metavar="DIR",
    )
    as_json: bool = as_json_flag("everything")
    runs_dir: Path = a_runs_dir()


@takes(_Options, one_thread=True)
def command(said: _Options) -> None:
    """Analyse many games: legal moves, squares, corners, results and symmetry.

    The games are those of A against B, random games without players, or those of FILEs (see --records). Give
    players as in `othello match`. Without B a run plays the opponent that it was trained against, and any
    other player plays itself.
    """
    from othello_lab.experiment.study.analysis.analysis import examine
    from othello_lab.experiment.study.analysis.games import meet
    from othello_lab.game.records import DATABASES, SUFFIXES

    files = (*SUFFIXES, *DATABASES)
    if said.players and all(Path(word).suffix.lower() in files for word in said.players):
        said = replace(said, players=(), records=(*said.records, *map(Path, said.players)))
    if sum(map(bool, (said.players, said.records, said.tables))) > 1:
        raise click.UsageError("expected one of players, --records and --from")
    if said.draw and not (said.plots and not said.tables):
        raise click.UsageError("--draw needs --plots, and games: leave --from out")
    if said.records:
        refuse(_PLAYED, "the games are those of the files, and nobody plays")
    elif said.tables:
        refuse(_PLAYED | _MEASURED, "--from shows what was measured before")
    terminal = Console(stderr=True)
    with playing(), interruptible() as interrupts, workers(said.jobs, said.ray) as working_on:
        for folder in filter(None, (said.csv_folder, said.plots)):
            folder.mkdir(parents=True, exist_ok=True)  # before the work, so that a wrong one is told at once
        if said.tables:
            analysis, source = _tables(said.tables), None
        else:
            read = _read(said.records, said.size) if said.records else None
            source = read or meet(*_meeting(said), working_on, terminal)
            analysis = examine(source, said.symmetry, said.seed, terminal)
        _write(analysis, source, said)
    _print(analysis, said.as_json)
    if source and source.missing:
        click.echo(f"stopped: {source.missing:,} games were not played", err=True)
        raise SystemExit(interrupts.exit_status)


def _read(paths: Sequence[Path], size: int | None) -> "Source":
    """Read files; raise click.BadParameter for one without games of that size."""
    from othello_lab.experiment.study.analysis.games import read

    with blaming("--records"):
        source = read(paths, size)
    tell_left_out(source.left_out)
    return source


def _tables(folder: Path) -> "Analysis":
    """Read the tables of an analysis; raise click.BadParameter where there are none."""
    from othello_lab.experiment.study.analysis.analysis import read

    with blaming("--from"):
        return read(folder)


def _write(analysis: "Analysis", source: "Source | None", said: _Options) -> None:
    """Write the tables and draw the pictures that are asked for; raise BadParameter for a wrong turn."""
    from othello_lab.experiment.study.analysis.pictures import draw, draw_games

    size = analysis.size
    if said.turn is not None and said.turn >= size * size - 4:
        raise click.BadParameter(f"on {size}x{size} turns are 0 to {size * size - 5}", param_hint="--turn")
    if said.csv_folder:
        analysis.write(said.csv_folder)
        click.echo(f"tables: {said.csv_folder}", err=True)
    if said.plots:
        draw(analysis, said.plots, said.turn)
        click.echo(f"pictures: {said.plots}", err=True)
        if source and said.draw:
            draw_games(source.games, said.draw, said.plots)


def _print(analysis: "Analysis", as_json: bool) -> None:
    from othello_lab.experiment.show.tables import grid
    from othello_lab.experiment.study.analysis.analysis import printed

    if as_json:
        click.echo(json.dumps(analysis.as_json()))
        return
    console = Console()
    console.print(analysis.title, style="bold", highlight=False)
    for table in printed(analysis):
        console.print(grid(table))
    console.print(f"±: {analysis.intervals}", highlight=False)


def _meeting(said: _Options) -> "tuple[Pairing, int, tuple[str, str]]":
    """Return the pairing, the number of games and the names; raise click.BadParameter or UsageError."""
    from othello_lab.game.play import Pairing

    a, b = _found(said.players, said.runs_dir)
    size = chosen_size(said.size, a, b)
    with blaming("--noise"):
        texts = _noisy(a.text, said.noise), _noisy(b.text, said.noise)
    for name, text in zip("AB", texts, strict=True):
        check_player(name, text, size)
    games = _games(said.games, texts, size)
    openings = said.openings if said.players else said.openings or 0
    lines = _openings(size, openings, games // len(set(texts)))
    return Pairing(*texts, size, lines, seed=said.seed), games, _names(a, b)


def _found(players: Sequence[str], runs_dir: Path) -> tuple["Named", "Named"]:
    """Return who was typed; where only a run was, its opponent in training too, as its folder says."""
    if len(players) > 2:
        raise click.UsageError(
            f"expected two players at most, not {len(players)}: othello tournament takes more"
        )
    if not players:
        return (named("random", runs_dir, "A"),) * 2
    first = named(players[0], runs_dir, "A")
    if len(players) > 1:
        return first, named(players[1], runs_dir, "B")
    if first.opponent is None:
        return first, first
    return first, named(first.opponent, runs_dir, "B")


def _names(a: "Named", b: "Named") -> tuple[str, str]:
    """Return two names, which differ if the players do."""
    if a.name == b.name and a.text != b.text:
        return f"{a.name} (A)", f"{b.name} (B)"
    return a.name, b.name


def _openings(size: int, chosen: Openings, games: int) -> tuple[str, ...]:
    """Return the chosen openings; without a choice one for each of the games, as far as there are."""
    from othello_lab.game.openings import openings_at_most

    return openings_at_most(size, max(1, games)) if chosen is None else lines_of(chosen, size)


def _noisy(text: str, noise: float) -> str:
    from othello_lab.game.registry import compose

    if not noise:
        return text
    return compose({"name": "noisy", "argument": text, "share": f"{noise:.9f}".rstrip("0").rstrip(".")})


def _games(games: int | None, texts: Sequence[str], size: int) -> int:
    from othello_lab.experiment.study.analysis.games import FEW, MANY, most_games, plays_many

    games = games or (min(MANY, most_games(size)) if plays_many(texts, size) else FEW)
    if games > most_games(size):
        raise click.BadParameter(
            f"{games:,} games on {size}x{size} do not fit into memory: {most_games(size):,} at most",
            param_hint="--games",
        )
    return games
