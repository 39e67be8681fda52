from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from othello_lab.commands.cli import experiment
from othello_lab.experiment.compare.run_figures import of_evaluations
from othello_lab.experiment.compare.runs import Matchup, grouped, last, read_curves, read_groups, tables
from othello_lab.experiment.run.outcomes import Episode, Evaluation, Outcome, Tally
from othello_lab.experiment.run.plan import create
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.experiment.show.tables import as_markdown
from tests.cases import cases
from tests.experiment.pictured import assert_clear, written_in

pytestmark = pytest.mark.slow

# The wins in ten games, by the number of episodes, the opponent and the colour.
Wins = Mapping[tuple[int, str, str], int]


def make_run(
    runs: Path, name: str, wins: Wins, agent: str = "dqn", episodes: int = 20, **environment: object
) -> RunFolder:
    config = {
        # The number of evaluations and the last message of the environment do not matter.
        "experiment": {"episodes": 20, "final_games": 20, "eval_every": len(name)},
        "environment": {"size": 4, "first": "agent", **environment},
        "environment_stats": {"discs_own": len(name)},
        "agent": {"text": agent},
        "seed": len(name),
    }
    folder = create(runs, name, config)
    with folder:
        for episode in range(1, episodes + 1):
            folder.add_episode(Episode(episode, Outcome.WIN, 1.0, 5, 9, 3, "black", 0))
        for (episode, opponent, colour), won in wins.items():
            folder.add_evaluation(Evaluation(episode, opponent, colour, Tally(won, 0, 10 - won)))
    return folder


def finals(black: int, white: int, opponent: str = "greedy") -> dict[tuple[int, str, str], int]:
    return {
        (10, opponent, "black"): 1,
        (20, opponent, "black"): black,
        (20, opponent, "white"): white,
        (20, f"{opponent} (openings)", "black"): 10,
    }


def compare(runs: Path, *arguments: str) -> str:
    result = CliRunner().invoke(experiment, ["compare", "--runs-dir", str(runs), *arguments])
    assert result.exit_code == 0, result.output
    return result.output


def markdown(runs: Path, *names: str) -> str:
    groups, _ = read_groups(grouped([RunFolder.open(runs, name) for name in names])[0])
    return "\n\n".join(map(as_markdown, tables(groups)))


def test_colours_are_summed_and_the_last_games_count_once_also_if_played_again(tmp_path: Path) -> None:
    folder, matchup = make_run(tmp_path, "a", finals(6, 8)), Matchup(4, "greedy")
    curves = read_curves(folder)
    assert curves
    assert list(curves) == [matchup]  # from the openings is another matter
    assert last(curves[matchup]) == Tally(14, 0, 6)
    assert curves[matchup][10] == Tally(1, 0, 9)
    with folder:
        folder.add_evaluation(Evaluation(20, "greedy", "black", Tally(9, 0, 1)))
    curves = read_curves(folder)
    assert curves
    assert last(curves[matchup]) == Tally(17, 0, 3)


def test_runs_that_differ_in_the_seed_only_are_one_group(tmp_path: Path) -> None:
    folders = [
        make_run(tmp_path, "a", finals(6, 8)),
        make_run(tmp_path, "bb", finals(4, 4)),
        make_run(tmp_path, "c", finals(6, 8), agent="dqn,double=false"),
        make_run(tmp_path, "d", finals(6, 8), first="random"),
    ]
    groups, differences = grouped(folders)
    assert list(groups) == ["a, bb", "c", "d"]
    assert differences == {
        "a, bb": "agent dqn  first agent",
        "c": "agent dqn,double=false  first agent",
        "d": "agent dqn  first random",
    }
    assert grouped(folders[:2])[1] == {"a, bb": ""}


@pytest.mark.parametrize("other", ["a", "./a", "link", "{runs}/a", "{runs}/link"])
def test_one_run_is_not_counted_twice_whatever_it_is_called(tmp_path: Path, other: str) -> None:
    make_run(tmp_path, "a", finals(6, 8))
    (tmp_path / "link").symlink_to("a")
    result = CliRunner().invoke(
        experiment, ["compare", f"--runs-dir={tmp_path}", "a", other.format(runs=tmp_path)]
    )
    assert result.exit_code == 2
    assert result.stderr.splitlines()[-1].endswith(": one run is there twice, name each once")


def test_runs_with_one_seed_are_told_and_those_of_one_name_are_apart(tmp_path: Path) -> None:
    make_run(tmp_path, "a", finals(6, 8))
    make_run(tmp_path / "other", "a", finals(4, 4))
    answers = compare(tmp_path, "a", str(tmp_path / "other" / "a"))
    both = f"{tmp_path}/a, {tmp_path}/other/a"
    assert f"{both}: 2 of these runs have the same seed 1, but count as different ones" in answers
    assert f"| {both} | 2 | 55.0 |" in markdown(tmp_path, "a", str(tmp_path / "other" / "a"))
    assert "one seed" not in answers


def test_a_run_that_is_not_finished_is_left_out(tmp_path: Path) -> None:
    folders = [
        make_run(tmp_path, "good", finals(5, 5)),
        make_run(tmp_path, "early", finals(5, 5), episodes=19),
        make_run(tmp_path, "without-final", {(10, "greedy", "black"): 3}),
    ]
    groups, left_out = read_groups({"one": folders})
    assert left_out == ["early", "without-final"]
    assert [tally.win for tally in groups[0].finals(Matchup(4, "greedy"))] == [10]


