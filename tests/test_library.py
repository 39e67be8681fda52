import io
import os
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import othello_lab as lab
from othello_lab.environment.messages import Settings
from tests.test_imports import ROOT, TABLE
from tests.test_library_players import AnyMove, highest, lowest


def test_all_that_is_public_is_there() -> None:
    assert all(hasattr(lab, name) for name in lab.__all__)
    assert set(lab.__all__) <= set(dir(lab))
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = lab.nothing  # type: ignore[attr-defined]  # that is what is tested


@pytest.mark.slow
def test_importing_it_imports_nothing_heavy() -> None:
    code = "import sys, othello_lab; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert not {"torch", "numba", "numpy", "rich"} & set(loaded.split())


def test_results_are_rows_with_scores_short_in_a_list_and_printed_as_by_the_commands() -> None:
    games = lab.match("greedy", "random", size=4, openings=0)
    assert str(games).startswith("greedy ")
    assert repr(games) == f"<Match {str(games).splitlines()[0]}, 2 games>"
    assert list(games) == [games[0], games[1]]
    assert [row["points"] for row in games.rows()] == [game.points for game in games]
    assert games.score.interval.low <= games.score.value <= games.score.interval.high
    judged = lab.evaluate(lowest, ["random", "positional"], size=4, openings=0, repeat=2)
    assert repr(judged) == "<Evaluation lowest against 2 opponents>"
    assert [row["opponent"] for row in judged.rows()] == ["random", "positional"]
    assert [(each.opponent, len(each.games)) for each in judged] == [("random", 4), ("positional", 4)]
    assert [each.games[0].record.white for each in judged] == ["random", "positional"]
    assert judged["positional"].summary.total.games == 4
    found = lab.tournament([lowest, "random"], size=4, openings=0)
    assert repr(found) == "<Tournament 2 players, 2 games>"
    assert "rating" in str(found)
    assert {row["player"] for row in found.rows()} == {"lowest", "random"}
    both = {("random", "lowest"), ("lowest", "random")}
    assert {(game.black, game.white) for game in found} == both
    assert sum(game.points for game in found if game.black == "lowest") in (0, 0.5, 1)
    reviewed = lab.review("b1a1", size=4)
    assert repr(reviewed) == "<Review 2 moves>"
    assert [each.ply for each in reviewed] == [1, 0]
    assert len(reviewed.rows()) == 2


class Stopping(AnyMove):
    def choose(self, game: lab.Game, rng: np.random.Generator) -> int:
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    "play",
    [
        lambda: lab.match(Stopping(), "random", size=4, openings=0),
        lambda: lab.evaluate(Stopping(), "random", size=4, openings=0),
        lambda: lab.tournament([Stopping(), "random"], size=4, openings=0),
    ],
)
def test_an_interrupt_is_not_swallowed(play: Callable[[], object]) -> None:
    with pytest.raises(KeyboardInterrupt):
        play()


def test_progress_is_told_to_a_function() -> None:
    terms: dict[str, Any] = {"size": 4, "openings": 0, "repeat": 2}
    told: list[tuple[int, int]] = []
    lab.match(lowest, lab.player("search:nodes=9"), progress=lambda *so_far: told.append(so_far), **terms)
    assert told == [(1, 4), (2, 4), (3, 4), (4, 4)]
    lab.evaluate("greedy", ["random", "positional"], progress=lambda *so_far: told.append(so_far), **terms)
    assert told[-1] == (8, 8)
    lab.tournament(["greedy", "random"], progress=lambda *so_far: told.append(so_far), **terms)
    assert told[-1] == (4, 4)


def test_games_that_were_played_before_count_as_done(tmp_path: Path) -> None:
    told: list[tuple[int, int]] = []
    for openings, done in ((2, [(4, 4)]), (3, [(2, 6), (6, 6)]), (3, [(6, 6)])):
        told.clear()
        lab.tournament(
            ["greedy", "random"],
            size=4,
            openings=openings,
            database=tmp_path / "games.sqlite",
            progress=lambda *so_far: told.append(so_far),
        )
        assert told == done


@pytest.mark.slow
def test_the_same_games_by_any_number_of_processes() -> None:
    one, two = (lab.match("greedy", "random", size=6, openings=20, seed=5, jobs=jobs) for jobs in (1, 2))
    assert one.rows() == two.rows()


def test_positions_and_games_are_judged() -> None:
    start = lab.Board.start(4)
    assert lab.solve(start).value == -8
    assert set(lab.values(start, "positional")) == set(start.legal_moves)
    game = lab.Game(start)
    assert lab.values(game, lab.player("positional", 4)) == lab.values(start, "positional")
    assert lab.solve(game).value == -8
    with pytest.raises(ValueError, match="only chooses"):
        lab.values(start, "random")


@pytest.mark.parametrize(
    "wrong",
    [
        *({"openings": openings} for openings in (-1, [], "x9", 2.5, ["", ""])),
        {"repeat": 0},
        {"jobs": 0},
        {"jobs": None},
        {"size": 5},
    ],
)
def test_wrong_terms_are_said_in_a_line(wrong: dict[str, Any]) -> None:
    for play in (
        lambda: lab.match("greedy", "random", **{"size": 4, **wrong}),
        lambda: lab.evaluate("greedy", ["random"], **{"size": 4, **wrong}),
        lambda: lab.tournament(["greedy", "random"], **{"size": 4, **wrong}),
    ):
        with pytest.raises(ValueError, match=r"expected|cannot|exist|x9|twice") as error:
            play()
        assert "\n" not in str(error.value)


