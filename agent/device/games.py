"""Thousands of games that never end: where one is over, another begins in its place."""

import torch
from torch import Tensor

from othello_lab.agent.device.learning import Judge
from othello_lab.agent.device.luck import (
    BLACK,
    TABLE,
    WHITE,
    Randomness,
    best,
    drawn,
    luck_of,
    pick,
    seat_words,
    uniform,
    uniforms,
)
from othello_lab.agent.device.pool import Pool
from othello_lab.agent.device.ring import Ring
from othello_lab.agent.device.rules import Positions, Rules, count, to_mask
from othello_lab.agent.selfplay.play import SELF, Results, summed
from othello_lab.game.kernels.choices import ASIDE

_AT_START = 4
"""Discs."""


class Games:
    """Games of the learner against itself and against a pool, one ply at a time in all of them.

    A ply is three pieces of work, in this order: `judge`, `oppose`, `play`. Each reads and writes tensors
    that stay where they are, and none waits for the host, so that each can be recorded as a CUDA graph.
    """

    def __init__(
        self,
        rules: Rules,
        random: Randomness,
        learner: Judge,
        pool: Pool,
        ring: Ring,
        games: int,
        random_opening: int,
        seed: int,
        first: int = 0,
    ) -> None:
        """`random_opening`: plies at most that are played at random before a game counts; `first`: the number
        of the first game. Seed and number decide what is drawn in a game.
        """
        self._rules, self._random, self._learner = rules, random, learner
        self._pool, self._ring, self._random_opening, self._seed = pool, ring, random_opening, seed
        device = rules.squares.device
        self.positions = Positions(*(part.clone() for part in rules.start(games)))
        self._start = rules.start(games)
        self.epsilon = torch.zeros((), dtype=torch.float64, device=device)
        """The share of the learner's moves that are random."""
        self._number = torch.arange(first - games, first, device=device)
        self._opening = torch.zeros(games, dtype=torch.int64, device=device)
        """Plies that the game begins with at random."""
        self._learner_black, self._black = torch.ones(2, games, dtype=torch.bool, device=device).unbind(0)
        """Whether the learner has black, as in its games against itself, and whether black is to move."""
        self._best = torch.zeros(games, dtype=torch.int64, device=device)
        self._moves = torch.zeros(games, dtype=torch.int64, device=device)
        self._results = torch.zeros(len(pool.seats) + 1, 2, 3, dtype=torch.int64, device=device)
        """Games that the learner won, drew and lost as black and as white, against each player of the pool
        and against itself."""
        self._begin(torch.ones(games, dtype=torch.bool, device=device))

    def judge(self) -> None:
        """Have the network say what it likes best in each game."""
        legal = to_mask(self.positions.legal, self._rules.squares)
        self._best.copy_(best(self._learner.values(self.positions), legal))

    def oppose(self) -> None:
        """Decide the moves: the network's, random ones, and those of the pool."""
        positions, words = self.positions, seat_words(self._seed, self._number)
        luck = luck_of(torch.where(self._black, words[BLACK], words[WHITE]), positions)
        opening = count(positions.own | positions.opponent) - _AT_START < self._opening
        for_opening = drawn(luck_of(words[TABLE], positions).turn, 0)
        word = torch.where(opening, for_opening, drawn(luck.turn, ASIDE + 1))
        anything = pick(to_mask(positions.legal, self._rules.squares), word)
        exploring = uniform(drawn(luck.turn, ASIDE)) < self.epsilon
        self._moves.copy_(torch.where(exploring, anything, self._best))
        opposed = self._pool.opposed
        theirs = self._pool.choose(positions, luck)
        self._moves[:opposed] = torch.where(self._theirs()[:opposed], theirs, self._moves[:opposed])
        self._moves.copy_(torch.where(opening, anything, self._moves))

    def play(self) -> None:
        """Play the moves, remember them, and begin new games where one is over."""
        before, moves, own = self.positions, self._moves, self._black == self._learner_black
        played = self._rules.play(before, moves)
        self._ring.write(before, moves, played, (moves == self._best) & ~self._theirs())
        over = played.sign == 0
        self._count(over, torch.where(own, played.result, -played.result))
        for held, new in zip(self.positions, played.positions, strict=True):
            held.copy_(new)
        self._black.logical_xor_(played.sign < 0)
        self._begin(over)

    def _theirs(self) -> Tensor:
        """Return whether a player of the pool is to move, bool [games]."""
        theirs = self._black != self._learner_black
        theirs[self._pool.opposed :] = False
        return theirs

    def _count(self, over: Tensor, result: Tensor) -> None:
        """Count the results, from the learner's view, of the games that are over."""
        kinds = torch.stack([over & (result == kind) for kind in (1, 0, -1)], 1)
        sides = torch.stack([self._learner_black, ~self._learner_black], 1)
        counts = (sides[:, :, None] & kinds[:, None]).long()  # [games, 2, 3]
        first, ends = 0, [*(seat.last for seat in self._pool.seats), len(over)]
        for own, last in zip(self._results, ends, strict=True):
            own.add_(counts[first:last].sum(0))
            first = last

    def take_results(self) -> Results:
        """Return the results of the games that have ended since the last call; it waits for the device."""
        counts = self._results.tolist()
        self._results.zero_()
        names = [*(seat.name for seat in self._pool.seats), SELF]
        return summed(
            {(name, colour): (won, drawn, lost)}
            for name, sides in zip(names, counts, strict=True)
            for colour, (won, drawn, lost) in zip(("black", "white"), sides, strict=True)
            if won + drawn + lost
        )

    def _begin(self, where: Tensor) -> None:
        """Begin new games there, bool [games]."""
        for held, start in zip(self.positions, self._start, strict=True):
            held.copy_(torch.where(where, start, held))
        self._number.add_(where.long() * len(where))
        opening, _, colour = uniforms(seat_words(self._seed, self._number)[TABLE], 3).unbind(1)
        plies = (opening * (self._random_opening + 1)).long()
        self._opening.copy_(torch.where(where, plies, self._opening))
        self._learner_black.copy_(torch.where(where, colour >= 0.5, self._learner_black))
        self._learner_black[self._pool.opposed :] = True
        self._black.logical_or_(where)

    def spread(self) -> None:
        """Spread the games over all phases: random moves, each game begun anew at a ply drawn for it.

        All games take about as many plies: begun together they would stay in step, and a row of the memory
        would hold positions of one phase.
        """
        plies = self._rules.cells - 4
        anew = self._random.below(plies, len(self._best))
        for ply in range(plies):
            legal = to_mask(self.positions.legal, self._rules.squares)
            played = self._rules.play(self.positions, pick(legal, self._random.words(len(legal))))
            for held, new in zip(self.positions, played.positions, strict=True):
                held.copy_(new)
            self._black.logical_xor_(played.sign < 0)
            self._begin((played.sign == 0) | (anew == ply))
        self._opening.zero_()
