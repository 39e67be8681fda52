import subprocess
import sys

import pytest
import torch
from torch import Tensor

from othello_lab.agent.optimisers import Optimiser
from othello_lab.agent.weights import flat_gradients, flatten

REFERENCES = {
    "adam": (torch.optim.Adam, {"fused": True}),
    "adam-unfused": (torch.optim.Adam, {}),
    "adamw": (torch.optim.AdamW, {"fused": True}),
    "sgd": (torch.optim.SGD, {"fused": True}),
    "rmsprop": (torch.optim.RMSprop, {}),
}


def loss_of(network: torch.nn.Module) -> Tensor:
    values: Tensor = network(torch.linspace(-1, 1, 7))
    return values.square().sum()


@pytest.mark.parametrize("kind", REFERENCES)
def test_steps_and_state_equal_those_of_torch(kind: str) -> None:
    torch.manual_seed(1)
    ours, theirs = torch.nn.Linear(7, 5), torch.nn.Linear(7, 5)
    theirs.load_state_dict(ours.state_dict())
    weights, gradients = flatten(ours), flat_gradients(ours)
    optimiser = Optimiser(kind, weights, gradients)
    flat = torch.nn.Parameter(flatten(theirs))
    flat.grad = flat_gradients(theirs)
    make, options = REFERENCES[kind]
    reference = make([flat], lr=0.01, **options)
    for rate in (0.01, 0.01, 0.003, 0.02):
        for network, held in ((ours, gradients), (theirs, flat.grad)):
            held.zero_()
            loss_of(network).backward()  # type: ignore[no-untyped-call]  # torch has no type for it
        optimiser.step(rate)
        reference.param_groups[0]["lr"] = rate
        reference.step()
        assert torch.equal(weights, flat)
    state = reference.state_dict()["state"].get(0, {})
    assert list(optimiser.state) == [name for name, tensor in state.items() if tensor is not None]
    for name, tensor in optimiser.state.items():
        assert torch.equal(tensor, state[name])
        assert tensor.dtype == state[name].dtype


@pytest.mark.slow  # starts a process
def test_learning_does_not_import_the_compiler_of_torch() -> None:
    program = """
import sys, torch
from othello_lab.agent.optimisers import Optimiser
for kind in ("adam", "adam-unfused", "adamw", "sgd", "rmsprop", "rmsprop-graves"):
    Optimiser(kind, torch.ones(3), torch.ones(3)).step(0.1)
assert "torch._dynamo" not in sys.modules
"""
    subprocess.run([sys.executable, "-c", program], check=True)
