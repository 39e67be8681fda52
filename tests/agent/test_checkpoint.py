import pickle
from pathlib import Path

import numpy as np
import pytest

from agent import checkpoint
from agent.checkpoint import CheckpointError

ARRAYS = {"weights": np.arange(12, dtype=np.float32).reshape(3, 4), "done": np.array([True, False])}


def saved(directory: Path) -> Path:
    path = directory / "one.safetensors"
    checkpoint.save(path, ARRAYS, {"size": 8, "steps": 3})
    return path


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    arrays, values = checkpoint.load(saved(tmp_path))
    assert values == {"size": 8, "steps": 3}
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert np.array_equal(arrays[name], array)
    assert [path.name for path in tmp_path.iterdir()] == ["one.safetensors"], "no temporary file is left"


def test_every_flipped_byte_and_every_cut_is_found(tmp_path: Path) -> None:
    path = saved(tmp_path)
    whole = path.read_bytes()
    for position in range(0, len(whole), 3):
        damaged = bytearray(whole)
        damaged[position] ^= 0x55
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError, match=r"one\.safetensors"):
            checkpoint.load(path)
    for length in range(0, len(whole), 17):
        path.write_bytes(whole[:length])
        with pytest.raises(CheckpointError):
            checkpoint.load(path)


def test_a_renamed_pickle_runs_no_code(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (tmp_path / "sprung",)  # type: ignore[return-value]  # a malicious pickle

    path = tmp_path / "evil.safetensors"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(CheckpointError, match="no readable checkpoint"):
        checkpoint.load(path)
    assert not (tmp_path / "sprung").exists()


def test_another_version_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "VERSION", 2)
    path = saved(tmp_path)
    monkeypatch.undo()
    with pytest.raises(CheckpointError, match="version 2, this program reads version 1"):
        checkpoint.load(path)


def test_a_missing_file_and_an_unwritable_place_are_told(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        checkpoint.load(tmp_path / "none.safetensors")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CheckpointError, match="could not be written"):
        checkpoint.save(tmp_path / "file" / "one.safetensors", ARRAYS, {})
