from collections.abc import Callable
from pathlib import Path
from unittest.mock import Mock

import pytest

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.run.evaluation import FrozenGames
from othello_lab.experiment.run.outcomes import HELD_OUT
from othello_lab.experiment.run.plan import new_plan, resumed_plan
from othello_lab.experiment.run.record import AgentPart, EnvironmentPart
from othello_lab.experiment.run.run_folder import RunFolder, RunFolderError
from rlglue.errors import GlueError, PeerLost
from rlglue.glue import AgentLike
from rlglue.types import Action, Observation, Reward_observation_terminal
from tests.agent.parts import dqn_agent
from tests.experiment.parts import (
    MuteAgent,
    SavingAgent,
    StrangersEnvironment,
    carry_out,
    othello,
    plan_of,
    small,
)
from tests.experiment.resuming import Killed

pytestmark = pytest.mark.slow


def episodes_csv(runs: Path, name: str) -> bytes:
    return (runs / name / "episodes.csv").read_bytes()


def test_a_strangers_environment_leaves_unknown_columns_empty(tmp_path: Path) -> None:
    plan = plan_of(tmp_path, config=small(episodes=4, eval_every=2))
    report, _ = carry_out(plan, MuteAgent(), StrangersEnvironment())
    assert episodes_csv(tmp_path, "one") == (
        b"episode,outcome,reward,steps,discs_own,discs_opponent,colour,illegal\n"
        b"1,win,1,3,,,,\n"
        b"2,draw,-0.5,3,,,,\n"
        b"3,loss,-1,3,,,,\n"
        b"4,,0,3,,,,\n"
    )
    assert report.notes == ["evaluations skipped: the environment does not tell its state by messages"]
    assert (report.policy, report.checkpoint, report.evaluations) == (None, None, [])


def test_the_agent_is_told_its_seed_before_the_first_game_or_a_line_says_why_not(tmp_path: Path) -> None:
    agent, plan = SavingAgent(), plan_of(tmp_path, config=small(episodes=2))
    _, out = carry_out(plan, agent, othello())
    assert agent.messages.count(f"seed {plan.seeds.agent}") == 1
    assert agent.messages.index(f"seed {plan.seeds.agent}") < agent.messages.index("freeze learning")
    assert "seed" not in out
    _, out = carry_out(plan_of(tmp_path, "two", config=small(episodes=2)), MuteAgent(), othello())
    assert [line for line in out.splitlines() if "seed" in line] == [
        "the agent does not understand 'seed': --seed repeats its moves only if it reads RLGLUE_SEED"
    ]


def test_what_a_run_writes(tmp_path: Path) -> None:
    report, _ = carry_out(plan_of(tmp_path, config=small(final_games=8)), SavingAgent(), othello())
    folder = RunFolder.open(tmp_path, "one")
    episodes = folder.episodes()
    assert [episode.index for episode in episodes] == list(range(1, 31))
    for episode in episodes:
        assert episode.colour == "black"
        assert episode.illegal == 0
        assert episode.outcome == _by_discs(episode.discs_own, episode.discs_opponent)
    assert [(e.episode, e.opponent, e.colour, e.tally.games) for e in folder.evaluations()] == [
        (0, "corner-greedy", "black", 5),
        (10, "corner-greedy", "black", 5),
        (20, "corner-greedy", "black", 5),
        (30, "corner-greedy", "black", 8),
        (30, "corner-greedy (openings)", "black", 116),
        (30, "corner-greedy (openings)", "white", 116),
        *((30, f"{name} (openings)", colour, 4) for name in HELD_OUT for colour in ("black", "white")),
    ]
    assert report.policy == "checkpoints/policy"
    assert len(report.evaluations) == 3
    config = folder.config()
    assert config["task_spec"].startswith("VERSION RL-Glue-3.0")
    assert config["seeds"].keys() == {"environment", "agent", "evaluation"}
    assert config["versions"]["numpy"]
    assert [line["agent"]["loss"] for line in folder.metrics() if "agent" in line][-1] == 0.5
    assert list(folder.tensorboard.glob("events.out.tfevents.*"))


