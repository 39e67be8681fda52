"""Files that grow, are cut back, and come and go."""

from pathlib import Path

from othello_lab.experiment.show.run_files import Tail, last_change
from othello_lab.game.files import replace


def test_only_what_is_new_is_read(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a\nb\nhalf")
    tail = Tail(path)
    assert tail.look() == (False, ["a", "b"])
    assert tail.look() == (False, [])
    with path.open("a") as file:
        file.write(" whole\nc\n")
    assert tail.look() == (False, ["half whole", "c"])


def test_a_file_that_is_replaced_is_read_anew_even_by_a_longer_one(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    path.write_text("a\nb\n")
    tail = Tail(path)
    tail.look()
    replace(path, "c\n")
    assert tail.look() == (True, ["c"])
    replace(path, "d\ne\nf\n")
    assert tail.look() == (True, ["d", "e", "f"])
    path.write_text("g\n")  # the same file, cut back
    assert tail.look() == (True, ["g"])


def test_a_file_that_is_not_there_yet_or_no_longer(tmp_path: Path) -> None:
    path = tmp_path / "rows.csv"
    tail = Tail(path)
    assert tail.look() == (False, [])
    path.write_text("a\n")
    assert tail.look() == (False, ["a"])
    path.unlink()
    assert tail.look() == (True, [])
    assert tail.look() == (False, [])
    assert last_change(tmp_path) == 0.0
