"""Tournaments: the same games however they are played, and what comes of them."""

import sqlite3
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from othello_lab.experiment.compare.tournament.entrants import ChangedError, Entrant, entrant, labels
from othello_lab.experiment.compare.tournament.meetings import Meeting, circles, meetings
from othello_lab.experiment.compare.tournament.results import Results
from othello_lab.experiment.compare.tournament.schedule import play_shards
from othello_lab.experiment.compare.tournament.store import Key, Played, finished
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval
from othello_lab.game import Game
from othello_lab.game.records import Record
from tests.experiment.compare.tournament.parts import TEXTS, plan, played


def dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    lines = list(connection.iterdump())
    connection.close()
    return lines


def test_every_pair_meets_at_every_opening_with_both_colours(tmp_path: Path) -> None:
    what = plan(*TEXTS, repeat=2)
    games = played(tmp_path / "games", what)
    assert len(games) == what.games == 3 * 3 * 2 * 2
    ids = [who.id for who in what.entrants]
    wanted = {
        Key(a, b, 0, opening, repeat)
        for a in ids
        for b in ids
        for opening in what.openings
        for repeat in (0, 1)
    }
    assert {game.key for game in games} == {key for key in wanted if key.black != key.white}


def test_a_game_is_what_its_moves_say(tmp_path: Path) -> None:
    for game in played(tmp_path / "games", plan(*TEXTS)):
        outcome = Game.from_transcript(game.moves, 4).board.outcome()
        assert outcome
        assert (game.disc_diff, game.final_score) == (outcome.disc_diff, outcome.final_score)
        assert game.points == (np.sign(outcome.disc_diff) + 1) / 2
        assert game.moves.startswith(game.key.opening)


def test_processes_and_the_order_of_players_make_no_difference(tmp_path: Path) -> None:
    played(tmp_path / "one", plan(*TEXTS))
    played(tmp_path / "two", plan(*TEXTS[::-1]), jobs=2)
    assert dump(tmp_path / "one") == dump(tmp_path / "two")


def test_another_seed_and_another_repeat_are_other_games(tmp_path: Path) -> None:
    games = played(tmp_path / "games", plan("random", "greedy", openings=4, repeat=2))
    others = played(tmp_path / "others", plan("random", "greedy", openings=4, seed=1))
    first, second = ({game.moves for game in games if game.key.repeat == repeat} for repeat in (0, 1))
    assert len({frozenset(first), frozenset(second), frozenset(game.moves for game in others)}) == 3


def test_what_was_played_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path, keys = tmp_path / "games", list[Key]()

    def noted(key: Key, record: Record) -> Played:
        keys.append(key)
        return finished(key, record)

    monkeypatch.setattr("othello_lab.experiment.compare.tournament.schedule.finished", noted)
    played(path, plan(*TEXTS[:2], openings=2))
    assert len(keys) == 4
    played(path, plan(*TEXTS[:2], openings=2))
    assert len(keys) == 4
    new = {entrant(TEXTS[2], 4).id}
    played(path, plan(*TEXTS, openings=2))  # one player more
    assert len(keys) == 12
    assert all({key.black, key.white} & new for key in keys[4:])
    played(path, plan(*TEXTS, openings=2, repeat=2))
    assert len(keys) == 24
    assert {key.repeat for key in keys[12:]} == {1}
    fresh = tmp_path / "fresh"
    played(fresh, plan(*TEXTS, openings=2, repeat=2))
    assert dump(fresh) == dump(path)


def test_a_part_of_an_opening_is_filled_up(tmp_path: Path) -> None:
    what = plan("random", "search:depth=1", openings=2)
    shards = list(what.shards())
    left = what.missing({shards[0].keys[1]})
    assert [shard.keys for shard in left] == [(shards[0].keys[0],), shards[1].keys]


def weights(path: Path, corner: int) -> str:
    matrix = np.ones((4, 4), int)
    matrix[0, 0] = corner
    np.savetxt(path, matrix, "%d")
    return f"weights:{path}"


def test_a_retrained_player_is_another_one(tmp_path: Path) -> None:
    text, path = weights(tmp_path / "net", 5), tmp_path / "games"
    played(path, plan("random", text))
    weights(tmp_path / "net", -5)
    played(path, plan("random", text))
    connection = sqlite3.connect(path)
    counts = connection.execute(
        "SELECT text, count(*) FROM player JOIN game ON id IN (black, white) GROUP BY id"
    )
    assert sorted(counts) == [("random", 12), (text, 6), (text, 6)]
    connection.close()


def test_a_file_that_changes_on_the_way_stops_it(tmp_path: Path) -> None:
    what = plan("random", weights(tmp_path / "net", 5))
    weights(tmp_path / "net", -5)
    with pytest.raises(ChangedError, match=r"the file behind weights:.*net has changed"):
        list(play_shards(list(what.shards()), 4, range(1)))


