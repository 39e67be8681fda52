import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.commands.cli import cli
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.run.episodes import read_task
from othello_lab.experiment.run.evaluation import FrozenGames
from othello_lab.experiment.run.outcomes import HELD_OUT, Tally
from othello_lab.experiment.run.plan import resumed_plan
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.game import Game
from othello_lab.game.errors import UnplayableError
from othello_lab.game.players.simple import SimplePolicy
from rlglue.glue import Glue
from tests.agent.parts import dqn_agent
from tests.experiment.parts import SavingAgent, carry_out, othello, plan_of, small

MET = {f"{name} (openings)" for name in HELD_OUT}


def rows(runs: Path, name: str = "one") -> list[tuple[int, str, str, Tally]]:
    folder = RunFolder.open(runs, name)
    return [(e.episode, e.opponent, e.colour, e.tally) for e in folder.evaluations()]


def test_a_row_for_each_opponent_and_colour(tmp_path: Path) -> None:
    config = small(10, eval_every=4, eval_games=5, final_games=6, eval_opponent=("random", "greedy"))
    report, out = carry_out(plan_of(tmp_path, config=config), SavingAgent(), othello(first="alternate"))
    found = [(*row[:3], row[3].games) for row in rows(tmp_path)]
    rivals = ("corner-greedy", "random", "greedy")
    assert found == [
        *(
            (episode, rival, *part)
            for episode in (0, 4, 8)
            for rival in rivals
            for part in (("black", 3), ("white", 2))
        ),
        *((10, rival, colour, 3) for rival in rivals for colour in ("black", "white")),
        (10, "corner-greedy (openings)", "black", 116),
        (10, "corner-greedy (openings)", "white", 116),
        *((10, f"{name} (openings)", colour, 3) for name in HELD_OUT for colour in ("black", "white")),
    ]
    assert out.splitlines()[0].startswith("before any game: ")
    assert "after 4 episodes: " in out
    assert " lost of 5 against random: " in out
    assert len(report.evaluations) == 8


@pytest.mark.parametrize(("opponent", "met"), [("positional", ["random", "weights:swh"]), ("self", HELD_OUT)])
def test_a_run_ends_with_players_that_are_new_to_it(tmp_path: Path, opponent: str, met: list[str]) -> None:
    config = small(1, final_games=7)
    report, _ = carry_out(plan_of(tmp_path, config=config), PlayerAgent("greedy"), othello(opponent=opponent))
    assert [(e.opponent, e.colour, e.tally.games) for e in report.held_out] == [
        (f"{name} (openings)", colour, 3) for name in met for colour in ("black", "white")
    ]


def test_a_result_does_not_depend_on_who_else_is_played(tmp_path: Path) -> None:
    for name, rivals in (("alone", ("random",)), ("among", ("greedy", "random", "positional"))):
        config = small(10, eval_every=5, eval_games=20, eval_opponent=rivals)
        carry_out(plan_of(tmp_path, name, config), SavingAgent(), othello(6, seed=4))
    alone = [row for row in rows(tmp_path, "alone") if row[1] == "random"]
    assert alone == [row for row in rows(tmp_path, "among") if row[1] == "random"]
    assert alone


def test_an_opponent_that_the_environment_refuses_costs_a_note(tmp_path: Path) -> None:
    config = small(10, eval_opponent=("dqn:mine", "random"))
    report, _ = carry_out(plan_of(tmp_path, config=config), SavingAgent(), othello())
    assert {row[1] for row in rows(tmp_path)} == {"corner-greedy", "random"}
    assert len(report.notes) == 1
    assert report.notes[0].startswith("evaluation against dqn:mine skipped: the environment does not obey")
    assert "start the environment with --allow-opponent TEXT" in report.notes[0]


def test_an_opponent_that_cannot_play_here_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SimplePolicy, "start", cannot_play)
    config, environment = small(10, eval_opponent=("random", "greedy")), othello()
    report, _ = carry_out(plan_of(tmp_path, config=config), SavingAgent(), environment)
    assert {row[1] for row in rows(tmp_path)} == {"corner-greedy", "greedy"}
    assert "evaluation against random skipped: random does not play on 4x4" in report.notes
    assert environment.settings.opponent_text == "corner-greedy"


@pytest.mark.parametrize(
    ("options", "complaint"),
    [
        ("--opponent random", "random does not play on 4x4"),
        ("--agent random", "random does not play on 4x4"),
        (
            "--agent dqn,preset=selfplay,teacher=trained:none",
            "this agent does not play on 4x4: there is no checkpoint none",
        ),
    ],
)
def test_who_cannot_play_in_this_process_is_told_in_a_line(
    here: Path, monkeypatch: pytest.MonkeyPatch, options: str, complaint: str
) -> None:
    monkeypatch.setattr(SimplePolicy, "start", cannot_play)
    words = f"run --in-process --size 4 --episodes 2 --final-games 0 {options}"
    result = CliRunner().invoke(cli, words.split())
    assert (result.exit_code, result.output.splitlines()[-1]) == (1, f"Error: {complaint}")


