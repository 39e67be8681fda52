from collections import Counter

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.batch import Positions
from othello_lab.game.catalogue import BUILT_IN, make, make_evaluator
from othello_lab.game.notation import parse_square, square_name
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.players.simple import best_of
from othello_lab.game.search import ALGORITHMS, search
from othello_lab.game.values import units_of
from tests.cases import cases
from tests.game.conformance import check_player

pytestmark = pytest.mark.slow

DRAWS = 10_000
START = str(Board.start(8))
# Black takes the X-square g2 with five discs, or h5, on the edge, with one.
EDGE = "-" * 8 + "XOOOOO--" + "-" * 16 + "-----XO-" + "-" * 24 + " X"
ONE_PLY = (
    "positional",
    "mobility",
    "weights:swh",
    "weights:bench,fade=1",
    "piece-values",
    "corner-or-random",
)


BRIEFLY = {
    **{"mcts": "mcts:simulations=20", "search": "search:depth=2,endgame=6,hash=1", "level": "level:7"},
    **{name: f"{name}:depth=2" for name in ALGORITHMS},
}
ALL = [BRIEFLY.get(name, name) for name in BUILT_IN if name != "engine"]


@pytest.mark.parametrize("size", [4, 8])
@pytest.mark.parametrize("text", [*ALL, "level:1", "mcts:simulations=20,eval=positional"])
def test_every_player_keeps_the_contract(text: str, size: int) -> None:
    check_player(lambda: make(text, size), size)


@pytest.mark.parametrize("text", [*ONE_PLY, "random", "greedy", "corner-greedy"])
def test_players_of_one_ply_keep_the_contract_on_large_boards(text: str) -> None:
    check_player(lambda: make(text, 12), 12)


def assert_frequencies(text: str, position: str, expected: dict[str, float]) -> None:
    """Compare the frequency of each square with its probability, within 4.5 standard errors."""
    board = Board.parse(position)
    player, game, rng = make(text, board.size), Game(board), np.random.default_rng(11)
    drawn = Counter(player.choose(game, rng) for _ in range(DRAWS))
    chances = {parse_square(name, board.size): chance for name, chance in expected.items()}
    assert sum(chances.values()) == pytest.approx(1)
    assert set(drawn) <= set(chances)
    for square, chance in chances.items():
        assert abs(drawn[square] - DRAWS * chance) <= 4.5 * (DRAWS * chance * (1 - chance)) ** 0.5


def uniform(squares: str, share: float = 1.0) -> dict[str, float]:
    return dict.fromkeys(squares.split(), share / len(squares.split()))


@pytest.mark.parametrize(("text", "position", "expected"), cases("choices"))
def test_how_often_each_move_is_chosen(text: str, position: str, expected: dict[str, float]) -> None:
    assert_frequencies(text, position, expected)


def test_less_noise_wins_more() -> None:
    games = play_games(Pairing("level:4", "level:2", 8), range(20))
    assert sum(game.points == 1 for game in games) >= 15


def choices(text: str, position: str) -> set[str]:
    board = Board.parse(position)
    player, game, rng = make(text, board.size), Game(board), np.random.default_rng(5)
    return {square_name(player.choose(game, rng), board.size) for _ in range(20)}


# Black takes all of white with g2, an X-square, or with the corner a1. 4/2/1 prefers the discs of g2.
WON_OR_CORNER = "-" * 8 + "XOOOOO--" + "--X-----" + "-" * 40 + " X"
# a1 brings 4 and one disc of 1, f6 brings 1 and three discs. In a difference, turned discs count twice.
OWN_ALONE = "-" * 8 + "-O------" + "--X-----" + "-" * 16 + "-XOOO---" + "-" * 16 + " X"


