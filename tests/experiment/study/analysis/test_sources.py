from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from othello_lab.experiment.study.analysis.counts import count, result_tables
from othello_lab.experiment.study.analysis.games import meet, most_games, of_records, read
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import PASS, Colour
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.records import write

QUIET = Console(quiet=True)
OPENINGS = ("b1a1", "b1c1", "b1a3")


def test_after_ctrl_c_there_are_the_games_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*words: object) -> Iterator[object]:
        yield list(play_games(Pairing("random", "greedy", 4, OPENINGS), range(2)))
        raise KeyboardInterrupt

    monkeypatch.setattr(Pool, "in_order", interrupted)
    source = meet(Pairing("search:depth=1", "greedy", 4, OPENINGS), 6, ("a", "b"), Pool(), QUIET)
    assert (len(source.games), source.missing) == (2, 4)


def test_games_side_by_side_begin_at_their_openings_with_both_colours() -> None:
    games = meet(Pairing("positional", "greedy", 4, OPENINGS), 12, ("a", "b"), Pool(), QUIET).games
    assert games.first_is_black is not None
    pairs = set(zip(games.unit.tolist(), games.first_is_black.tolist(), strict=True))
    assert pairs == {(opening, black) for opening in range(3) for black in (True, False)}
    assert np.flatnonzero(games.reached.all(axis=1))[0] == 2, "nobody decided on the plies of an opening"
    assert not games.reached[:2].any()


def test_games_side_by_side_and_one_by_one_are_alike_for_players_without_randomness() -> None:
    pairing = Pairing("dqn:pretrained", "dqn:pretrained", 4, OPENINGS)
    side_by_side = meet(pairing, 6, ("a", "b"), Pool(), QUIET).games
    played = play_games(pairing, range(6))
    one_by_one = {tuple(move for move in game.record.game.moves[2:] if move != PASS) for game in played}
    moves = side_by_side.moves.T.tolist()
    assert {tuple(move for move in game if move != PASS) for game in moves} == one_by_one


def test_a_file_of_two_players_has_both_as_sides_if_both_are_known(tmp_path: Path) -> None:
    known, unknown = tmp_path / "known.jsonl", tmp_path / "unknown.jsonl"
    records = [game.record for game in play_games(Pairing("greedy", "random", 4, OPENINGS), range(6))]
    write(known, records)
    write(unknown, [*records, replace(records[0], black="")])
    games = read([known], None).games
    assert games.players == ("greedy", "random")
    assert {"greedy", "random", "greedy as black", "random as white"} <= games.groups().keys()
    assert read([unknown], None).games.players == ("", "")


def test_results_are_those_of_each_player_as_either_colour() -> None:
    pairing = Pairing("greedy", "random", 4, OPENINGS, repeat=4)
    every = list(play_games(pairing, range(pairing.games)))
    counted = of_records(
        [played.record for played in every],
        players=("greedy", "random"),
        first_is_black=np.array([played.colour is Colour.BLACK for played in every]),
    )
    results = result_tables(counted, count(counted).choices)[1]
    table = results.where(result="score")
    scores = dict(zip(table.distinct("side"), table.numbers("share"), strict=True))
    own = {colour: np.mean([it.points for it in every if it.colour is colour]) for colour in Colour}
    black, white = own[Colour.BLACK], own[Colour.WHITE]
    assert scores.pop("black") == pytest.approx((black + 1 - white) / 2)
    assert scores == pytest.approx({
        "greedy": (black + white) / 2,
        "greedy as black": black,
        "greedy as white": white,
        "random": 1 - (black + white) / 2,
        "random as black": 1 - white,
        "random as white": 1 - black,
    })  # fmt: skip
    assert set(table.numbers("games")) == {len(every), len(every) / 2}


def test_larger_boards_leave_room_for_fewer_games() -> None:
    rooms = [most_games(size) for size in (4, 8, 16)]
    assert rooms == sorted(rooms, reverse=True)
    assert rooms[0] > 100_000
    assert rooms[2] > 10_000
