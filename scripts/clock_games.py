"""Games by the clock: the time that `othello engine search` takes when it plays itself through GTP.

    python -m scripts.clock_games                                # 50 games of 10 seconds a side: 17 minutes
    python -m scripts.clock_games --games 1 --seconds 600        # 20 minutes

One of the two thinks at a time. Prints what each side had left at the end, who lost on time, and which moves
were made at once though there was a choice and the end was not in reach of the solver.
"""

import argparse
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import Final

from othello_lab.game import Board, Colour, Game
from othello_lab.game.notation import parse_square, square_name
from othello_lab.game.openings import standard_openings
from othello_lab.game.players.engine.gtp import read_answer
from othello_lab.game.players.engine.process import LineProcess
from othello_lab.game.solver.solver import empties

_COMMAND: Final = (sys.executable, "-m", "othello_lab", "engine", "search")
_DEADLINE: Final = 3600.0
_UNSOLVED: Final = 28
"""From so many empty squares on, even ten minutes are too short to solve a game in."""
_AT_ONCE: Final = 0.1
"""The part of an even share of what is left, up to which a move is made at once."""


class _Engine(LineProcess):
    """`othello engine search` as a program that answers commands."""

    def order(self, command: str) -> str:
        self.send(command)
        status, answer = read_answer(self._answer())
        if status != "=":
            raise ValueError(f"{command}: {answer}")
        return answer

    def _answer(self) -> Iterator[str]:
        while (line := self.receive(time.monotonic() + _DEADLINE)) is not None:
            yield line


@dataclass
class Played:
    """A game by the clock."""

    left: dict[Colour, float]
    """Seconds at its end; less than none of a side that lost on time."""
    at_once: list[str] = field(default_factory=list)
    """Such moves, each with what its side had left."""

    def move(self, game: Game, engine: _Engine) -> str:
        """Have an engine move, and take the time from its side's clock."""
        side, left = game.board.turn, self.left[game.board.turn]
        engine.order(f"time_left {side.value} {max(0, int(left))} 0")
        before = time.monotonic()
        move = engine.order(f"genmove {side.value}")
        seconds = time.monotonic() - before
        self.left[side] = left - seconds
        share = left / (empties(game.board) / 2)
        if (
            empties(game.board) >= _UNSOLVED
            and len(game.board.legal_moves) > 1
            and seconds < _AT_ONCE * share
        ):
            self.at_once.append(f"{move} after {len(game.moves)} plies, {left:.1f} s left")
        return move


def play(engines: Sequence[_Engine], opening: str, seconds: int) -> Played:
    """Play a game from an opening, to its end even where a side has no time left."""
    game, played = Game(Board.start(8)), Played(dict.fromkeys(Colour, float(seconds)))
    for engine in engines:
        engine.order("clear_board")
        engine.order(f"time_settings {seconds} 0 0")
    ahead = [square_name(move, 8) for move in Game.from_transcript(opening).moves]
    while not game.board.is_over:
        if game.pass_if_forced():
            continue
        side, mover = game.board.turn, list(Colour).index(game.board.turn)
        move = ahead.pop(0) if (is_ahead := bool(ahead)) else played.move(game, engines[mover])
        for engine in engines if is_ahead else engines[1 - mover : 2 - mover]:
            engine.order(f"play {side.value} {move}")
        game.play(parse_square(move, 8))
    return played


def report(games: Sequence[Played], seconds: int) -> Iterator[str]:
    """Yield what the games have shown."""
    left = [each for game in games for each in game.left.values()]
    used = f"{seconds - sum(left) / len(left):.2f} s used on average, {seconds - min(left):.2f} at most"
    yield f"{len(games)} games of {seconds} s a side: {used}"
    yield f"lost on time: {sum(each < 0 for each in left)} of {len(left)} sides"
    at_once = [move for game in games for move in game.at_once]
    yield f"made at once with {_UNSOLVED} or more empty squares: {len(at_once)} moves"
    yield from at_once


def main() -> None:
    """Print it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--seconds", type=int, default=10)
    options = parser.parse_args()
    openings = standard_openings(8)
    with closing(_Engine(_COMMAND)) as one, closing(_Engine(_COMMAND)) as other:
        # The first move loads what is compiled, and has no clock.
        for engine in (one, other):
            engine.order("reg_genmove black")
        games = []
        for number in range(options.games):
            games.append(play((one, other), openings[number % len(openings)], options.seconds))
            print(number + 1, *(f"{left:.2f}" for left in games[-1].left.values()), "s left", flush=True)
    print(*report(games, options.seconds), sep="\n")


if __name__ == "__main__":
    main()
