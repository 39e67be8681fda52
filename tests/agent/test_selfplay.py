import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from othello_lab.agent.checkpoint import CheckpointError
from othello_lab.agent.selfplay import training
from othello_lab.agent.selfplay.games import GameBatch, lambda_returns
from othello_lab.agent.selfplay.play import SELF, GameSettings, Results, SelfPlayGames, by_values
from othello_lab.agent.selfplay.pool import NONE, PAST, STANDARD, Opponent, make_pool, read_pool
from othello_lab.experiment.workers.pool import Pool
from tests.agent.parts import for_selfplay, hand_made, learner_of, selfplay
from tests.agent.table import announce

RULES = GameSettings(size=4, random_opening=2)


@pytest.fixture(autouse=True)
def _announced(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    announce(tmp_path, monkeypatch)


def test_a_pool_is_read_from_its_text() -> None:
    assert read_pool("random=0.25, weights:swh=0.5", 8) == {"random": 0.25, "weights:swh": 0.5}
    assert read_pool(NONE, 8) == {}
    assert sum(read_pool(STANDARD, 8).values()) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("random", "'random' is no player with a share, such as random=0.1"),
        ("random=much", "no player with a share"),
        ("random=-0.5", "no player with a share"),
        ("randum=0.1", "not 'randum'"),
        ("random=0.5,positional=0.5", "come to 1, expected less than 1"),
    ],
)
def test_a_pool_that_is_none_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        read_pool(text, 8)


def test_results_are_those_of_the_games() -> None:
    rules = GameSettings(size=4, random_opening=0, epsilon=0.0)
    rivals = list(make_pool({"random": 0.6}, [], 4))
    played, results = SelfPlayGames(
        rules, np.arange(500), by_values(learner_of("table").move_values, 0.0), rivals, seed=3
    ).play()
    first = np.setdiff1d(np.arange(len(played)), played.next_index)
    assert len(first) == 500, "black decides first, and black is who begins"
    # Without exploration, only the rival's moves are not on policy.
    black = played.on_policy[first]
    rival = np.array([not all(played.on_policy[chain(played, start)]) for start in first])
    seats = np.where(rival, np.where(black, "random black", "random white"), "self black")
    won = np.where(rival & ~black, -played.results[first], played.results[first])
    counted = Counter(zip(seats.tolist(), won.tolist(), strict=True))
    assert results == {
        (name, colour): tuple(counted[f"{name} {colour}", sign] for sign in (1, 0, -1))
        for name, colour in (("random", "black"), ("random", "white"), (SELF, "black"))
    }
    assert sum(map(sum, results.values())) == 500
    assert rival.mean() == pytest.approx(0.6, abs=0.1)


def test_games_that_end_within_their_openings_are_played_without() -> None:
    rules = GameSettings(size=4, random_opening=10_000, epsilon=0.0)
    shard = SelfPlayGames(rules, np.arange(1), by_values(learner_of("table").move_values, 0.0), [], seed=3)
    played, results = shard.play()
    assert played.games == 1
    assert sum(map(sum, results.values())) == 1


def score(results: Results) -> float:
    won, drawn, lost = np.array([results["random", colour] for colour in ("black", "white")]).sum(axis=0)
    return float((won + drawn / 2) / (won + drawn + lost))


def chain(played: GameBatch, start: int) -> list[int]:
    indices = [int(start)]
    while played.next_index[indices[-1]] >= 0:
        indices.append(int(played.next_index[indices[-1]]))
    return indices


def test_shards_are_put_together_one_after_another() -> None:
    numbers = np.arange(3), np.arange(3, 8)
    parts = [
        SelfPlayGames(RULES, some, by_values(learner_of("table").move_values, RULES.epsilon), [], seed=3)
        .play()
        .batch
        for some in numbers
    ]
    joined = GameBatch.joined(parts)
    begin = len(parts[0])
    assert np.array_equal(joined.moves[begin:], parts[1].moves)
    assert np.array_equal(joined.positions.own[begin:], parts[1].positions.own)
    following = parts[1].next_index
    assert np.array_equal(joined.next_index[begin:], np.where(following < 0, -1, following + begin))
    assert np.array_equal(joined.next_index[:begin], parts[0].next_index)


def test_past_selves_share_their_games_and_none_is_no_rival() -> None:
    (one,) = make_pool({"random": 0.1}, [], 4)
    assert list(make_pool({PAST: 0.5}, [], 4)) == []
    assert [*make_pool({PAST: 0.5}, [one.policy] * 2, 4)] == [Opponent(PAST, 0.25, one.policy)] * 2


@pytest.mark.slow
def test_it_learns_from_its_games(tmp_path: Path) -> None:
    agent = for_selfplay("table", tmp_path, rate="0.1", epsilon="0.05")
    with Pool() as pool:
        rounds = selfplay(agent, pool, "random=0.5")
        scores = [score(rounds.play(done, 200).results) for done in range(0, 8000, 200)]
    assert np.mean(scores[:10]) < 0.64 < 0.67 < np.mean(scores[-10:])
    stats = json.loads(agent.agent_message("stats"))
    assert agent.games == 8000
    assert stats["steps"] == agent.steps > 8000 * 8


def test_a_past_self_that_is_gone_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(training, "FIRST_PAST", 50)
    with Pool() as pool:
        rounds = selfplay(for_selfplay("table", tmp_path), pool, "past=0.2")
        for done in (0, 60):
            rounds.play(done, 60)
        (tmp_path / "past-00000050.safetensors").unlink()
        with pytest.raises(CheckpointError, match=r"there is no checkpoint .*past-00000050"):
            rounds.play(120, 60)


@pytest.mark.parametrize("gone", [True, False])
def test_a_past_self_that_cannot_be_kept_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, gone: bool
) -> None:
    monkeypatch.setattr(training, "FIRST_PAST", 50)
    run = tmp_path / "run"
    if not gone:
        run.mkdir()
        (run / "checkpoints").write_text("in the way")
    complaint = "No such file or directory" if gone else "past-00000050.safetensors could not be written"
    with Pool() as pool:
        rounds = selfplay(for_selfplay("table", run / "checkpoints"), pool, "past=0.2")
        with pytest.raises(OSError, match=complaint):
            rounds.play(0, 60)
    assert run.exists() != gone


def test_lambda_returns_by_hand() -> None:
    # First the other side decides, then the same side after a pass. Then the game ends in a win.
    game = hand_made([0.2, -0.4, 0.6, 1.0], [True, True, True, True], [-1, 1, -1, 0])
    third = 0.5 * 0.6 + 0.5 * -1.0
    second = 0.5 * -0.4 + 0.5 * third
    first = 0.5 * 0.2 + 0.5 * -second
    assert lambda_returns(game, 0.5).tolist() == pytest.approx([first, second, third, 1.0])
    assert lambda_returns(game, 0.0).tolist() == [0.2, -0.4, 0.6, 1.0]
    assert lambda_returns(game, 1.0).tolist() == [1.0, -1.0, -1.0, 1.0]
    # The return after a worse move says nothing about the best move.
    cut = hand_made([0.2, -0.4, 0.6, 1.0], [True, False, True, True], [-1, 1, -1, 0])
    assert lambda_returns(cut, 1.0).tolist() == [0.4, -0.4, -1.0, 1.0]
    discounted = lambda_returns(game, 1.0, gamma=0.5)
    assert discounted.tolist() == [0.125, -0.25, -0.5, 1.0]
