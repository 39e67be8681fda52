import numpy as np
import pytest
from numpy.typing import NDArray

from othello_lab.game import Board, Colour, Game
from othello_lab.game.batch import BatchGames, Positions, draws, repeated
from othello_lab.game.catalogue import make
from othello_lab.game.luck import (
    Luck,
    SeatSeeds,
    seat_seed,
    seat_seed_from,
    seat_seeds,
    turn_generator,
    uniforms,
)
from othello_lab.game.openings import standard_openings
from othello_lab.game.play import (
    Pairing,
    Played,
    parts,
    play_game,
    play_games,
    play_out,
    play_some,
    plays_together,
)
from othello_lab.game.players.player import Policy

POLICIES = (
    *("random", "greedy", "corner-greedy", "corner-or-random"),
    *("positional", "weights:swh", "piece-values", "noisy:mobility,share=0.4"),
)


def moves(played: Played) -> list[int]:
    return played.record.game.moves


@pytest.mark.slow
@pytest.mark.parametrize("size", [4, 8, 10])
@pytest.mark.parametrize("text", POLICIES)
def test_games_played_together_are_those_played_one_by_one(text: str, size: int) -> None:
    pairing = Pairing(text, "random", size, ("", *standard_openings(size, 2)), repeat=2, seed=3)
    together = list(play_games(pairing, range(pairing.games)))
    a, b = make(text, size), make("random", size)
    for number, played in enumerate(together):
        alone = play_game(pairing, number, a, b)
        assert moves(alone) == moves(played)
        assert (alone.record.number, alone.record.opening) == (number, played.record.opening)
        assert (alone.colour, alone.points) == (played.colour, played.points)
        assert alone.disc_diff == played.disc_diff
        assert played.record.game.board.is_over


def test_parts_are_large_for_policies_alone() -> None:
    assert [len(part) for part in parts(range(400), together=True)] == [128, 128, 128, 16]
    assert [list(part) for part in parts([5, 9], together=False)] == [[5], [9]]
    assert plays_together(Pairing("random", "greedy", 6))
    assert not plays_together(Pairing("random", "search:depth=1", 6))


class Stubborn(Policy):
    """Plays the lowest legal square, but a1 in every game with this many discs."""

    def __init__(self, discs: int) -> None:
        self._discs = discs

    def choose_many(self, positions: Positions, luck: SeatSeeds) -> NDArray[np.int64]:
        first = [min(positions.board(index).legal_moves) for index in range(len(positions))]
        return np.where(positions.discs() == self._discs, 0, np.array(first))


def test_a_policy_with_an_illegal_move_loses_that_game_alone() -> None:
    pairing = Pairing("stubborn", "random", 6, repeat=20)
    games = play_some(pairing, range(40), Stubborn(30), make("random", 6))
    lost = [game for game in games if game.record.forfeit]
    assert 0 < len(lost) < 40
    assert {game.points for game in lost} == {0.0}
    assert all("illegal move: a1" in str(game.record.forfeit) for game in lost)


def test_games_may_begin_anywhere_and_each_side_is_asked_at_its_turns() -> None:
    starts = [Board.start(4), Board.start(4).play(1), Board.parse("XXXXXXXXXXXXXXO- O")]
    games = BatchGames(Positions.of(starts), np.array([board.turn is Colour.BLACK for board in starts]))
    asked = []

    def lowest(turn):  # type: ignore[no-untyped-def]  # noqa: ANN001, ANN202  as a caller would
        asked.append(list(zip(turn.games.tolist(), turn.black_to_move.tolist(), strict=True)))
        return [min(turn.positions.board(index).legal_moves) for index in range(len(turn.games))]

    played = play_out(games, lowest)
    assert asked[0] == [(0, True), (1, False)], "the third has to pass"
    assert games.finished.all()
    for index, start in enumerate(starts):
        game = Game(start)
        for move in played[:, index].tolist():
            if not game.board.is_over:
                game.play(move)
        assert game.board == games.board(index)


def test_what_is_drawn_follows_from_seed_game_seat_and_turn() -> None:
    luck = Luck(7, "c4", 1)
    assert luck.seat_seed(Colour.BLACK) == seat_seed(7, luck.episode(Colour.BLACK))
    others = [luck._replace(seed=8), luck._replace(opening=""), luck._replace(repeat=0)]
    others.append(luck._replace(turned=True))
    assert len({each.seat_seed(colour) for each in (luck, *others) for colour in Colour}) == 10
    numbers = np.arange(1000)
    words = np.concatenate([seat_seeds(3, numbers, seat) for seat in range(3)])
    assert len(np.unique(words)) == 3000
    assert np.array_equal(seat_seeds(3, numbers[500:], 1), words[1500:2000])


def test_draws_are_uniform_and_unlike_each_other() -> None:
    luck = seat_seeds(1, np.arange(20_000), 0)
    start = repeated(Board.start(8), len(luck))
    after = repeated(Board.start(8).play(19), len(luck))
    columns = [draws(luck, start, 0), draws(luck, start, 1), draws(luck, after, 0), *uniforms(luck, 3).T]
    for place, column in enumerate(columns):
        assert 0 <= column.min() < 0.001 < 0.999 < column.max() < 1
        assert np.histogram(column, 10, (0, 1))[0] == pytest.approx(2000, abs=200)
        for other in columns[:place]:
            assert abs(np.corrcoef(column, other)[0, 1]) < 0.03


def test_a_generator_stands_for_its_luck_once() -> None:
    board = Board.start(8)
    rng = turn_generator(12345, board)
    assert seat_seed_from(rng) == 12345
    assert seat_seed_from(rng) != 12345
    first, second = (turn_generator(12345, each).random(4) for each in (board, board.play(19)))
    assert not np.isclose(first, second).any()
    for other in (np.random.default_rng(1), np.random.Generator(np.random.MT19937(1))):
        assert len({seat_seed_from(other) for _ in range(5)}) == 5
