"""Monte-Carlo tree search in eighty lines: `python examples/uct.py`.

The algorithm is UCT (Kocsis and Szepesvari 2006). Each simulation descends the tree by the highest upper
confidence bound, adds a leaf, plays a random rollout to the end of the game, and backs up the result along
the path.
"""

import argparse
import math
import random
import time

import othello_lab as lab

PASS, BLACK = lab.PASS, lab.Colour.BLACK


def moves_of(board: lab.Board) -> list[int]:
    """Return the legal moves, the pass if it is forced, or [] at the end of the game."""
    return list(board.legal_moves) or [PASS] * board.must_pass


def play_out(board: lab.Board, rng: random.Random) -> int:
    """Play a random rollout to the end, and return the result for black: 1, 0 or -1."""
    while moves := moves_of(board):
        board = board.play(moves[int(rng.random() * len(moves))])
    black, white = board.counts()
    return (black > white) - (black < white)


class Node:
    """A position in the tree. `total` is the sum of the results for the side that has just moved."""

    def __init__(self, board: lab.Board) -> None:
        self.board, self.visits, self.total = board, 0, 0.0
        self.untried = moves_of(board)
        self.children: dict[int, Node] = {}

    def best(self, exploration: float) -> "Node":
        """Return the child with the highest upper confidence bound."""
        log = math.log(self.visits)
        return max(
            self.children.values(),
            key=lambda child: child.total / child.visits + exploration * math.sqrt(log / child.visits),
        )


def search(board: lab.Board, simulations: int, rng: random.Random, exploration: float = 1.0) -> int:
    """Return the move with the most visits after `simulations` simulations."""
    root = Node(board)
    for _ in range(simulations):
        path = [root]
        while not path[-1].untried and path[-1].children:
            path.append(path[-1].best(exploration))
        leaf = path[-1]
        if leaf.untried:
            move = leaf.untried.pop(rng.randrange(len(leaf.untried)))
            leaf.children[move] = Node(leaf.board.play(move))
            path.append(leaf.children[move])
        result = play_out(path[-1].board, rng)
        for parent, child in zip([root, *path], path, strict=False):
            child.visits += 1
            child.total += result if parent.board.turn is BLACK else -result
    return max(root.children, key=lambda move: root.children[move].visits)


def main() -> None:
    """Search from the standard start, and print the move and the speed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--simulations", type=int, default=1000)
    options = parser.parse_args()
    start = lab.Board.start(8)
    moves_of(start)  # warm-up: load the compiled rules
    begin = time.process_time()
    move = search(start, options.simulations, random.Random(0))  # noqa: S311  no secret
    seconds = time.process_time() - begin
    print(f"move {move}, {options.simulations / seconds:,.0f} simulations a second")


if __name__ == "__main__":
    main()
