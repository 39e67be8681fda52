"""Game records as JSON lines, with one game and all fields of a Record on each line."""

import dataclasses
import json
from collections.abc import Iterable, Iterator
from typing import Any

from othello_lab.game.board import Colour
from othello_lab.game.game import STANDARD, format_start, parse_start, replay
from othello_lab.game.notation import PASS, brief, parse_square, square_name
from othello_lab.game.records.record import Entry, Forfeited, Record, RecordError, result_text


def dump(records: Iterable[Record]) -> str:
    """Return the games as a text, with one game on each line."""
    return "".join(json.dumps(as_json(record)) + "\n" for record in records)


def as_json(record: Record) -> dict[str, Any]:
    """Return the JSON object of a game."""
    game, forfeit = record.game, record.forfeit
    return {
        "size": game.size,
        "start": format_start(game.start),
        "moves": " ".join(square_name(move, game.size) for move in game.moves),
        "black": record.black,
        "white": record.white,
        "opening": record.opening,
        "seed": record.seed,
        "number": record.number,
        **_result(record),
        "forfeit": {"by": forfeit.by.value, "reason": forfeit.reason} if forfeit else None,
        **{name: value for name in ("event", "date") if (value := getattr(record, name))},
    }


def _result(record: Record) -> dict[str, Any]:
    outcome = record.game.board.outcome()
    return {
        "winner": record.winner.value if record.winner else "draw" if record.is_over else None,
        "disc_diff": outcome.disc_diff if outcome else None,
        "final_score": outcome.final_score if outcome else None,
    }


def entries(text: str, _: int = 0) -> Iterator[Entry]:
    """Yield the game of each line, or an error if the game cannot be read. Skip empty lines."""
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                yield from_json(json.loads(line))
            except json.JSONDecodeError as error:
                yield RecordError(f"line {number}: column {error.colno}: no JSON: {error.msg}")
            except RecursionError:
                yield RecordError(f"line {number}: no JSON object, too many brackets")
            except ValueError as error:
                yield RecordError(f"line {number}: {error}")


def from_json(data: object) -> Record:
    """Return the game of a JSON object from `as_json`. Raises ValueError for any other object."""
    if not isinstance(data, dict):
        raise RecordError(f"expected a JSON object, got {type(data).__name__}")
    size = _field(data, "size", int)
    start, moves = _field(data, "start", str, STANDARD), _field(data, "moves", str)
    board = parse_start(start, size).board
    if board.size != size:
        raise RecordError(f"size is {size}, but start is a position of {board.size}x{board.size}")
    record = Record(
        replay(board, [PASS if word == "pass" else parse_square(word, size) for word in moves.split()]),
        black=_field(data, "black", str, ""),
        white=_field(data, "white", str, ""),
        opening=_field(data, "opening", int, 0),
        seed=_field(data, "seed", int, None),
        number=_field(data, "number", int, None),
        forfeit=_forfeit(_field(data, "forfeit", dict, None)),
        event=_field(data, "event", str, ""),
        date=_field(data, "date", str, ""),
    )
    if not 0 <= record.opening <= len(record.game.moves):
        raise RecordError(f"opening is {record.opening}, but the game has {len(record.game.moves)} moves")
    return dataclasses.replace(record, warning=_contradiction(record, data))


def _field(data: dict[str, Any], name: str, kind: type, *default: Any) -> Any:  # noqa: ANN401  JSON values
    """Return a field. A default makes the field optional. The default None also allows null."""
    value = data.get(name, *default)
    if value is None and default == (None,):
        return None
    if not isinstance(value, kind) or isinstance(value, bool):
        raise RecordError(f"field {name!r}: expected {kind.__name__}, got {json.dumps(value)[:60]}")
    return value


def _forfeit(data: dict[str, Any] | None) -> Forfeited | None:
    if data is None:
        return None
    by = _field(data, "by", str)
    if by not in ("black", "white"):
        raise RecordError(f"field 'by' of forfeit: expected black or white, got {by!r}")
    return Forfeited(Colour(by), _field(data, "reason", str, ""))


def _contradiction(record: Record, data: dict[str, Any]) -> str:
    """Return the contradiction of result and moves. In an unfinished game, raise it as a RecordError."""
    for name, value in _result(record).items():
        if name in data and data[name] != value:
            why = f"{name} is {brief(repr(data[name]))}, but by the moves {result_text(record.game)}"
            if not record.game.board.is_over:
                raise RecordError(why)
            return why
    return ""
