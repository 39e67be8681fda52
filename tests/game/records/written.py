"""Games as people and other programs write them. Each form has a writer of its own."""

from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

import numpy as np

from othello_lab.game import PASS, Board, Colour, Game
from othello_lab.game.notation import square_name
from othello_lab.game.records import Record


def sample(seed: int, plies: int = 200) -> Record:
    rng, game = np.random.default_rng(seed), Game(Board.start(8))
    for _ in range(plies):
        if not game.board.is_over:
            game.play(rng.choice(game.board.legal_moves) if game.board.legal_moves else PASS)
    game.pass_if_forced()
    return Record(game, f"Zoë {seed}", "Łukasz", event="Århus", date="2003")


# Ten games. In some of them a side passes, and two games are not finished.
SAMPLES: Final = [*map(sample, range(8)), sample(8, plies=1), sample(9, plies=33)]


def lead(record: Record) -> int | None:
    """Return black's lead, where the winner gets the empty squares, or None for an unfinished game."""
    outcome = record.game.board.outcome()
    return outcome.final_score if outcome else None


def discs(record: Record) -> str:
    found = lead(record)
    return "" if found is None else f"{32 + found // 2}-{32 - found // 2}"


def names(record: Record, passes: str = "") -> list[str]:
    words = [passes if move == PASS else square_name(move, 8) for move in record.game.moves]
    return [word for word in words if word]


def joined(between: str, passes: str = "") -> Callable[[Record], str]:
    return lambda record: between.join(names(record, passes)) + "\n"


def numbered(each: int, dot: str, passes: str, line_end: str = " ") -> Callable[[Record], str]:
    def write(record: Record) -> str:
        words = names(record, passes)
        turns = [" ".join(words[ply : ply + each]) for ply in range(0, len(words), each)]
        return line_end.join(f"{number}{dot}{turn}" for number, turn in enumerate(turns, 1)) + "\n"

    return write


def scored(score: Callable[[Record], str]) -> Callable[[Record], str]:
    return lambda record: f"{''.join(names(record))} {score(record)}\n"


def by_sides(record: Record, square: Callable[[str], str], before: str) -> str:
    text, mover = "", Colour.BLACK
    for move in record.game.moves:
        word = square("pass" if move == PASS else square_name(move, 8))
        text += f"{before}{'B' if mover is Colour.BLACK else 'W'}[{word}]"
        mover = mover.other
    return text


def facts(record: Record) -> str:
    return f"DT[{record.date}]PB[{record.black}]PW[{record.white}]"


def edax_sgf(record: Record) -> str:
    """Edax writes the first move in the node of the facts, and a result with two plus signs."""
    found = lead(record)
    result = "Void" if found is None else f"{'BW'[found < 0]}+{abs(found):+d}" if found else "0"
    start = f"SZ[8]AB[e4][d5]AW[d4][e5]PL[B]RE[{result}]"
    moves = by_sides(record, lambda name: "PA" if name == "pass" else name, "")
    return (
        f"(;FF[4]GM[2]AP[edax:4.6]PC[{record.event}]{facts(record)}\n{start}\n{moves.replace(']', '];')})\n"
    )


def go_sgf(record: Record) -> str:
    """A program for Go writes squares as two letters, a pass as an empty value, and variations."""

    def square(name: str) -> str:
        return "" if name == "pass" else name[0] + "abcdefgh"[int(name[1]) - 1]

    moves, other = by_sides(record, square, "\n;"), "(;B[ab]C[(;GM\\[1\\]]))"
    return f"(;GM[2]FF[4]SZ[8:8]EV[{record.event}]{facts(record)}C[a \\] b]({moves})\n{other}\n"


def tags(record: Record, result: str) -> str:
    output = {"Event": record.event, "Site": "?", "Date": f"{record.date}.??.??", "Black": record.black}
    output |= {"White": record.white, "Result": result}
    return "".join(f'[{name} "{value}"]\n' for name, value in output.items())


def edax_pgn(record: Record) -> str:
    found = lead(record)
    result = "*" if found is None else ("1-0" if found > 0 else "0-1") if found else "1/2-1/2"
    return f"{tags(record, result)}\n{numbered(2, '. ', 'pass')(record)}{{{discs(record)}}} {result}\n\n\n"


def wthor_pgn(record: Record) -> str:
    return f"{tags(record, discs(record))}{numbered(2, '. ', '', chr(10))(record).upper()}{discs(record)}\n\n"


def marked_pgn(record: Record) -> str:
    first, *rest = names(record, "--")
    comments = "! {the (only} $6 (1. c4 c3 (1... e3) {or} d3)"
    moves = f"1. {first}{comments} {' '.join(rest)} ; the end )"
    return f"{tags(record, '')}\n{moves}\n\n"


def each(write: Callable[[Record], str]) -> "Writer":
    return lambda records: "".join(map(write, records))


Writer = Callable[[Sequence[Record]], str]


class Form(NamedTuple):
    suffix: str
    write: Writer
    has_names: bool = False


FORMS: Final = {
    "dashes": Form(".txt", each(joined("-"))),
    "dashes, passes of two": Form(".txt", each(joined("-", "--"))),
    "spaces, passes as words": Form(".txt", each(joined(" ", "pass"))),
    "capitals": Form(".txt", lambda records: each(joined("", "ps"))(records).upper()),
    "a number a turn": Form(".txt", each(numbered(2, ".", "--"))),
    "a line a turn": Form(".txt", each(numbered(2, ". ", "pass", "\n"))),
    "a difference behind": Form(".txt", each(scored(lambda record: f"  {lead(record) or 0:+d}"))),
    "discs behind": Form(".txt", each(scored(discs))),
    "SGF of Edax": Form(".sgf", each(edax_sgf), True),
    "SGF as for Go": Form(".sgf", each(go_sgf), True),
    "PGN of Edax": Form(".pgn", each(edax_pgn), True),
    "PGN of WTHOR's games": Form(".pgn", each(wthor_pgn), True),
    "PGN with comments": Form(".pgn", each(marked_pgn), True),
}
