import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.notation import square_name
from othello_lab.game.records import Entry, Record, RecordError, entries, of_text, readable
from tests.cases import cases
from tests.game.positions import games
from tests.game.recorded import BOARD, WIPED_OUT, finish, same_game, strict, wthor_game, wthor_header

WORDS = [WIPED_OUT[place : place + 2] for place in range(0, len(WIPED_OUT), 2)]


def items(words: list[str], between: str = "") -> str:
    return "".join(f"{between}{'BW'[ply % 2]}[{word}]" for ply, word in enumerate(words))


@pytest.fixture
def read(tmp_path: Path) -> Callable[[str, str | bytes], list[Entry]]:
    def read(suffix: str, content: str | bytes) -> list[Entry]:
        path = tmp_path / f"games{suffix}"
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return entries(path)

    return read


Reader = Callable[[str, str | bytes], list[Entry]]
WALKOVER = '[Black "Ann"]\n[White "Bob"]\n[Result "0-64"]\n'


@pytest.mark.parametrize(
    "between", ["", "\n", "\n\n\n", "{none}\n", "; none\n", "% none\n", '{\n[Event "x"]\n}\n']
)
def test_a_game_without_moves_does_not_take_those_of_the_next(read: Reader, between: str) -> None:
    second = '[Black "Cid"]\n{of\n[Black "old"]} [White "Dot"] {good}\n;[Black "no"]\n\n1. f5 {[d6} d6 *\n'
    first, last = strict(read(".pgn", f"{{head}}\n{WALKOVER}{between}{second}"))
    assert (first.black, first.white, first.game.moves) == ("Ann", "Bob", [])
    assert (first.winner, first.is_over) == (Colour.WHITE, True)
    assert (last.black, last.white, last.game.transcript()) == ("Cid", "Dot", "f5d6")


def test_a_comment_without_an_end_spoils_its_game_and_no_other(read: Reader) -> None:
    text = '[Event "a"]\n1. f5 {good\n\n[Event "b"]\n1. c4 {39-25} *\n[Event "c"]\n1. d3 *\n'
    bad, *good = read(".pgn", text)
    assert "line 1: a bracket has no other half: '{good'" in str(bad)
    assert [record.game.transcript() for record in strict(good)] == ["c4", "d3"]


@pytest.mark.parametrize(
    ("line", "event"),
    [
        ('[Event "The "Oak" open"]', 'The "Oak" open'),
        ('[Event ""Oak""]', '"Oak"'),
        ('[Event "a"] b"]', 'a"] b'),
        ('[Event "The \\"Oak\\" open"]', 'The "Oak" open'),
        ('[Event "C:\\temp\\"]', "C:\\temp\\"),
        ('[Event "The "Oak" open"] [Black "Ann"]', 'The "Oak" open'),
        ('[Event "{a} (b) ;c %d"]', "{a} (b) ;c %d"),
    ],
)  # fmt: skip
def test_a_tag_may_have_quotation_marks(line: str, event: str, read: Reader) -> None:
    (record,) = strict(read(".pgn", f"{line}\n1. f5 d6 *\n"))
    assert (record.event, record.game.transcript()) == (event, "f5d6")


@pytest.mark.parametrize("text", ["1. 1-0", "1. *", "1-0", "64-0", "*", "1.1-0", "1. {left} 1-0", "1/2-1/2"])
def test_a_walkover_is_a_game_without_moves(text: str, read: Reader) -> None:
    (record,) = strict(read(".pgn", f'[Black "Ann"]\n\n{text}\n'))
    assert record.game.moves == []
    assert record.winner is (Colour.BLACK if "-0" in text else None)
    (told,) = strict(read(".pgn", f'[Result "0-64"]\n\n{text}\n'))
    assert told.winner is Colour.WHITE


PASSES: Final = ("tt", "", "--", "pa", "PA", "pass", "ps")


@pytest.mark.parametrize("word", PASSES)
@pytest.mark.parametrize("count", [1, 2, 3])
def test_passes_after_the_end_are_ignored(word: str, count: int, read: Reader) -> None:
    moves = [*WORDS, *[word] * count]
    texts = {".sgf": f"(;GM[2]{items(moves, ';')})"}
    if word not in ("tt", ""):
        end = " ".join([word] * count)
        texts[".ggf"] = f"(;GM[Othello]{BOARD}{items(moves)};)"
        texts[".txt"] = f"{WIPED_OUT} {end}\n"
        texts[".pgn"] = f'[Result "13-0"]\n{" ".join(WORDS)} {end} 1-0\n'
        texts[".jsonl"] = f'{{"size": 8, "moves": "{" ".join(WORDS)}{" pass" * count}"}}'
        assert of_text(texts[".txt"]).game.moves == Game.from_transcript(WIPED_OUT).moves
    for suffix, text in texts.items():
        (record,) = strict(read(suffix, text))
        assert same_game(record.game, Game.from_transcript(WIPED_OUT))


