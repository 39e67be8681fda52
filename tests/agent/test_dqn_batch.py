from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.agent.checkpoint import load
from othello_lab.agent.dqn.method import configure
from othello_lab.agent.dqn.selfplay import SelfPlayConfig, SelfPlayLearner, training_batch
from othello_lab.agent.learner import Seeds
from othello_lab.agent.policy import move_values
from othello_lab.agent.selfplay.games import GameBatch
from othello_lab.agent.selfplay.pool import NONE
from othello_lab.agent.selfplay.training import check_batches, for_batches
from othello_lab.commands.cli import cli
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Game, symmetry
from othello_lab.game.batch import Positions, legal_moves, repeated, to_mask
from othello_lab.game.catalogue import make, make_evaluator
from othello_lab.game.evaluators.evaluator import Evaluator
from othello_lab.game.registry import parse
from othello_lab.game.solver.solver import solve_all
from scripts.ship import ship
from tests.agent.learners import DQN_SELFPLAY
from tests.agent.parts import for_selfplay, hand_made, play, played_by, seated, selfplay

START = repeated(Board.start(4), 1)


def config(**options: str) -> SelfPlayConfig:
    made = configure(parse(DQN_SELFPLAY).options | options, 4, 500)
    assert isinstance(made, SelfPlayConfig)
    return made


def learner(seed: int = 0, **options: str) -> SelfPlayLearner:
    seeds = Seeds(np.random.SeedSequence(seed), np.random.SeedSequence(seed + 1))
    return SelfPlayLearner(config(**options), 4, seeds)


class Discs(Evaluator):
    def values(self, positions: Positions) -> np.ndarray:
        own, theirs = (to_mask(side, 4).sum(axis=1) for side in (positions.own, positions.opponent))
        found: np.ndarray = (own - theirs) / 16
        return found


@pytest.mark.slow
def test_it_learns_who_wins_from_the_games() -> None:
    """The last move has the value of the result, even if the network had another estimate."""
    made = learner(rate_games="0")
    played = played_by(made, games=200)
    last = np.flatnonzero(played.next_index < 0)
    ends = replace(played, positions=played.positions.take(last), moves=played.moves[last])

    def error() -> float:
        legal = to_mask(legal_moves(ends.positions), 4)
        found = np.zeros(legal.shape)
        found[legal] = made.move_values(ends.positions)
        return float(np.abs(found[np.arange(len(last)), ends.moves] - played.results[last]).mean())

    before = error()
    for _ in range(20):
        made.learn(played)
    assert error() < before * 0.6


def test_a_teacher_says_what_moves_are_worth() -> None:
    made = learner(teacher="positional", rate_games="0")
    played = played_by(made)
    wanted = move_values(played.positions, make_evaluator("positional", 4))

    def error() -> float:
        return float(np.square(made.move_values(played.positions) - wanted).mean())

    before = error()
    for _ in range(10):
        made.learn(played)
    assert error() < before / 4
    with pytest.raises(ValueError, match="no evaluator 'positionel'"):
        learner(teacher="positionel")


