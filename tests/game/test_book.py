"""Books: what they say of positions, how values go back, and their files."""

from pathlib import Path

import numpy as np
import pytest

from othello_lab.game import Board, Game
from othello_lab.game.book import Book, BookError, BookMove
from othello_lab.game.book_building import Builder
from othello_lab.game.book_file import read_book, write_book
from othello_lab.game.notation import PASS, square_name
from othello_lab.game.players import make
from othello_lab.game.players.catalogue import files, is_built_in
from othello_lab.game.players.deepening import DeepeningPlayer
from othello_lab.game.registry import RegistryError
from othello_lab.game.solver import Solver
from othello_lab.game.symmetry import SYMMETRIES, permutations, transform
from tests.game.sampling import random_games

START = Board.start(8)
LINES = ("f5d6c3d3c4", "f5f6e6f4g5d6", "f5d6c4g5c6")


def built(size: int = 8, lines: int = 4, seed: int = 0, plies: int = 6) -> Book:
    book = Book(size)
    [*Builder(book, plies, 500, 10_000).selfplay(lines, ("",), 2.0, seed)]
    return book


def text_of(book: Book, folder: Path) -> str:
    write_book(folder / "book.txt", book)
    return (folder / "book.txt").read_text("utf-8")


def said(book: Book, moves: str) -> dict[str, BookMove]:
    found = book.moves(Game.from_transcript(moves, book.size).board)
    return {square_name(move, book.size): said for move, said in found.items()}


def test_every_position_of_4x4_is_worth_what_the_solver_says() -> None:
    book, solver = built(4, lines=60, plies=12), Solver(4)
    boards = [board for board, _, _ in book.positions()]
    assert len(boards) > 50
    for board in boards:
        worth = {move: said.discs for move, said in book.moves(board).items()}
        assert worth == solver.scores(board)


def test_a_line_is_worth_what_its_best_continuation_is_worth() -> None:
    book = Book(8)
    after_f5, after_d6 = (Game.from_transcript(line).board for line in ("f5", "f5d6"))
    for board, discs in ((START, 9.0), (after_f5, 5.0), (after_d6, 1.5)):
        book.add(board, 10, {move: BookMove(discs - n) for n, move in enumerate(board.legal_moves)})
    book.back_up()
    d6 = Game.from_transcript("f5d6").moves[-1]
    values = [move.discs for move in book.moves(after_f5).values()]
    assert book.moves(after_f5)[d6].discs == -1.5
    assert {move.discs for move in book.moves(START).values()} == {-max(values)}


def test_a_pass_keeps_the_sign() -> None:
    boards = (board for game in random_games(6, 200, 0) for board in game.boards)
    board, move = next((b, m) for b in boards for m in b.legal_moves if b.play(m).must_pass)
    behind, book = board.play(move).play(PASS), Book(6)
    book.add(board, 1, {move: BookMove(0.0)})
    book.add(behind, 1, {behind.legal_moves[0]: BookMove(7.0)})
    book.back_up()
    assert book.moves(board)[move].discs == 7.0


def test_it_says_the_same_where_the_colours_are_changed() -> None:
    book = Book(4)
    board = Game.from_transcript("d3", 4).board
    book.add(board, 1, {move: BookMove(float(move)) for move in board.legal_moves})
    changed = Board(4, board.white, board.black, board.turn.other)
    assert book.moves(changed) == book.moves(board) != {}


@pytest.mark.parametrize("symmetry", range(SYMMETRIES))
def test_it_says_the_same_of_positions_alike_by_symmetry(symmetry: int) -> None:
    book, targets = built(), permutations(8)[symmetry]
    for board, _, _ in book.positions():
        turned = book.moves(transform(board, symmetry))
        assert turned == {int(targets[move]): said for move, said in book.moves(board).items()}
        assert set(turned) == set(transform(board, symmetry).legal_moves)


def test_the_same_seed_makes_the_same_book_and_another_seed_another(tmp_path: Path) -> None:
    first = text_of(built(), tmp_path)
    assert text_of(built(), tmp_path) == first
    assert text_of(built(seed=1), tmp_path) != first


def test_positions_of_games_come_by_how_many_games_have_them(tmp_path: Path) -> None:
    games = [Game.from_transcript(line) for line in LINES]
    book = Book(8)
    builder = Builder(book, 4, 500, 10_000)
    wanted = builder.missing(games, least=1)
    assert [board.black.bit_count() + board.white.bit_count() for board in wanted[:2]] == [4, 5]
    assert len(builder.missing(games, least=2)) == 3
    assert [*builder.search_all(wanted)] == wanted
    builder.count(games)
    assert builder.missing(games, least=1) == []
    assert {name: move.games for name, move in said(book, "f5").items()} == {"d6": 2, "f4": 0, "f6": 1}
    assert {name: move.games for name, move in said(book, "d3").items()} == {"c3": 1, "e3": 0, "c5": 2}


def test_it_grows_no_further_than_it_is_told() -> None:
    book = Book(8)
    [*Builder(book, 8, 200, 7).selfplay(50, ("",), 1.0, 0)]
    assert len(book) == 7
    assert max(board.black.bit_count() + board.white.bit_count() for board, _, _ in book.positions()) < 12


def test_what_is_stopped_leaves_whole_positions() -> None:
    book = Book(8)
    builder = Builder(book, 8, 500, 10_000)
    lines = builder.selfplay(50, ("",), 1.0, 0)
    next(lines)
    builder.stop()
    count = len(book)
    assert [*lines] == []
    assert len(book) == count > 0