def test_it_takes_two() -> None:
    with pytest.raises(ValueError, match="1 player cannot play"):
        lab.tournament(["greedy"])
    with pytest.raises(ValueError, match="1 player cannot play"):
        lab.evaluate("greedy", [])


def test_an_environment_plays_against_a_policy_in_memory() -> None:
    environment = lab.make_environment(size=6, opponent=lowest, first="opponent")
    environment.env_init()
    environment.env_start()
    assert environment.game.moves[0] == min(lab.Board.start(6).legal_moves)


def test_gymnasium_plays_against_policies_in_memory() -> None:
    gymnasium = pytest.importorskip("gymnasium")
    name = "othello_lab.environment.adapters:OthelloLab/Othello-v0"
    one = gymnasium.make(name, size=6, opponent=lowest, first="opponent")
    many = gymnasium.make_vec(name, num_envs=5, size=6, opponent=highest, first="opponent")
    for seen, square in ((one.reset(seed=1)[0], min), (many.reset(seed=1)[0][0], max)):
        assert seen[1].reshape(-1)[square(lab.Board.start(6).legal_moves)] == 1


def test_a_person_plays_with_it(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(sys, "stdin", io.StringIO("quit\n"))
    with suppress(SystemExit):
        lab.play(lowest, size=6, plain=True)
    assert "lowest has" in capsys.readouterr().out


@pytest.mark.slow
def test_files_of_a_student_are_not_in_the_way(here: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in set(TABLE) - {"rlglue", "othello_lab"}:
        (here / f"{name}.py").write_text("raise SystemExit('the file of the student')\n")
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(here), str(ROOT)]))
    script = here / "script.py"
    script.write_text(
        "import gymnasium\n"
        "import othello_lab as lab\n"
        "env = gymnasium.make('othello_lab:OthelloLab/Othello-v0', size=4)\n"
        "print(env.reset(seed=0)[0].shape, lab.match('greedy', 'random', size=4, openings=0).score)\n"
    )
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    assert done.stdout.startswith("(4, 4, 4) "), done.stderr


SMALL: dict[str, Any] = {"size": 4, "eval_every": 0, "final_games": 4, "eval_opponents": ()}


@pytest.mark.usefixtures("here")
def test_a_run_is_told_of_its_progress_and_can_play() -> None:
    told: list[tuple[int, int]] = []
    run = lab.train("tabular", episodes=20, name="one", progress=lambda *how: told.append(how), **SMALL)
    assert told[-1] == (20, 20)
    assert run.folder == Path("runs/one")
    assert {"opponent", "win", "score", "interval"} <= run.rows()[-1].keys()
    assert len(lab.match(run.player, "random", size=4, openings=0)) == 2
    assert lab.values(lab.Board.start(4), lab.player("one"))


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("name", ["greedy", "x.safetensors"])
def test_a_run_that_is_named_like_another_player_is_the_one_that_it_has_trained(name: str) -> None:
    run = lab.train("tabular", episodes=1, name=name, progress=True, **SMALL)
    assert run.player == f"trained:runs/{name}/checkpoints/policy.safetensors"


@pytest.mark.slow
@pytest.mark.usefixtures("here")
def test_the_same_run_as_by_the_command(capsys: pytest.CaptureFixture[str]) -> None:
    from othello_lab.commands.cli import cli

    lab.train("tabular", episodes=20, seed=3, name="here", size=4)
    command = "run --in-process --agent tabular --episodes 20 --seed 3 --size 4 --name there"
    cli.main([*command.split()], standalone_mode=False)
    here, there = (Path("runs", name, "episodes.csv").read_text("utf-8") for name in ("here", "there"))
    assert here == there


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    ("wrong", "output"),
    [
        ({"episodes": 0}, "'--episodes': 0 is not in the range x>=1"),
        ({"eval_every": -5}, "'--eval-every': -5 is not in the range x>=0"),
        ({"opponent": "nobody"}, "there is no player, run or checkpoint 'nobody'"),
        ({"size": 5}, "5"),
        ({"eval_opponents": ["ntuple:pretrained"]}, "4x4"),
    ],
)
def test_what_cannot_be_trained_leaves_no_run(wrong: dict[str, Any], output: str) -> None:
    with pytest.raises(ValueError, match=output) as error:
        lab.train("tabular", **{"name": "bad", **SMALL, **wrong})
    assert "\n" not in str(error.value)
    assert not Path("runs").exists()


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize(
    "wrong", [{"games": 0}, {"games_at_once": 0}, {"jobs": 0}, {"opponents": "x=1"}, {"learner": "tabular"}]
)
def test_what_cannot_play_itself_leaves_no_run(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"range|share|one game at a time"):
        lab.selfplay(**{"name": "bad", **SMALL, **wrong})
    assert not Path("runs").exists()


@pytest.mark.usefixtures("here")
def test_games_that_could_not_be_played_are_noted(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(settings: Settings, text: str) -> None:
        raise ValueError(f"opponent {text} is not allowed")

    monkeypatch.setattr(Settings, "set_opponent", refuse)
    run = lab.train("tabular", episodes=2, **{**SMALL, "eval_opponents": [lowest]})
    assert [note for note in run.notes if "against lowest skipped" in note]
    assert run.notes[0] in str(run)
