import re
import subprocess
import sys
from dataclasses import dataclass, fields

import pytest

from othello_lab.agent.dqn.method import PRESETS
from othello_lab.agent.dqn.presets import presets
from othello_lab.agent.learner import Method, Options, find_method, method_names
from othello_lab.agent.option_names import ALSO_CALLED
from othello_lab.agent.options import GROUPS, option
from othello_lab.commands.cli import cli
from tests.calling import caller
from tests.cases import cases

METHODS = [pytest.param(find_method(name), {}, id=name) for name in method_names()]
SELFPLAY = {"preset": "selfplay"}
METHODS.append(pytest.param(find_method("dqn"), SELFPLAY, id="dqn-selfplay"))
every_method = pytest.mark.parametrize(("method", "chosen"), METHODS)

call = caller(cli)


def size_of(method: Method) -> int:
    return min(8, method.largest)


@every_method
def test_every_option_has_a_group_and_a_meaning(method: Method, chosen: Options) -> None:
    rows = method.options(size_of(method), chosen)
    config = type(method.configure(chosen, 4, None))
    assert {each.name for each in fields(config)} - rows.keys() == getattr(config, "fixed", set())
    for name, row in rows.items():
        assert row.group in GROUPS, name
        assert re.fullmatch(r"(?s)\w.{9,}\.", row.meaning), name


@every_method
def test_the_described_defaults_are_those_used(method: Method, chosen: Options) -> None:
    for size in {4, size_of(method)}:
        defaults = {name: row.default for name, row in method.options(size, chosen).items()}
        assert method.configure(defaults | chosen, size, None) == method.configure(chosen, size, None)


@every_method
def test_the_help_of_an_agent_lists_the_options_of_its_learner(method: Method, chosen: Options) -> None:
    shown = re.sub(r"\s+", " ", call("agent", method.text(chosen), "--help").output)
    listed = shown if chosen else re.sub(r"\s+", " ", call("players", method.name).output)
    places = []
    for name, row in method.options(size_of(method), chosen).items():
        line = f" {name} {row.default} {row.meaning} "
        assert line in shown
        assert line in listed
        places.append((listed.index(f" {row.group}: "), listed.index(line)))
    assert sorted(places) == sorted(places, key=lambda place: place[1]), "an option is below its group"
    for preset, line in method.presets.items():
        assert f" {preset} {line}" in shown
    assert (method.line in shown, method.line in listed) == (True, True)


def test_other_agents_have_no_table() -> None:
    for words in (["agent"], ["agent", "greedy"], ["agent", "[", "--size", "4"], ["agent", "runs/first"]):
        shown = call(*words, "--help")
        assert shown.exit_code == 0
        assert "Learning:" not in shown.output


def test_notes_say_what_a_default_depends_on() -> None:
    shown = call("players", "dqn").output
    assert "The defaults are for 8x8. On other boards these differ: endgame, epsilon_steps." in shown
    assert "follow the number of episodes: warm_up, update_every, epsilon_steps." in shown
    assert "othello selfplay starts from dqn,preset=selfplay:" in shown
    assert "defaults are for" not in call("players", "tabular").output


def test_every_preset_has_a_line() -> None:
    assert PRESETS.keys() == {*presets(8), "default", "selfplay"}


def test_one_player_or_evaluator_is_listed_alone() -> None:
    search, both, learned = (call("players", name).output for name in ("search", "positional", "ntuple"))
    assert "endgame= " in search
    assert "greedy" not in search
    assert re.findall(r"^(\w+):$", both, re.MULTILINE) == ["Player", "Evaluator"]
    assert re.findall(r"^(\w+):$", learned, re.MULTILINE)[:3] == ["Player", "Evaluator", "Network"]
    wrong = call("players", "serach")
    assert (wrong.exit_code, wrong.output.splitlines()[-1]) == (
        2, "Error: there is no player, evaluator or learner 'serach'; did you mean search?",
    )  # fmt: skip


def test_a_help_text_loads_no_torch() -> None:
    code = (
        "import sys; from othello_lab.commands.cli import cli\n"
        "cli(['agent', 'dqn', '--help'], standalone_mode=False); print('torch' in sys.modules)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stdout.splitlines()[-1] == "False"


@pytest.mark.parametrize(("name", "wrong", "says"), cases("learner_options_renamed"))
def test_a_wrong_name_is_answered_with_the_right_one(name: str, wrong: str, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(f"{name} has no option {wrong!r}{says}") + "$"):
        find_method(name).configure({wrong: "1"}, 4, None)


def test_names_of_other_libraries_lead_to_options_that_a_learner_has() -> None:
    options = {name: find_method(name).options(4).keys() for name in method_names()}
    assert set().union(*options.values()) >= ALSO_CALLED.keys()
    for name, theirs in ALSO_CALLED.items():
        assert name not in theirs.split()


@dataclass(frozen=True)
class _Base:
    step: float = option(0.1, "Learning", "The step.")


@dataclass(frozen=True)
class _Config(_Base):
    step: float = 0.2
    plain: bool = False


def test_a_default_may_change_without_the_meaning_and_a_field_may_have_none() -> None:
    rows = Method("other", _Config, "", "").options(8)
    assert rows == {"step": ("0.2", "Learning", "The step."), "plain": ("false", "", "")}
