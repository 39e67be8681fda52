import json
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

import othello_lab as lab
from othello_lab.game.batch import STAY


def lowest(board: lab.Board) -> int:
    return min(board.legal_moves)


def highest(planes: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
    assert planes.shape[1:] == (4, 6, 6)
    squares: NDArray[np.int64] = np.where(legal, np.arange(36), -1).argmax(1)
    return squares


class AnyMove:
    def choose(self, game: lab.Game, rng: np.random.Generator) -> int:
        return int(rng.choice(list(game.board.legal_moves)))


@pytest.mark.parametrize(("who", "best"), [(lowest, min), (highest, max)])
def test_a_function_plays_its_moves(who: object, best: Callable[..., int]) -> None:
    for game in lab.match(who, "random", size=6, openings=2):
        boards, moves = game.record.game.boards, game.record.game.moves
        own = [
            (board, move)
            for board, move in zip(boards, moves, strict=False)
            if board.turn is game.colour and board.legal_moves
        ][2:]
        assert all(move == best(board.legal_moves) for board, move in own)


class Counting:
    def __init__(self) -> None:
        self.seen: list[int] = []
        self.started = 0

    def start(self, game: lab.Game) -> None:
        self.seen, self.started = [], self.started + 1

    def observe(self, move: int) -> None:
        self.seen.append(move)

    def choose(self, game: lab.Game, rng: np.random.Generator) -> int:
        assert self.seen == game.moves
        return int(rng.choice(list(game.board.legal_moves)))


def test_an_object_is_told_of_the_game_and_keeps_what_it_learns() -> None:
    who = Counting()
    assert not any(game.record.forfeit for game in lab.match(who, "random", size=4, openings=0))
    assert who.started == 2
    assert len(who.seen) > 0
    assert not any(game.record.forfeit for game in lab.match(who, who, size=4, openings=0))
    assert lab.evaluate(who, [who, "random"], size=4, openings=0).rows()


@pytest.mark.parametrize("wrong", [None, 3.5, "e4", [1, 2], np.zeros((9, 9))])
def test_a_wrong_answer_of_a_function_is_said_in_a_line(wrong: object) -> None:
    def one(board: lab.Board) -> object:
        return wrong

    def many(planes: NDArray[np.float32], legal: NDArray[np.bool_]) -> object:
        return wrong

    class Chooser:
        def choose(self, game: lab.Game, rng: np.random.Generator) -> object:
            return wrong

    for who, name in ((one, "one"), (many, "many"), (Chooser(), "Chooser")):
        with pytest.raises(TypeError, match=f"given:{name} returned .*, expected .*square") as error:
            lab.match(who, "random", size=4, openings=3)
        assert "\n" not in str(error.value)


@pytest.mark.parametrize("beyond", [STAY, 1 << 16])
def test_a_square_far_off_the_board_loses_however_many_games_are_played(beyond: int) -> None:
    def far(planes: NDArray[np.float32], legal: NDArray[np.bool_]) -> NDArray[np.int64]:
        squares: NDArray[np.int64] = legal.argmax(axis=1) + beyond
        return squares

    games = lab.match(far, "random", size=4, openings=2)
    assert games.score.value == 0.0
    assert all(game.record.forfeit for game in games)


def test_two_functions_of_one_name_are_two_players() -> None:
    first, last = (lambda board: min(board.legal_moves)), (lambda board: max(board.legal_moves))
    rows = lab.match(first, last, size=6, openings=3).rows()
    assert {row["black"] for row in rows} == {"given:<lambda>", "given:<lambda> 2"}
    assert rows[0]["moves"] != rows[1]["moves"]


def test_a_player_of_a_text_keeps_its_text() -> None:
    one, two = lab.player("search:nodes=20", 6), lab.player("search:nodes=40", 6)
    games = lab.match(one, two, size=4, openings=0)
    assert [row["black"] for row in games.rows()] == ["search:nodes=20", "search:nodes=40"]
    assert str(lab.tournament([one, two, lab.player("random")], size=4, openings=0)).count("nodes=20")


def test_a_database_keeps_no_player_of_one_process(tmp_path: Path) -> None:
    for who in (lowest, lab.player(lowest)):
        with pytest.raises(ValueError, match="known in this process alone"):
            lab.tournament([who, "random"], size=4, openings=0, database=tmp_path / "games.sqlite")
    assert not list(tmp_path.iterdir())


def test_functions_play_in_this_process_whatever_the_jobs() -> None:
    lab.match(lowest, "random", size=4, openings=0, repeat=2, jobs=2)
    assert len(lab.match("noisy:[given:lowest]", "random", size=4, openings=0, repeat=2, jobs=2)) == 4


def test_what_was_trained_plays_on_its_board(here: Path) -> None:
    run = lab.train("tabular", size=4, episodes=5, name="own", eval_every=0, final_games=0)
    checkpoint = here / "runs" / "own" / "checkpoints" / "policy.safetensors"
    for who in ("own", run, run.folder, checkpoint, lab.player("own")):
        game = lab.match(who, "random", openings=0).games[0]
        assert game.record.game.size == 4
    assert lab.evaluate("own", "random", openings=0).rows()
    assert lab.make_environment(size=4, opponent=run).env_init()


@pytest.mark.parametrize("who", [3, "nobody", object(), AnyMove, lambda a, b, c: a])
def test_what_is_no_player_is_said_in_a_line(who: object) -> None:
    with pytest.raises((TypeError, ValueError)) as error:
        lab.match(who, "random", size=4)
    assert "\n" not in str(error.value)


def test_a_caller_may_name_a_program_and_no_run(here: Path) -> None:
    engine = f"engine:{sys.executable} theirs.py"
    (here / "runs" / "theirs").mkdir(parents=True)
    config = {"agent": {"text": engine}, "environment": {"size": 6}}
    (here / "runs" / "theirs" / "config.json").write_text(json.dumps(config))
    refused = "theirs/config.json names the program 'engine:.*': a file may not start programs"
    for call in (lab.player, lambda who: lab.match(who, "random", jobs=2), lab.play):
        with pytest.raises(ValueError, match=refused):
            call("theirs")
    assert lab.player(engine, 6)
