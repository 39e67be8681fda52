"""Networks of others in every seat: `sb3:PATH` of Stable-Baselines3, `mlp:PATH` of torch alone.

They see what the environments of environment/adapters show: four planes. Illegal moves are masked here.
"""

from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from othello_lab.agent.foreign.files import PolicyError, read
from othello_lab.agent.foreign.sb3 import ALGORITHMS, CODE, Scores, load, network_of
from othello_lab.agent.foreign.state_dict import ACTIVATIONS, layers_of, read_weights, stacked
from othello_lab.agent.policy import BestMovePolicy
from othello_lab.game.batch.games import planes
from othello_lab.game.batch.positions import Positions
from othello_lab.game.players import Player
from othello_lab.game.registry import Entry, RegistryError, Spec, similar


def by_scores(scores: Scores) -> Player:
    """Return what plays the legal square of the highest score, of equals the lowest; never at random."""

    @torch.inference_mode()
    def judge(positions: Positions) -> NDArray[np.float64]:
        squares = positions.size**2
        states = torch.from_numpy(planes(positions, np.float32)).view(-1, 4 * squares)
        legal = states[:, 2 * squares : 3 * squares].bool()
        found = scores(states)[:, :squares][legal].nan_to_num()  # weights of 1e38 overflow
        return found.numpy().astype(np.float64)

    return BestMovePolicy(judge, None)


def make_mlp(spec: Spec, size: int) -> Player:
    """Return the player that `mlp:PATH` names; raises RegistryError."""
    spec.refuse_extras(argument=True, options=("activation",))
    path, activation = _path(spec), _word(spec, "activation", tuple(ACTIVATIONS)) or "relu"
    try:
        layers = layers_of(path, read_weights(path, read(path)))
        return by_scores(stacked(path, layers, activation, size))
    except PolicyError as error:
        raise RegistryError(str(error)) from None


def make_sb3(spec: Spec, size: int) -> Player:
    """Return the player that `sb3:PATH` names; raises RegistryError."""
    spec.refuse_extras(argument=True, options=("activation", "algorithm", "allow_code"))
    try:
        return by_scores(_scores(spec, _path(spec), size))
    except PolicyError as error:
        raise RegistryError(str(error)) from None


def _scores(spec: Spec, path: Path, size: int) -> Scores:
    if not spec.flag("allow_code"):
        return network_of(path, _word(spec, "activation", tuple(ACTIVATIONS)), size)
    algorithm = _word(spec, "algorithm", ALGORITHMS)
    if algorithm is None:
        raise RegistryError(f"{CODE} needs algorithm=NAME, one of {', '.join(ALGORITHMS)}")
    return load(path, algorithm, size)


def _path(spec: Spec) -> Path:
    """Return the file, which may be named without the .zip that the library adds."""
    if not spec.argument:
        raise RegistryError(f"{spec.name} is {spec.name}:PATH, with the path of a policy")
    path = Path(spec.argument)
    zipped = path.with_name(path.name + ".zip")
    return zipped if not path.exists() and zipped.exists() else path


def _word(spec: Spec, key: str, words: tuple[str, ...]) -> str | None:
    """Return an option that is one of some words, None without it; raise RegistryError for another."""
    word = spec.options.get(key)
    if word is not None and word not in words:
        raise RegistryError(f"{spec.name}: {key} is {word!r}{similar(word, words)}")
    return word


def _files(spec: Spec, size: int) -> tuple[Path, ...]:
    return (_path(spec),)


_ACTIVATION = "what stands between the layers, such as relu or tanh"
MLP: Entry[Player] = Entry(
    make_mlp, "linear layers that torch has saved", "PATH", {"activation": _ACTIVATION}, files=_files
)
SB3: Entry[Player] = Entry(
    make_sb3,
    "a policy of Stable-Baselines3 or sb3-contrib",
    "PATH",
    {
        "activation": _ACTIVATION,
        "algorithm": "what it was trained with, such as MaskablePPO",
        "allow_code": "1 runs the code in the file, which may do anything: only if you trust who made it",
    },
    files=_files,
)
