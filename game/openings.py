"""Openings for matches, names of openings, and perft, the standard test for a move generator."""

import difflib
import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from importlib.resources import files
from typing import Final

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.game import Game, replay
from othello_lab.game.kernels.bitboard import after, legal_moves
from othello_lab.game.kernels.bits import Bits, Integer, count, lowest, occupied, without_lowest
from othello_lab.game.kernels.jit import compiled
from othello_lab.game.notation import PASS, brief
from othello_lab.game.symmetry import SYMMETRIES, canonical, transform
from othello_lab.game.transcripts import format_squares


def openings(size: int, plies: int = 4) -> list[Game]:
    """Return one game of `plies` moves, without passes, to each distinct position with a legal move."""
    lines = {Board.start(size): list[int]()}
    for _ in range(plies):
        longer: dict[Board, list[int]] = {}
        for board, moves in lines.items():
            for move in board.legal_moves:
                longer.setdefault(board.play(move), [*moves, move])
        lines = longer
    return [replay(Board.start(size), moves) for board, moves in lines.items() if board.legal_moves]


def standard_openings(size: int, count: int | None = None) -> tuple[str, ...]:
    """Return `count` openings of four plies, evenly spread. Raises ValueError if there are fewer openings."""
    if count == 0:
        return ("",)  # the standard start
    lines = [game.transcript() for game in openings(size)]
    count = len(lines) if count is None else count
    if count > len(lines):
        raise ValueError(f"there are {len(lines)} openings on {size}x{size}, not {count}")
    return tuple(lines[index * len(lines) // count] for index in range(count))


def openings_of(
    games: Iterable[Game], size: int, plies: int | None = None, most: int | None = None
) -> tuple[str, ...]:
    """Return distinct openings of `plies` plies, most frequent first. None means whole games in order."""
    start, shortest = Board.start(size), 1 if plies is None else plies
    lines = Counter(
        tuple(game.moves[:plies]) for game in games if game.start == start and len(game.moves) >= shortest
    )
    first, times = dict[Board, str](), Counter[Board]()
    for line, frequency in lines.items():
        board = replay(start, line).board
        if PASS in line or not board.legal_moves:
            continue
        position = canonical(board)
        first.setdefault(position, format_squares(line, size))
        times[position] += frequency
    positions = times if plies is None else [position for position, _ in times.most_common()]
    return tuple(first[position] for position in positions)[:most]


def digest(lines: Sequence[str]) -> str:
    """Return a short hash of a list of openings. The hash depends on the order."""
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()[:12]


def openings_at_most(size: int, most: int | None = None) -> tuple[str, ...]:
    """Return `most` openings of four plies, evenly spread, or all openings if there are fewer."""
    lines = standard_openings(size)
    return lines if most is None or most >= len(lines) else standard_openings(size, most)


def perft(board: Board, depth: int) -> int:
    """Count the move sequences of `depth` plies, with passes. A game that ends earlier is one sequence."""
    return int(_count_sequences(*board.for_kernels, depth, board.size))


@compiled
def _count_sequences(own: Bits, opponent: Bits, depth: int, size: int) -> Integer:
    if depth == 0:
        return np.int64(1)
    moves = legal_moves(own, opponent, size)
    if not occupied(moves):
        if not occupied(legal_moves(opponent, own, size)):
            return np.int64(1)
        return _count_sequences(opponent, own, depth - 1, size)
    if depth == 1:
        return count(moves)
    sequences = np.int64(0)
    while occupied(moves):
        mine, theirs = after(own, opponent, lowest(moves), size)
        sequences += _count_sequences(theirs, mine, depth - 1, size)
        moves = without_lowest(moves)
    return sequences


@cache
def lines_of_names() -> dict[str, str]:
    """Return a dictionary from the names of openings on 8x8 to their moves. The first move is f5."""
    text = files("othello_lab.game").joinpath("openings.json").read_text("utf-8")
    lines: dict[str, str] = json.loads(text)
    return lines


_SIZE: Final = 8
_LONGEST: Final = 21  # The maximum number of plies of a named opening.


def opening_name(game: Game) -> str:
    """Return the last name of `names_along`, or "" if the opening of the game has no name."""
    names = names_along(game)
    return [*names.values()][-1] if names else ""


def names_along(game: Game) -> dict[int, str]:
    """Return the names of a game's positions on 8x8. A key is the number of moves before the position."""
    if game.size != _SIZE:
        return {}
    from othello_lab.game.batch import Positions  # lazy import: most callers need no names

    positions, known = Positions.along(game.start, game.moves), _named_positions()
    own, opponent = (side[: _LONGEST + 1, 0].tolist() for side in (positions.own, positions.opponent))
    discs = enumerate(zip(own, opponent, strict=True))
    return {ply: known[position] for ply, position in discs if position in known}


@cache
def _named_positions() -> dict[tuple[int, int], str]:
    """Return the names of positions. The key is (discs of the side to move, other discs), as bits."""
    ends = ((name, Game.from_transcript(line, _SIZE).board) for name, line in lines_of_names().items())
    alike = ((name, transform(board, k)) for name, board in ends for k in range(SYMMETRIES))
    return {(board.own, board.opponent): name for name, board in alike}


def find_name(text: str) -> str:
    """Return the name that equals `text`, else the only name that contains `text`. Raises ValueError."""
    wanted, letters = _letters(text), {_letters(name): name for name in lines_of_names()}
    if wanted in letters:
        return letters[wanted]
    within = [name for key, name in letters.items() if wanted and wanted in key]
    if len(within) == 1:
        return within[0]
    if within:
        raise ValueError(f"{brief(text)!r} is part of several names: {', '.join(within)}")
    near = [letters[key] for key in difflib.get_close_matches(wanted, letters, cutoff=0.5)]
    others = f"near are {', '.join(near)}" if near else "such as Tiger, Rose, Cow, Buffalo, Heath"
    raise ValueError(f"no opening is called {brief(text)!r}: {others}")


def _letters(text: str) -> str:
    return re.sub("[^a-z0-9]", "", text.casefold())
