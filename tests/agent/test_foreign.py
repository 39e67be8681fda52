import io
import pickle
import struct
import warnings
import zipfile
from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor, nn

from othello_lab.game.batch import Positions, planes
from othello_lab.game.board import Board
from othello_lab.game.catalogue import files, make
from othello_lab.game.game import Game
from othello_lab.game.players.player import Policy
from othello_lab.game.registry import RegistryError
from tests.damage import damaged_files

SIZE = 4


def positions() -> Positions:
    rng, boards = np.random.default_rng(1), []
    for _ in range(10):
        game = Game(Board.start(SIZE))
        while game.board.legal_moves:
            boards.append(game.board)
            game.play(int(rng.choice([*game.board.legal_moves])))
            game.pass_if_forced()
    return Positions.of(boards)


def best_squares(scores: torch.Tensor, found: Positions) -> list[int]:
    """Return the legal square with the highest score in each position, by a slow loop."""
    seen = planes(found, np.float32).reshape(len(found), 4, -1)
    return [
        max(np.flatnonzero(seen[i, 2]).tolist(), key=lambda square: float(scores[i, square]))
        for i in range(len(found))
    ]


def states() -> torch.Tensor:
    return torch.from_numpy(planes(positions(), np.float32))


@pytest.mark.parametrize(("layer", "name"), [(nn.ReLU, "relu"), (nn.Tanh, "tanh")])
@pytest.mark.parametrize("outputs", [SIZE * SIZE, SIZE * SIZE + 1])
def test_layers_of_torch_play_alike(tmp_path: Path, layer: type[nn.Module], name: str, outputs: int) -> None:
    torch.manual_seed(1)
    network = nn.Sequential(
        nn.Flatten(), nn.Linear(64, 9), layer(), nn.Linear(9, 7), layer(), nn.Linear(7, outputs)
    )
    path = tmp_path / "policy.pt"
    torch.save(network.state_dict(), path)
    player, found = make(f"mlp:{path},activation={name}", SIZE), positions()
    assert isinstance(player, Policy)
    chosen = player.choose_many(found, np.zeros(len(found), np.uint64))
    assert chosen.tolist() == best_squares(network(states()).detach(), found)
    game = Game(Board.start(SIZE))
    assert player.choose(game, np.random.default_rng(0)) in game.board.legal_moves


class Evil:
    def __reduce__(self) -> tuple[Any, ...]:
        return (Path.touch, (Path("was-here"),))


def test_no_file_runs_code(here: Path) -> None:
    torch.save({"0.weight": Evil()}, "torch.pt")
    Path("plain.pt").write_bytes(pickle.dumps(Evil()))
    for name in ("torch.pt", "plain.pt"):
        with pytest.raises(RegistryError, match="holds no weights"):
            make(f"mlp:{name}", SIZE)
    assert not Path("was-here").exists()


@pytest.mark.parametrize(
    ("weights", "says"),
    [
        ({"0.weight": torch.zeros(17, 64)}, "for 6x6 goes from 144 to 37"),
        ({"0.weight": torch.zeros(4, 4, 3, 3)}, "no linear layer"),
        ({"0.running_mean": torch.zeros(4)}, "only linear layers"),
        ({}, "no weights"),
        ({0: torch.zeros(17, 64)}, "no state dict"),
    ],
)
def test_other_weights_are_one_line(tmp_path: Path, weights: dict[object, torch.Tensor], says: str) -> None:
    torch.save(weights, tmp_path / "policy.pt")
    with pytest.raises(RegistryError, match=says) as error:
        make(f"mlp:{tmp_path / 'policy.pt'}", 6)
    assert "\n" not in str(error.value)


def saved(tmp_path: Path, algorithm: str, arguments: dict[str, Any]) -> tuple[Any, Path]:
    vector = pytest.importorskip("othello_lab.environment.adapters.sb3")
    sb3, contrib = pytest.importorskip("stable_baselines3"), pytest.importorskip("sb3_contrib")
    maker = getattr(sb3, algorithm, None) or getattr(contrib, algorithm)
    model = maker(
        "MlpPolicy", vector.OthelloVecEnv(2, size=SIZE), seed=3, device="cpu", policy_kwargs=arguments
    )
    model.save(tmp_path / "policy")
    return model, tmp_path / "policy.zip"


def scores_of(model: Any, algorithm: str) -> torch.Tensor:  # noqa: ANN401  the library is untyped
    with torch.inference_mode():
        if algorithm == "DQN":
            return torch.as_tensor(model.q_net(states()))
        if algorithm == "QRDQN":
            return torch.as_tensor(model.quantile_net(states()).mean(1))
        return torch.as_tensor(model.policy.get_distribution(states()).distribution.probs)


@pytest.mark.parametrize(
    ("algorithm", "arguments"),
    [
        ("MaskablePPO", {}),
        ("PPO", {"net_arch": [8, 8], "activation_fn": nn.ReLU}),
        ("DQN", {}),
        ("QRDQN", {"net_arch": [8]}),
    ],
)
def test_a_policy_of_sb3_plays_as_there(tmp_path: Path, algorithm: str, arguments: dict[str, Any]) -> None:
    model, path = saved(tmp_path, algorithm, arguments)
    text = f"sb3:{path.with_suffix('')}"
    player = make(text, SIZE)
    assert isinstance(player, Policy)
    chosen = player.choose_many(positions(), np.zeros(len(positions()), np.uint64))
    assert chosen.tolist() == best_squares(scores_of(model, algorithm), positions())
    assert files(text, SIZE) == (path,)


