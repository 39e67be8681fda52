import sqlite3
from dataclasses import replace
from itertools import permutations, product
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from othello_lab.experiment.compare.tournament.entrants import ChangedError, Entrant, entrant, labels
from othello_lab.experiment.compare.tournament.results import Meeting, Results, meetings
from othello_lab.experiment.compare.tournament.schedule import Plan, play_shards, play_tournament
from othello_lab.experiment.compare.tournament.store import Key, Played, finished
from othello_lab.experiment.study.statistics.intervals import Estimate, Interval
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Game
from othello_lab.game.catalogue import PLAYERS, Entry, make
from othello_lab.game.openings import standard_openings
from othello_lab.game.records import Record

TEXTS = ["random", "greedy", "noisy:positional,share=0.5"]


def plan(*texts: str, openings: int = 3, repeat: int = 1, seed: int = 0) -> Plan:
    return Plan([entrant(text, 4) for text in texts], 4, standard_openings(4, openings), repeat, seed)


def played(path: Path, what: Plan, jobs: int = 1) -> list[Played]:
    with Pool(jobs) as pool:
        return play_tournament(what, path, pool, Console(quiet=True)).games


def dump(path: Path) -> list[str]:
    connection = sqlite3.connect(path)
    lines = list(connection.iterdump())
    connection.close()
    return lines


def test_every_pair_meets_at_every_opening_with_both_colours(tmp_path: Path) -> None:
    what = plan(*TEXTS, repeat=2)
    games = played(tmp_path / "games", what)
    assert len(games) == what.games == 3 * 3 * 2 * 2
    pairs = permutations([who.id for who in what.entrants], 2)
    wanted = product(pairs, what.openings, (0, 1))
    assert {game.key for game in games} == {Key(*pair, 0, line, repeat) for pair, line, repeat in wanted}


def test_a_game_is_what_its_moves_say(tmp_path: Path) -> None:
    for game in played(tmp_path / "games", plan(*TEXTS)):
        outcome = Game.from_transcript(game.moves, 4).board.outcome()
        assert outcome
        assert (game.disc_diff, game.final_score) == (outcome.disc_diff, outcome.final_score)
        assert game.points == (np.sign(outcome.disc_diff) + 1) / 2
        assert game.moves.startswith(game.key.opening)


@pytest.mark.slow
def test_processes_and_the_order_of_players_make_no_difference(tmp_path: Path) -> None:
    played(tmp_path / "one", replace(plan(*TEXTS), diagonal=True))
    played(tmp_path / "two", replace(plan(*TEXTS[::-1]), diagonal=True), jobs=2)
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


FROM_FILE = Entry(
    lambda spec, size: make(Path(spec.argument or "").read_text(), size),
    "the player that a file names",
    "PATH",
    files=lambda spec, size: (Path(spec.argument or ""),),
)


