"""The making of a book: which positions it gets, and what a search finds their moves worth."""

import math
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from othello_lab.game.board import Board
from othello_lab.game.book import BEGIN, Book, BookMove, after, discs_on
from othello_lab.game.evaluators import make_evaluator
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS
from othello_lab.game.players.base import expected_discs
from othello_lab.game.players.deepening import best_evaluator
from othello_lab.game.search.limits import Limits
from othello_lab.game.search.ranking import Ranking
from othello_lab.game.symmetry import canonical

_HASH_MIB = 1
"""Every move of a position has a search of its own, and few nodes."""


class Builder:
    """Adds positions to a book. It has no clock: the same seed and effort make the same book."""

    def __init__(self, book: Book, plies: int, nodes: int, most: int) -> None:
        """Searches `nodes` positions for each that it adds, all of which are in the first `plies` of games.

        It adds nothing once the book has `most` positions.
        """
        self.book, self._plies, self._most = book, plies, most
        self._evaluator = make_evaluator(best_evaluator(book.size), book.size)
        self._ranking = Ranking(self._evaluator, Limits(nodes=nodes, hash_mib=_HASH_MIB))
        self._stopped = False

    def stop(self) -> None:
        """Have what goes on end soon: the position that is being searched is not added."""
        self._stopped = True
        self._ranking.stop()

    @property
    def has_room(self) -> bool:
        """Whether it goes on adding."""
        return not self._stopped and len(self.book) < self._most

    def missing(self, games: Iterable[Game], least: int) -> list[Board]:
        """Return the canonical positions that are in `least` games or more and not in the book, the most
        frequent first.
        """
        times = Counter(board for game in games for board in dict.fromkeys(map(canonical, self._of(game))))
        found = [board for board, count in times.items() if count >= least and board not in self.book]
        return sorted(found, key=lambda board: (-times[board], discs_on(board), board.black, board.white))

    def count(self, games: Iterable[Game]) -> None:
        """Count games for the moves that they have in the book."""
        for game in games:
            self.book.count(game.until(self._plies))

    def search_all(self, boards: Iterable[Board]) -> Iterator[Board]:
        """Add positions, and yield each that was added; at the end all get the values of those behind."""
        for board in boards:
            if not self.has_room:
                break
            if self._add(board):
                yield board
        self.book.back_up()

    def selfplay(self, lines: int, starts: Sequence[str], spread: float, seed: int) -> Iterator[int]:
        """Play lines in turn from the openings `starts`, add their positions, and yield the number of lines.

        In the book a move that is `spread` discs worse than the best is played 1 / e times as often; a
        position that is new is added, and its best move is played.
        """
        for number in range(lines):
            if not self.has_room:
                break
            opening = Game.from_transcript(starts[number % len(starts)], self.book.size)
            rng = np.random.default_rng([seed, len(self.book), number])
            self.book.back_up(reversed(self._walk(opening, spread, rng)))
            yield number + 1
        self.book.back_up()

    def _walk(self, opening: Game, spread: float, rng: np.random.Generator) -> list[Board]:
        """Play a line, add what is new, and return the positions on the way."""
        given = [move for move in opening.moves if move != PASS]
        board, walked = opening.start, list[Board]()
        while self._is_early(board) and board.legal_moves:
            walked.append(board)
            is_new = board not in self.book
            if is_new and not (self.has_room and self._add(board)):
                break
            place = len(walked) - 1
            move = given[place] if place < len(given) else self._drawn(board, 0.0 if is_new else spread, rng)
            board = after(board, move)
        return walked

    def _drawn(self, board: Board, spread: float, rng: np.random.Generator) -> int:
        """Return a move of the book, the better the more probably; with a spread of 0 a best one."""
        if not spread:
            best = self.book.best(board)
            return best[int(rng.integers(len(best)))]
        moves = self.book.moves(board)
        most = max(said.discs for said in moves.values())
        weights = np.array([math.exp((said.discs - most) / spread) for said in moves.values()])
        return int(rng.choice([*moves], p=weights / weights.sum()))

    def _add(self, board: Board) -> bool:
        """Search a position and add it; tell whether that was not stopped."""
        board = canonical(board)
        reports = self._ranking.rank(board, np.random.default_rng(discs_on(board)))
        if self._stopped:
            return False
        unit = self._evaluator.unit
        moves = {
            report.move: report.value if report.solved else expected_discs(report.value, unit, board)
            for report in reports
        }
        said = {move: BookMove(round(discs, 2) + 0.0) for move, discs in moves.items()}  # -0.0 is 0.0
        self.book.add(board, sum(report.nodes for report in reports), said)
        return True

    def _of(self, game: Game) -> Iterator[Board]:
        """Yield the positions of a game that may be in the book."""
        for board in game.until(self._plies + 2).boards:  # a pass is a ply of the game, but not of the book
            if board.size == self.book.size and self._is_early(board) and board.legal_moves:
                yield board

    def _is_early(self, board: Board) -> bool:
        return discs_on(board) - BEGIN < self._plies
