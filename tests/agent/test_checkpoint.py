import hashlib
import json
import pickle
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors import safe_open

from othello_lab.agent import checkpoint
from othello_lab.agent.checkpoint import CheckpointError, Values

ARRAYS = {
    "weights": np.arange(12, dtype=np.float32).reshape(3, 4),
    "done": np.array([True, False]),
    "none": np.zeros((0, 3), np.uint8),
}
VALUES: dict[str, Any] = {"size": 8, "steps": 3, "zeros": "0" * 64}


def saved(directory: Path) -> Path:
    path = directory / "one.safetensors"
    checkpoint.save(path, "test", ARRAYS, VALUES)
    return path


def forged(directory: Path, record: object, rest: str = "", data: bytes = b"") -> Path:
    """Write a file in the checkpoint format, as an attacker could write it, with a good digest."""
    text = json.dumps(json.dumps(record))
    header = f'{{"__metadata__":{{"checkpoint":{text}}}{rest}}}'.encode()
    whole = len(header).to_bytes(8, "little") + header + data
    path = directory / "forged.safetensors"
    blank = b"0" * 64
    path.write_bytes(whole.replace(blank, hashlib.sha256(whole).hexdigest().encode(), 1))
    return path


def a_record(**values: object) -> dict[str, object]:
    return {"digest": "0" * 64, "kind": "test", "values": {}, "version": checkpoint.VERSION} | values


def test_what_is_saved_comes_back(tmp_path: Path) -> None:
    _, _, arrays, values = checkpoint.load(saved(tmp_path), "test")
    assert values == VALUES
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        assert arrays[name].dtype == array.dtype
        assert arrays[name].shape == array.shape
        assert np.array_equal(arrays[name], array)
    assert [path.name for path in tmp_path.iterdir()] == ["one.safetensors"], "no temporary file is left"


def test_the_same_content_gives_the_same_bytes_and_what_a_kill_left_is_overwritten(tmp_path: Path) -> None:
    first = saved(tmp_path).read_bytes()
    (tmp_path / ".one.safetensors.tmp").write_bytes(b"half")
    assert saved(tmp_path).read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == ["one.safetensors"]


def test_other_programs_can_read_it(tmp_path: Path) -> None:
    with safe_open(saved(tmp_path), framework="numpy") as file:
        assert set(file.keys()) == ARRAYS.keys()
        assert json.loads(file.metadata()["checkpoint"])["values"] == VALUES


def test_every_flipped_byte_and_every_cut_is_found(tmp_path: Path) -> None:
    path = saved(tmp_path)
    whole, flips = path.read_bytes(), np.random.default_rng(1)
    for position in range(len(whole)):
        damaged = bytearray(whole)
        damaged[position] ^= int(flips.integers(1, 256))
        path.write_bytes(damaged)
        with pytest.raises(CheckpointError, match=r"one\.safetensors") as refusal:
            checkpoint.load(path, "test")
        assert "\n" not in str(refusal.value)
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        with pytest.raises(CheckpointError):
            checkpoint.load(path, "test")
    path.write_bytes(whole + b"\0")
    with pytest.raises(CheckpointError, match="damaged"):
        checkpoint.load(path, "test")


def test_a_renamed_pickle_runs_no_code(tmp_path: Path) -> None:
    class Trap:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return Path.touch, (tmp_path / "sprung",)  # type: ignore[return-value]  # a malicious pickle

    path = tmp_path / "evil.safetensors"
    path.write_bytes(pickle.dumps(Trap()))
    with pytest.raises(CheckpointError, match="no readable checkpoint"):
        checkpoint.load(path, "test")
    assert not (tmp_path / "sprung").exists()


def test_another_version_is_refused(tmp_path: Path) -> None:
    newer = checkpoint.VERSION + 1
    with pytest.raises(CheckpointError, match=f"has checkpoint version {newer}, this program reads version"):
        checkpoint.load(forged(tmp_path, a_record(version=newer)), "test")


@pytest.mark.parametrize(
    "header",
    [
        b"",
        b"\xff" * 8,
        b"\xff" * 8 + b"{}",
        (2**62).to_bytes(8, "little") + b'{"__metadata__":{}}',
        (4).to_bytes(8, "little") + b"null",
        (2).to_bytes(8, "little") + b"[]",
        (200_000).to_bytes(8, "little") + b"[" * 200_000,
        (20).to_bytes(8, "little") + b'{"__metadata__":"x"}',
        (34).to_bytes(8, "little") + b'{"__metadata__":{"checkpoint":[]}}',
        (35).to_bytes(8, "little") + b'{"__metadata__":{"checkpoint":"{"}}',
    ],
)
def test_a_header_that_is_none_is_refused(tmp_path: Path, header: bytes) -> None:
    path = tmp_path / "odd.safetensors"
    path.write_bytes(header)
    with pytest.raises(CheckpointError, match="no readable checkpoint"):
        checkpoint.load(path, "test")


