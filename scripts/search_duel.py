"""The search of this checkout beside that of another one: time to a depth, and games at equal processor time.

    git worktree add /tmp/before COMMIT
    python -m scripts.search_duel /tmp/before                   # time to depth 12: 39 positions, a minute
    python -m scripts.search_duel /tmp/before --games 472       # 3 ms of processor time a move: five minutes
    python -m scripts.search_duel /tmp/before --games 236 --whole 50000 25000    # as search:nodes=

Each of them is a process of its own, and they take turns, so that a busy machine disturbs both alike.
"""

import argparse
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np

from othello_lab.game import Board, Colour, Game
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.openings import standard_openings
from othello_lab.game.play.loop import play_games
from othello_lab.game.play.pairing import Pairing
from othello_lab.game.players.deepening import best_evaluator
from othello_lab.game.search.deepening import DeepeningSearch
from othello_lab.game.search.limits import Limits
from othello_lab.game.solver.solver import empties

_PLAYER: Final = "noisy:[ntuple:pretrained],share=0.12"
_POSITIONS: Final = 39
_EMPTIES: Final = range(32, 45)
_SOLVED: Final = 14
"""Both solve from this many empty squares on, and that time is not counted; but for whole players."""
_NODES: Final = 20_000
"""Of the first moves, until it is known how many there are in a second."""


class _Side:
    """A process that searches with the code of one checkout."""

    def __init__(self, checkout: Path, nodes: int) -> None:
        """`nodes` for each move, solving included; 0: each question brings its limits."""
        command = [sys.executable, __file__, "--worker", str(nodes), "."]
        variables = {**os.environ, "PYTHONPATH": str(checkout.resolve())}
        pipe = subprocess.PIPE
        self._process = subprocess.Popen(  # noqa: S603  our own program
            command, env=variables, stdin=pipe, stdout=pipe, text=True
        )

    def ask(self, board: Board, depth: int, nodes: int) -> tuple[int, float, int]:
        """Return the move, the seconds of processor time and the positions of a search."""
        assert self._process.stdin is not None  # noqa: S101  it has both pipes
        assert self._process.stdout is not None  # noqa: S101
        text = f"{board.black} {board.white} {board.turn.name} {depth} {nodes}"
        print(text, file=self._process.stdin, flush=True)
        move, seconds, visited = self._process.stdout.readline().split()
        return int(move), float(seconds), int(visited)


def _work(limit: int) -> None:
    """Answer what `_Side.ask` asks, until there is nothing more to read."""
    evaluator, rng = make_evaluator(best_evaluator(8), 8), np.random.default_rng(0)
    search = DeepeningSearch(8, evaluator, Limits(nodes=limit) if limit else Limits(endgame=_SOLVED))
    for line in sys.stdin:
        black, white, turn, depth, nodes = line.split()
        if not limit:
            # There is no other way to change them in use, and a new table each time would count as time.
            search._limits = replace(search._limits, depth=int(depth), nodes=int(nodes) or None)
        board = Board(8, int(black), int(white), Colour[turn])
        before = time.process_time()
        report = search.think(board, rng)
        print(report.move, time.process_time() - before, report.nodes, flush=True)


def _positions() -> list[Board]:
    pairing = Pairing(_PLAYER, _PLAYER, 8, standard_openings(8, _POSITIONS), seed=28)
    found = []
    for number in range(_POSITIONS):
        (played,) = play_games(pairing, [2 * number])
        left = _EMPTIES[number % len(_EMPTIES)]
        boards = played.record.game.boards
        found += [board for board in boards if empties(board) == left and len(board.legal_moves) > 1]
    return found


def times_to_depth(here: _Side, there: _Side, depth: int) -> str:
    """Return how the times compare, each the shorter of two."""
    boards = _positions()
    rounds = [[[side.ask(board, depth, 0)[1] for side in (here, there)] for board in boards] for _ in "12"]
    seconds = np.min(rounds, axis=0)
    ours, theirs = seconds.sum(axis=0)
    each = np.exp(np.mean(np.log(seconds[:, 0] / seconds[:, 1])))
    total = f"{ours:.2f} of {theirs:.2f} s, {ours / theirs:.2f}; mean of the ratios {each:.2f}"
    return f"depth {depth}, {len(boards)} positions: {total}"


class _Whole:
    """A player that solves the end when it pleases, within the nodes of each of its moves."""

    def __init__(self, side: _Side) -> None:
        self._side = side
        self.seconds, self.moves = 0.0, 0

    def choose(self, board: Board) -> int:
        move, seconds, _ = self._side.ask(board, 60, 0)
        self.seconds, self.moves = self.seconds + seconds, self.moves + 1
        return move


class _Clock:
    """Says how many positions a side may look at, so that its moves take `budget` seconds on average."""

    def __init__(self, side: _Side, budget: float) -> None:
        self._side, self._budget = side, budget
        self.seconds, self.moves, self._visited = 0.0, 0, 0

    def choose(self, board: Board) -> int:
        if empties(board) <= _SOLVED:
            return self._side.ask(board, 60, _NODES)[0]
        nodes = _NODES
        if self.moves > 1:
            behind = np.clip(self._budget * self.moves / self.seconds, 0.7, 1.4)
            nodes = int(self._visited / self.seconds * self._budget * behind)
        move, seconds, visited = self._side.ask(board, 60, nodes)
        self.seconds, self.moves = self.seconds + seconds, self.moves + 1
        self._visited += visited
        return move


_Player = _Clock | _Whole


def duel(ours: _Player, theirs: _Player, games: int) -> str:
    """Return our score, from openings with both colours."""
    pairs = []
    for opening in standard_openings(8, games // 2):
        pairs.append(sum(_play(opening, ours, theirs, colour) for colour in Colour) / 2)
    error = 2 * np.std(pairs) / np.sqrt(len(pairs))
    each = " and ".join(f"{1000 * side.seconds / side.moves:.2f}" for side in (ours, theirs))
    return f"{2 * len(pairs)} games: {np.mean(pairs):.3f} ± {error:.3f} at {each} ms a move"


def _play(opening: str, ours: _Player, theirs: _Player, colour: Colour) -> float:
    game = Game.from_transcript(opening)
    while not game.board.is_over:
        if not game.pass_if_forced():
            moves = game.board.legal_moves
            side = ours if game.board.turn is colour else theirs
            game.play(moves[0] if len(moves) == 1 else side.choose(game.board))
    outcome = game.board.outcome()
    assert outcome is not None  # noqa: S101  the game is over
    return 0.5 if outcome.winner is None else float(outcome.winner is colour)


def main() -> None:
    """Print the one or the other."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("other", type=Path, help="another checkout")
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--games", type=int, default=0)
    parser.add_argument("--milliseconds", type=float, default=3.0)
    parser.add_argument(
        "--whole", type=int, nargs=2, metavar="NODES", help="ours and theirs; each solves when it pleases"
    )
    parser.add_argument("--worker", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker is not None:
        _work(options.worker)
        return
    budget = options.milliseconds / 1000
    nodes, others = options.whole or (0, 0)
    here, there = _Side(Path(__file__).parent.parent, nodes), _Side(options.other, others)
    if options.games:
        ours, theirs = [_Whole(side) if options.whole else _Clock(side, budget) for side in (here, there)]
        print(duel(ours, theirs, options.games))
    else:
        print(times_to_depth(here, there, options.depth))


if __name__ == "__main__":
    main()
