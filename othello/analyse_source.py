"""The games that `othello analyse` is to play, from what was typed."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from othello.ending import blaming
from othello.openings import Openings, lines_of
from othello.options import DEFAULT_SIZE
from othello.permission import permit
from othello.player_names import named

if TYPE_CHECKING:
    from experiment.run.results.player_names import Named
    from experiment.study.analysis.sources import Meeting

_RANDOM = "random"


def meeting_of(
    players: Sequence[str],
    runs_dir: Path,
    size: int | None,
    games: int | None,
    openings: Openings,
    noise: float,
    seed: int,
) -> "Meeting":
    """Return who meets whom, how often and from where; raise click.BadParameter or UsageError."""
    from experiment.study.analysis.sources import Meeting

    a, b = _found(players, runs_dir)
    size = _checked(size or a.size or b.size or DEFAULT_SIZE)
    with blaming("--noise"):
        texts = _noisy(a.text, noise), _noisy(b.text, noise)
    for argument, text in zip("AB", texts, strict=True):
        _check_player(argument, text, size)
    count = _games(games, texts, size)
    lines = _openings(size, openings if players else openings or 0, count // len(set(texts)))
    return Meeting(texts, _names(a, b), size, count, lines, seed)


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


def _checked(size: int) -> int:
    from game.board import check_size

    with blaming("--size"):
        check_size(size)
    return size


def _openings(size: int, chosen: Openings, games: int) -> tuple[str, ...]:
    """Return the chosen openings; without a choice one for each of the games, as far as there are."""
    from game.openings import openings_at_most

    return openings_at_most(size, max(1, games)) if chosen is None else lines_of(chosen, size)


def _noisy(text: str, noise: float) -> str:
    from game.registry_tables import compose

    if not noise:
        return text
    return compose({"name": "noisy", "argument": text, "share": f"{noise:.9f}".rstrip("0").rstrip(".")})


def _check_player(argument: str, text: str, size: int) -> None:
    from game.players import make

    with blaming(argument):
        make(text, size).close()


def _games(games: int | None, texts: Sequence[str], size: int) -> int:
    from experiment.study.analysis.sources import FEW, MANY, most_games, plays_many

    games = games or (min(MANY, most_games(size)) if plays_many(texts, size) else FEW)
    if games > most_games(size):
        raise click.BadParameter(
            f"{games:,} games on {size}x{size} do not fit into memory: {most_games(size):,} at most",
            param_hint="--games",
        )
    return games