def test_a_move_after_the_end_is_a_fault(read: Reader) -> None:
    for end in ("a1", "-- a1"):
        (fault,) = faults(read(".txt", f"{WIPED_OUT} {end}\n"))
        assert "move 10: " in fault


def faults(found: list[Entry]) -> list[str]:
    return [str(entry) for entry in found if isinstance(entry, RecordError)]


@pytest.mark.parametrize(
    ("suffix", "content"),
    [
        (".ggf", f"(;RE[-2.000]{BOARD}{items(WORDS)};)"),
        (".wtb", wthor_header(1) + wthor_game(WIPED_OUT, 20)),
        (".wtb", wthor_header(1) + wthor_game(WIPED_OUT, 255)),
        (".jsonl", f'{{"size": 8, "moves": "{" ".join(WORDS)}", "winner": "white"}}'),
    ],
)
def test_a_result_that_contradicts_the_moves_is_a_warning(
    suffix: str, content: str | bytes, read: Reader, caplog: pytest.LogCaptureFixture
) -> None:
    (record,) = strict(read(suffix, content))
    assert (record.winner, record.forfeit) == (Colour.BLACK, None)
    (line,) = caplog.messages
    assert f"games{suffix}: game 1: " in line
    assert "but by the moves +13, +64 with the empty squares for the winner" in line


def test_many_warnings_are_few_lines(read: Reader, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING)
    assert len(strict(read(".pgn", f'[Result "0-64"]\n{WIPED_OUT}\n' * 50))) == 50
    assert len(caplog.messages) == 4
    assert caplog.messages[-1] == "warning: 47 more whose result contradicts the moves"


@pytest.mark.parametrize("result", ["39-24", "40-24", "39-25"])
def test_empty_squares_count_for_either_side_or_nobody(result: str, read: Reader) -> None:
    apart = [square for square in range(63) if square % 9 and square % 8 < 7 and square < 56]  # from h8
    cells = ["O" if square in apart[:24] else "X" for square in range(63)]
    board = Board.parse(f"{''.join(cells)}- X")
    assert (board.is_over, board.counts()) == (True, (39, 24))
    (record,) = strict(read(".pgn", f'[FEN "{fen(board)}"]\n[Result "{result}"]\n\n{result}\n'))
    assert (record.winner, record.warning) == (Colour.BLACK, "")


def fen(board: Board) -> str:
    cells, turn = str(board).split()
    rows = [
        cells[place : place + 8].replace("X", "p").replace("O", "P").replace("-", "1")
        for place in range(0, 64, 8)
    ]
    return f"{'/'.join(reversed(rows))} {'b' if turn == 'X' else 'w'} - - 0 1"


EDAX = "---------------------------OX------XO--------------------------- X;"


@pytest.mark.parametrize("suffix", ["file", "typed"])
def test_moves_behind_a_position_are_played(suffix: str, read: Reader) -> None:
    def one(text: str) -> Record:
        return of_text(text) if suffix == "typed" else strict(read(".txt", text))[0]

    assert one(f"{EDAX}f5d6 C3").game.transcript() == "f5d6c3"
    assert one("-----XO--OX----- O;b1").game.transcript() == "b1"
    assert one(f"{EDAX}").game.moves == []
    with pytest.raises(ValueError, match="move 2: f5 is not legal here"):
        one(f"{EDAX}f5f5")


@pytest.mark.parametrize("text", ["+d3-c3+c4: -04 10", f"[8 {'-' * 64} *]", "hello"])
def test_an_unknown_line_says_what_is_supported(text: str, tmp_path: Path) -> None:
    path = tmp_path / "a.txt"
    path.write_text(text)
    with pytest.raises(
        RecordError, match=r"a \.txt holds moves or a position a line, or GGF, SGF, PGN or JSON lines"
    ):
        readable(path)


@pytest.mark.parametrize(("date", "year"), cases("years_of_dates"))
def test_the_year_of_a_date(date: str, year: int | None) -> None:
    assert Record(Game(Board.start(8)), date=date).year == year


def words_of(game: Game, passes: str) -> list[str]:
    return [passes if move == PASS else square_name(move, 8) for move in game.moves]


names = st.text(st.sampled_from("abcdeå \"'`.-([{;%)}"), max_size=12).map(lambda text: text.strip(' \\"'))
comments = st.text(st.sampled_from("ab1. f5*-\"'[(;\n"), max_size=15)
gaps = st.sampled_from(["\n", "\n\n", "\n \t\n\n"])
eight = games(largest=8).filter(lambda game: game.size == 8)
any_games = eight | eight.map(finish)


