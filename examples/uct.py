"""Monte-Carlo tree search in a hundred lines, on boards of the lab or of OpenSpiel: `python examples/uct.py`.

The algorithm is UCT (Kocsis and Szepesvari 2006). A simulation goes down the tree and always takes the move
with the highest upper confidence bound. Then it adds a leaf, plays random moves to the end of the game, and
adds the result to each node on its path. `--on openspiel` uses states of `pyspiel`, which must be installed.
"""

import argparse
import math
import random
import time
from collections.abc import Sequence
from importlib import import_module
from typing import Any, Protocol

import othello_lab as lab


class State(Protocol):
    """The interface that the search needs of a position."""

    moves: Sequence[int]
    """The legal moves, including a forced pass. Empty if the game is over."""
    black_to_move: bool

    def after(self, move: int) -> "State":
        """Return the position after a move."""

    def play_out(self, rng: random.Random) -> float:
        """Play random moves to the end; return the result for black: 1, 0 or -1."""


class OnBoard:
    """A position with a Board of the lab."""

    def __init__(self, board: lab.Board) -> None:
        self.board, self.black_to_move = board, board.turn is lab.Colour.BLACK
        self.moves = moves_of(board)

    def after(self, move: int) -> "OnBoard":
        """Return the position after a move."""
        return OnBoard(self.board.play(move))

    def play_out(self, rng: random.Random) -> float:
        """Play random moves to the end; return the result for black: 1, 0 or -1."""
        board, moves = self.board, self.moves
        while moves:
            board = board.play(moves[int(rng.random() * len(moves))])
            moves = moves_of(board)
        black, white = board.counts()
        return float((black > white) - (black < white))


def moves_of(board: lab.Board) -> Sequence[int]:
    """Return the legal moves, or the pass if it is forced. Return () at the end of the game."""
    return tuple(board.legal_moves) or ((lab.PASS,) if board.must_pass else ())


class OnOpenSpiel:
    """A position with a state of OpenSpiel."""

    def __init__(self, state: Any) -> None:  # noqa: ANN401  it has no types
        self.state, self.black_to_move = state, state.current_player() == 0
        self.moves = state.legal_actions()

    def after(self, move: int) -> "OnOpenSpiel":
        """Return the position after a move."""
        state = self.state.clone()
        state.apply_action(move)
        return OnOpenSpiel(state)

    def play_out(self, rng: random.Random) -> float:
        """Play random moves to the end; return the result for black: 1, 0 or -1."""
        state = self.state.clone()
        while moves := state.legal_actions():
            state.apply_action(moves[int(rng.random() * len(moves))])
        return float(state.returns()[0])


class Node:
    """A position in the tree. `total` is the sum of the results for the side that has just moved."""

    def __init__(self, state: State) -> None:
        self.state, self.visits, self.total = state, 0, 0.0
        self.untried = list(state.moves)
        self.children: dict[int, Node] = {}

    def best(self, exploration: float) -> "Node":
        """Return the child with the highest upper confidence bound."""
        log = math.log(self.visits)
        return max(
            self.children.values(),
            key=lambda child: child.total / child.visits + exploration * math.sqrt(log / child.visits),
        )


def search(state: State, simulations: int, rng: random.Random, exploration: float = 1.0) -> int:
    """Return the move with the most visits after this number of simulations."""
    root = Node(state)
    for _ in range(simulations):
        path = [root]
        while not path[-1].untried and path[-1].children:
            path.append(path[-1].best(exploration))
        leaf = path[-1]
        if leaf.untried:
            move = leaf.untried.pop(rng.randrange(len(leaf.untried)))
            leaf.children[move] = Node(leaf.state.after(move))
            path.append(leaf.children[move])
        result = path[-1].state.play_out(rng)
        for parent, child in zip([root, *path], path, strict=False):
            child.visits += 1
            child.total += result if parent.state.black_to_move else -result
    return max(root.children, key=lambda move: root.children[move].visits)


def main() -> None:
    """Search from the standard start, and print the move and the speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--on", choices=("boards", "openspiel"), default="boards")
    parser.add_argument("--simulations", type=int, default=1000)
    options = parser.parse_args()
    if options.on == "boards":
        start: State = OnBoard(lab.Board.start(8))
    else:
        pyspiel = import_module("pyspiel")

        start = OnOpenSpiel(pyspiel.load_game("othello").new_initial_state())
    begin = time.process_time()
    move = search(start, options.simulations, random.Random(0))  # noqa: S311  no secret
    seconds = time.process_time() - begin
    print(f"move {move}, {options.simulations / seconds:,.0f} simulations a second on {options.on}")


if __name__ == "__main__":
    main()
