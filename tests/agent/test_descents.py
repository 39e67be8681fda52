"""Learners with descents: what they explore and learn."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from othello_lab.agent.selfplay.descent import ordinal
from othello_lab.agent.selfplay.play import Rules, Shard
from othello_lab.agent.selfplay.played import Lesson, Played
from othello_lab.agent.td.learning import with_passes
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import PASS, Board
from othello_lab.game.batch.games import legal_moves
from othello_lab.game.batch.positions import Positions
from tests.agent.parts import for_selfplay, learner_of, play, selfplay, trio

either = pytest.mark.parametrize("text", ["ntuple", "td"])


def test_the_ordinal_distribution_by_hand() -> None:
    # Two positions of three and two moves; of the first the third move is best, then the first of two equals.
    values, choices = np.array([0.25, 0.25, 0.5, -1.0, 1.0]), np.array([3, 2])
    chances = 100_000
    for position, (order, expected) in enumerate([([2, 0, 1], [0.8, 0.17, 0.03]), ([4, 3], [0.85, 0.15])]):
        # epsilon 0.3: 1 - 0.3 + 0.3 / 3 for the best; of the rest 1 - 0.3 + 0.3 / 2 for the second.
        draws = np.linspace(0, 1, chances, endpoint=False)
        chosen = np.empty(chances, np.int64)
        own = values[:3] if position == 0 else values[3:]
        ordinal(np.tile(own, chances), np.full(chances, len(own)), draws, 0.3, chosen)
        counted = np.bincount(chosen - len(own) * np.arange(chances), minlength=len(own))
        places = np.array(order) - (0 if position == 0 else 3)
        assert counted[places] / chances == pytest.approx(expected, abs=0.001)
    best = np.empty(2, np.int64)
    ordinal(values, choices, np.array([0.999, 0.999]), 0.0, best)
    assert best.tolist() == [2, 4]


def played_by(learner: Any) -> Played:  # noqa: ANN401  of any method
    deciding = learner.deciding(20, 0.1)
    shard = Shard(Rules(4, random_opening=2), np.arange(20), deciding.decide, (), seed=5)
    played, found = shard.play().played, deciding.lesson()
    assert found
    assert legal_moves(found.positions).any(1).all()
    return replace(played, lesson=found)


@either
def test_all_positions_of_its_games_are_in_the_lesson_and_many_more(text: str) -> None:
    learner = learner_of(text, descents="1")
    played = played_by(learner)
    assert played.lesson is not None
    states, decided = told_apart(played.lesson.positions), told_apart(played.positions)
    assert decided <= states
    assert len(states) > 2 * len(decided)
    before = learner.numbers["updates"]
    learner.learn(played)
    assert learner.numbers["updates"] - before == len(played.lesson.targets)


def told_apart(positions: Positions) -> set[tuple[int, int]]:
    return set(zip(positions.own[:, 0].tolist(), positions.opponent[:, 0].tolist(), strict=True))


@either
def test_without_descents_nobody_searches(text: str) -> None:
    assert learner_of(text).deciding(1, 0.1).lesson() is None


@pytest.mark.parametrize("output", ["tanh", "sigmoid"])
def test_the_deep_network_learns_what_positions_are_worth_in_the_trees(output: str) -> None:
    learner = learner_of("td", descents="1", output=output, batch="32", batch_rate="0.01", symmetries="no")
    played = played_by(learner)
    positions, targets = played.lesson or pytest.fail("there is no lesson")

    def error() -> float:
        return float(np.mean((learner.values.values(positions) - targets) ** 2))

    before = error()
    for _ in range(20):
        learner.learn(played)
    assert error() < before / 4


def test_a_side_that_must_pass_is_told_what_the_other_side_is_not() -> None:
    # After a1 white must pass, so it is black's turn; at the start both sides could move.
    passing, open_to_both = Board.parse("-OX---------XO-- X"), Board.start(4)
    after = passing.play(0)
    assert not after.legal_moves
    positions = Positions.of([after.play(PASS), open_to_both])
    found = with_passes(Lesson(positions, np.array([0.75, 0.5])))
    assert found.targets.tolist() == [0.75, 0.5, -0.75]
    assert (found.positions.board(2).own, found.positions.board(2).opponent) == (after.own, after.opponent)


@either
def test_it_learns_to_win_by_self_play(tmp_path: Path, text: str) -> None:
    agent = for_selfplay(text, tmp_path, descents="2")
    with Pool() as pool:
        rounds = selfplay(agent, pool, "random=0.2")
        for done in range(0, 1200, 200):
            results = rounds.play(done, 200).results
    won, drawn, lost = np.array([results["random", colour] for colour in ("black", "white")]).sum(axis=0)
    assert (won + drawn / 2) / (won + drawn + lost) > 0.8


@either
def test_frozen_it_neither_searches_nor_learns(tmp_path: Path, text: str) -> None:
    glue, agent = trio(text, tmp_path, descents="2")
    play(glue, 20)
    updates = agent.learner.numbers["updates"]
    for message in ("freeze learning", "freeze exploring"):
        glue.RL_agent_message(message)
    play(glue, 5)
    assert agent.learner.numbers["updates"] == updates
    assert agent.learner._tree is not None
    assert len(agent.learner._tree.lesson().targets) == 0


@either
@pytest.mark.parametrize("options", [{"epsilon": "1"}, {}])
def test_a_game_without_a_search_teaches_nothing(tmp_path: Path, text: str, options: dict[str, str]) -> None:
    glue, agent = trio(text, tmp_path, 1, "random", 4, descents="2", **options)
    if not options:
        glue.RL_agent_message("freeze exploring")
    play(glue, 3)
    assert agent.learner.numbers["updates"] == 0
