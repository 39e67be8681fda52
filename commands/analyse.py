"""`othello analyse`: print statistics of random games, games between players, or games in files."""

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from rich.console import Console

from othello_lab.commands import fields
from othello_lab.commands.checks import check_player, chosen_size, named, report_left_out
from othello_lab.commands.errors import blaming
from othello_lab.commands.openings import lines_of, openings_option
from othello_lab.commands.options import Number, option, options, refuse, takes, whole_number
from othello_lab.commands.workers import interruptible, workers

if TYPE_CHECKING:
    from othello_lab.experiment.run.player_names import Named
    from othello_lab.experiment.study.analysis.analysis import Analysis
    from othello_lab.game.play import Pairing

_OF_GAMES: Final = {"games", "openings", "noise", "symmetry"}  # options not valid for games in files


@options
class _Options:
    what: tuple[str, ...] = fields.player_argument(metavar="[A [B]|FILE...]", nargs=-1)
    games: int | None = whole_number(
        "Number of games to play.  [default: 10,000, or 200 if a player plays one game at a time]",
        lowest=1,
        section="Games",
    )
    size: int | None = fields.players_size("the players")
    openings: str | None = openings_option("as many as the games need, or 0 without players")
    noise: float = option(
        "Probability that a random move replaces the move of a player.",
        default=0.0,
        type=Number(0, 1),
        metavar="SHARE",
    )
    seed: int = fields.seed("Seed of the games and of the sampled positions.")
    jobs: int = fields.jobs()
    ray: str | None = fields.ray()
    turn: int | None = whole_number(
        "Number of the turn that the histograms show.  [default: the turn in the middle of the game]",
        section="What is measured",
    )
    symmetry: int | None = whole_number(
        "For each turn, ask the players about N positions and about the mirror images of these positions.  "
        "[default: 10, or 0 if a player plays one game at a time]",
        metavar="N",
    )
    tables: Path | None = option(
        "Write each table as CSV into this folder.", type=fields.FOLDER, metavar="DIR", section="Results"
    )
    plots: Path | None = option(
        "Save pictures in this folder, as PNG and SVG.", type=fields.FOLDER, metavar="DIR"
    )
    as_json: bool = fields.json_flag("everything")
    runs_dir: Path = fields.runs_dir()


@takes(_Options, one_thread=True)
def command(options: _Options) -> None:
    """Analyse many games: legal moves, squares, corners, results and symmetry.

    The command plays games of A against B, or reads the games in FILEs (.jsonl, .ggf, .wtb, .txt, .sgf,
    .pgn). Without arguments, the command plays random games. A and B are players as in `othello match`. If A
    is a run, the default of B is its training opponent. If A is another player, the default of B is A itself.
    """
    from othello_lab.experiment.study.analysis.analysis import examine
    from othello_lab.experiment.study.analysis.games import meet, read
    from othello_lab.game.records import DATABASES, SUFFIXES

    paths = [*map(Path, options.what)]
    has_files = bool(paths) and all(path.suffix.lower() in (*SUFFIXES, *DATABASES) for path in paths)
    if has_files:
        refuse(_OF_GAMES, "the games are those of the files, and nobody plays")
    terminal = Console(stderr=True)
    with interruptible() as interrupts, workers(options.jobs, options.ray) as processes:
        for folder in filter(None, (options.tables, options.plots)):  # fail early if a folder is invalid
            folder.mkdir(parents=True, exist_ok=True)
        if has_files:
            with blaming("FILE"):
                source = read(paths, options.size)
            report_left_out(source.left_out)
        else:
            source = meet(*_meeting(options), processes, terminal)
        analysis = examine(source, options.symmetry, options.seed, terminal)
        _write(analysis, options)
    _print(analysis, options.as_json)
    if source.missing:
        click.echo(f"stopped: {source.missing:,} games were not played", err=True)
        raise SystemExit(interrupts.exit_status)


def _write(analysis: "Analysis", options: _Options) -> None:
    from othello_lab.experiment.study.analysis.pictures import draw

    size = analysis.size
    if options.turn is not None and options.turn >= size * size - 4:
        raise click.BadParameter(f"on {size}x{size} turns are 0 to {size * size - 5}", param_hint="--turn")
    if options.tables:
        analysis.write(options.tables)
        click.echo(f"tables: {options.tables}", err=True)
    if options.plots:
        draw(analysis, options.plots, options.turn)
        click.echo(f"pictures: {options.plots}", err=True)


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


def _meeting(options: _Options) -> "tuple[Pairing, int, tuple[str, str]]":
    from othello_lab.experiment.study.analysis.games import FEW, MANY, most_games
    from othello_lab.game.openings import openings_at_most
    from othello_lab.game.play import Pairing, plays_together

    a, b = _players(options)
    size = chosen_size(options.size, a, b)
    with blaming("--noise"):
        texts = _noisy(a.text, options.noise), _noisy(b.text, options.noise)
    for name, text in zip("AB", texts, strict=True):
        check_player(name, text, size)
    most = most_games(size)
    games = options.games or (min(MANY, most) if plays_together(Pairing(*texts, size)) else FEW)
    if games > most:
        why = f"{games:,} games on {size}x{size} do not fit into memory: {most:,} at most"
        raise click.BadParameter(why, param_hint="--games")
    openings = options.openings if options.what else options.openings or "0"
    if openings is None:  # one opening for each game, if there are enough openings
        lines = openings_at_most(size, max(1, games // len(set(texts))))
    else:
        lines = lines_of(openings, size)
    are_alike = a.name == b.name and a.text != b.text
    names = (f"{a.name} (A)", f"{b.name} (B)") if are_alike else (a.name, b.name)
    return Pairing(*texts, size, lines, seed=options.seed), games, names


def _players(options: _Options) -> tuple["Named", "Named"]:
    if len(options.what) > 2:
        many = f"expected two players at most, not {len(options.what)}: othello tournament takes more"
        raise click.UsageError(many)
    a, *rest = options.what or ("random",)
    first = named(a, options.runs_dir, "A")
    b = rest[0] if rest else first.opponent
    return first, first if b is None else named(b, options.runs_dir, "B")


def _noisy(text: str, noise: float) -> str:
    from othello_lab.game.registry import compose

    if not noise:
        return text
    return compose({"name": "noisy", "argument": text, "share": f"{noise:.9f}".rstrip("0").rstrip(".")})