def rates_of(made: SelfPlayLearner, monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return a list to which each later update adds its learning rate."""
    rates: list[float] = []
    step = made.q.optimiser.step

    def record(rate: float) -> None:
        rates.append(rate)
        step(rate)

    monkeypatch.setattr(made.q.optimiser, "step", record)
    return rates


def test_the_learning_rate_falls_to_nothing_over_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    made = learner(rate_games="128")
    rates = rates_of(made, monkeypatch)
    played = played_by(made)
    for wanted in (0.01, 0.005, 0.0, 0.0):
        made.learn(played)
        assert rates[-1] == pytest.approx(wanted, abs=1e-9)


@pytest.mark.slow
def test_what_falls_over_a_run_falls_to_its_new_end_too(tmp_path: Path) -> None:
    few = "--learner dqn,hidden=8 --size 4 --games-at-once 20 --eval-every 0 --final-games 0"
    for line in (f"--games 40 --name one {few}", "--games 60 --resume one"):
        done = CliRunner().invoke(cli, ["selfplay", *line.split(), "--runs-dir", str(tmp_path)])
        assert done.exit_code == 0, done.output
    saved = [
        load(tmp_path / "one" / "checkpoints" / f"episode-000000{games}.safetensors") for games in (40, 60)
    ]
    assert [stored.values["config"]["rate_games"] for stored in saved] == [40, 60]


def test_what_selfplay_has_learned_goes_on_over_rlglue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    agent = for_selfplay(DQN_SELFPLAY, tmp_path)
    selfplay(agent, Pool(), NONE, random_opening=10).play(0, 300)
    updates = agent.stats()["updates"]
    agent.save("batches")
    again = for_selfplay(DQN_SELFPLAY, tmp_path)
    again.load("batches")
    rates = rates_of(again.learner, monkeypatch)
    play(seated(again, OthelloEnvironment(EnvironmentConfig(size=4, opponent="random", seed=3))), 5)
    assert again.games == 305
    assert set(rates) == {0.01}
    assert again.stats()["updates"] > updates
    assert again.stats()["replay"] > 0


def test_many_games_at_once_begin_with_a_preset_of_their_own() -> None:
    assert for_batches("dqn") == "dqn,preset=selfplay"
    assert for_batches("dqn:lam=0.5") == "dqn:lam=0.5,preset=selfplay"
    assert for_batches("dqn,preset=report") == "dqn,preset=report"
    assert for_batches("ntuple") == "ntuple"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("dqn,frames=2", "dqn,preset=selfplay has no option 'frames'"),
        ("dqn,lam=0.5,n_step=5", "dqn,preset=selfplay has no option 'n_step'"),
        ("dqn,preset=classic", "learns from one game at a time only"),
    ],
)
def test_selfplay_has_options_of_its_own(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_batches(for_batches(text), 4)
    with pytest.raises(ValueError, match="dqn has no option 'lam'"):
        configure({"lam": "0.5"}, 4)


def test_what_ships_is_a_policy_in_halves(tmp_path: Path) -> None:
    policy = for_selfplay(DQN_SELFPLAY, tmp_path, teacher="positional").save_policy("policy")
    stored = load(ship(policy, "how", tmp_path / "out"))
    assert stored.path == tmp_path / "out" / "dqn" / "pretrained" / "4x4.safetensors"
    assert (stored.values["recipe"], stored.values["config"]["teacher"]) == ("how", "none")
    assert all(array.dtype == np.float16 for array in stored.arrays.values())
    legal = Board.start(4).legal_moves
    assert make(f"dqn:{stored.path}", 4).choose(Game(Board.start(4)), np.random.default_rng(0)) in legal
    again = for_selfplay(DQN_SELFPLAY, stored.path.parent)
    again.load_policy("4x4")
    wanted = for_selfplay(DQN_SELFPLAY, tmp_path).learner.move_values(START)
    assert np.allclose(again.learner.move_values(START), wanted, atol=0.01)


def three_decisions() -> GameBatch:
    """The last of the three decisions follows a forced pass. All decisions have the same board."""
    moves = np.flatnonzero(to_mask(legal_moves(START), 4)[0])[:3]
    results = np.array([1, -1, -1], np.int8)
    return hand_made([0.1, 0.2, 0.4], [True, True, False], [-1, 1, 0], moves=moves, results=results)


def test_the_move_that_was_played_is_worth_the_signed_return_of_the_next_decision() -> None:
    played = three_decisions()
    batch = training_batch(played, config(lam="0.5", gamma="0.5"), None)
    # The last decision is lost. The decision before it, by the same side, has half of 0.4, which is the value
    # of the best move. The first has minus half of the mean of 0.2 and 0.2.
    assert batch.targets[np.arange(3), played.moves] == pytest.approx([-0.1, 0.2, -1.0])
    assert batch.weights.sum() == 3


def test_with_a_teacher_every_legal_move_is_worth_what_the_position_behind_it_is() -> None:
    played = three_decisions()
    batch = training_batch(played, config(), Discs())
    # Any first move turns one disc: four own discs against one, seen from the other side -3 / 16.
    assert np.array_equal(batch.weights, to_mask(legal_moves(played.positions), 4) / 4)
    assert batch.targets[batch.weights > 0] == pytest.approx([3 / 16] * 12)
    # With two plies, the other side has three answers. Each answer leaves three discs against three.
    deep = training_batch(played, config(plies="2"), Discs())
    assert deep.targets[deep.weights > 0] == pytest.approx([0.0] * 12)


@pytest.mark.slow
def test_near_the_end_every_legal_move_is_worth_what_it_leads_to() -> None:
    made = learner()
    played = played_by(made, games=200)
    batch = training_batch(played, config(solve_targets_below="4", lam="1"), None)
    exact = solve_all()
    empties = 16 - batch.states[:, :2].sum(axis=(1, 2))
    values = {
        (board.own, board.opponent): {
            square: -int(np.sign(exact[board.play(square)])) for square in board.legal_moves
        }
        for board in exact
        if board.legal_moves
    }
    near = np.flatnonzero(empties <= 4)
    assert len(near) > 200
    for index in near.tolist():
        board = played.positions.board(index)
        found = {square: batch.targets[index, square] for square in np.flatnonzero(batch.weights[index])}
        assert found == values[board.own, board.opponent]
    # Five squares from the end, the played move has the value of the best reply.
    five = [index for index in np.flatnonzero(empties == 5).tolist() if played.next_index[index] >= 0]
    assert len(five) > 20
    for index in five:
        board, move = played.positions.board(index), int(played.moves[index])
        assert batch.targets[index, move] == values[board.own, board.opponent][move]
        assert batch.weights[index].sum() == 1


def test_a_lesson_is_shown_under_a_symmetry_of_the_board() -> None:
    batch = training_batch(three_decisions(), config(), Discs())
    turns = np.arange(symmetry.SYMMETRIES)
    turned = batch.turned(np.zeros(8, np.int64), turns, 4)
    moves = np.flatnonzero(batch.weights[0])
    for turn in turns:
        there = symmetry.permutations(4)[turn][moves]
        assert turned.states[turn, 2, there].all(), "what is learned is a legal move there too"
        assert np.array_equal(turned.targets[turn, there], batch.targets[0, moves])


def test_with_few_discs_a_move_that_loses_at_once_is_lost_whoever_saw_it() -> None:
    played = played_by(learner(), games=200)
    batch = training_batch(played, config(wipeout_guard="3"), None)
    without = training_batch(played, config(), None)
    seen = 0
    for index in range(len(played)):
        board = played.positions.board(index)
        few = batch.states[index, 0].sum() <= 3
        lost = [square for square in board.legal_moves if few and can_be_taken(board.play(square))]
        seen += len(lost)
        assert (batch.targets[index, lost] == -1).all()
        wanted, weights = without.targets[index].copy(), without.weights[index].copy()
        wanted[lost], weights[lost] = -1, 1
        assert np.array_equal(batch.targets[index], wanted)
        assert np.array_equal(batch.weights[index], weights)
    assert seen > 10


def can_be_taken(board: Board) -> bool:
    ends = [board.play(square).outcome() for square in board.legal_moves]
    return any(end is not None and end.winner is board.turn for end in ends)
