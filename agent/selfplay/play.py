"""Plays games by the thousand: the learner against itself and against the players of a pool."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from agent.selfplay.opponents import MoveValues
from agent.selfplay.played import Played
from agent.selfplay.pool import Rival
from agent.selfplay.tape import Tape
from game.batch.games import BatchGames, to_mask
from game.batch.history import pick
from game.batch.positions import Positions
from game.notation import PASS


@dataclass(frozen=True)
class Rules:
    """How the games of self-play begin, and how far the learner explores."""

    size: int
    random_opening: int = 10
    """Plies at most that are played at random before a game counts, drawn for each game."""
    epsilon: float = 0.1
    """The share of the learner's moves that are random."""


SELF = "self"
"""Who plays against the learner where nobody of the pool does."""
Results: TypeAlias = Mapping[tuple[str, str], tuple[int, int, int]]
"""How many games were won, drawn and lost by the learner, by the name of its opponent and its own colour.

Games against itself count for black.
"""


class Finished(NamedTuple):
    """What came of a shard."""

    played: Played
    results: Results


@dataclass(frozen=True)
class Choices:
    """What the learner thinks of the legal moves of some positions."""

    squares: NDArray[np.int64]
    """The best move of each, [n]."""
    values: NDArray[np.float64]
    """What it is worth, [n]."""


def best_moves(positions: Positions, legal: NDArray[np.uint64], move_values: MoveValues) -> Choices:
    """Return the best legal move of each position, the first of equals; `legal` is uint64 [n, words]."""
    values = move_values(positions)
    owner, squares = np.nonzero(to_mask(legal, positions.size))
    first = np.searchsorted(owner, np.arange(len(positions)))
    best = np.maximum.reduceat(values, first)
    place = np.where(values == best[owner], np.arange(len(values)), len(values))
    return Choices(squares[np.minimum.reduceat(place, first)], best)


class Shard:
    """Some games that go on together until all of them are over."""

    def __init__(
        self,
        rules: Rules,
        games: int,
        move_values: MoveValues,
        pool: Sequence[Rival],
        rng: np.random.Generator,
    ) -> None:
        self._rules, self._move_values, self._pool, self._rng = rules, move_values, pool, rng
        self._games = BatchGames.start(rules.size, games)
        self._tape = Tape(games)
        self._openings = rng.integers(rules.random_opening + 1, size=games)
        shares = [rival.games for rival in pool]
        drawn = rng.choice(len(pool) + 1, size=games, p=[*shares, 1 - sum(shares)])
        self._opponent = np.where(drawn < len(pool), drawn, -1)
        """Which player of the pool has a seat in each game, -1 for none."""
        self._opponent_black = rng.random(games) < 0.5

    def play(self) -> Finished:
        """Play all games to their ends."""
        turn = 0
        while not self._games.finished.all():
            self._games.play(self._moves(turn))
            turn += 1
        return Finished(self._tape.played(self._games), self._results())

    def _results(self) -> Results:
        black, winner = ~self._opponent_black | (self._opponent < 0), self._games.outcomes().winner
        names = np.array([*(rival.name for rival in self._pool), SELF])[self._opponent]
        result = np.where(black, winner, -winner)
        found: dict[tuple[str, str], tuple[int, int, int]] = {}
        for name, is_black in product(dict.fromkeys(names.tolist()), (True, False)):
            own = result[(names == name) & (black == is_black)]
            if len(own):
                won, drawn, lost = (int((own == sign).sum()) for sign in (1, 0, -1))
                found[name, "black" if is_black else "white"] = won, drawn, lost
        return found

    def _moves(self, turn: int) -> NDArray[np.int64]:
        games = self._games
        moves = np.full(len(games), PASS, np.int64)
        can_move = games.can_move
        opening = np.flatnonzero(can_move & (turn < self._openings))
        moves[opening] = pick(games.legal[opening], games.size, self._rng)
        deciding = np.flatnonzero(can_move & (turn >= self._openings))
        if len(deciding):
            moves[deciding] = self._decide(deciding)
        return moves

    def _decide(self, deciding: NDArray[np.int64]) -> NDArray[np.int64]:
        games, rng = self._games, self._rng
        positions, legal = games.positions.take(deciding), games.legal[deciding]
        choices = best_moves(positions, legal, self._move_values)
        moves = choices.squares.copy()
        exploring = rng.random(len(deciding)) < self._rules.epsilon
        moves[exploring] = pick(legal[exploring], games.size, rng)
        theirs = self._moves_of_the_pool(deciding, positions, moves)
        greedy = (moves == choices.squares) & ~theirs
        self._tape.add(deciding, positions, games.black_to_move[deciding], moves, choices.values, greedy)
        return moves

    def _moves_of_the_pool(
        self, deciding: NDArray[np.int64], positions: Positions, moves: NDArray[np.int64]
    ) -> NDArray[np.bool_]:
        """Write the moves of opponents where they are to move; return where that is."""
        to_move = self._games.black_to_move[deciding] == self._opponent_black[deciding]
        opponent = np.where(to_move, self._opponent[deciding], -1)
        for number, rival in enumerate(self._pool):
            asked = np.flatnonzero(opponent == number)
            if len(asked):
                moves[asked] = rival.choose(positions.take(asked), deciding[asked], self._rng)
        theirs: NDArray[np.bool_] = opponent >= 0
        return theirs
