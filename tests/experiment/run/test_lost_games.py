"""Games that the agent of a run lost, in its folder."""

from pathlib import Path
from typing import Any

import pytest

from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.run.outcomes import Outcome
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.game import records
from othello_lab.game.board import Colour
from othello_lab.game.records import Forfeited, Record
from rlglue.glue import AgentLike
from rlglue.types import Action, Observation
from tests.experiment.parts import SavingAgent, carry_out, othello, plan_of, small
from tests.experiment.resuming import agent_of


def lost_in(
    runs: Path, environment: OthelloEnvironment, agent: AgentLike | None = None
) -> tuple[RunFolder, list[Record], str]:
    """A run of 30 games with evaluations, the games that it lost and what was printed."""
    plan = plan_of(runs, config=small(keep_lost_games=True))
    _, said = carry_out(plan, agent or agent_of(plan), environment)
    path = plan.folder.path / "lost.jsonl"
    return plan.folder, records.read(path) if path.exists() else [], said


@pytest.mark.parametrize("values", [{}, {"first": "alternate", "random_opening": 4}], ids=str)
def test_every_lost_game_is_written_down_as_it_was_played(tmp_path: Path, values: dict[str, Any]) -> None:
    folder, lost, _ = lost_in(tmp_path, othello(seed=3, **values))
    training = [each for each in folder.episodes() if each.outcome is Outcome.LOSS]
    found = [record for record in lost if record.event == "training"]
    assert len(training) == len(found) > 5
    for episode, record in zip(training, found, strict=True):
        black, white = record.game.board.counts()
        discs = (black, white) if episode.colour == "black" else (white, black)
        assert discs == (episode.discs_own, episode.discs_opponent)
        assert (record.black, record.white)[episode.colour == "white"] == "random"
        assert record.winner is not Colour(episode.colour)
    evaluated = [record for record in lost if record.event == "evaluation"]
    assert len(evaluated) == sum(each.tally.loss for each in folder.evaluations()) > 5
    assert {record.opening for record in evaluated} == {0, 4}, "from the start, and from openings"
    assert {"positional", "random"} <= {record.white for record in evaluated}, "whom it never met in training"


def test_nothing_is_written_without_the_option(tmp_path: Path) -> None:
    plan = plan_of(tmp_path)
    carry_out(plan, agent_of(plan), othello(seed=3))
    assert not (plan.folder.path / "lost.jsonl").exists()


def test_games_against_itself_are_lost_by_nobody(tmp_path: Path) -> None:
    _, lost, _ = lost_in(tmp_path, othello(opponent="self"))
    assert {record.event for record in lost} == {"evaluation"}


class Occupied(SavingAgent):
    """Always takes a square that is taken."""

    def agent_start(self, observation: Observation) -> Action:
        super().agent_start(observation)
        action = Action()
        action.intArray = [5]
        return action


def test_a_game_lost_by_an_illegal_action_says_so(tmp_path: Path) -> None:
    _, lost, _ = lost_in(tmp_path, othello(), Occupied())
    forfeits = {record.forfeit for record in lost}
    assert forfeits == {Forfeited(colour, "illegal action") for colour in Colour}
    assert lost[0].game.moves == []


class Silent(OthelloEnvironment):
    """Tells no games."""

    def env_message(self, message: str) -> str:
        return "error: no" if message == "transcript" else super().env_message(message)


def test_an_environment_that_does_not_tell_its_games_is_said_once(tmp_path: Path) -> None:
    _, lost, said = lost_in(tmp_path, Silent(EnvironmentConfig(size=4)))
    assert not lost
    assert said.count("lost games are not kept: the environment does not tell its games: ") == 1
