from pathlib import Path
from shutil import copy
from typing import Any

import click
import pytest

from othello_lab.commands.sweep import planned_sweep
from othello_lab.experiment.compare.sweep import SweepError, agent_text, read_sweep
from tests.cases import cases

ROOT = Path(__file__).parents[3]
SHIPPED = ROOT / "examples" / "sweeps"
NETWORK = ROOT / "agent" / "dqn" / "pretrained" / "4x4.safetensors"

FILE: dict[str, Any] = {
    "seeds": [0, 4],
    "eval_every": 5,
    "run": {"size": 6, "eval-opponent": ["random", "greedy"], "agent": {"frames": 3, "hidden": [8, 8]}},
    "variants": {
        "plain": {},
        "changed": {"agent": {"double": False, "frames": 1}, "eval-every": 7},
        "another": {"agent": "greedy"},
    },
}


@pytest.mark.parametrize("name", sorted(path.name for path in SHIPPED.iterdir()))
def test_the_files_in_sweeps_can_be_carried_out(name: str) -> None:
    assert planned_sweep(SHIPPED / name, None, Path("runs")).jobs()


@pytest.mark.parametrize(("option", "more"), [("agent", ""), ("from", 'learner = "dqn,hidden=[8]"\n')])
def test_a_run_is_named_by_its_folder(option: str, more: str, here: Path) -> None:
    policy = Path("elsewhere/first/checkpoints/policy.safetensors")
    policy.parent.mkdir(parents=True)
    copy(NETWORK, policy)
    Path("elsewhere/first/config.json").write_text('{"agent": {"text": "dqn"}, "environment": {"size": 4}}')
    file = Path("one.toml")
    for name in ("elsewhere/first", "first"):
        file.write_text(f'seeds = [0]\nsize = 4\n{option} = "{name}"\n{more}[variants.a]\n')
        if name == "first":  # the runs of the sweep would look for it among themselves
            with pytest.raises(click.UsageError, match=r"one.toml, variant a: "):
                planned_sweep(file, None, Path("elsewhere"))
        else:
            assert planned_sweep(file, None, Path("elsewhere")).jobs()


def test_every_variant_is_run_with_every_seed() -> None:
    jobs = read_sweep(FILE, "dqn").jobs()
    assert [job.name for job in jobs[:3]] == ["plain-0", "changed-0", "another-0"]
    assert [job.seed for job in jobs] == [0, 0, 0, 4, 4, 4]
    assert {job.seed for job in read_sweep(FILE, "dqn", [9]).jobs()} == {9}


def test_a_variant_is_the_shared_options_with_its_own_over_them() -> None:
    words = {variant.name: variant.arguments(4) for variant in read_sweep(FILE, "dqn").variants}
    shared = ["--size=6", "--eval-opponent=random", "--eval-opponent=greedy"]
    assert words["plain"] == [
        *("run", "--in-process", "--eval-every=5"),
        *(*shared, "--agent=dqn,frames=3,hidden=[8,8]", "--seed=4"),
    ]
    assert {"--eval-every=7", *shared} < set(words["changed"])
    assert "--agent=dqn,frames=1,hidden=[8,8],double=false" in words["changed"]
    assert "--agent=greedy" in words["another"]


def test_a_flag_that_has_no_word_to_deny_it_is_left_out_where_it_is_false() -> None:
    shared = {"episodes": 9, "keep-policies": True}
    sweep = read_sweep({"seeds": [3], "run": shared, "variants": {"one": {"keep-policies": False}}}, "dqn")
    (variant,) = sweep.variants
    assert not [word for word in variant.arguments(3) if "keep-policies" in word]


def test_a_variant_that_names_a_learner_is_a_run_of_self_play() -> None:
    shared = {"games": 9, "learner": {"name": "mcq", "gamma": 0.9}}
    own = {"later": {"learner": {"gamma": 1.0}}, "other": {"learner": "ntuple"}}
    sweep = read_sweep({"seeds": [3], "run": shared, "variants": own}, "dqn")
    assert [variant.arguments(3) for variant in sweep.variants] == [
        ["selfplay", "--games=9", "--learner=mcq,gamma=1.0", "--seed=3"],
        ["selfplay", "--games=9", "--learner=ntuple", "--seed=3"],
    ]
    both = {"one": {"agent": "dqn"}}
    with pytest.raises(SweepError, match="one has an agent and a learner"):
        read_sweep({"seeds": [3], "run": shared, "variants": both}, "dqn")


@pytest.mark.parametrize(
    ("shared", "own", "text"),
    [
        ({}, {}, "dqn"),
        ({}, {"double": False}, "dqn,double=false"),
        ("dqn,frames=3", {"double": False}, "dqn,frames=3,double=false"),
        ({"n_step": 3}, {"n-step": 1}, "dqn,n_step=1"),
        ({"frames": 3}, "dqn", "dqn"),
        ({"frames": 3}, {"name": "search", "time": 0.5}, "search,time=0.5"),
        ({"name": "weights", "argument": "swh"}, {"fade": 1}, "weights:swh,fade=1"),
    ],
)
def test_agents_are_laid_one_over_the_other(shared: Any, own: Any, text: str) -> None:  # noqa: ANN401  what TOML has
    assert agent_text(shared, own, "dqn") == text


@pytest.mark.parametrize(("change", "says"), cases("sweeps_refused"))
def test_what_is_no_sweep_is_refused(change: dict[str, Any], says: str) -> None:
    with pytest.raises(SweepError, match=says):
        read_sweep({**FILE, **change}, "dqn")
