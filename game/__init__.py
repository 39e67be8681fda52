"""Rules and players of Othello. Knows nothing of reinforcement learning, sockets or torch."""

from game.board import Board, Colour, IllegalMoveError, Outcome, Squares
from game.game import Game
from game.notation import PASS, NotationError

__all__ = ["PASS", "Board", "Colour", "Game", "IllegalMoveError", "NotationError", "Outcome", "Squares"]
