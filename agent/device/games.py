"""Thousands of games that never end: where one is over, another begins in its place."""

import torch
from torch import Tensor

from agent.device.choosing import pick
from agent.device.networks import Judge
from agent.device.pool import Pool
from agent.device.randomness import Randomness
from agent.device.ring import Ring
from agent.device.rules import Positions, Rules
from agent.device.words import to_mask
from agent.selfplay.play import SELF, Results, summed


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
    ) -> None:
        """`random_opening`: plies at most that are played at random before a game counts."""
        self._rules, self._random, self._learner = rules, random, learner
        self._pool, self._ring, self._random_opening = pool, ring, random_opening
        device = rules.squares.device
        self.positions = Positions(*(part.clone() for part in rules.start(games)))
        self._start = rules.start(games)
        self.epsilon = torch.zeros((), device=device)
        """The share of the learner's moves that are random."""
        self._left = torch.zeros(games, dtype=torch.int64, device=device)
        """Plies left of the random opening."""
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
        self._best.copy_(self._learner.choose(self.positions))

    def oppose(self) -> None:
        """Decide the moves: the network's, random ones, and those of the pool."""
        n, legal = len(self._best), to_mask(self.positions.legal, self._rules.squares)
        anything = pick(legal, self._random)
        exploring = self._random.uniform(n) < self.epsilon
        self._moves.copy_(torch.where(exploring, anything, self._best))
        opposed = self._pool.opposed
        theirs = self._pool.choose(self.positions)
        self._moves[:opposed] = torch.where(self._theirs()[:opposed], theirs, self._moves[:opposed])
        self._moves.copy_(torch.where(self._left > 0, anything, self._moves))

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
        self._left.sub_(1).clamp_(min=0)
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
        n = len(where)
        for held, start in zip(self.positions, self._start, strict=True):
            held.copy_(torch.where(where, start, held))
        openings = self._random.below(self._random_opening + 1, n)
        self._left.copy_(torch.where(where, openings, self._left))
        black = self._random.below(2, n) != 0
        self._learner_black.copy_(torch.where(where, black, self._learner_black))
        self._learner_black[self._pool.opposed :] = True
        self._black.logical_or_(where)
        self._pool.restart(where)

    def spread(self) -> None:
        """Bring the games apart: random moves, each game begun anew at a ply drawn for it.

        All games take about as many plies: begun together they would stay in step, and a row of the memory
        would hold positions of one phase.
        """
        plies = self._rules.cells - 4
        anew = self._random.below(plies, len(self._best))
        for ply in range(plies):
            legal = to_mask(self.positions.legal, self._rules.squares)
            played = self._rules.play(self.positions, pick(legal, self._random))
            for held, new in zip(self.positions, played.positions, strict=True):
                held.copy_(new)
            self._black.logical_xor_(played.sign < 0)
            self._begin((played.sign == 0) | (anew == ply))
        self._left.zero_()
