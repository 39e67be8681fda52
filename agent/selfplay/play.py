"""Plays thousands of games in parallel. The learner plays against itself and against a pool of opponents."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.policy import MoveJudge
from othello_lab.agent.selfplay.games import Choices, GameBatch
from othello_lab.agent.selfplay.pool import Opponent
from othello_lab.game.batch import BatchGames, Positions, count_squares, draws, legal_moves
from othello_lab.game.board import Board
from othello_lab.game.luck import EXPLORING_DRAWS, SeatSeeds, seat_seeds, uniforms
from othello_lab.game.play import Turn, play_out
from othello_lab.game.players.simple import best_of, random_moves

_DISCS_AT_START: Final = 4
SELF = "self"  # The name of the opponent in games of the learner against itself.
# The learner's games won, drawn and lost, by the opponent's name and the learner's colour. In a game against
# itself, the learner counts as black.
Results: TypeAlias = Mapping[tuple[str, str], tuple[int, int, int]]


@dataclass(frozen=True)
class GameSettings:
    """The openings of self-play games, and the learner's exploration."""

    size: int
    random_opening: int = 10  # Maximum number of random plies at the start of a game, which are not recorded.
    epsilon: float = 0.1  # The probability of a random move, for learners without a method `decide`.


# Chooses the moves of a turn in many games, with the seeds of the sides to move.
Decide: TypeAlias = Callable[[Turn, SeatSeeds], Choices]


def by_values(move_values: MoveJudge, epsilon: float) -> Decide:
    """Return a callback that chooses a random move with probability `epsilon`, otherwise the best move."""

    def decide(turn: Turn, luck: SeatSeeds) -> Choices:
        positions = turn.positions
        values, choices = move_values(positions), count_squares(legal_moves(positions), positions.size)
        best = best_of(values, positions)
        exploring = np.flatnonzero(draws(luck, positions, EXPLORING_DRAWS) < epsilon)
        moves = best.copy()
        moves[exploring] = random_moves(positions.take(exploring), luck[exploring], EXPLORING_DRAWS + 1)
        best_values = np.maximum.reduceat(values, np.cumsum(choices) - choices)
        return Choices(moves, best_values, moves == best)

    return decide


def summed(parts: Iterable[Results]) -> Results:
    """Add up results."""
    counts: dict[tuple[str, str], Counter[int]] = {}
    for results in parts:
        for seat, three in results.items():
            counts.setdefault(seat, Counter()).update(dict(enumerate(three)))
    return {seat: (three[0], three[1], three[2]) for seat, three in counts.items()}


class PlayedGames(NamedTuple):
    """Finished games and their results."""

    batch: GameBatch
    results: Results

    @property
    def decisions(self) -> int:
        """The number of decisions of both sides."""
        return len(self.batch)


class SelfPlayGames:
    """Games in parallel. Their random draws depend only on the seed and the game's number."""

    def __init__(
        self,
        settings: GameSettings,
        numbers: NDArray[np.integer],
        decide: Decide,
        pool: Sequence[Opponent],
        seed: int,
    ) -> None:
        self._decide, self._pool, self._size = decide, pool, settings.size
        self._luck, white, black = (seat_seeds(seed, numbers, seat) for seat in range(3))
        self._seats = np.stack([white, black])
        opening, opponent, colour = uniforms(self._luck, 3).T
        self._openings = (opening * (settings.random_opening + 1)).astype(np.int64)
        drawn = np.searchsorted(np.cumsum([one.share for one in pool]), opponent, side="right")
        # For each game, the index of the opponent in the pool, or -1 for the learner.
        self._opponent = np.where(drawn < len(pool), drawn, -1)
        self._opponent_black = colour < 0.5

    def play(self) -> PlayedGames:
        """Play all games to the end. If the openings ended every game, play again without openings."""
        self._play_out()
        if not self._turns:
            self._openings[:] = 0
            self._play_out()
        return PlayedGames(batch_of(self._turns, self._games), self._results())

    def _play_out(self) -> None:
        self._games = BatchGames.start(Board.start(self._size), len(self._openings))
        self._turns: list[tuple[Turn, Choices]] = []
        play_out(self._games, self._choose)

    def _results(self) -> Results:
        black, winner = ~self._opponent_black | (self._opponent < 0), np.sign(self._games.final_scores())
        names = np.array([*(one.name for one in self._pool), SELF])[self._opponent]
        result = np.where(black, winner, -winner)
        results: dict[tuple[str, str], tuple[int, int, int]] = {}
        for name, is_black in product(dict.fromkeys(names.tolist()), (True, False)):
            seat = result[(names == name) & (black == is_black)]
            if len(seat):
                won, drawn, lost = (int((seat == sign).sum()) for sign in (1, 0, -1))
                results[name, "black" if is_black else "white"] = won, drawn, lost
        return results

    def _choose(self, turn: Turn) -> NDArray[np.int64]:
        moves = np.empty(len(turn.games), np.int64)
        is_opening = turn.positions.discs() - _DISCS_AT_START < self._openings[turn.games]
        for choose, which in ((self._open, is_opening), (self._move, ~is_opening)):
            if which.any():
                moves[which] = choose(turn.take(np.flatnonzero(which)))
        return moves

    def _open(self, turn: Turn) -> NDArray[np.int64]:
        return random_moves(turn.positions, self._luck[turn.games])

    def _move(self, turn: Turn) -> NDArray[np.int64]:
        luck = self._seats[turn.black_to_move.astype(int), turn.games]
        choices = self._decide(turn, luck)
        by_pool = self._replace_moves(turn, luck, choices.moves)
        self._turns.append((turn, choices._replace(on_policy=choices.on_policy & ~by_pool)))
        return choices.moves

    def _replace_moves(self, turn: Turn, luck: SeatSeeds, moves: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Replace the moves of pool players. Return True for their games, bool [n]."""
        to_move = turn.black_to_move == self._opponent_black[turn.games]
        opponents = np.where(to_move, self._opponent[turn.games], -1)
        for index, one in enumerate(self._pool):
            rows = np.flatnonzero(opponents == index)
            if len(rows):
                moves[rows] = one.policy.choose_many(turn.positions.take(rows), luck[rows])
        by_pool: NDArray[np.bool_] = opponents >= 0
        return by_pool


def batch_of(turns: Sequence[tuple[Turn, Choices]], games: BatchGames) -> GameBatch:
    """Return the decisions of finished games in the order of turns. Requires at least one turn."""
    rows = (
        (turn.positions.own, turn.positions.opponent, turn.games, turn.black_to_move, *choices)
        for turn, choices in turns
    )
    own, opponent, game, black, moves, values, on_policy, *policies = (
        np.concatenate(column) for column in zip(*rows, strict=True) if column[0] is not None
    )
    next_index, discount = np.full(len(game), -1), np.zeros(len(game), np.int8)
    order = np.argsort(game, kind="stable")  # puts the decisions of a game next to each other
    is_same = game[order[:-1]] == game[order[1:]]
    earlier, later = order[:-1][is_same], order[1:][is_same]
    next_index[earlier] = later
    discount[earlier] = np.where(black[earlier] == black[later], 1, -1)
    scores = games.final_scores()[game] * np.where(black, 1, -1)
    return GameBatch(
        positions=Positions(games.size, own, opponent),
        moves=moves,
        values=values,
        on_policy=on_policy,
        next_index=next_index,
        discount=discount,
        results=np.sign(scores).astype(np.int8),
        scores=scores.astype(np.int16),
        policies=policies[0] if policies else None,
    )