def cannot_play(player: SimplePolicy, game: Game) -> None:
    if player.made_from == "random":
        raise UnplayableError("random does not play on 4x4")


def test_an_environment_with_one_opponent_for_ever(tmp_path: Path) -> None:
    class Stubborn(OthelloEnvironment):
        def env_message(self, message: str) -> str:
            return "no" if message.startswith("opponent") else super().env_message(message)

    environment = Stubborn(othello().config)
    report, _ = carry_out(
        plan_of(tmp_path, config=small(10, eval_opponent=("random",), final_games=2)),
        SavingAgent(),
        environment,
    )
    assert {row[1] for row in rows(tmp_path)} == {"corner-greedy", "corner-greedy (openings)"}
    assert "does not obey 'opponent corner-greedy': no" in report.notes[0]


@pytest.mark.parametrize(
    ("listed", "played"),
    [
        ((), {("corner-greedy", "black")}),
        (("greedy",), {("corner-greedy", "black"), ("greedy", "black"), ("greedy", "white")}),
        (("corner-greedy",), {("corner-greedy", "black"), ("corner-greedy", "white")}),
    ],
)
def test_who_learns_against_itself_is_evaluated_against_others(
    tmp_path: Path, listed: tuple[str, ...], played: set[tuple[str, str]]
) -> None:
    environment = othello(opponent="self", first="alternate")
    config = small(10, eval_every=5, eval_opponent=listed, final_games=2)
    carry_out(plan_of(tmp_path, config=config), PlayerAgent("random"), environment)
    found = {row[1:3] for row in rows(tmp_path)}
    assert {row for row in found if not row[0].endswith("(openings)")} == played
    assert {row[0] for row in found if row[0].endswith("(openings)")} == {"corner-greedy (openings)", *MET}
    assert (environment.settings.opponent_text, environment.settings.first) == ("self", "alternate")


@pytest.mark.parametrize("frozen", [set(), {"learning"}, {"learning", "exploring"}])
def test_what_was_frozen_before_an_evaluation_is_frozen_after_it(frozen: set[str]) -> None:
    agent = dqn_agent({"hidden": "8"})
    glue = Glue(agent, othello())
    glue.RL_init()
    for name in frozen:
        glue.RL_agent_message(f"freeze {name}")
    FrozenGames(glue, read_task(othello().env_init()), seed=1).from_start(0, 2)
    told = json.loads(glue.RL_agent_message("stats"))
    assert {name for name in ("learning", "exploring") if not told[name]} == frozen


def test_an_agent_that_does_not_tell_is_taken_to_learn_and_to_explore(tmp_path: Path) -> None:
    agent = SavingAgent()
    carry_out(plan_of(tmp_path, config=small(10, eval_every=5)), agent, othello())
    orders = [message for message in agent.messages if "freeze" in message]
    assert orders[:4] == ["freeze learning", "freeze exploring", "unfreeze learning", "unfreeze exploring"]
    assert agent.exploring


def test_metrics_hold_the_rates_and_the_speeds(tmp_path: Path) -> None:
    config = small(10, eval_opponent=("random",))
    carry_out(plan_of(tmp_path, config=config), SavingAgent(), othello(first="alternate"))
    folder = RunFolder.open(tmp_path, "one")
    last = [line for line in folder.metrics() if "agent" in line][-1]
    assert {"win_rate", "score", "steps_per_second", "updates_per_second"} <= last.keys()
    told = [line["evaluation"] for line in folder.metrics() if "evaluation" in line]
    assert {(rates["opponent"], rates["colour"]) for rates in told} >= {
        ("random", "black"),
        ("random", "white"),
        ("random", "both"),
    }
    for csv in ("episodes.csv", "evaluations.csv"):
        assert "second" not in (folder.path / csv).read_text()
    events = b"".join(path.read_bytes() for path in folder.tensorboard.iterdir())
    for tag in (b"evaluation/random/white/win_rate", b"train/q_mean", b"episode/updates_per_second"):
        assert tag in events


def test_an_evaluation_that_is_played_again_is_told_once(tmp_path: Path) -> None:
    agent = SavingAgent()
    carry_out(plan_of(tmp_path, config=small(10)), agent, othello())
    carry_out(resumed_plan(tmp_path, "one", 20), agent, othello())
    told = [line["episode"] for line in RunFolder.open(tmp_path, "one").metrics() if "evaluation" in line]
    assert (told.count(0), told.count(10)) == (1, 1)
