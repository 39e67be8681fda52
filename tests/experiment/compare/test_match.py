import numpy as np
import pytest

from othello_lab.experiment.compare.match import Summary
from othello_lab.game import PASS, Colour, Game
from othello_lab.game.catalogue import make
from othello_lab.game.openings import standard_openings
from othello_lab.game.play import Pairing, Played, play_game, play_games
from othello_lab.game.players.player import Forfeit, Player


class Spy(Player):
    """Plays the first legal move and records all calls. Fails in its `fails`-th choice."""

    def __init__(self, fails: int = -1, illegal: bool = False) -> None:
        self.starts: list[str] = []
        self.heard: list[int] = []
        self.choices = 0
        self.fails = fails
        self.illegal = illegal

    def start(self, game: Game) -> None:
        self.starts.append(game.transcript())
        self.heard = list(game.moves)

    def observe(self, move: int) -> None:
        self.heard.append(move)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        assert self.heard == game.moves
        self.choices += 1
        if self.choices == self.fails:
            raise Forfeit("out of ideas")
        return 0 if self.illegal else next(iter(game.board.legal_moves))


def moves(played: Played) -> list[int]:
    return played.record.game.moves


def test_every_opening_with_both_colours() -> None:
    lines = standard_openings(8, 3)
    games = list(play_games(Pairing("random", "random", 8, lines, repeat=2), range(12)))
    assert [game.record.number for game in games] == list(range(12))
    assert [game.colour for game in games] == [Colour.BLACK, Colour.WHITE] * 6
    begins = [Game(game.record.game.boards[0]) for game in games]
    assert all(game.record.opening == 4 for game in games)
    for number, (game, begin) in enumerate(zip(games, begins, strict=True)):
        for move in moves(game)[:4]:
            begin.play(move)
        assert begin.transcript() == lines[number // 2 % 3]


def test_players_are_told_of_the_start_and_of_every_move() -> None:
    match = Pairing("a", "b", 6, standard_openings(6, 20))
    a, b = Spy(), Spy()
    passes = 0
    for number in range(match.games):
        game = play_game(match, number, a, b).record.game
        assert game.board.is_over
        assert a.heard == b.heard == game.moves
        passes += game.moves.count(PASS)
    assert a.starts == b.starts == [match.opening(number) for number in range(match.games)]
    assert passes > 0


def test_a_game_depends_on_seed_and_number_alone() -> None:
    match = Pairing("random", "greedy", 6, standard_openings(6, 4), repeat=2, seed=5)
    games = [moves(game) for game in play_games(match, range(16))]
    assert [moves(game) for game in play_games(match, range(16)[::-1])] == games[::-1]
    assert len({tuple(game) for game in games}) == 16
    other = Pairing("random", "greedy", 6, standard_openings(6, 4), repeat=2, seed=6)
    assert [moves(game) for game in play_games(other, range(16))] != games


def test_what_one_player_draws_does_not_change_the_luck_of_the_other() -> None:
    match = Pairing("random", "?", 6)

    def first_moves(opponent: Player) -> list[int]:
        return [moves(play_game(match, number, make("random", 6), opponent))[0] for number in range(0, 40, 2)]

    class Drawer(Spy):
        def choose(self, game: Game, rng: np.random.Generator) -> int:
            rng.random(7)
            return super().choose(game, rng)

    assert first_moves(Spy()) == first_moves(Drawer())


@pytest.mark.parametrize(
    ("a", "why"), [(Spy(fails=3), "out of ideas"), (Spy(illegal=True), "illegal move: a1 is not legal here")]
)
@pytest.mark.parametrize("number", [0, 1])
def test_a_player_that_cannot_go_on_loses(a: Spy, why: str, number: int) -> None:
    a.choices = 0
    match = Pairing("a", "b", 8)
    played = play_game(match, number, a, Spy())
    summary = Summary(match)
    summary.add(played)
    assert summary.as_json()["mean_disc_diff"] is None
    assert played.points == 0
    assert played.disc_diff is None
    assert played.record.forfeit is not None
    assert played.record.forfeit.by is match.colour_of_a(number)
    assert why in played.record.forfeit.reason


def test_the_summary_counts_for_a() -> None:
    match = Pairing("random", "greedy", 6, standard_openings(6, 10), seed=3)
    games = list(play_games(match, range(20)))
    summary = Summary(match)
    for game in games:
        summary.add(game)
    counts = [game.record.game.board.counts() for game in games]
    margins = [(-1) ** number * (black - white) for number, (black, white) in enumerate(counts)]
    total = summary.total
    assert total.win == sum(margin > 0 for margin in margins)
    assert total.draw == sum(margin == 0 for margin in margins)
    assert total.loss == sum(margin < 0 for margin in margins)
    assert summary.colours[Colour.BLACK].win == sum(margin > 0 for margin in margins[::2])
    assert summary.discs
    assert summary.discs.value == pytest.approx(sum(margins) / 20)
