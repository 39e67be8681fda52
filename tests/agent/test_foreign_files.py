"""Files of strangers as policies: played as they are, or refused in one line, whatever stands in them."""

import io
import json
import struct
import warnings
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import Tensor

from othello_lab.game.board import Board
from othello_lab.game.game import Game
from othello_lab.game.players import make
from othello_lab.game.registry import RegistryError
from tests.damage import damaged_files

SIZE = 4
INPUTS, SQUARES = 4 * SIZE * SIZE, SIZE * SIZE


def linear(weight: Tensor | None = None) -> dict[str, Tensor]:
    """The state dict of one layer, from planes to squares."""
    drawn = torch.randn(SQUARES, INPUTS, generator=torch.Generator().manual_seed(1))
    return {"0.weight": drawn if weight is None else weight, "0.bias": torch.zeros(SQUARES)}


def quantised() -> Tensor:
    with warnings.catch_warnings(action="ignore"):  # torch is about to drop them, files keep them
        return torch.quantize_per_tensor(torch.zeros(SQUARES, INPUTS), 0.1, 0, torch.qint8)


def as_file(weights: object) -> bytes:
    file = io.BytesIO()
    torch.save(weights, file)
    return file.getvalue()


def as_sb3(weights: bytes, data: bytes = b"{}", packing: int = zipfile.ZIP_STORED) -> bytes:
    """What Stable-Baselines3 writes, for a DQN of these weights."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", packing) as archive:
        archive.writestr("data", data)
        archive.writestr("policy.pth", weights)
    return file.getvalue()


def q_net() -> dict[str, Tensor]:
    drawn = torch.randn(SQUARES + 1, INPUTS, generator=torch.Generator().manual_seed(1))
    return {"q_net.0.weight": drawn, "q_net.0.bias": torch.zeros(SQUARES + 1)}


def first_move(name: str, path: Path) -> int:
    return make(f"{name}:{path}", SIZE).choose(Game(Board.start(SIZE)), np.random.default_rng(0))


def refusal(name: str, path: Path, data: bytes) -> str:
    """What is said of a file that is no policy: one line that names it."""
    path.write_bytes(data)
    with pytest.raises(RegistryError) as error:
        first_move(name, path)
    said = str(error.value)
    assert str(path) in said
    assert said.isprintable()
    assert len(said) < 400
    return said


@pytest.mark.parametrize(
    ("weight", "says"),
    [
        (torch.zeros(1).expand(SQUARES, 10**12 // SQUARES), "'0.weight' is said to be 16 x 62500000000"),
        (torch.zeros(1).expand(SQUARES, INPUTS), "16 x 64, but the file holds 1 numbers"),
        (torch.full((SQUARES, INPUTS), torch.nan), "no finite numbers: the training that made them has div"),
        (torch.full((SQUARES, INPUTS), -torch.inf), "no finite numbers"),
        (torch.full((SQUARES, INPUTS), 1e300, dtype=torch.float64), "no finite numbers"),
        (torch.zeros(SQUARES, INPUTS).to_sparse(), "no plain dense tensor"),
        (
            quantised(),
            "no plain dense tensor",
        ),
        (torch.zeros(SQUARES, INPUTS, device="meta"), "no plain dense tensor"),
        (torch.zeros(SQUARES, INPUTS, dtype=torch.int64), "only floating-point numbers"),
        (torch.zeros(SQUARES, INPUTS, dtype=torch.complex64), "only floating-point numbers"),
        (torch.zeros(0, INPUTS), "no linear layer"),
    ],
)
def test_weights_that_nobody_can_play_by_are_refused(tmp_path: Path, weight: Tensor, says: str) -> None:
    assert says in refusal("mlp", tmp_path / "policy.pt", as_file(linear(weight)))


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16])
def test_floating_point_numbers_of_each_kind_are_read(tmp_path: Path, dtype: torch.dtype) -> None:
    path = tmp_path / "policy.pt"
    path.write_bytes(as_file({name: weight.to(dtype) for name, weight in linear().items()}))
    other = tmp_path / "other.pt"
    other.write_bytes(as_file({name: weight.to(dtype).float() for name, weight in linear().items()}))
    assert first_move("mlp", path) == first_move("mlp", other)


def test_parameters_and_transposed_weights_play_as_they_are(tmp_path: Path) -> None:
    path, other = tmp_path / "policy.pt", tmp_path / "other.pt"
    path.write_bytes(as_file(linear()))
    transposed = torch.nn.Parameter(linear()["0.weight"].t().contiguous().t())
    other.write_bytes(as_file(OrderedDict(linear(transposed))))
    assert first_move("mlp", path) == first_move("mlp", other)


def test_weights_at_the_end_of_what_floats_hold_still_play_a_legal_move(tmp_path: Path) -> None:
    path = tmp_path / "policy.pt"
    weight = torch.full((SQUARES, INPUTS), 3e38)
    weight[:, ::2] = -3e38
    path.write_bytes(as_file({"0.weight": weight, "1.weight": weight[:, :SQUARES]}))
    assert first_move("mlp", path) in Board.start(SIZE).legal_moves


def test_a_shape_that_the_bytes_do_not_fill_is_refused(tmp_path: Path) -> None:
    whole = as_file(linear())
    forged = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(whole)) as old, zipfile.ZipFile(forged, "w") as new:
        for name in old.namelist():  # in a pickle (16, 64) is K 16 K 64 and the end of a pair
            new.writestr(name, old.read(name).replace(b"K\x10K\x40\x86", b"K\x10K\xff\x86"))
    said = refusal("mlp", tmp_path / "policy.pt", forged.getvalue())
    assert "16 x 255, but the file holds 1024 numbers" in said


def packed(size: int) -> bytes:
    """A zip of zeros that is far smaller than what is in it."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("policy.pth", "w") as into:
        for _ in range(size // 2**20):
            into.write(bytes(2**20))
    return file.getvalue()


def test_a_zip_that_unpacks_to_gigabytes_is_refused(tmp_path: Path) -> None:
    bomb = packed(200 * 2**20)
    assert len(bomb) < 2**20
    assert "'policy.pth' of 209715200 bytes: at most" in refusal("sb3", tmp_path / "bomb.zip", bomb)
    # The same, with a lie about the size in the directory.
    lying = bomb.replace(struct.pack("<I", 200 * 2**20), struct.pack("<I", 1000))
    assert "no file that Stable" in refusal("sb3", tmp_path / "lying.zip", lying)
    whole = as_sb3(as_file(q_net()), data=bytes(20 * 2**20), packing=zipfile.ZIP_DEFLATED)
    assert "'data' of 20971520 bytes" in refusal("sb3", tmp_path / "data.zip", whole)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_zipfile_would_unpack_whole_is_refused(tmp_path: Path, packing: int) -> None:
    data = as_sb3(as_file(q_net()), packing=packing)
    assert "packed in a way that is not read" in refusal("sb3", tmp_path / "policy.zip", data)


def encrypted(data: bytes) -> bytes:
    """A zip of which every part says that it is encrypted."""
    changed = bytearray(data)
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        found = -1
        while (found := data.find(mark, found + 1)) >= 0:
            changed[found + at] |= 1
    return bytes(changed)


@pytest.mark.parametrize(
    "data",
    [
        encrypted(as_sb3(as_file(q_net()))),
        as_sb3(as_file(q_net()), data=b"9" * 5000),
        as_sb3(as_file(q_net()), data=b"[" * 100_000),
        as_sb3(as_file(q_net()), data=b"\xff"),
        as_sb3(b"no weights"),
    ],
)
def test_parts_that_cannot_be_read_are_told_in_a_line(tmp_path: Path, data: bytes) -> None:
    refusal("sb3", tmp_path / "policy.zip", data)


def test_an_activation_of_several_lines_is_told_in_one(tmp_path: Path) -> None:
    told = json.dumps({"policy_kwargs": {"activation_fn": "one\ntwo"}}).encode()
    assert "activation" in refusal("sb3", tmp_path / "policy.zip", as_sb3(as_file(q_net()), told))


@pytest.mark.parametrize(
    ("name", "make_whole"),
    [
        ("mlp", lambda: as_file(linear())),
        ("sb3", lambda: as_sb3(as_file(q_net()), packing=zipfile.ZIP_DEFLATED)),
    ],
)
def test_damaged_files_are_played_or_refused_in_a_line(
    tmp_path: Path, name: str, make_whole: Callable[[], bytes]
) -> None:
    path, whole = tmp_path / "policy", make_whole()
    path.write_bytes(whole)
    assert first_move(name, path) in Board.start(SIZE).legal_moves
    said = []
    for data in damaged_files(whole):
        path.write_bytes(data)
        try:
            first_move(name, path)
        except RegistryError as error:
            said.append(str(error))
    assert len(said) > 20
    assert all(str(path) in each and each.isprintable() for each in said)
