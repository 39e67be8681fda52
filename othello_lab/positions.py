"""Worth of positions and games: values of moves, exact solutions, reviews."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from othello_lab.console.reviewing import as_json, as_lines
from othello_lab.experiment.show.wording import plural
from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.review import DEFAULT_NODES, Effort, Reviewed, Reviewer, default_exact, values_now
from othello_lab.game.solver.solver import Convention, Solution, Solver
from othello_lab.players import player
from othello_lab.results import Rows


def values(board: Board | Game, by: object = "level:7", seed: int = 0) -> dict[int, float]:
    """Return what each legal move is worth to the side to move, by its square; more is better.

    Of a position, or a game so far. `by` is a player, as `match` takes it. Raises ValueError for one
    without values.
    """
    game = board if isinstance(board, Game) else Game(board)
    board = game.board
    asked = player(by, board.size)
    try:
        found = values_now(asked, game, np.random.default_rng(seed))
    finally:
        if asked is not by:
            asked.close()
    if found is None and board.legal_moves:
        raise ValueError(
            f"{by} only chooses: ask a player that has values, such as search or a trained network"
        )
    return found.by_square(board.legal_moves) if found else {}


def solve(board: Board | Game, final_score: bool = False) -> Solution:
    """Return the exact value of a position for the side to move, the best move and the line that follows.

    In discs at the end, own minus the opponent's; with `final_score` the winner also has the empty squares.
    22 empty squares take seconds, each further one three to four times as long.
    """
    convention = Convention.FINAL_SCORE if final_score else Convention.DISC_DIFF
    board = board.board if isinstance(board, Game) else board
    return Solver(board.size, convention).solve(board)


@dataclass(frozen=True, repr=False)
class Review(Rows):
    """What each move of a game was worth; iterate over it for them, the last first; a row a move."""

    moves: list[Reviewed]
    convention: Convention

    def __iter__(self) -> Iterator[Reviewed]:
        return iter(self.moves)

    def __len__(self) -> int:
        return len(self.moves)

    def _headline(self) -> str:
        return plural(len(self), "move")

    def __str__(self) -> str:
        return "\n".join(as_lines(self.moves, self.convention))

    def rows(self) -> list[dict[str, object]]:
        """Return a dictionary for each move that was a choice."""
        return as_json(self.moves)


def review(game: Game | str, size: int = 8, exact: int | None = None, nodes: int = DEFAULT_NODES) -> Review:
    """Review a game or a transcript: what every move was worth and which one was best.

    `exact`: from how many empty squares on positions are solved; before that a search looks at `nodes`
    positions a move. Raises NotationError for a transcript that cannot be read.
    """
    game = Game.from_transcript(game, size) if isinstance(game, str) else game
    effort = Effort(default_exact(game.size) if exact is None else exact, nodes, Convention.DISC_DIFF)
    return Review(list(Reviewer(game.size, effort).review(game)), effort.convention)