def _by_discs(own: int | None, opponent: int | None) -> str:
    assert own is not None
    assert opponent is not None
    return "win" if own > opponent else "loss" if own < opponent else "draw"


AGENTS: dict[str, Callable[[], AgentLike]] = {
    "saving": SavingAgent,
    "player": lambda: PlayerAgent("random"),
    "learner": lambda: dqn_agent({"hidden": "8", "batch": "8", "warm_up": "9"}),
}


@pytest.mark.parametrize("kind", AGENTS)
def test_evaluation_leaves_training_as_it_was(tmp_path: Path, kind: str) -> None:
    for name, every, rivals in (("with", 3, ("random", "positional")), ("without", 0, ())):
        plan = plan_of(tmp_path, name, small(eval_every=every, eval_opponent=rivals))
        environment = othello(first="alternate", random_opening=3, seed=7)
        carry_out(plan, AGENTS[kind](), environment)
        assert environment.settings.opponent_text == "corner-greedy"
    assert episodes_csv(tmp_path, "with") == episodes_csv(tmp_path, "without")


def test_an_error_passes_through_an_evaluation_and_everything_is_put_back(tmp_path: Path) -> None:
    class Leaves(SavingAgent):
        def agent_start(self, observation: Observation) -> Action:
            # Two evaluations of five games, ten training games, five games, and the third against random.
            if self.starts == 28:
                assert environment.settings.opponent_text == "random"
                raise PeerLost("the agent left")
            return super().agent_start(observation)

    environment, agent = othello(first="random", seed=5), Leaves()
    with pytest.raises(PeerLost):
        carry_out(plan_of(tmp_path, config=small(eval_opponent=("random",))), agent, environment)
    settings = environment.settings
    assert (settings.seed, settings.next_episode, settings.first) == (5, 10, "random")
    assert settings.opponent_text == "corner-greedy"
    assert agent.exploring
    assert episodes_csv(tmp_path, "one").count(b"\n") == 11


def test_a_run_after_one_killed_in_an_evaluation_has_its_environment_and_tells_of_a_frozen_learner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    environment, agent = othello(first="random", seed=5), dqn_agent({"hidden": "8"})
    config = small(2, eval_every=0, final_games=2, eval_opponent=("random",))
    monkeypatch.setattr(FrozenGames, "_restore", Mock(side_effect=Killed))
    with pytest.raises(Killed):
        carry_out(plan_of(tmp_path, "killed", config), agent, environment)
    monkeypatch.undo()
    assert environment.settings.seed != 5
    _, out = carry_out(plan_of(tmp_path, "next", config), agent, environment)
    assert out.startswith("the agent is frozen, perhaps by a run that was killed, and learns nothing")
    settings = environment.settings
    assert (settings.seed, settings.first, settings.opponent_text) == (5, "random", "corner-greedy")
    _, out = carry_out(plan_of(tmp_path, "player", config), PlayerAgent("random"), environment)
    assert "frozen" not in out


def test_an_environment_that_obeys_only_in_part_is_trained_on_without_evaluation(tmp_path: Path) -> None:
    class Stubborn(OthelloEnvironment):
        def env_message(self, message: str) -> str:
            return "no" if message.startswith("start") else super().env_message(message)

    environment, agent = Stubborn(EnvironmentConfig(size=4, seed=5)), SavingAgent()
    report, _ = carry_out(plan_of(tmp_path), agent, environment)
    assert report.evaluations == []
    assert (environment.settings.seed, agent.exploring) == (5, True)
    assert episodes_csv(tmp_path, "one").count(b"\n") == 31
    assert "the environment does not obey 'start" in report.notes[0]


