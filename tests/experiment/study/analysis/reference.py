"""A second, slow count of the facts in games: board by board, with dictionaries."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.board import corners


class Decision(NamedTuple):
    game: int
    turn: int
    board: Board
    move: int
    passed: bool

    @property
    def colour(self) -> Colour:
        return self.board.turn

    @property
    def legal(self) -> list[int]:
        return list(self.board.legal_moves)


def decisions(games: list[Game]) -> Iterator[Decision]:
    for number, game in enumerate(games):
        before = None
        for board, move in zip(game.boards, game.moves, strict=False):
            if move != PASS:
                yield Decision(number, sum(board.counts()) - 4, board, move, before == PASS)
            before = move


def means(values: dict[int, list[int]]) -> dict[int, float]:
    return {turn: sum(each) / len(each) for turn, each in sorted(values.items())}


def choices(games: list[Game], colour: Colour | None = None) -> dict[int, list[int]]:
    found = defaultdict(list)
    for decision in decisions(games):
        if colour in (None, decision.colour):
            found[decision.turn].append(len(decision.legal))
    return dict(sorted(found.items()))


def possible(games: list[Game], colour: Colour, turn: int) -> dict[int, float]:
    """Return for each square the share of a colour's decisions at a turn in which the square was legal."""
    own = [each for each in decisions(games) if each.colour is colour and each.turn == turn]
    squares = range(games[0].size ** 2)
    return {square: sum(square in each.legal for each in own) / len(own) for square in squares}


def corner_chances(games: list[Game], colour: Colour) -> dict[int, float]:
    found = defaultdict(list)
    for each in decisions(games):
        if each.colour is colour:
            found[each.turn].append(any(square in each.legal for square in corners(each.board.size)))
    return means({turn: [int(there) for there in every] for turn, every in found.items()})


def passes(games: list[Game]) -> dict[int, list[Colour]]:
    found = defaultdict(list)
    for each in decisions(games):
        if each.passed:
            found[each.turn].append(each.colour.other)
    return found


def boards(games: list[Game]) -> dict[int, set[Board]]:
    """Return the different positions of each turn with the side that decides, and the last positions."""
    found = defaultdict(set)
    for each in decisions(games):
        found[each.turn].add(each.board)
    for game in games:
        found[sum(game.board.counts()) - 4].add(game.board)
    return found


def delays(games: list[Game], colour: Colour, squares: set[int]) -> tuple[list[int | None], int]:
    """Return the turns from each first chance to the taking (None: never), and how many others took."""
    found, lost = list[int | None](), 0
    for game in games:
        own = [each for each in decisions([game]) if each.colour is colour]
        others = [each.move for each in decisions([game]) if each.colour is not colour]
        for square in squares:
            chances = [number for number, each in enumerate(own) if square in each.legal]
            if chances:
                taken = [number for number, each in enumerate(own) if each.move == square]
                found.append(taken[0] - chances[0] if taken else None)
                lost += square in others
    return found, lost