@pytest.mark.parametrize(
    ("record", "rest", "complaint"),
    [
        (None, "", "no readable checkpoint"),
        ([1, 2], "", "no readable checkpoint"),
        (a_record(digest=3), "", "damaged"),
        (a_record(digest=""), "", "damaged"),
        (a_record(digest="\ud800"), "", "damaged"),
        (a_record(version=None), "", "version None"),
        (a_record(values=[]), "", "its kind or its values are missing or wrong"),
        (a_record(kind=3), "", "its kind or its values are missing or wrong"),
        (a_record(kind="a\nb"), "", "its kind or its values are missing or wrong"),
        (a_record(version="1\n2"), "", r"version '1\\n2'"),
        (a_record(kind="other"), "", "is not of a test agent: its kind is other"),
        ({"digest": "0" * 64, "version": checkpoint.VERSION}, "", "its kind or its values are missing"),
        (a_record(), ',"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}', "no readable checkpoint"),
        (a_record(), ',"a":{"dtype":"F32","shape":[9],"data_offsets":[0,36]}', "no readable checkpoint"),
        (a_record(), ',"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}', "no readable checkpoint"),
        (a_record(), ',"a":{"dtype":"object","shape":[1],"data_offsets":[0,4]}', "no readable checkpoint"),
        (a_record(), ',"a":{"dtype":"F8_E8M0","shape":[4],"data_offsets":[0,4]}', "no readable checkpoint"),
        (
            a_record(),
            f',"a":{{"dtype":"F32","shape":{[2**32, 2**32, 2**32 + 1]},"data_offsets":[0,4]}}',
            "no read",
        ),
    ],
)
def test_a_forged_file_is_refused(tmp_path: Path, record: object, rest: str, complaint: str) -> None:
    with pytest.raises(CheckpointError, match=complaint) as error:
        checkpoint.load(forged(tmp_path, record, rest, bytes(4)), "test")
    assert str(error.value).isprintable()


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_what_a_diverged_training_has_left_is_refused(tmp_path: Path, number: float) -> None:
    checkpoint.save(tmp_path / "one.safetensors", "test", {"w": np.array([0, number], np.float32)}, {})
    with pytest.raises(CheckpointError, match=r"finite numbers in 'w': the training that made them has div"):
        checkpoint.load(tmp_path / "one.safetensors")


def test_what_is_forged_well_is_read(tmp_path: Path) -> None:
    path = forged(tmp_path, a_record(), ',"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}', bytes(4))
    assert checkpoint.load(path, "test").arrays["a"].tolist() == [0.0], "else the test above shows nothing"


def test_a_missing_file_and_an_unwritable_place_are_told(tmp_path: Path) -> None:
    with pytest.raises(CheckpointError, match="there is no checkpoint"):
        checkpoint.load(tmp_path / "none.safetensors", "test")
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(CheckpointError, match="could not be written"):
        checkpoint.save(tmp_path / "file" / "one.safetensors", "test", ARRAYS, {})


def test_arrays_that_are_not_the_expected_ones_are_named() -> None:
    expected = {name: (array.shape, array.dtype) for name, array in ARRAYS.items()}
    path = Path("one.safetensors")
    checkpoint.check_arrays(path, ARRAYS, expected)
    for change, complaint in (
        ({"weights": ARRAYS["weights"].T}, r"'weights': float32 \[4, 3\], expected float32 \[3, 4\]"),
        ({"weights": ARRAYS["weights"].astype(np.float64)}, r"'weights': float64 \[3, 4\], expected float32"),
        ({"more": ARRAYS["done"]}, "has an unknown array 'more'"),
    ):
        with pytest.raises(CheckpointError, match=complaint):
            checkpoint.check_arrays(path, ARRAYS | change, expected)
    with pytest.raises(CheckpointError, match="lacks array 'done'"):
        checkpoint.check_arrays(path, {"weights": ARRAYS["weights"], "none": ARRAYS["none"]}, expected)


@dataclass
class Counts:
    size: int
    games: int = 0


@pytest.mark.parametrize(
    ("values", "complaint"),
    [
        ({}, "missing required field `size`"),
        ({"size": True}, "Expected `int`, got `bool`"),
        ({"size": 8.0}, "Expected `int`, got `float`"),
        ({"size": 8, "games": None}, r"Expected `int`, got `null` - at `\$.games`"),
    ],
)
def test_values_that_are_not_the_expected_ones_are_named(values: Values, complaint: str) -> None:
    path = Path("one.safetensors")
    assert checkpoint.typed(path, {**VALUES, "size": 8}, Counts) == Counts(8)
    with pytest.raises(CheckpointError, match=f"one.safetensors does not fit this version: .*{complaint}"):
        checkpoint.typed(path, values, Counts)


@pytest.mark.parametrize(
    "state", [None, 3, {}, {"bit_generator": "PCG64"}, {"bit_generator": "PCG64", "state": {"state": -1}}]
)
def test_a_random_state_that_is_none_is_refused(state: object) -> None:
    with pytest.raises(CheckpointError, match="no valid random state"):
        checkpoint.generator(Path("one.safetensors"), state)


def test_a_random_state_goes_on() -> None:
    rng = np.random.default_rng(3)
    rng.random()
    again = checkpoint.generator(Path("one.safetensors"), json.loads(json.dumps(rng.bit_generator.state)))
    assert again.random(5).tolist() == rng.random(5).tolist()