def test_a_policy_with_an_extractor_of_its_own_is_refused_in_a_line(tmp_path: Path) -> None:
    layers = pytest.importorskip("stable_baselines3.common.torch_layers")

    class Own(layers.FlattenExtractor):  # type: ignore[misc, name-defined]
        def __init__(self, space: object) -> None:
            super().__init__(space)
            self.extra = nn.Linear(1, 1)

    _, path = saved(tmp_path, "PPO", {"features_extractor_class": Own})
    with pytest.raises(RegistryError, match="only policies of linear layers can be read"):
        make(f"sb3:{path}", SIZE)


def test_a_file_that_is_none_is_refused_in_a_line(tmp_path: Path) -> None:
    (tmp_path / "no.zip").write_text("no zip")
    for text, says in (
        (f"sb3:{tmp_path}/no.zip", "no file that Stable-Baselines3 has saved"),
        (f"sb3:{tmp_path}/none.zip", "could not be read: No such file"),
        ("sb3", "sb3:PATH"),
    ):
        with pytest.raises(RegistryError, match=says):
            make(text, SIZE)


INPUTS, SQUARES = 4 * SIZE * SIZE, SIZE * SIZE


def linear(weight: Tensor | None = None) -> dict[str, Tensor]:
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
    path.write_bytes(data)
    with pytest.raises(RegistryError) as error:
        first_move(name, path)
    output = str(error.value)
    assert str(path) in output
    assert output.isprintable()
    assert len(output) < 400
    return output


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


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, None], ids=str)
def test_numbers_of_each_kind_and_transposed_ones_are_read(tmp_path: Path, dtype: torch.dtype | None) -> None:
    if dtype:
        weights = {name: weight.to(dtype) for name, weight in linear().items()}
    else:
        weights = OrderedDict(linear(torch.nn.Parameter(linear()["0.weight"].t().contiguous().t())))
    path, plain = tmp_path / "policy.pt", tmp_path / "plain.pt"
    path.write_bytes(as_file(weights))
    same = {name: weight.detach().float().contiguous() for name, weight in weights.items()}
    plain.write_bytes(as_file(same))
    assert first_move("mlp", path) == first_move("mlp", plain)


def test_weights_at_the_end_of_what_floats_hold_still_play_a_legal_move(tmp_path: Path) -> None:
    path = tmp_path / "policy.pt"
    weight = torch.full((SQUARES, INPUTS), 3e38)
    weight[:, ::2] = -3e38
    path.write_bytes(as_file({"0.weight": weight, "1.weight": weight[:, :SQUARES]}))
    assert first_move("mlp", path) in Board.start(SIZE).legal_moves


def rewritten(data: bytes, packing: int = zipfile.ZIP_STORED, old: bytes = b"", new: bytes = b"") -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as before, zipfile.ZipFile(file, "w", packing) as after:
        for name in before.namelist():
            part = before.read(name)
            after.writestr(name, part.replace(old, new) if name.endswith(".pkl") and old else part)
    return file.getvalue()


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        # In a pickle, (16, 64) is K 16 K 64 and the end of a pair.
        (b"K\x10K\x40\x86", b"K\x10K\xff\x86", "larger than the file"),
        (b"K\x10K\x40\x86", b"K\x10J\xff\xff\xff\x7f\x86", "holds no weights"),
        (b"K\x00K\x10", b"J\xff\xff\xff\x7fK\x10", "holds no weights"),  # the place of the first number
    ],
)
def test_places_beyond_the_end_are_refused(tmp_path: Path, old: bytes, new: bytes, says: str) -> None:
    # The storage has 1024 numbers, but the file says that it has two thousand million.
    whole = rewritten(as_file(linear()), old=b"M\x00\x04", new=b"J\xff\xff\xff\x7f")
    assert old in whole
    assert says in refusal("mlp", tmp_path / "policy.pt", rewritten(whole, old=old, new=new))


def test_compressed_zips_are_refused_however_large_they_are_inside(tmp_path: Path) -> None:
    bomb = rewritten(as_sb3(as_file(q_net()), data=bytes(32 * 2**20)), zipfile.ZIP_DEFLATED)
    assert len(bomb) < 2**17
    lying = bomb.replace(struct.pack("<I", 32 * 2**20), struct.pack("<I", 1000))
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
    ("name", "make_whole"), [("mlp", lambda: as_file(linear())), ("sb3", lambda: as_sb3(as_file(q_net())))]
)
def test_damaged_files_are_one_line(tmp_path: Path, name: str, make_whole: Callable[[], bytes]) -> None:
    path, whole = tmp_path / "policy", make_whole()
    path.write_bytes(whole)
    assert first_move(name, path) in Board.start(SIZE).legal_moves
    output = []
    for data in damaged_files(whole):
        path.write_bytes(data)
        try:
            first_move(name, path)
        except RegistryError as error:
            output.append(str(error))
    assert len(output) > 20
    assert all(str(path) in each and each.isprintable() for each in output)