def test_a_file_holds_it_all(tmp_path: Path) -> None:
    book = built()
    text = text_of(book, tmp_path)
    found = read_book(tmp_path / "book.txt")
    assert [*found.positions()] == [*book.positions()]
    turned = [line for line in text.splitlines() if not line.startswith("#")]
    (tmp_path / "other.txt").write_text("\n".join(["", *reversed(turned), *turned]))
    assert text_of(read_book(tmp_path / "other.txt"), tmp_path) == text


def test_merging_takes_the_larger_search_and_goes_on_to_the_end_of_lines(tmp_path: Path) -> None:
    one, other = Book(8), Book(8)
    f5, behind = START.legal_moves[-1], START.play(START.legal_moves[-1])
    one.add(START, 100, {f5: BookMove(1.0, games=3)})
    other.add(START, 200, {f5: BookMove(2.0, games=2)})
    one.merge(other)
    assert one.moves(START)[f5] == BookMove(2.0, 3)
    other.add(behind, 5, dict.fromkeys(behind.legal_moves, BookMove(-4.0)))
    one.merge(other)
    assert one.moves(START)[f5] == BookMove(4.0, 3)
    before = text_of(one, tmp_path)
    one.merge(one)
    assert text_of(one, tmp_path) == before
    with pytest.raises(BookError, match="it is for 6x6, expected 8x8"):
        one.merge(Book(6))


GOOD = "-----OX--XO----- X 2299 b1 -8.00 0"
DAMAGED = {
    "no number": "-----OX--XO----- X",
    "no move": "-----OX--XO----- X 2299",
    "half a move": f"{GOOD} a2 -8.00",
    "an illegal move": "-----OX--XO----- X 2299 a1 -8.00 0",
    "a move off the board": "-----OX--XO----- X 2299 h8 -8.00 0",
    "a move twice": f"{GOOD} b1 -8.00 0",
    "a board that is none": "-----OX--XO---- X 2299 b1 -8.00 0",
    "another board": "--------------OX----XO-------------- X 9 c2 +0.00 0",
    "a program": "engine:sh -c 'touch /tmp/x'",
    "a value that is none": "-----OX--XO----- X 2299 b1 nan 0",
    "no text": "\0\ufffd\x1b[31m",
}


@pytest.mark.parametrize("line", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_is_told_by_its_number(line: str, tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    path.write_text(f"# heading\n{GOOD}\n{line}\n", "utf-8")
    with pytest.raises(BookError, match=r"book\.txt, line 3: ") as error:
        read_book(path)
    assert str(error.value).isprintable()


def test_what_is_no_book_is_a_line(tmp_path: Path) -> None:
    empty = tmp_path / "empty"
    empty.write_text("# nothing\n")
    for path, why in (
        (empty, "no book: expected a line"),
        (tmp_path / "none", "no such"),
        (tmp_path, "no such"),
    ):
        with pytest.raises(BookError, match=why):
            read_book(path)
    with pytest.raises(BookError, match="no book for 10x10"):
        Book(10)


@pytest.mark.parametrize("text", ["search:depth=1,book=FILE", "level:7,book=FILE"])
def test_players_play_the_best_moves_of_the_book_and_then_search(text: str, tmp_path: Path) -> None:
    book, board = Book(8), Game.from_transcript("f5").board
    f4_is_best = {move: BookMove(float(square_name(move, 8) == "f4")) for move in board.legal_moves}
    book.add(board, 1, f4_is_best)
    book.add(START, 1, dict.fromkeys(START.legal_moves, BookMove(-1.0)))
    write_book(tmp_path / "book.txt", book)
    player = make(text.replace("FILE", str(tmp_path / "book.txt")), 8)
    assert isinstance(player, DeepeningPlayer)

    def chosen(line: str) -> set[str]:
        game, seeds = Game.from_transcript(line), range(30)
        return {square_name(player.choose(game, np.random.default_rng(seed)), 8) for seed in seeds}

    assert chosen("") == {"d3", "c4", "f5", "e6"}
    assert (chosen("f5"), chosen("d3")) == ({"f4"}, {"e3"})
    assert player.last_report is None
    chosen("f5f4")
    assert player.last_report is not None


def test_hints_are_those_of_the_search(tmp_path: Path) -> None:
    write_book(tmp_path / "book.txt", built())
    game, with_book = Game(START), f"search:depth=3,book={tmp_path / 'book.txt'}"
    found = [make(text, 8).values(game, np.random.default_rng(0)) for text in ("search:depth=3", with_book)]
    assert found[0] is not None
    assert found[1] is not None
    assert found[0].values.tolist() == found[1].values.tolist()


def test_a_level_of_random_moves_searches_by_the_book_between_them(tmp_path: Path) -> None:
    write_book(tmp_path / "book.txt", built())
    text = f"level:2,book={tmp_path / 'book.txt'}"
    assert make(text, 8).choose(Game(START), np.random.default_rng(0)) in START.legal_moves
    assert tmp_path / "book.txt" in files(text, 8)


def test_a_book_is_a_file_that_no_stranger_has_opened(tmp_path: Path) -> None:
    path = tmp_path / "book.txt"
    write_book(path, built(4))
    for text in (f"search:depth=1,book={path}", f"level:1,book={path}"):
        assert not is_built_in(text, 8)
        with pytest.raises(RegistryError, match=r"is a book for 4x4, not 8x8$"):
            make(text, 8)
    with pytest.raises(RegistryError, match=r"^search: none: there is no such book$"):
        make("search:book=none", 8)
