import sqlite3
from pathlib import Path

import pytest

from othello_lab.experiment.compare.tournament import store as database
from othello_lab.experiment.compare.tournament.entrants import Entrant
from othello_lab.experiment.compare.tournament.store import Key, Played, StoreError, reading, writing
from othello_lab.experiment.run.lock import InUseError
from tests.cases import cases
from tests.damage import damaged_files

PLAYERS = [Entrant("random", None), Entrant("trained:net", "ab" * 32)]
A, B = (who.id for who in PLAYERS)


def game(opening: str, seed: int = 0, black: str = A, white: str = B) -> Played:
    return Played(Key(black, white, seed, opening, 0), f"{opening}d6", "black", 12, 14, None)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    with writing(tmp_path / "games" / "here.sqlite", 6) as store:
        store.add_entrants(PLAYERS)
        store.add([game("c4"), game("e3", seed=2**128 - 1)])
    return tmp_path / "games" / "here.sqlite"


def test_what_was_written_is_read(path: Path) -> None:
    with reading(path) as store:
        assert store.size == 6
        assert sorted(store.entrants()) == sorted(PLAYERS, key=lambda who: who.text)
        assert [each.key.opening for each in store.games()] == ["c4", "e3"]
        assert [*store.games()][1] == game("e3", seed=2**128 - 1)
        assert {each.key for each in store.games()} == {game("c4").key, game("e3", seed=2**128 - 1).key}


def test_games_are_added_all_or_none(path: Path) -> None:
    with writing(path, 6) as store, pytest.raises(StoreError, match="UNIQUE"):
        store.add([game("f4"), game("c4")])
    with reading(path) as store:
        assert len(list(store.games())) == 2


def test_of_two_writers_the_second_is_refused(path: Path) -> None:
    with writing(path, 6), pytest.raises(InUseError, match=r"here.sqlite is in use by process"):  # noqa: SIM117
        with writing(path, 6):
            pass


def test_a_reader_sees_the_games_while_another_writes(path: Path) -> None:
    with writing(path, 6) as store, reading(path) as reader:
        store.add([game("f4")])
        assert len(list(reader.games())) == 3


def test_a_reader_leaves_no_files_behind(path: Path) -> None:
    with reading(path) as reader:
        assert len(list(reader.games())) == 2
    assert {found.name for found in path.parent.iterdir()} == {"here.sqlite", ".here.sqlite.lock"}


def spoil(path: Path, how: str) -> None:
    if how == "text":
        path.write_text("player,score\nrandom,0.5\n" * 50)
    else:
        connection = sqlite3.connect(path)
        connection.executescript(how)
        connection.close()


ENDLESS = "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT"
COLUMNS = ", ".join(f"x AS {name}" for name in database.GAME.split(", "))


@pytest.mark.parametrize(("how", "output"), cases("damaged_tournaments"))
def test_what_is_no_whole_tournament_is_refused_and_left_alone(path: Path, how: str, output: str) -> None:
    spoil(path, how)
    before = path.read_bytes()
    for opened in (reading(path), writing(path, 6)):
        with pytest.raises(StoreError, match=output) as caught, opened as store:
            len([*store.entrants(), *store.games()])
        assert str(caught.value).startswith(str(path))
        assert "\n" not in str(caught.value)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "how", ["UPDATE game SET moves = CAST(x'66ff35' AS TEXT)", "UPDATE player SET text = CAST(x'ff' AS TEXT)"]
)
def test_text_that_is_none_is_damage_with_the_file_and_what_to_do(path: Path, how: str) -> None:
    spoil(path, how)
    with reading(path) as store, pytest.raises(StoreError) as caught:
        len([*store.entrants(), *store.games()])
    damage = "is damaged: bring back a copy, or name another file; nothing was changed"
    assert str(caught.value) == f"{path} {damage}"


def test_damaged_files_are_read_or_refused_in_a_line(tmp_path: Path) -> None:
    played, path = tmp_path / "played", tmp_path / "games.sqlite"
    with writing(played, 6) as store:
        store.add_entrants(PLAYERS)
        store.add([game("c4", seed) for seed in range(200)])
    output = []
    for data in damaged_files(played.read_bytes()):
        path.write_bytes(data)
        try:
            with reading(path) as store:
                assert (len(store.entrants()), len(list(store.games()))) == (2, 200)
        except StoreError as error:
            output.append(str(error))
    assert len(output) > 10
    assert all(each.startswith(f"{path} ") and each.isprintable() for each in output)


def test_a_check_without_end_is_given_up(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "_SECONDS", 0.0)
    monkeypatch.setattr(database, "_OFTEN", 1)
    monkeypatch.setattr(database, "_BYTES_A_SECOND", 2**60)
    with pytest.raises(StoreError, match="takes too long to check"), reading(path):
        pass


def test_what_sqlite_counts_for_itself_is_no_stranger(path: Path) -> None:
    spoil(path, "ANALYZE")
    with reading(path) as store:
        assert len(list(store.games())) == 2


def test_a_player_under_the_id_of_another_is_damage(path: Path) -> None:
    spoil(path, "UPDATE player SET text = 'greedy' WHERE text = 'random'")
    with reading(path) as store, pytest.raises(StoreError, match="is damaged"):
        store.entrants()


def test_a_file_without_anything_is_begun_and_has_nothing_to_read(tmp_path: Path) -> None:
    path = tmp_path / "empty"
    path.touch()
    with pytest.raises(StoreError, match="is empty: no tournament was begun there"), reading(path):
        pass
    with writing(path, 4) as store:
        assert list(store.games()) == []


def test_a_full_disk_is_told_and_no_game_is_lost(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with writing(path, 6) as store:
        store._connection.execute("PRAGMA max_page_count = 1")  # SQLite then says what it says of a full disk
        with pytest.raises(StoreError, match="the disk is full: the games so far are kept"):
            store.add([game("d3" * place) for place in range(1, 500)])
    with reading(path) as reader:
        assert len(list(reader.games())) == 2


def test_a_kill_between_schema_and_games_leaves_a_tournament_that_can_be_begun(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "killed")
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("CREATE TABLE tournament (size INTEGER)")
    connection.close()  # without a commit, as after a kill
    with writing(tmp_path / "killed", 8) as store:
        assert store.size == 8
