"""Decisions of a player in positions whose values are known exactly."""

from collections.abc import Iterable, Iterator
from typing import Generic, NamedTuple, TypeVar

import numpy as np

from othello_lab.game.board import Board, Colour
from othello_lab.game.game import Game
from othello_lab.game.notation import PASS
from othello_lab.game.players.player import Player
from othello_lab.game.solver.solver import Solver, solve_all

Worth = TypeVar("Worth", int, float)


class Decision(NamedTuple, Generic[Worth]):
    """A player's move in a position."""

    board: Board
    move: int
    values: dict[int, Worth]
    """What each legal move is worth, exactly: own discs minus the other side's at the end of perfect play.
    Only a review has decisions with estimates too, and says so.
    """

    @property
    def worth(self) -> Worth:
        """The value of the move that was played."""
        return self.values[self.move]

    @property
    def best(self) -> int:
        """A legal move of the highest value, the first of them."""
        return max(self.values, key=self.values.__getitem__)

    @property
    def value(self) -> Worth:
        """The value of the position."""
        return self.values[self.best]

    @property
    def lost(self) -> tuple[int, Worth]:
        """What the move gives away: in outcomes (won to lost is 2) and in value; zeros where it is best."""
        return _sign(self.value) - _sign(self.worth), self.value - self.worth

    @property
    def at_stake(self) -> tuple[int, Worth]:
        """What the worst legal move would give away."""
        return self._replace(move=min(self.values, key=self.values.__getitem__)).lost


def _sign(value: float) -> int:
    return (value > 0) - (value < 0)


def on_every_position(player: Player, rng: np.random.Generator) -> Iterator[Decision[int]]:
    """Ask a player for its move in each of the 47,633 positions of 4x4 that follow the start and have a legal
    move. Raises as `choose` and `start` of the player do, and IllegalMoveError.
    """
    values = solve_all(4)
    for board in values:
        if board.legal_moves:
            after = {move: -values[board.play(move)] for move in board.legal_moves}
            yield Decision(board, _choose(player, Game(board), rng), after)


def on_positions(player: Player, games: Iterable[Game], rng: np.random.Generator) -> Iterator[Decision[int]]:
    """Ask a player for its move at the end of each game, where there is a legal one; solve each position.

    Raises as `on_every_position` does.
    """
    solver: Solver | None = None
    for game in games:
        solver = solver or Solver(game.size)
        yield Decision(game.board, _choose(player, game, rng), solver.scores(game.board))


def every_game(player: Player, colour: Colour, rng: np.random.Generator) -> Iterator[Game]:
    """Yield every finished game of 4x4 from the start in which a player has a colour and the other side makes
    each of its moves in turn. It is one and the same object, which goes on to the next game.

    Raises as `on_every_position` does.
    """

    def moves(game: Game) -> list[int]:
        if game.board.must_pass:
            return [PASS]
        return [_choose(player, game, rng)] if game.board.turn is colour else list(game.board.legal_moves)

    def play_on(game: Game) -> Iterator[Game]:
        if game.board.is_over:
            yield game
            return
        for move in moves(game):
            game.play(move)
            yield from play_on(game)
            game.undo()

    return play_on(Game(Board.start(4)))


def _choose(player: Player, game: Game, rng: np.random.Generator) -> int:
    """Return the legal move of a player that knows nothing but this game."""
    player.start(game)
    move = player.choose(game, rng)
    if move not in game.board.legal_moves:
        game.board.play(move)  # which raises
    return move
