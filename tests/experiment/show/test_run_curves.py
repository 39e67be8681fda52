import json
from pathlib import Path

from othello_lab.experiment.run.outcomes import Episode, Evaluation, Outcome, Tally
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.show.pages.watch import run_state
from othello_lab.experiment.show.run_curves import last_change, read
from tests.experiment.parts import SavingAgent, carry_out, othello, plan_of


def a_run(runs: Path, name: str = "one") -> RunFolder:
    plan = plan_of(runs, name)
    carry_out(plan, SavingAgent(), othello())
    return plan.folder


def test_a_run_that_is_resumed_has_the_games_up_to_there(tmp_path: Path) -> None:
    folder = a_run(tmp_path)
    assert read(folder).games == 30
    folder.cut_back(20)
    run = read(folder)
    assert run.games == 20
    assert max(result.episode for result in run.evaluations) < 20
    with folder:
        folder.add_episode(Episode(21, Outcome.WIN, 1.0, 5))
    run = read(folder)
    assert run.games == 21
    assert run.outcomes.tolist() == [episode.outcome for episode in folder.episodes()]


def test_rounds_of_self_play_are_followed(tmp_path: Path) -> None:
    folder = plan_of(tmp_path).folder
    folder.write_config({**folder.config(), "selfplay": {"games_at_once": 8}})
    with folder:
        for games in (8, 16):
            folder.add_round([Evaluation(games, "self", "black", Tally(5, 1, 2))])
        run = read(folder)
        lines = {line.label: line.y for line in run_state(run, 0)["rates"].series}
    assert run.games == 16
    assert lines["training: won by black, against itself"] == [0.625, 0.625]
    assert lines["training: drawn, against itself"] == [0.125, 0.125]
    folder.cut_back(0)
    assert read(folder).games == 0


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
    run = read(folder)
    assert run.games == 30
    assert run.evaluations == known
    assert "strange" not in run.curves
    assert run_state(run, 0)["results"]["rows"]


def test_a_strange_config_is_no_traceback(tmp_path: Path) -> None:
    folder = a_run(tmp_path)
    strange = [[], {"agent": "x"}, {"experiment": {"episodes": 0}}]
    strange.append({"experiment": {"episodes": "many"}, "sessions": 3})
    for config in strange:
        folder.record.write_text(json.dumps(config))
        try:
            run = read(folder)
        except RunFolderError:
            continue
        assert run_state(run, 0)["phase"].done == 30


def test_a_folder_without_files_has_never_changed(tmp_path: Path) -> None:
    assert last_change(tmp_path) == 0.0
