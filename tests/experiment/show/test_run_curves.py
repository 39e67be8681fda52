"""What is read of a run is what its files hold, however often and whenever one looks."""

import json
import shutil
from pathlib import Path

from othello_lab.experiment.run.outcomes import Episode, Evaluation, Outcome, Tally
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.show.pages.watch import run_state
from othello_lab.experiment.show.run_curves import Following, Tail, last_change
from othello_lab.game.safe_files import replace
from tests.experiment.parts import SavingAgent, carry_out, othello, plan_of


def a_run(runs: Path, name: str = "one") -> RunFolder:
    plan = plan_of(runs, name)
    carry_out(plan, SavingAgent(), othello())
    return plan.folder


def test_a_run_read_bit_by_bit_is_the_run_read_at_once(tmp_path: Path) -> None:
    whole, growing = a_run(tmp_path), tmp_path / "growing"
    shutil.copytree(whole.path, growing)
    files = ("episodes.csv", "evaluations.csv", "metrics.jsonl")
    texts = {name: (growing / name).read_bytes() for name in files}
    for name in files:
        (growing / name).unlink()
    bits, once = Following(RunFolder(growing)), Following(whole)
    for share in range(1, 12):
        for name, text in texts.items():
            (growing / name).write_bytes(text[: len(text) * share // 11])
        bits.look()
    once.look()
    assert once.games == 30
    assert (bits.games, bits.evaluations, bits.curves) == (once.games, once.evaluations, once.curves)
    assert bits.outcomes({Outcome.WIN}).tolist() == [
        episode.outcome is Outcome.WIN for episode in whole.episodes()
    ]
    assert not once.look()


def test_a_run_that_is_resumed_is_followed_from_where_it_goes_on(tmp_path: Path) -> None:
    folder = a_run(tmp_path)
    run = Following(folder)
    run.look()
    folder.cut_back(20)
    assert run.look()
    assert run.games == 20
    assert max(result.episode for result in run.evaluations) < 20
    with folder:
        folder.add_episode(Episode(21, Outcome.WIN, 1.0, 5))
    run.look()
    assert run.games == 21
    assert run.outcomes({Outcome.WIN})[-1]


def test_rounds_of_self_play_are_followed(tmp_path: Path) -> None:
    folder = plan_of(tmp_path).folder
    folder.write_config({**folder.config(), "selfplay": {"games_at_once": 8}})
    with folder:
        for games in (8, 16):
            folder.add_round([Evaluation(games, "self", "black", Tally(5, 1, 2))])
        run = Following(folder)
        run.look()
        lines = {line.label: line.y for line in run_state(run)["rates"].series}
    assert run.games == 16
    assert lines["training: won by black, against itself"] == [0.625, 0.625]
    assert lines["training: drawn, against itself"] == [0.125, 0.125]
    folder.cut_back(0)
    run.look()
    assert run.games == 0


def test_damaged_lines_are_passed_over(tmp_path: Path) -> None:
    folder = a_run(tmp_path)
    for name in ("episodes.csv", "evaluations.csv", "metrics.jsonl"):
        path = folder.path / name
        path.write_bytes(b'\xff,"\n{]\n' + path.read_bytes() + b"NaN,1\n")
    known = folder.evaluations()
    with (folder.path / "evaluations.csv").open("a") as file:
        file.write("30,impossible,black,-5,3,1,1\n30,impossible,black,5,9,1,1\n")
    with (folder.path / "metrics.jsonl").open("a") as file:
        file.write(f'{{"episode": 31, "agent": [1]}}\n{{"episode": 32, "strange": {10**400}}}\n')
    run = Following(folder)
    run.look()
    assert run.games == 30
    assert run.evaluations == known
    assert "strange" not in run.curves
    assert run_state(run)["results"]["rows"]


def test_a_strange_config_is_no_traceback(tmp_path: Path) -> None:
    folder = a_run(tmp_path)
    strange = [[], {"agent": "x"}, {"experiment": {"episodes": 0}}]
    strange.append({"experiment": {"episodes": "many"}, "sessions": 3})
    for config in strange:
        folder.record.write_text(json.dumps(config))
        try:
            run = Following(folder)
        except RunFolderError:
            continue
        run.look()
        assert run_state(run)["phase"].done == 30


def test_a_file_that_is_replaced_is_read_anew_even_by_a_longer_one(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a\nb\n")
    tail = Tail(path)
    tail.look()
    replace(path, "c\n")
    assert tail.look() == (True, ["c"])
    replace(path, "d\ne\nf\n")
    assert tail.look() == (True, ["d", "e", "f"])
    path.write_text("g\n")  # the same file, cut back
    assert tail.look() == (True, ["g"])


def test_a_file_that_is_not_there_yet_or_no_longer(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    tail = Tail(path)
    assert tail.look() == (False, [])
    path.write_text("a\n")
    assert tail.look() == (False, ["a"])
    path.unlink()
    assert tail.look() == (True, [])
    assert tail.look() == (False, [])
    assert last_change(tmp_path) == 0.0