@st.composite
def surrounded(draw: st.DrawFn) -> tuple[str, bytes, list[Record]]:
    suffix = draw(st.sampled_from([".pgn", ".sgf", ".ggf", ".txt", ".wtb"]))
    written = draw(st.lists(any_games, min_size=1, max_size=3))
    records = [Record(game, draw(names), draw(names)) for game in written]
    for record in records:
        record.game.pass_if_forced()
    if suffix == ".wtb":
        return suffix, draw(wthor_file(records)), records
    text = draw({".pgn": pgn, ".sgf": bracketed, ".ggf": bracketed, ".txt": txt}[suffix](records, suffix))
    text = text.replace("\n", draw(st.sampled_from(["\n", "\r\n", "\r"])))
    return suffix, draw(st.sampled_from(["", "\ufeff"])).encode() + text.encode(), records


def result_of(game: Game, draw: st.DrawFn) -> str:
    """Return any result, also a wrong one. An unfinished game has none, because that would be a forfeit."""
    results = ["*"] + (["34-30", "0-64", "1-0", "0-1", "1/2-1/2", "13:51"] if game.board.is_over else [])
    return draw(st.sampled_from(results))


def moves_of(game: Game, draw: st.DrawFn, passes: list[str]) -> list[str]:
    word = draw(st.sampled_from(passes))
    return words_of(game, word) + [word] * (draw(st.integers(0, 2)) if game.board.is_over else 0)


@st.composite
def pgn(draw: st.DrawFn, records: list[Record], _: str) -> str:
    text = draw(st.sampled_from(["", "\n\n", "% escaped\n", "{a comment}\n", '; [Black "no"]\n']))
    for record in records:
        comment = st.sampled_from(["", "; f5 {\n"]) | comments.map(lambda text: f"{{{text}}}\n")
        result = result_of(record.game, draw)
        tags = {"Event": draw(names), "Black": record.black, "White": record.white, "Result": result}
        text += "".join(f'[{name} "{value}"]\n{draw(comment)}' for name, value in tags.items()) + draw(gaps)
        for ply, word in enumerate(moves_of(record.game, draw, ["pass", "--", "pa", "PA", "ps"])):
            number = f"{ply // 2 + 1}. " if ply % 2 == 0 else ""
            text += f"{number}{word}{draw(st.sampled_from(['!? ', ' ', ' ', chr(10)]))}"
            text += f" {draw(comment)}" if ply % 7 == 0 else ""
        text += f" {result}{draw(gaps)}"
    return text


@st.composite
def bracketed(draw: st.DrawFn, records: list[Record], suffix: str) -> str:
    text = draw(st.sampled_from(["", "\n", " \n\n"]))
    for record in records:
        result = "+2.000" if suffix == ".ggf" and record.game.board.is_over else "?"
        head = "GM[2]SZ[8]" if suffix == ".sgf" else f"GM[Othello]{BOARD}"
        passes = ["pa", "PA", "--", "pass"] + ([] if suffix == ".ggf" else ["", "tt"])
        between = st.sampled_from(["", "\n", " \n\n", "C[a comment (;]"])
        hidden = [name.replace("]", "\\]") for name in (record.black, record.white)]
        text += f"(;{head}PB[{hidden[0]}]{draw(between)}PW[{hidden[1]}]RE[{result}]"
        for ply, word in enumerate(moves_of(record.game, draw, passes)):
            tail = draw(st.sampled_from(["", "/1.2/3", " 0.0 1.5"])) if suffix == ".ggf" else ""
            node = draw(between) + ";" * (suffix == ".sgf")
            text += f"{node}{'BW'[ply % 2]}[{word}{tail}]"
        text += f";){draw(gaps)}"
    return text


@st.composite
def txt(draw: st.DrawFn, records: list[Record], _: str) -> str:
    text = draw(st.sampled_from(["", "\n\n", "# a comment\n"]))
    for record in records:
        start = EDAX if draw(st.booleans()) or not record.game.moves else ""
        between = draw(st.sampled_from(["", " ", "-"]))
        passes = ["pass", "pa", "PA"] if between == "-" else ["--", "pass", "pa", "PA"]
        moves = moves_of(record.game, draw, passes)
        score = draw(st.sampled_from(["", " 34-30", " +4"])) if moves else ""
        comment = draw(st.sampled_from(["", " # good", " % f5"]))
        text += f"{start}{between.join(moves)}{score}{comment}{draw(gaps)}"
    return text


@st.composite
def wthor_file(draw: st.DrawFn, records: list[Record]) -> bytes:
    data, end = wthor_header(len(records), year=2001), draw(st.sampled_from([0, 92]))
    for record in records:
        discs = draw(st.integers(0, 64)) if record.game.board.is_over else 32
        data += wthor_game(record.game.transcript(), discs, end=end)
    return data


@pytest.mark.slow
@settings(deadline=None, max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(surrounded())
def test_random_games_come_back_as_the_same(read: Reader, case: tuple[str, bytes, list[Record]]) -> None:
    suffix, data, written = case
    found = strict(read(suffix, data))
    assert len(found) == len(written)
    for record, was in zip(found, written, strict=True):
        assert same_game(record.game, was.game)
        assert record.winner is was.winner
        if suffix not in (".txt", ".wtb"):
            assert (record.black, record.white) == (was.black, was.white)
