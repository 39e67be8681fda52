import struct
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import NamedTuple

from hypothesis import strategies as st

from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.records import Entry, Forfeited, Record, RecordError, entries, ggf, jsonl, txt, wthor
from tests.game.positions import boards, games


def strict(entries: Iterable[Entry]) -> list[Record]:
    """Return the games among the entries. If an entry is an error, raise it."""
    records = []
    for entry in entries:
        if isinstance(entry, RecordError):
            raise entry
        records.append(entry)
    return records


def read(path: Path, size: int = 8) -> list[Record]:
    """Return the games of a file. Raises RecordError if a game cannot be read."""
    return strict(entries(path, size))


class Format(NamedTuple):
    dump: Callable[[Iterable[Record]], bytes]
    entries: Callable[[bytes], Iterable[Entry]]

    def load(self, data: bytes) -> list[Record]:
        return strict(self.entries(data))


def text_format(dump: Callable[[Iterable[Record]], str], entries: Callable[[str], Iterable[Entry]]) -> Format:
    return Format(lambda records: dump(records).encode(), lambda data: entries(data.decode()))


JSONL = text_format(jsonl.dump, jsonl.entries)
GGF = text_format(ggf.dump, ggf.entries)
WTHOR = Format(lambda records: wthor.dump(records)[0], wthor.entries)
TXT = text_format(txt.dump, txt.entries)
WIPED_OUT = "f5d6c5f4e3f6g5e6e7"
BOARD = "BO[8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *]"


def wthor_header(games: int = 0, names: int = 0, year: int = 0, size: int = 0) -> bytes:
    return struct.pack("<4BiHH4B", 20, 5, 12, 24, games, names, year, size, 0, 22, 0)


def wthor_game(moves: str, discs: int, event: int = 0, black: int = 0, white: int = 0, end: int = 0) -> bytes:
    squares = [10 * int(moves[i + 1]) + " abcdefgh".index(moves[i]) for i in range(0, len(moves), 2)]
    return struct.pack("<3H2B60s", event, black, white, discs, 32, bytes(squares).ljust(60, bytes([end])))


forfeits = st.none() | st.builds(Forfeited, st.sampled_from(Colour), st.text())


def finish(game: Game) -> Game:
    while not game.board.is_over:
        game.play(next(iter(game.board.legal_moves), PASS))
    return game


def from_position(board: Board) -> Game:
    game = Game(board)
    for _ in range(3):
        if not game.board.is_over:
            game.play(next(iter(game.board.legal_moves), PASS))
    return game


any_games = games() | games().map(finish) | boards.map(from_position)
texts = st.text(max_size=20)
records = st.builds(
    Record,
    any_games,
    black=texts,
    white=texts,
    seed=st.none() | st.integers(0),
    number=st.none() | st.integers(0),
    forfeit=forfeits,
    opening=st.integers(0, 9),
    event=texts,
    date=texts,
).map(lambda record: replace(record, opening=min(record.opening, len(record.game.moves))))


def same_game(a: Game, b: Game) -> bool:
    return a.boards == b.boards and a.moves == b.moves


def facts(record: Record) -> dict[str, object]:
    return {name: value for name, value in vars(record).items() if name != "game"}