def test_openings_are_played_as_black_and_as_white(tmp_path: Path) -> None:
    starts: list[tuple[str, int]] = []

    class Looks(SavingAgent):
        def agent_start(self, observation: Observation) -> Action:
            starts.append((environment.colour.value, int(sum(observation.intArray[:32]))))
            return super().agent_start(observation)

    environment = othello()
    carry_out(plan_of(tmp_path, config=small(episodes=1, eval_every=0, final_games=1)), Looks(), environment)
    black, white = starts[2 : 2 + 116], starts[2 + 116 : 2 + 232]
    assert {colour for colour, _ in black} == {"black"}
    assert {colour for colour, _ in white} == {"white"}
    # There are four discs and four more. If the agent is white, the opponent may have answered.
    assert {discs for _, discs in black} == {8}
    assert {discs for _, discs in white} <= {8, 9}
    assert (environment.settings.start_text, environment.settings.first) == ("standard", "agent")


def test_an_agent_that_cannot_be_frozen_is_evaluated_as_it_is(tmp_path: Path) -> None:
    report, _ = carry_out(plan_of(tmp_path, config=small(1, final_games=1)), MuteAgent(), othello())
    assert report.evaluations[0].notes == ("learning could not be frozen", "exploration could not be frozen")


def test_a_run_refuses_to_overwrite_another(tmp_path: Path) -> None:
    plan_of(tmp_path)
    with pytest.raises(RunFolderError, match="give another --name, or go on with it by --resume one"):
        plan_of(tmp_path)
    with pytest.raises(RunFolderError, match="no name of a run"):
        plan_of(tmp_path, "../one")


def test_what_cannot_be_resumed_says_so(tmp_path: Path) -> None:
    carry_out(plan_of(tmp_path, "random"), PlayerAgent("random"), othello())
    with pytest.raises(RunFolderError, match="no checkpoint to go on from"):
        resumed_plan(tmp_path, "random", None)
    with pytest.raises(RunFolderError, match="there is no run in"):
        resumed_plan(tmp_path, "nothing", None)
    agent = SavingAgent()
    carry_out(plan_of(tmp_path), agent, othello())
    with pytest.raises(RunFolderError, match="ask for more --episodes"):
        resumed_plan(tmp_path, "one", 20)
    with pytest.raises(GlueError, match="start the environment as before"):
        carry_out(resumed_plan(tmp_path, "one", 40), agent, othello(6))
    with pytest.raises(GlueError, match="start it with --opponent corner-greedy"):
        carry_out(resumed_plan(tmp_path, "one", 40), agent, othello(opponent="greedy"))


def test_a_game_that_does_not_end_is_cut_off(tmp_path: Path) -> None:
    carry_out(plan_of(tmp_path, config=small(2, max_steps=2)), SavingAgent(), StrangersEnvironment())
    assert episodes_csv(tmp_path, "one").splitlines()[1:] == [b"1,,0,2,,,,", b"2,,0,2,,,,"]


def test_an_agent_that_serves_several_runs_saves_under_their_names(tmp_path: Path) -> None:
    plan = new_plan(tmp_path, "one", small(10), 0, AgentPart(command="mine"), EnvironmentPart())
    agent = SavingAgent()
    carry_out(plan, agent, othello())
    assert agent.saved.keys() == {"one-episode-00000010", "one-policy"}


def test_a_run_that_is_told_to_keeps_the_policy_of_each_checkpoint(tmp_path: Path) -> None:
    agent = SavingAgent()
    carry_out(plan_of(tmp_path, config=small(50, keep_policies=True)), agent, othello())
    assert [message for message in agent.messages if message.startswith("save_policy")] == [
        *(f"save_policy policy-{number:08d}" for number in (10, 20, 30, 40, 50)),
        "save_policy policy",
    ]


def test_rewards_that_are_no_numbers_are_told_once_and_give_no_result(tmp_path: Path) -> None:
    class Broken(StrangersEnvironment):
        def env_step(self, action: Action) -> Reward_observation_terminal:
            step = super().env_step(action)
            step.r = float("nan") if self.episode % 2 else step.r
            return step

    plan = plan_of(tmp_path, config=small(6, eval_every=0))
    _, out = carry_out(plan, SavingAgent(), Broken())
    assert out.count("warning: ") == 1
    assert "warning: the rewards of episode 1 add up to nan; such episodes count" in out
    assert [episode.outcome is None for episode in plan.folder.episodes()][::2] == [True] * 3
