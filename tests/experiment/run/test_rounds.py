import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.experiment.run.control import ControlError
from othello_lab.experiment.run.length import Moment, estimated_games, is_due, moment
from othello_lab.experiment.run.outcomes import HELD_OUT, RunResult
from othello_lab.experiment.run.plan import Plan, new_plan, resumed_plan
from othello_lab.experiment.run.record import (
    TENTHS,
    AgentPart,
    EnvironmentPart,
    SelfPlayConfig,
    TrainingConfig,
    known,
)
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from othello_lab.experiment.run.train import seconds_trained
from othello_lab.experiment.show.run_end import print_report
from othello_lab.experiment.show.run_picture import figure_of
from othello_lab.experiment.workers.interrupts import Interrupts
from tests.experiment import parts
from tests.experiment.parts import othello, small
from tests.experiment.resuming import Killed

pytestmark = pytest.mark.slow

POOL = SelfPlayConfig(games_at_once=20, random_opening=4, opponents="random=0.25,weights:swh=0.25")


@dataclass(frozen=True)
class Played:
    results: Mapping[tuple[str, str], tuple[int, int, int]]
    decisions: int


@dataclass
class StandIn:
    """Plays nothing. Half of the games are its own games, and a quarter is against each pool player."""

    interrupts: Interrupts | None = None
    kill_at: int = -1
    stop_at: int = -1
    rounds: list[tuple[int, int]] = field(default_factory=list)
    planned: list[int] = field(default_factory=list)

    def play(self, done: int, games: int) -> Played:
        if done == self.kill_at:
            raise Killed
        if self.interrupts and done == self.stop_at:
            self.interrupts.requested = True
        self.rounds.append((done, games))
        quarter = games // 4
        won = int(np.random.default_rng(done).integers(quarter + 1))
        results = {("random", "black"): (won, 0, quarter - won), ("weights:swh", "white"): (0, quarter, 0)}
        return Played({("self", "black"): (games - 2 * quarter, 0, 0), **results}, 60 * games)

    def plan_for(self, games: int) -> None:
        self.planned.append(games)


def plan_for(runs: Path, name: str, config: TrainingConfig) -> Plan:
    return new_plan(runs, name, config, 0, AgentPart("random"), EnvironmentPart(4), POOL)


def carry_out(plan: Plan, rounds: StandIn, interrupts: Interrupts | None = None) -> tuple[RunResult, str]:
    agent = PlayerAgent("random", 3, directory=plan.folder.checkpoints)
    environment = othello(opponent="self", first="alternate", seed=3)
    return parts.carry_out(plan, agent, environment, interrupts, rounds)


def counts(games: int = 90, **values: Any) -> TrainingConfig:  # noqa: ANN401  any field of it
    fixed = {"eval_every": 40, "eval_opponent": ("corner-greedy",), "save_every": 40}
    return small(games, **{**fixed, **values})


def results(run: Path) -> dict[str, bytes]:
    files = [run / "rounds.csv", run / "evaluations.csv", *sorted((run / "checkpoints").iterdir())]
    return {path.name: path.read_bytes() for path in files}


def test_rounds_stand_in_place_of_episodes(tmp_path: Path) -> None:
    rounds = StandIn()
    report, out = carry_out(plan_for(tmp_path, "one", counts()), rounds)
    assert rounds.rounds == [(0, 20), (20, 20), (40, 20), (60, 20), (80, 10)]
    assert (report.episodes, report.work.games, report.work.decisions) == (90, 90, 90 * 60)
    folder = RunFolder.open(tmp_path, "one")
    assert not (folder.path / "episodes.csv").exists()
    rows = (folder.path / "rounds.csv").read_text().splitlines()
    assert rows[0] == "episode,opponent,colour,games,win,draw,loss"
    assert [row.split(",")[:4] for row in rows[1:4]] == [
        ["20", "random", "black", "5"],
        ["20", "self", "black", "10"],
        ["20", "weights:swh", "white", "5"],
    ]
    assert rows[-1].startswith("90,weights:swh,white,2")
    evaluated = [(each.episode, each.opponent) for each in folder.evaluations() if each.colour == "black"]
    assert evaluated == [(place, "corner-greedy") for place in (0, 40, 80)]
    assert [saved.episode for saved in folder.saved()] == [40, 80, 90]
    told = next(line for line in folder.metrics() if "black" in line)
    assert (told["episode"], told["black"], told["pool weights:swh"]) == (20, 1.0, 0.5)
    assert "after 40 episodes: " in out
    figure_of(folder)


@pytest.mark.parametrize("at", [0, 20, 60, 80])
def test_killed_at_a_round_and_resumed_it_is_the_same_run(tmp_path: Path, at: int) -> None:
    carry_out(plan_for(tmp_path, "whole", counts()), StandIn())
    with pytest.raises(Killed):
        carry_out(plan_for(tmp_path, "parts", counts()), StandIn(kill_at=at))
    rounds = StandIn()
    carry_out(resumed_plan(tmp_path, "parts", None, selfplay=True), rounds)
    assert rounds.rounds[0][0] == at // 40 * 40
    assert results(tmp_path / "parts") == results(tmp_path / "whole")


