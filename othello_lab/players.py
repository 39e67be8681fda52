"""Make players from texts, functions, runs and checkpoints, and check the arguments of matches."""

from collections.abc import Iterable, Sequence
from numbers import Integral
from pathlib import Path

from othello_lab.agent.trained import board_size
from othello_lab.experiment.run.player_names import Named, board_for, find
from othello_lab.experiment.show.wording import plural
from othello_lab.game.catalogue import make
from othello_lab.game.notation import USUAL_SIZE
from othello_lab.game.openings import standard_openings
from othello_lab.game.players.given import as_player, is_in_memory, text_of
from othello_lab.game.players.player import Player
from othello_lab.game.program_trust import trust
from othello_lab.game.registry import nested

RUNS = Path("runs")
# A number of standard openings (0: the standard start), None for all standard openings, or transcripts.
Openings = int | str | Sequence[str] | None


def player(who: object, size: int | None = None) -> Player:
    """Return a player for boards of `size`, by default the size of its run or checkpoint, or 8.

    `who` is one of the following:

    - a registry text such as "level:7" or "alphabeta:depth=4,eval=positional"
    - a run, the name of a run, or the path of a checkpoint
    - a Player, or an object with `choose(game, rng)`
    - a function from a Board to a square
    - a function from planes, float32 [n, 4, N, N], and legal squares, bool [n, N * N], to n squares

    Raises ValueError for an unknown text, and TypeError for an object that is not a player.
    """
    if not isinstance(who, str | Path) and not isinstance(getattr(who, "player", None), str):
        return as_player(who)
    entry = named(who)
    return make(entry.text, size or entry.size or USUAL_SIZE)


def named(who: object, runs: Path = RUNS) -> Named:
    """Return the text, the board size and the short name of a player. Raises the errors of `player`."""
    text = str(who) if isinstance(who, Path) else text_of(who)
    trust(nested(text))  # trust the caller's text, but never the command line in a run folder
    return find(text, runs, board_size)


def terms(
    players: Sequence[Named], size: int | None, openings: Openings, repeat: int, jobs: int
) -> tuple[int, tuple[str, ...], int]:
    """Return board size, openings and number of processes (1 for in-memory players). Raises ValueError."""
    if len(players) < 2:
        raise ValueError(f"{plural(len(players), 'player')} cannot play: name 2 or more")
    for name, number in (("repeat", repeat), ("jobs", jobs)):
        if not isinstance(number, Integral) or number < 1:
            raise ValueError(f"{name} is {number}, expected a whole number from 1")
    board = board_for(players, size)
    are_texts = not any(is_in_memory(player.text) for player in players)
    return board, _lines(openings, board), jobs if are_texts else 1


def _lines(openings: Openings, size: int) -> tuple[str, ...]:
    if isinstance(openings, str):
        return (openings,)
    if openings is None or isinstance(openings, Integral):
        lines = standard_openings(size, None if openings is None else int(openings))
    else:
        lines = tuple(openings) if isinstance(openings, Iterable) else ()
    if not lines:
        raise ValueError(f"openings is {openings}, expected a number from 0, None for all, or transcripts")
    if len(set(lines)) < len(lines):
        raise ValueError("an opening is there twice: name each once, and play them more often with repeat")
    return lines
