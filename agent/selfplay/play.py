"""Plays games by the thousand: the learner against itself and against the players of a pool."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.policy import MoveJudge
from othello_lab.agent.selfplay.played import Choices, Played, Tape
from othello_lab.agent.selfplay.pool import Rival
from othello_lab.game.batch.games import BatchGames, legal_moves
from othello_lab.game.batch.positions import count_squares
from othello_lab.game.kernels.choices import EXPLORING_DRAWS, RANDOM
from othello_lab.game.luck import SeatSeeds, draws, seat_seeds, uniforms
from othello_lab.game.play import Turn, play_out
from othello_lab.game.players.simple import by_rule, first_best

_AT_START: Final = 4
"""Discs."""


@dataclass(frozen=True)
class Rules:
    """How the games of self-play begin, and how far the learner explores."""

    size: int
    random_opening: int = 10
    """Plies at most that are played at random before a game counts, drawn for each game."""
    epsilon: float = 0.1
    """The share of random moves of a learner that decides by the values of moves."""


Decide: TypeAlias = Callable[[Turn, SeatSeeds], Choices]
"""What decides in the games of a turn; `SeatSeeds` is the luck of the side to move, see `game.luck`."""


def by_values(move_values: MoveJudge, epsilon: float) -> Decide:
    """Return what plays the best moves by their values, but for a share `epsilon` of random ones."""

    def decide(turn: Turn, luck: SeatSeeds) -> Choices:
        positions = turn.positions
        values, choices = move_values(positions), count_squares(legal_moves(positions), positions.size)
        best = first_best(values, positions)
        exploring = np.flatnonzero(draws(luck, positions, EXPLORING_DRAWS) < epsilon)
        moves = best.copy()
        moves[exploring] = by_rule(RANDOM, positions.take(exploring), luck[exploring], EXPLORING_DRAWS + 1)
        worth = np.maximum.reduceat(values, np.cumsum(choices) - choices)
        return Choices(moves, worth, moves == best)

    return decide


SELF = "self"
"""Who plays against the learner where nobody of the pool does."""
Results: TypeAlias = Mapping[tuple[str, str], tuple[int, int, int]]
"""How many games were won, drawn and lost by the learner, by the name of its opponent and its own colour.

Games against itself count for black.
"""


def summed(parts: Iterable[Results]) -> Results:
    """Return the results of all parts together."""
    counts: dict[tuple[str, str], Counter[int]] = {}
    for results in parts:
        for seat, three in results.items():
            counts.setdefault(seat, Counter()).update(dict(enumerate(three)))
    return {seat: (own[0], own[1], own[2]) for seat, own in counts.items()}


class Summary(NamedTuple):
    """What came of some games."""

    results: Results
    decisions: int


def joined(parts: Sequence[Summary]) -> Summary:
    """Return what came of all games together."""
    return Summary(summed(part.results for part in parts), sum(part.decisions for part in parts))


class Finished(NamedTuple):
    """What came of a shard."""

    played: Played
    results: Results

    @property
    def summary(self) -> Summary:
        """The same without the games themselves."""
        return Summary(self.results, len(self.played))


class Shard:
    """Some games that are played side by side until all of them are over.

    All that is drawn in a game follows from the seed and the game's number: which games are played beside it
    changes nothing.
    """

    def __init__(
        self,
        rules: Rules,
        numbers: NDArray[np.integer],
        decide: Decide,
        pool: Sequence[Rival],
        seed: int,
    ) -> None:
        self._decide, self._pool, self._size = decide, pool, rules.size
        self._table, white, black = (seat_seeds(seed, numbers, seat) for seat in range(3))
        self._seats = np.stack([white, black])
        opening, opponent, colour = uniforms(self._table, 3).T
        self._openings = (opening * (rules.random_opening + 1)).astype(np.int64)
        shares = np.cumsum([rival.games for rival in pool])
        drawn = np.searchsorted(shares, opponent, side="right")
        self._opponent = np.where(drawn < len(pool), drawn, -1)
        """Which player of the pool has a seat in each game, -1 for none."""
        self._opponent_black = colour < 0.5

    def play(self) -> Finished:
        """Play all games to their ends; without openings if these leave nothing to decide in any of them."""
        self._play_out()
        if not len(self._tape):
            self._openings[:] = 0
            self._play_out()
        return Finished(self._tape.played(self._games), self._results())

    def _play_out(self) -> None:
        games = len(self._openings)
        self._games, self._tape = BatchGames.start(self._size, games), Tape(games)
        play_out(self._games, self._choose)

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

    def _choose(self, turn: Turn) -> NDArray[np.int64]:
        """Return the moves of a turn; those of random openings are not recorded."""
        moves = np.empty(len(turn.games), np.int64)
        is_opening = turn.positions.discs() - _AT_START < self._openings[turn.games]
        for choose, which in ((self._open, is_opening), (self._move, ~is_opening)):
            if which.any():
                moves[which] = choose(turn.take(np.flatnonzero(which)))
        return moves

    def _open(self, turn: Turn) -> NDArray[np.int64]:
        return by_rule(RANDOM, turn.positions, self._table[turn.games])

    def _move(self, turn: Turn) -> NDArray[np.int64]:
        luck = self._seats[turn.black_to_move.astype(int), turn.games]
        choices = self._decide(turn, luck)
        theirs = self._moves_of_the_pool(turn, luck, choices.moves)
        choices = choices._replace(greedy=choices.greedy & ~theirs)
        self._tape.add(turn.games, turn.positions, turn.black_to_move, choices)
        return choices.moves

    def _moves_of_the_pool(self, turn: Turn, luck: SeatSeeds, moves: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Write the moves of opponents where they are to move; return where that is."""
        to_move = turn.black_to_move == self._opponent_black[turn.games]
        opponent = np.where(to_move, self._opponent[turn.games], -1)
        for number, rival in enumerate(self._pool):
            asked = np.flatnonzero(opponent == number)
            if len(asked):
                moves[asked] = rival.policy.choose_many(turn.positions.take(asked), luck[asked])
        theirs: NDArray[np.bool_] = opponent >= 0
        return theirs
