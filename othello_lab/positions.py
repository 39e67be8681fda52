"""Analyse positions and games, with values of moves, exact solutions and reviews."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from othello_lab.console.reviewing import as_json, as_lines
from othello_lab.experiment.show.wording import plural
from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.review import DEFAULT_NODES, Decision, Reviewer
from othello_lab.game.solver.solver import Convention, Solution, Solver
from othello_lab.players import player
from othello_lab.results import Rows


def values(board: Board | Game, by: object = "level:7", seed: int = 0) -> dict[int, float]:
    """Return each legal move's value for the side to move, by square. Larger values are better.

    `board` is a position or an unfinished game. `by`, any player that `match` accepts, computes the values.
    Raises ValueError for a player that cannot compute values.
    """
    game = board if isinstance(board, Game) else Game(board)
    board = game.board
    adviser = player(by, board.size)
    try:
        adviser.start(game)
        rng = np.random.default_rng(seed)
        move_values = adviser.values(game, rng) if board.legal_moves else None
    finally:
        if adviser is not by:
            adviser.close()
    if move_values is None and board.legal_moves:
        raise ValueError(
            f"{by} only chooses: ask a player that has values, such as search or a trained network"
        )
    return move_values.by_square(board.legal_moves) if move_values else {}


def solve(board: Board | Game, final_score: bool = False) -> Solution:
    """Return the exact value of a position for the side to move, the best move and the best line of play.

    The value is the final disc difference. With `final_score`, the winner gets the empty squares. A position
    with 22 empty squares takes seconds. The effective branching factor is three to four.
    """
    convention = Convention.FINAL_SCORE if final_score else Convention.DISC_DIFF
    board = board.board if isinstance(board, Game) else board
    return Solver(board.size, convention).solve(board)


@dataclass(frozen=True, repr=False)
class Review(Rows):
    """The review of each move of a game, last move first. The table has one row for each move."""

    moves: list[Decision]

    def __iter__(self) -> Iterator[Decision]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def _headline(self) -> str:
        return plural(len(self), "move")

    def __str__(self) -> str:
        return "\n".join(as_lines(self.moves))

    def rows(self) -> list[dict[str, object]]:
        """Return one dictionary for each reviewed move."""
        return as_json(self.moves)


def review(game: Game | str, size: int = 8, exact: int | None = None, nodes: int = DEFAULT_NODES) -> Review:
    """Return a review of a game or transcript, with the values of all moves and the best moves.

    Positions with at most `exact` empty squares are solved exactly. In any other position, the search visits
    `nodes` positions for each move. Raises NotationError for an invalid transcript.
    """
    game = Game.from_transcript(game, size) if isinstance(game, str) else game
    return Review(list(Reviewer(game.size, exact, nodes).review(game)))
