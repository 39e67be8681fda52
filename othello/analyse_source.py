"""The games that `othello analyse` is to play, from what was typed."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.checks import check_player, checked_size
from othello.ending import blaming
from othello.openings import Openings, lines_of, the_openings
from othello.options import argument, option, options
from othello.permission import permit
from othello.player_names import named
from othello.shared_options import (
    DEFAULT_SIZE,
    FOLDER,
    a_player_or_run,
    a_runs_dir,
    a_seed,
    a_size,
    as_json_flag,
)
from othello.workers import jobs_option, ray_option

if TYPE_CHECKING:
    from experiment.run.results.player_names import Named
    from experiment.study.analysis.sources import Meeting

_RANDOM = "random"


@options
class AnalyseOptions:
    """Options of `othello analyse`."""

    players: tuple[str, ...] = argument(metavar="[A [B]|FILE...]", nargs=-1, shell_complete=a_player_or_run)
    records: tuple[Path, ...] = option(
        "Analyse the games of this file (.jsonl, .ggf, .wtb, .txt); may be given several times.",
        type=click.Path(exists=True, dir_okay=False, path_type=Path),
        section="Games",
    )
    games: int | None = option(
        "Games to play.  [default: 10,000; 200 where a player thinks of one game at a time]",
        type=click.IntRange(1),
    )
    size: int | None = a_size("the players'")
    openings: Openings = the_openings("as many as there are games for; without players 0")
    noise: float = option(
        "The share of the players' moves that are random instead.",
        default=0.0,
        type=click.FloatRange(0, 1),
        metavar="SHARE",
    )
    seed: int = a_seed("Seed of the games and of all that is drawn from them.")
    jobs: int = jobs_option()
    ray: str | None = ray_option()
    turn: int | None = option(
        "Turn of the histograms.  [default: half of the board]",
        type=click.IntRange(0),
        section="What is measured",
    )
    solve: int = option(
        "Compare N moves in the last 12 empty squares with the exact solver.",
        default=330,
        type=click.IntRange(0),
        metavar="N",
    )
    symmetry: int | None = option(
        "Ask the players about N positions of each turn and their mirror images.  "
        "[default: 10; 0 where a player thinks of one game at a time]",
        type=click.IntRange(0),
        metavar="N",
    )
    csv_folder: Path | None = option(
        "Write the tables to this folder.", "--csv", type=FOLDER, section="Results"
    )
    plots: Path | None = option("Draw pictures, PNG and SVG, into this folder.", type=FOLDER)
    draw: int = option(
        "Also draw N of the games, a board for each disc; needs --plots.",
        default=0,
        type=click.IntRange(0),
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


def meeting_of(said: AnalyseOptions) -> "Meeting":
    """Return who meets whom, how often and from where; raise click.BadParameter or UsageError."""
    from experiment.study.analysis.sources import Meeting

    a, b = _found(said.players, said.runs_dir)
    size = checked_size(said.size or a.size or b.size or DEFAULT_SIZE)
    with blaming("--noise"):
        texts = _noisy(a.text, said.noise), _noisy(b.text, said.noise)
    for name, text in zip("AB", texts, strict=True):
        check_player(name, text, size)
    games = _games(said.games, texts, size)
    openings = said.openings if said.players else said.openings or 0
    lines = _openings(size, openings, games // len(set(texts)))
    return Meeting(texts, _names(a, b), size, games, lines, said.seed)


def _found(players: Sequence[str], runs_dir: Path) -> tuple["Named", "Named"]:
    """Return who was typed; where only a run was, its opponent in training too, as its folder says."""
    from experiment.run.results.programs import programs_in

    if len(players) > 2:
        raise click.UsageError(
            f"expected two players at most, not {len(players)}: othello tournament takes more"
        )
    if not players:
        return (named(_RANDOM, runs_dir, "A"),) * 2
    first = named(players[0], runs_dir, "A")
    if len(players) > 1:
        return first, named(players[1], runs_dir, "B")
    if first.opponent is None:
        return first, first
    permit(programs_in("opponent", first.opponent), Path(players[0]))
    return first, named(first.opponent, runs_dir, "B")


def _names(a: "Named", b: "Named") -> tuple[str, str]:
    """Return two names, which differ if the players do."""
    if a.name == b.name and a.text != b.text:
        return f"{a.name} (A)", f"{b.name} (B)"
    return a.name, b.name


def _openings(size: int, chosen: Openings, games: int) -> tuple[str, ...]:
    """Return the chosen openings; without a choice one for each of the games, as far as there are."""
    from game.openings import openings_at_most

    return openings_at_most(size, max(1, games)) if chosen is None else lines_of(chosen, size)


def _noisy(text: str, noise: float) -> str:
    from game.registry_tables import compose

    if not noise:
        return text
    return compose({"name": "noisy", "argument": text, "share": f"{noise:.9f}".rstrip("0").rstrip(".")})


def _games(games: int | None, texts: Sequence[str], size: int) -> int:
    from experiment.study.analysis.sources import FEW, MANY, most_games, plays_many

    games = games or (min(MANY, most_games(size)) if plays_many(texts, size) else FEW)
    if games > most_games(size):
        raise click.BadParameter(
            f"{games:,} games on {size}x{size} do not fit into memory: {most_games(size):,} at most",
            param_hint="--games",
        )
    return games
