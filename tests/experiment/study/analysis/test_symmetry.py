import numpy as np
import pytest

from othello_lab.experiment.study.analysis import symmetry
from othello_lab.experiment.study.analysis.symmetry import Compared
from othello_lab.game import Board, Game
from othello_lab.game.catalogue import make
from othello_lab.game.players.player import MoveValues, Player
from othello_lab.game.symmetry import SYMMETRIES, permutations, transform


class ByColumn(Player):
    """Values a move by its column, so only a flip from top to bottom changes nothing."""

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        raise NotImplementedError

    def values(self, game: Game, rng: np.random.Generator) -> MoveValues:
        columns = [float(square % game.size) for square in game.board.legal_moves]
        return MoveValues(np.array(columns), "columns")


def boards() -> list[tuple[int, Board]]:
    rng, player = np.random.default_rng(5), make("random", 6)
    game, found = Game(Board.start(6)), list[tuple[int, Board]]()
    while not game.board.is_over:
        if not game.pass_if_forced():
            found.append((sum(game.board.counts()) - 4, game.board))
            game.play(player.choose(game, rng))
    return found


def r_squared(player: Player, symmetry_number: int) -> float:
    rng = np.random.default_rng(0)
    here, there = [], []
    for _, board in boards():
        own = player.values(Game(board), rng)
        image = transform(board, symmetry_number)
        other = player.values(Game(image), rng)
        assert own is not None
        assert other is not None
        of_image = dict(zip(image.legal_moves, other.values, strict=True))
        targets = permutations(board.size)[symmetry_number]
        here += list(own.values)
        there += [of_image[int(targets[square])] for square in board.legal_moves]
    first, second = np.array(here), np.array(there)
    return float(1 - ((first - second) ** 2).sum() / ((first - first.mean()) ** 2).sum())


def test_r_squared_of_each_symmetry() -> None:
    player = ByColumn()
    table = symmetry.symmetry_table("me", symmetry.compare(player, boards(), 0))
    for number in range(1, SYMMETRIES):
        row = table.where(symmetry=symmetry.NAMES[number], turn="all")
        assert row.column("pairs") == [len(boards())]
        assert row.numbers("r2")[0] == pytest.approx(r_squared(player, number))
        assert row.numbers("r2_low")[0] <= row.numbers("r2")[0] <= row.numbers("r2_high")[0]
    alike = table.where(symmetry="top to bottom", turn="all")
    assert [alike.numbers(name)[0] for name in ("r2", "within", "agrees")] == [1, 1, 1]
    assert table.where(symmetry="left to right", turn="all").numbers("within")[0] == pytest.approx(-3)


def test_within_leaves_out_how_good_a_position_is() -> None:
    here = np.array([1.0, 2.0, 4.0])
    found = symmetry.symmetry_table("me", [Compared(1, 0, 1, here, here + 10)]).where(
        symmetry="all", turn="all"
    )
    assert found.numbers("within")[0] == 1
    assert found.numbers("r2")[0] < -50


def test_the_same_best_move() -> None:
    one = np.array([0.0, 1.0, 1.0])
    assert Compared(1, 0, 1, one, np.array([0.0, 0.0, 5.0])).agrees
    assert not Compared(1, 0, 1, one, np.array([1.0, 0.0, 0.0])).agrees


def test_known_results_are_left_out() -> None:
    last = [(31, Board.parse("XXXXXXXXXXXXXXO- X"))]
    assert symmetry.compare(make("positional", 4), last, 0) == []


class LeftmostTop(Player):
    """Chooses by column, then by row. A flip only matters if a column has several moves."""

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return min(game.board.legal_moves, key=lambda square: (square % game.size, square // game.size))


def test_a_player_that_only_chooses_has_the_agreement_of_its_moves() -> None:
    player, rng = LeftmostTop(), np.random.default_rng(0)
    table = symmetry.symmetry_table("me", symmetry.compare(player, boards(), 0))
    for number in range(1, SYMMETRIES):
        agreed = 0
        for _, board in boards():
            target = permutations(board.size)[number][player.choose(Game(board), rng)]
            agreed += int(target) == player.choose(Game(transform(board, number)), rng)
        row = table.where(symmetry=symmetry.NAMES[number], turn="all")
        assert row.column("pairs") == [len(boards())]
        assert row.numbers("agrees")[0] == pytest.approx(agreed / len(boards()))
        assert row.numbers("agrees_low")[0] < row.numbers("agrees")[0] < row.numbers("agrees_high")[0]
    assert np.isnan(table.numbers("r2")).all()
    assert np.isnan(table.numbers("within")).all()