def test_the_table_and_the_picture(tmp_path: Path) -> None:
    make_run(tmp_path, "a", finals(6, 8) | finals(1, 1, "random"))
    make_run(tmp_path, "b", finals(4, 8) | finals(1, 1, "random"))
    make_run(tmp_path, "c", finals(10, 10), agent="dqn,mask=false")
    compare(tmp_path, "a", "b", "c")
    rows = markdown(tmp_path, "a", "b", "c")
    assert "Won against greedy on 4x4, 95 % interval (Student's t over the seeds" in rows
    # 70 % and 60 %: 12.706 * .0707 / sqrt(2).
    assert "| a, b | 2 | 65.0 | 1.5-100.0 | 60.0 | 70.0 | 40 |" in rows
    assert "| c | 1 | 100.0 | 83.9-100.0 | 100.0 | 100.0 | 20 |" in rows
    assert "one seed: the spread between seeds is unknown" in rows
    assert rows.count("| c |") == 1  # it did not meet random
    assert "| the first minus the second |  | -35.0 | -98.5 to +3.5 |" in rows
    assert (tmp_path / "comparison.png").read_bytes().startswith(b"\x89PNG")
    picture = tmp_path / "new" / "one.png"
    assert "one.png" in compare(tmp_path, "a", "c", "--output", str(picture))
    assert picture.exists()


@pytest.mark.parametrize("count", [1, 20])
def test_pictures_of_many_variants_are_whole_and_name_each(tmp_path: Path, count: int) -> None:
    names = [f"a-variant-whose-name-takes-two-lines,learner.win_weight=0.{number}" for number in range(count)]
    runs = {
        name: [make_run(tmp_path, f"{seed}-{place}", finals(place % 10, 8)) for seed in ("a", "b")]
        for place, name in enumerate(names)
    }
    figure = of_evaluations(read_groups(runs)[0])
    assert_clear(figure)
    answers = "".join(text.get_text().replace("\n", "") for text in written_in(figure))
    assert all(name in answers for name in names)


def test_unlike_boards_stand_apart(tmp_path: Path) -> None:
    folders = [
        make_run(tmp_path, "small", finals(6, 8)),
        make_run(tmp_path, "large", finals(4, 8), size=6),
        make_run(tmp_path, "wide", finals(2, 2, "random"), size=6, agent="mine"),
    ]
    groups, _ = read_groups(grouped(folders)[0])
    figure = of_evaluations(groups)
    titles = [axes.get_title("left") for axes in figure.axes]
    # No opponent met both on 6x6, so there is a row for each opponent.
    assert titles[::2] == ["Against greedy on 4x4", "Against greedy on 6x6", "Against random on 6x6"]
    assert [len(axes.get_yticklabels()) for axes in figure.axes[1::2]] == [1, 1, 1]
    for axes in figure.axes:
        assert axes.get_xlabel()
    answers = compare(tmp_path, "small", "large")
    assert "small: size 4" in answers
    assert "large: size 6" in answers


@pytest.mark.parametrize("arguments", [[], ["a", "--sweep", "b"], ["nothing"], ["--sweep", "nothing"]])
def test_wrong_options_of_compare(tmp_path: Path, arguments: list[str]) -> None:
    result = CliRunner().invoke(experiment, ["compare", "--runs-dir", str(tmp_path), *arguments])
    assert result.exit_code == 2
    says = f"there is no {'sweep' if len(arguments) == 2 else 'run'} in"
    assert (says if arguments[-1:] == ["nothing"] else "either runs or --sweep") in result.output


def of_selfplay(runs: Path, name: str, episodes: int = 20, **own: object) -> RunFolder:
    """Make a run of self-play with these values. `start` is the content of its first checkpoint."""
    wins = {(episodes // 2, "greedy", "black"): 2, (episodes, "greedy", "black"): len(name)}
    folder = make_run(runs, name, wins, episodes=episodes)
    start, config = own.pop("start", None), folder.config()
    config["experiment"]["episodes"] = episodes
    config["experiment"] |= {key: own.pop(key) for key in ("minutes",) if key in own}
    config["selfplay"] = {"opponents": "none", "random_opening": 10, "start": start is not None, **own}
    folder.write_config(config)
    if start:
        folder.checkpoints.mkdir()
        (folder.checkpoints / "start.safetensors").write_text(str(start))
    return folder


@pytest.mark.parametrize(("one", "other", "differences"), cases("selfplay_differences"))
def test_runs_of_self_play_are_apart_by_what_they_learned_from(
    tmp_path: Path, one: dict[str, Any], other: dict[str, Any], differences: list[str]
) -> None:
    groups, found = grouped([of_selfplay(tmp_path, "a", **one), of_selfplay(tmp_path, "bb", **other)])
    assert list(groups) == (["a", "bb"] if differences else ["a, bb"])
    assert [*found.values()] == (differences or [""])


def test_runs_of_some_time_are_one_curve_evaluation_by_evaluation(tmp_path: Path) -> None:
    runs = [of_selfplay(tmp_path, "a" * wins, games, minutes=1.0) for wins, games in ((3, 12), (5, 20))]
    (group,), left_out = read_groups(grouped(runs)[0])
    curve = group.curve(Matchup(4, "greedy"))
    assert not left_out
    assert {episode: round(found.value, 9) for episode, found in curve.items()} == {8: 0.2, 16: 0.4}