@pytest.mark.parametrize(
    ("text", "position", "square"),
    [
        *((text, EDGE, "h5") for text in ("positional", "weights:swh", "weights:heur")),
        ("piece-values", EDGE, "g2"),
        # After h5 white has no move; after g2 it has e5.
        ("mobility", EDGE, "h5"),
        ("piece-values", OWN_ALONE, "a1"),
        ("alphabeta:depth=1,eval=piece-values", OWN_ALONE, "f6"),
        *((text, WON_OR_CORNER, "g2") for text in ("positional", "mobility", "piece-values")),
        ("alphabeta:depth=1,eval=weights:swh", WON_OR_CORNER, "g2"),
        *((text, WON_OR_CORNER, "a1") for text in ("weights:swh", "weights:heur")),
        *((text, "-OX-----" + "-" * 56 + " X", "a1") for text in ALL),
    ],
)
def test_which_move_is_chosen(text: str, position: str, square: str) -> None:
    assert choices(text, position) == {square}


def test_the_best_move_of_each_position() -> None:
    start = Board.start(4)
    positions = Positions.of([start, start.play(1), start])
    assert [len(start.legal_moves), len(start.play(1).legal_moves)] == [4, 3]
    values = np.array([0, 2, 2, 1, -3, -5, -4, 9, 1, 1, 1.0])
    firsts = [list(start.legal_moves), list(start.play(1).legal_moves)]
    assert best_of(values, positions).tolist() == [firsts[0][1], firsts[1][0], firsts[0][0]]
    drawn = {best_of(values, positions, np.full(3, draw))[0] for draw in (0, 0.4, 0.6, 0.999)}
    assert drawn == {firsts[0][1], firsts[0][2]}, "any of equals"


def positions(size: int) -> list[Game]:
    rng, found = np.random.default_rng(size), []
    for plies in (1, 4, 9, 16, 25):
        game = Game(Board.start(size))
        for _ in range(plies):
            if not game.pass_if_forced() and game.board.legal_moves:
                game.play(rng.choice([*game.board.legal_moves]))
        if len(game.board.legal_moves) > 1:
            found.append(game)
    return found


@pytest.mark.parametrize(
    "text",
    [
        *("greedy", "positional", "mobility", "weights:heur", "piece-values", "minimax:depth=1"),
        *("alphabeta:depth=3,eval=mobility", "noisy:greedy,share=0", "level:5"),
        "search:depth=2,endgame=4,hash=1",
    ],
)
def test_a_player_plays_a_move_that_it_values_most(text: str) -> None:
    player = make(text, 6)
    for game in positions(6):
        moves, rng = [*game.board.legal_moves], np.random.default_rng(1)
        player.start(game)
        found = player.values(game, rng)
        assert found is not None
        assert found.values.shape == (len(moves),)
        assert found.unit
        assert found.values[moves.index(player.choose(game, rng))] == found.values.max()


@pytest.mark.parametrize("text", ["random", "corner-greedy", "corner-or-random", "noisy:random"])
def test_a_player_that_only_chooses_values_nothing(text: str) -> None:
    assert make(text, 6).values(Game(Board.start(6)), np.random.default_rng(1)) is None


def test_a_search_values_moves_in_discs_where_it_solves_all_of_them() -> None:
    game = Game(Board.parse("-XXX---OXX---OOXXX-OXOXO--XX-----X-- O"))
    solved = make("search:endgame=20,hash=4", 6).values(game, np.random.default_rng(1))
    assert solved is not None
    assert solved.values.max() == 4
    guessed = make("search:depth=2,endgame=0,hash=1", 6).values(game, np.random.default_rng(1))
    assert guessed is not None
    assert units_of([None, guessed, solved]) == f"{guessed.unit}, later {solved.unit}"


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_best_value_is_that_of_the_position(algorithm: str) -> None:
    player, evaluator = make(f"{algorithm}:depth=3,eval=mobility", 6), make_evaluator("mobility", 6)
    for game in positions(6):
        rng = np.random.default_rng(1)
        found = player.values(game, rng)
        assert found is not None
        assert found.values.max() == search(game.board, algorithm, 3, evaluator, rng).value
