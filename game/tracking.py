"""A game followed from one observation to the next by somebody who sees it only at the own turns."""

from numpy.typing import ArrayLike

from game import observation
from game.board import Board, Colour
from game.game import Game
from game.notation import PASS


def follow(game: Game | None, numbers: ArrayLike) -> Game:
    """Return the game that led to an observation, or a new one if `game` did not.

    Raises ValueError for what is no position of Othello.

    In self-play `game` is there already, against an opponent it lacks the opponent's move. An observation
    does not say which side is black. Where the game so far does not tell (at its start, or when the
    environment set up a position), the agent is taken for black unless the position is one black move after
    the standard start.
    """
    size, own, opponent = observation.sides(numbers)
    game = game or Game(Board.start(size))
    board = game.board
    if _sees(board, own, opponent, board.turn):
        return game
    placed = (own | opponent) & ~(board.black | board.white)
    move = placed.bit_length() - 1  # one disc, or none for a pass; anything else is another game
    legal = board.must_pass if move == PASS else placed.bit_count() == 1 and move in board.legal_moves
    if legal and _sees(game.play(move), own, opponent, board.turn.other):
        return game
    return Game(Board(size, own, opponent, Colour.BLACK))


def _sees(board: Board, own: int, opponent: int, turn: Colour) -> bool:
    return board.turn is turn and board.own == own and board.opponent == opponent