def test_stopped_after_a_round_it_saves_and_goes_on(tmp_path: Path) -> None:
    carry_out(plan_for(tmp_path, "whole", counts()), StandIn())
    interrupts = Interrupts()
    stopped = StandIn(interrupts, stop_at=40)
    report, _ = carry_out(plan_for(tmp_path, "parts", counts()), stopped, interrupts)
    assert (report.interrupted, report.episodes, report.checkpoint) == (True, 60, report.checkpoint)
    assert report.checkpoint
    assert report.checkpoint.episode == 60
    carry_out(resumed_plan(tmp_path, "parts", None, selfplay=True), StandIn())
    found, wanted = results(tmp_path / "parts"), results(tmp_path / "whole")
    assert {name: found[name] for name in wanted if "0040" not in name} == {
        name: content for name, content in wanted.items() if "0040" not in name
    }


def test_a_refused_first_policy_changes_no_file(tmp_path: Path) -> None:
    plan = new_plan(tmp_path, "one", counts(), 0, AgentPart("random"), EnvironmentPart(4), POOL)
    with pytest.raises(Killed):
        carry_out(plan, StandIn(kill_at=20))
    config = plan.folder.config()
    plan.folder.write_config({**config, "selfplay": {**config["selfplay"], "start": True}})
    before = {path: path.read_bytes() for path in plan.folder.path.glob("*.csv")}
    with pytest.raises(ControlError, match="cannot start with that checkpoint"):
        carry_out(resumed_plan(tmp_path, "one", None, selfplay=True), StandIn())
    assert before
    assert {path: path.read_bytes() for path in plan.folder.path.glob("*.csv")} == before


def test_each_kind_of_run_is_resumed_by_its_own_command(tmp_path: Path) -> None:
    carry_out(plan_for(tmp_path, "one", counts()), StandIn())
    with pytest.raises(RunFolderError, match="go on with othello selfplay --resume"):
        resumed_plan(tmp_path, "one", None)
    with pytest.raises(RunFolderError, match="has 90 episodes: ask for more --games"):
        resumed_plan(tmp_path, "one", 50, selfplay=True)
    new_plan(tmp_path, "two", small(), 0, AgentPart("random"), EnvironmentPart())
    with pytest.raises(RunFolderError, match="go on with othello run --resume"):
        resumed_plan(tmp_path, "two", None, selfplay=True)


def test_time_decides_where_games_are_not_counted() -> None:
    by_time = TrainingConfig(episodes=0, eval_every=TENTHS, minutes=2.0)
    begin, now = moment(by_time, 0, 0.0), moment(by_time, 4000, 30.0)
    assert (begin, now) == (Moment(0, 0.0), Moment(4000, 0.25))
    assert estimated_games(by_time, now) == 16_000
    assert is_due(TENTHS, begin, now), "a tenth of the time has passed"
    assert not is_due(TENTHS, now, Moment(4500, 0.29))
    assert not is_due(0, begin, now), "0 is never"
    assert is_due(4200, now, Moment(4500, 0.29))
    assert moment(by_time, 9000, 121.0).share == 1.0
    assert moment(TrainingConfig(episodes=100), 25, 3.0) == Moment(25, 0.25)


def test_a_run_of_some_time_ends_and_says_how_many_games_it_had(tmp_path: Path) -> None:
    rounds = StandIn()
    config = counts(0, minutes=0.001)
    report, _ = carry_out(plan_for(tmp_path, "one", config), rounds)
    folder = RunFolder.open(tmp_path, "one")
    assert folder.config()["experiment"]["episodes"] == report.episodes > 0
    assert seconds_trained(folder) > 0
    assert all(planned > 0 for planned in rounds.planned)
    rest = StandIn()
    carry_out(resumed_plan(tmp_path, "one", report.episodes + 30, selfplay=True), rest)
    assert rest.rounds == [(report.episodes, 20), (report.episodes + 20, 10)]


def test_it_says_who_was_met_and_how_to_train_on(tmp_path: Path) -> None:
    report, _ = carry_out(plan_for(tmp_path, "one", counts(final_games=4)), StandIn())
    folder = RunFolder.open(tmp_path, "one")
    config = json.loads(folder.record.read_text())
    assert known(config).headline == "random against itself and others on 4x4"
    met = [name for name in HELD_OUT if not known(config).is_held_out(f"{name} (openings)")]
    assert met == ["random", "weights:swh"]
    out = StringIO()
    print_report(Console(file=out, width=100), report, folder, None, "othello selfplay --resume one")
    assert "90 training games in" in out.getvalue()
    assert "othello selfplay --resume one --games 180" in out.getvalue()
    assert "training never begins there" not in out.getvalue()