def test_labels_are_short_and_tell_players_apart() -> None:
    texts = [
        "trained:runs/one/checkpoints/policy.safetensors",
        "trained:runs/one/checkpoints/episode-500.safetensors",
    ]
    texts += [
        "engine:gtp-rhino -l 1,name=rhino",
        "trained:a/net.safetensors",
        "greedy",
        "trained:b/net.safetensors",
    ]
    found = labels([Entrant(text, None) for text in texts])
    assert found == [
        "one",
        "one/episode-500",
        "rhino",
        "trained:a/net.safetensors",
        "greedy",
        "trained:b/net.safetensors",
    ]
    twice = labels([Entrant(texts[0], "ab" * 32), Entrant(texts[0], "cd" * 32)])
    assert twice == ["one (abababa)", "one (cdcdcdc)"]


def made(*games: tuple[str, str, float, int | None]) -> Results:
    """Results of games: black, white, black's points and final score, each pair's first game at opening 0."""
    names = sorted({name for game in games for name in game[:2]})
    who = {name: Entrant(name, None) for name in names}
    winners = {1.0: "black", 0.5: "draw", 0.0: "white"}
    listed = [
        Played(Key(who[a].id, who[b].id, 0, f"{number}", 0), "", winners[points], final, final, None)
        for number, (a, b, points, final) in enumerate(games)
    ]
    return Results.of(list(who.values()), listed)


def test_matrices_by_hand() -> None:
    results = made(("a", "b", 1.0, 20), ("a", "b", 0.5, 0), ("b", "a", 1.0, 64), ("b", "a", 0.0, None))
    nan = np.nan
    np.testing.assert_equal(results.wins(), [[0, 2], [1, 0]])
    np.testing.assert_equal(results.scores().as_black, [[nan, 0.75], [0.5, nan]])
    np.testing.assert_equal(results.scores().as_white, [[nan, 0.5], [0.25, nan]])
    np.testing.assert_equal(results.scores().fair, [[nan, 0.625], [0.375, nan]])
    np.testing.assert_equal(results.final_scores().as_black, [[nan, 10], [64, nan]])
    np.testing.assert_equal(results.final_scores().as_white, [[nan, -64], [-10, nan]])
    np.testing.assert_equal(results.final_scores().fair, [[nan, -27], [27, nan]])
    np.testing.assert_equal(results.totals(), [0.625, 0.375])


def test_fair_is_half_of_the_matrix_minus_its_transpose(tmp_path: Path) -> None:
    what = plan(*TEXTS, openings=5)
    results = Results.of(what.entrants, played(tmp_path / "games", what))
    raw, fair = results.final_scores().as_black, results.final_scores().fair
    np.testing.assert_allclose(fair, (raw - raw.T) / 2)
    centred = results.scores().as_black - 0.5
    np.testing.assert_allclose(results.scores().fair, (centred - centred.T) / 2 + 0.5)


def test_players_are_sorted_with_all_that_is_theirs(tmp_path: Path) -> None:
    what = plan(*TEXTS, openings=5)
    results = Results.of(what.entrants, played(tmp_path / "games", what))
    in_order = results.sorted()
    assert in_order.ratings().order() == [0, 1, 2]
    place = [in_order.names.index(name) for name in results.names]
    np.testing.assert_allclose(in_order.scores().fair[np.ix_(place, place)], results.scores().fair)


def met(first: int, second: int, share: float, reach: float, expected: float = 0.6) -> Meeting:
    return Meeting(first, second, Estimate(share, Interval(share - reach, share + reach)), expected)


def test_a_circle_of_three_is_found_and_whether_it_is_sure() -> None:
    clear = [met(0, 1, 0.7, 0.1), met(1, 2, 0.7, 0.1), met(0, 2, 0.3, 0.1)]
    assert [tuple(circle) for circle in circles(clear)] == [((0, 1, 2), True)]
    unsure = [*clear[:2], met(0, 2, 0.45, 0.1)]
    assert [circle.is_clear for circle in circles(unsure)] == [False]
    other_way = [met(0, 1, 0.3, 0.1), met(1, 2, 0.3, 0.1), met(0, 2, 0.7, 0.1)]
    assert [circle.players for circle in circles(other_way)] == [(0, 2, 1)]
    assert circles([*clear[:2], met(0, 2, 0.7, 0.1)]) == []
    assert circles([*clear[:2], met(0, 2, 0.5, 0.1)]) == []


@pytest.mark.parametrize("won", [20, 24])
def test_from_one_opening_alone_games_say_how_sure_a_rating_is(won: int) -> None:
    games = made(*[("a", "b", float(game < won), 0) for game in range(40)])
    found = replace(games, openings=np.zeros(40, np.intp)).ratings().difference(0, 1)
    # The strength, in logits, has the variance 1 / (n p (1 - p)).
    expected = 2.02 * 400 / np.log(10) / np.sqrt(won * (1 - won / 40))
    assert found.interval.high - found.value == pytest.approx(expected, rel=0.1)


def test_against_the_rating() -> None:
    """Stone, paper, scissors, and one who loses to all: equal ratings, and scores that are not."""
    beats = [("r", "p", 0.0), ("p", "s", 0.0), ("r", "s", 1.0), *((a, "x", 1.0) for a in "rps")]
    games = [each for a, b, won in beats for each in [(a, b, won, 0), (b, a, 1 - won, 0)] * 20]
    results = made(*games)
    found = meetings(results, results.ratings())
    assert len(found) == 6
    assert sum(meeting.is_unexpected for meeting in found) >= 3
    assert [circle.is_clear for circle in circles(found)] == [True]
