"""Files of strangers as policies: played as they are, or refused in one line, whatever stands in them."""

import io
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


def as_sb3(weights: bytes, data: bytes = b"{}") -> bytes:
    """What Stable-Baselines3 writes, for a DQN of these weights."""
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
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
        (torch.zeros(1).expand(SQUARES, 10**12 // SQUARES), "larger than the file"),
        (torch.zeros(1).expand(SQUARES, INPUTS), "larger than the file"),
        (torch.full((SQUARES, INPUTS), torch.nan), "'0.weight' is not finite: the training diverged"),
        (torch.full((SQUARES, INPUTS), -torch.inf), "not finite"),
        (torch.full((SQUARES, INPUTS), 1e300, dtype=torch.float64), "not finite"),
        (torch.zeros(SQUARES, INPUTS).to_sparse(), "not only dense float tensors"),
        (quantised(), "not only dense float tensors"),
        (torch.zeros(SQUARES, INPUTS, device="meta"), "not only dense float tensors"),
        (torch.zeros(SQUARES, INPUTS, dtype=torch.int64), "not only dense float tensors"),
        (torch.zeros(SQUARES, INPUTS, dtype=torch.complex64), "not only dense float tensors"),
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


def rewritten(data: bytes, packing: int = zipfile.ZIP_STORED, old: bytes = b"", new: bytes = b"") -> bytes:
    """The same zip with other compression, or with other bytes in its pickle."""
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(file, "w", packing) as after:
        for name in before.namelist():
            part = before.read(name)
            after.writestr(name, part.replace(old, new) if name.endswith(".pkl") and old else part)
    return file.getvalue()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        # In a pickle (16, 64) is K 16 K 64 and the end of a pair.
        (b"K\x10K\x40\x86", b"K\x10K\xff\x86", "larger than the file"),
        (b"K\x10K\x40\x86", b"K\x10J\xff\xff\xff\x7f\x86", "holds no weights"),
        (b"K\x00K\x10", b"J\xff\xff\xff\x7fK\x10", "holds no weights"),  # the place of the first number
    ],
)
def test_shapes_and_places_beyond_the_end_of_the_file_are_refused(
    tmp_path: Path, old: bytes, new: bytes, says: str
) -> None:
    # The storage has 1024 numbers; the file says that it has two thousand million.
    whole = rewritten(as_file(linear()), old=b"M\x00\x04", new=b"J\xff\xff\xff\x7f")
    assert old in whole
    assert says in refusal("mlp", tmp_path / "policy.pt", rewritten(whole, old=old, new=new))


def test_compressed_zips_are_refused_however_large_they_are_inside(tmp_path: Path) -> None:
    bomb = rewritten(as_sb3(as_file(q_net()), data=bytes(200 * 2**20)), zipfile.ZIP_DEFLATED)
    assert len(bomb) < 2**20
    lying = bomb.replace(struct.pack("<I", 200 * 2**20), struct.pack("<I", 1000))
    for data in (bomb, lying):
        assert "compressed parts" in refusal("sb3", tmp_path / "bomb.zip", data)
    assert "compressed parts" in refusal("mlp", tmp_path / "policy.pt", rewritten(as_file(linear()), 8))


def test_functions_that_take_memory_are_refused(tmp_path: Path) -> None:
    # torch allows a pickle to make a bytearray of any length.
    name = b"ctorch._utils\n_rebuild_tensor_v2\n"
    data = rewritten(as_file(linear()), old=name, new=b"c__builtin__\nbytearray\n")
    assert "it names '__builtin__ bytearray'" in refusal("mlp", tmp_path / "policy.pt", data)


@pytest.mark.parametrize(
    "data",
    [
        as_sb3(as_file(q_net()), data=b"9" * 5000),
        as_sb3(as_file(q_net()), data=b"[" * 100_000),
        as_sb3(as_file(q_net()), data=b"\xff"),
        as_sb3(as_file(q_net()), b'{"policy_kwargs": {"activation_fn": "one\\ntwo"}}'),
        as_sb3(b"no weights"),
    ],
)
def test_parts_that_cannot_be_read_are_told_in_a_line(tmp_path: Path, data: bytes) -> None:
    refusal("sb3", tmp_path / "policy.zip", data)


@pytest.mark.parametrize(
    ("name", "make_whole"),
    [
        ("mlp", lambda: as_file(linear())),
        ("sb3", lambda: as_sb3(as_file(q_net()))),
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
