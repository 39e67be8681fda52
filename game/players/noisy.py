"""The player `noisy`: any other player that makes some of its moves at random."""

import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from game.batch.positions import Positions
from game.game import Game
from game.kernels.choices import ASIDE, RANDOM
from game.play.luck import Words, draws
from game.players.base import Player, Policy
from game.players.simple import by_rule, pick
from game.players.values import MoveValues
from game.registry import Entry, Registry, RegistryError, Spec, parse

NAME = "noisy"
DEFAULT_PLAYER = "positional"
DEFAULT_SHARE = "0.1"


class NoisyPolicy(Policy):
    """Plays any legal move, uniformly, in a share of its moves, and what another policy chooses otherwise."""

    def __init__(self, policy: Policy, share: float) -> None:
        """`share` is the chance that a move is random, 0 to 1."""
        self._policy, self._share = policy, share

    def choose_many(self, positions: Positions, luck: Words) -> NDArray[np.int64]:
        """Return for each position a random move or the other policy's."""
        anything = by_rule(RANDOM, positions, luck, ASIDE + 1)
        is_random = draws(luck, positions, ASIDE) < self._share
        return np.where(is_random, anything, self._policy.choose_many(positions, luck))

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the other policy's."""
        return self._policy.values(game, rng)


class NoisyPlayer(Player):
    """The same with a player that thinks of one game at a time, and is not asked where the move is random."""

    def __init__(self, player: Player, share: float) -> None:
        self._player, self._share = player, share

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        """Return a random move or the other player's."""
        if rng.random() < self._share:
            return pick(game.board.legal_moves, rng)
        return self._player.choose(game, rng)

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues | None:
        """Return the other player's."""
        return self._player.values(game, rng)

    def start(self, game: Game) -> None:
        """Hand on, as are `observe`, `stop` and `close`."""
        self._player.start(game)

    def observe(self, move: int) -> None:
        """See `start`."""
        self._player.observe(move)

    def stop(self) -> None:
        """See `start`."""
        self._player.stop()

    def close(self) -> None:
        """See `start`."""
        self._player.close()


def with_noise(player: Player, share: float) -> Player:
    """Return a player that makes this share of its moves, 0 to 1, at random."""
    return NoisyPolicy(player, share) if isinstance(player, Policy) else NoisyPlayer(player, share)


def _inner(spec: Spec) -> str:
    """Return the text of the player within; raise RegistryError for another of this kind."""
    text = spec.argument or DEFAULT_PLAYER
    if parse(text).name == NAME:
        raise RegistryError(f"{NAME}:{text}: say the share of random moves once")
    return text


def _share(spec: Spec) -> float:
    text = spec.options.get("share", DEFAULT_SHARE)
    if not re.fullmatch(r"[0-9]?(\.[0-9]{1,9})?", text) or not text or not float(text) <= 1:
        raise RegistryError(f"{spec.name}: share is {text!r}, expected a number from 0 to 1 such as 0.1")
    return float(text)


def entries(players: Registry[Player]) -> dict[str, Entry[Player]]:
    """Return the catalogue's entry; the player within is one of `players`."""

    def make(spec: Spec, size: int) -> Player:
        share = _share(spec)
        return with_noise(players.make(_inner(spec), size), share)

    def harmless(spec: Spec, size: int) -> bool:
        return players.is_harmless(_inner(spec), size)

    def files(spec: Spec, size: int) -> tuple[Path, ...]:
        return players.files(_inner(spec), size)

    options = {"share": f"the chance that a move is random ({DEFAULT_SHARE})"}
    line = f"another player, some of whose moves are random ({DEFAULT_PLAYER})"
    return {NAME: Entry(make, line, "PLAYER", options, harmless, files)}