@pytest.fixture
def net(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setitem(PLAYERS.entries, "file", f"{__name__}:FROM_FILE")
    (tmp_path / "net").write_text("greedy")
    return tmp_path / "net"


def test_a_retrained_player_is_another_one(tmp_path: Path, net: Path) -> None:
    text, path = f"file:{net}", tmp_path / "games"
    played(path, plan("random", text))
    net.write_text("positional")
    played(path, plan("random", text))
    connection = sqlite3.connect(path)
    counts = connection.execute(
        "SELECT text, count(*) FROM player JOIN game ON id IN (black, white) GROUP BY id"
    )
    assert sorted(counts) == [(text, 6), (text, 6), ("random", 12)]
    connection.close()


def test_a_file_that_changes_on_the_way_stops_it(net: Path) -> None:
    what = plan("random", f"file:{net}")
    net.write_text("positional")
    with pytest.raises(ChangedError, match=r"the file behind file:.*net has changed"):
        list(play_shards(list(what.shards()), 4, range(1)))


def test_labels_are_short_and_tell_players_apart() -> None:
    run = "trained:runs/one/checkpoints"
    texts = [f"{run}/policy.safetensors", f"{run}/episode-500.safetensors"]
    texts += ["engine:gtp-rhino -l 1,name=rhino", "trained:a/net.safetensors", "trained:b/net.safetensors"]
    found = labels([Entrant(text, None) for text in texts])
    assert found == ["one", "one/episode-500", "rhino", *texts[3:]]
    twice = labels([Entrant(texts[0], "ab" * 32), Entrant(texts[0], "cd" * 32)])
    assert twice == ["one (abababa)", "one (cdcdcdc)"]


def made(*games: tuple[str, str, float, int | None]) -> Results:
    """Each game is the name of black, the name of white, the points of black, and the final score."""
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


def test_fair_is_half_of_the_matrix_minus_its_transpose_in_any_order(tmp_path: Path) -> None:
    what = plan(*TEXTS, openings=5)
    results = Results.of(what.entrants, played(tmp_path / "games", what))
    raw, fair = results.final_scores().as_black, results.final_scores().fair
    np.testing.assert_allclose(fair, (raw - raw.T) / 2)
    centred = results.scores().as_black - 0.5
    np.testing.assert_allclose(results.scores().fair, (centred - centred.T) / 2 + 0.5)
    in_order = results.sorted()
    assert in_order.ratings().order() == [0, 1, 2]
    place = [in_order.names.index(name) for name in results.names]
    np.testing.assert_allclose(in_order.scores().fair[np.ix_(place, place)], results.scores().fair)


def met(first: int, second: int, share: float, reach: float, expected: float = 0.6) -> Meeting:
    return Meeting(first, second, Estimate(share, Interval(share - reach, share + reach)), expected)


@pytest.mark.parametrize("won", [20, 24])
def test_from_one_opening_alone_games_say_how_sure_a_rating_is(won: int) -> None:
    games = made(*[("a", "b", float(game < won), 0) for game in range(40)])
    found = replace(games, openings=np.zeros(40, np.intp)).ratings().difference(0, 1)
    # The strength, in logits, has the variance 1 / (n p (1 - p)).
    expected = 2.02 * 400 / np.log(10) / np.sqrt(won * (1 - won / 40))
    assert found.interval.high - found.value == pytest.approx(expected, rel=0.1)


def test_against_the_rating() -> None:
    """Stone, paper, scissors, and a player that loses to all: equal ratings, but unequal scores."""
    beats = [("r", "p", 0.0), ("p", "s", 0.0), ("r", "s", 1.0), *((a, "x", 1.0) for a in "rps")]
    games = [each for a, b, won in beats for each in [(a, b, won, 0), (b, a, 1 - won, 0)] * 20]
    results = made(*games)
    found = meetings(results, results.ratings())
    assert len(found) == 6
    assert sum(meeting.is_unexpected for meeting in found) >= 3


def test_on_the_diagonal_every_player_meets_itself_once_at_each_opening(tmp_path: Path) -> None:
    what = replace(plan(*TEXTS, repeat=2), diagonal=True)
    games = played(tmp_path / "games", what)
    assert len(games) == what.games == (3 * 2 + 3) * 3 * 2
    alone = [game for game in games if game.key.black == game.key.white]
    assert len({game.key for game in alone}) == len(alone) == 3 * 3 * 2
    without = played(tmp_path / "without", replace(what, diagonal=False))
    assert [game for game in games if game not in alone] == without


def test_meeting_itself_counts_on_the_diagonals_by_colour_alone(tmp_path: Path) -> None:
    what = replace(plan(*TEXTS, openings=5), diagonal=True)
    games = played(tmp_path / "games", what)
    found = Results.of(what.entrants, games)
    others = Results.of(what.entrants, [game for game in games if game.key.black != game.key.white])
    own = [game.points for game in games if game.key.black == game.key.white == what.entrants[0].id]
    assert found.scores().as_black[0, 0] == np.mean(own) == 1 - found.scores().as_white[0, 0]
    apart = ~np.eye(len(TEXTS), dtype=bool)
    np.testing.assert_equal(found.scores().as_black[apart], others.scores().as_black[apart])
    np.testing.assert_equal(found.scores().fair, others.scores().fair)
    np.testing.assert_equal(found.final_scores().fair, others.final_scores().fair)
    np.testing.assert_equal(found.games(), others.games())
    np.testing.assert_equal(found.wins(), others.wins())
    np.testing.assert_equal(found.totals(), others.totals())
    np.testing.assert_equal(found.ratings().covariance, others.ratings().covariance)
