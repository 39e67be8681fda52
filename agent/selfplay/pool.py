"""The pool of opponents: who plays against the learner, in which share of the games, and the text of it."""

import math
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from othello_lab.agent.policy import MoveJudge
from othello_lab.game.batch.games import legal_moves, to_mask
from othello_lab.game.batch.positions import Positions, count_squares
from othello_lab.game.evaluators.catalogue import make_evaluator
from othello_lab.game.luck import SeatSeeds, draws, uniforms
from othello_lab.game.players.minimax import OnePlyPlayer
from othello_lab.game.players.player import Policy
from othello_lab.game.players.simple import CornerGreedyPlayer, RandomPlayer, best_of
from othello_lab.game.registry import RegistryError
from othello_lab.game.search import batched

PAST = "past"
"""The learner as it was, several times."""
NONE = "none"
"""The pool without anybody."""
STANDARD = "random=0.05,corner-greedy=0.2,positional=0.1,mobility=0.1,random-weights=0.1,past=0.05"
"""The pool of those who name none."""


class Share(NamedTuple):
    """How much a player of the pool plays."""

    name: str
    games: float
    """The share of the games in which it plays one side, 0 to 1."""


class PastSelf(Policy):
    """The learner as it was, which takes one of the best moves."""

    def __init__(self, move_values: MoveJudge) -> None:
        self._move_values = move_values

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """See `Policy`."""
        return best_of(self._move_values(positions), positions, draws(luck, positions, 0))


class RandomWeights(Policy):
    """One ply with square weights drawn anew for each game, corners dear and X-squares cheap."""

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        """See `Policy`."""
        weights, after = draw_weights(positions.size, luck), batched.children(positions)
        choices = count_squares(legal_moves(positions), positions.size)
        difference = to_mask(after.opponent, after.size).astype(np.float32) - to_mask(after.own, after.size)
        values = np.einsum("ij,ij->i", difference, np.repeat(weights, choices, axis=0))
        return best_of(values, positions, draws(luck, positions, 0))


def draw_weights(size: int, luck: SeatSeeds) -> NDArray[np.float32]:
    """Return the square weights of some games, float32 [n, squares], alike under all symmetries but for a
    little noise.

    Corners 60 to 120, squares beside them -45 to 5 on the edge and -60 to 0 on the diagonal, other edges -5
    to 25, the inside -5 to 5.
    """
    half, games = size // 2, len(luck)
    lowest, highest = np.full((half, half), -5.0), np.full((half, half), 5.0)
    highest[0, :] = 25
    for square, (low, high) in {(0, 1): (-45, 5), (1, 1): (-60, 0), (0, 0): (60, 120)}.items():
        lowest[square], highest[square] = low, high
    drawn = uniforms(luck, half * half + size * size)
    matrix = lowest + (highest - lowest) * drawn[:, : half * half].reshape(games, half, half)
    quarter = np.where(np.triu(np.ones((half, half), bool)), matrix, matrix.transpose(0, 2, 1))
    top = np.concatenate([quarter, quarter[:, :, ::-1]], axis=2)
    whole = np.concatenate([top, top[:, ::-1]], axis=1).reshape(games, size * size)
    noisy: NDArray[np.float32] = (whole + 4 * drawn[:, half * half :] - 2).astype(np.float32)
    return noisy


MAKERS: dict[str, Callable[[], Policy]] = {
    "random": RandomPlayer,
    "corner-greedy": CornerGreedyPlayer,
    "random-weights": RandomWeights,
}
"""The players that a pool can have besides evaluators, which look one ply ahead, and past selves."""


class Rival(NamedTuple):
    """A player of the pool."""

    name: str
    games: float
    """See Share."""
    policy: Policy


def read_pool(text: str, size: int) -> tuple[Share, ...]:
    """Return the pool that a text such as `random=0.1,positional=0.2,past=0.1` names, on boards of a size.

    Raises ValueError.
    """
    shares = tuple(_share(part) for part in text.split(",")) if text != NONE else ()
    if (total := sum(share.games for share in shares)) >= 1:
        raise ValueError(f"the shares of the pool come to {total:g}, expected less than 1")
    for share in shares:
        _check(share.name, size)
    return shares


def _share(part: str) -> Share:
    name, said, games = part.strip().rpartition("=")
    try:
        share = float(games) if said else math.nan
    except ValueError:
        share = math.nan
    if not 0 < share < 1:
        raise ValueError(f"{part[:80]!r} is no player with a share, such as random=0.1")
    return Share(name, share)


def _check(name: str, size: int) -> None:
    """Raise ValueError for what is no player of the pool."""
    if name in {*MAKERS, PAST}:
        return
    try:
        make_evaluator(name, size)
    except RegistryError as error:
        known = ", ".join([*MAKERS, PAST])
        raise ValueError(f"the pool has {known} and evaluators, but not {name!r}: {error}") from None


def make_pool(shares: Sequence[Share], past: Sequence[Policy], size: int) -> Iterator[Rival]:
    """Yield the players of a pool; past selves divide their share."""
    for name, share in shares:
        if name == PAST:
            yield from (Rival(name, share / len(past), player) for player in past)
        else:
            yield Rival(name, share, _make(name, size))


def _make(name: str, size: int) -> Policy:
    return MAKERS[name]() if name in MAKERS else OnePlyPlayer(make_evaluator(name, size), results=True)
