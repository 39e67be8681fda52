import pytest
from hypothesis import given
from hypothesis import strategies as st

from rlglue.taskspec import Range, Space, Special, TaskSpec, TaskSpecError, UnsupportedVersion, parse
from rlglue.utils.TaskSpecVRLGLUE3 import TaskSpecParser
from tests.cases import cases

START = "VERSION RL-Glue-3.0 PROBLEMTYPE "
SOME = " EXTRA some other stuff goes here"

# The sample lines of RL-Glue's own tests, and the text that we write for them.
SAMPLES = [
    (
        "continuing DISCOUNTFACTOR .9 OBSERVATIONS INTS (3 0 1) (1 3) (2 -5 3) DOUBLES (2 -1.2 0.5) "
        "(-.07 .07) CHARCOUNT 1024 ACTIONS INTS (0 4)  REWARDS (-5.0 5.0)" + SOME,
        "continuing DISCOUNTFACTOR 0.9 OBSERVATIONS INTS (3 0 1) (1 3) (2 -5 3) DOUBLES (2 -1.2 0.5) "
        "(-0.07 0.07) CHARCOUNT 1024 ACTIONS INTS (0 4) REWARDS (-5.0 5.0)" + SOME,
    ),
    (
        "episodic DISCOUNTFACTOR .7 OBSERVATIONS INTS (0 1)(2 -5 3) DOUBLES (2 -1.2 0.5)(-.07 .07) (0 100.5) "
        "CHARCOUNT 32 ACTIONS INTS (5 0 4) DOUBLES (-.5 2) (2 7.8 9) CHARCOUNT 8 REWARDS (-5.0 5.0)" + SOME,
        "episodic DISCOUNTFACTOR 0.7 OBSERVATIONS INTS (0 1) (2 -5 3) DOUBLES (2 -1.2 0.5) (-0.07 0.07) "
        "(0.0 100.5) CHARCOUNT 32 ACTIONS INTS (5 0 4) DOUBLES (-0.5 2.0) (2 7.8 9.0) CHARCOUNT 8 "
        "REWARDS (-5.0 5.0)" + SOME,
    ),
    (
        "episodic DISCOUNTFACTOR .7 OBSERVATIONS INTS (NEGINF 1)( 2 -5 POSINF ) DOUBLES (2 -1.2 0.5 )"
        "(-.07 .07) (UNSPEC 3.3) (0 100.5) CHARCOUNT 32 ACTIONS INTS (5 0 4) DOUBLES (-.5 2) (2 7.8 9)"
        "(NEGINF UNSPEC) CHARCOUNT 8 REWARDS (-5.0 5.0)" + SOME,
        "episodic DISCOUNTFACTOR 0.7 OBSERVATIONS INTS (NEGINF 1) (2 -5 POSINF) DOUBLES (2 -1.2 0.5) "
        "(-0.07 0.07) (UNSPEC 3.3) (0.0 100.5) CHARCOUNT 32 ACTIONS INTS (5 0 4) DOUBLES (-0.5 2.0) "
        "(2 7.8 9.0) (NEGINF UNSPEC) CHARCOUNT 8 REWARDS (-5.0 5.0)" + SOME,
    ),
    (
        "episodic DISCOUNTFACTOR 1.0 OBSERVATIONS INTS (0 107)  ACTIONS INTS (0 3)  "
        "REWARDS (-100.0 10.0)  EXTRA SampleMinesEnvironment by Brian Tanner.",
        "episodic DISCOUNTFACTOR 1.0 OBSERVATIONS INTS (0 107) ACTIONS INTS (0 3) "
        "REWARDS (-100.0 10.0) EXTRA SampleMinesEnvironment by Brian Tanner.",
    ),
    (
        "episodic DISCOUNTFACTOR 1.0 OBSERVATIONS INTS (1 0 107)  ACTIONS INTS (1 0 3)  "
        "REWARDS (UNSPEC POSINF)  EXTRA",
        "episodic DISCOUNTFACTOR 1.0 OBSERVATIONS INTS (0 107) ACTIONS INTS (0 3) "
        "REWARDS (UNSPEC POSINF) EXTRA",
    ),
]


@pytest.mark.parametrize(("text", "again"), SAMPLES)
def test_the_samples_of_rl_glue(text: str, again: str) -> None:
    assert str(parse(START + text)) == START + again


def test_another_version_is_not_looked_at() -> None:
    text = "VERSION Real-Time-Strategy-1.0 <then you can put whatever you want after"
    with pytest.raises(UnsupportedVersion, match="Real-Time-Strategy"):
        parse(text)
    assert not TaskSpecParser(text).valid
    assert TaskSpecParser(text).getVersion() == "Real-Time-Strategy-1.0"


def test_ours_without_extra_and_in_small_letters() -> None:
    text = (
        "version RL-Glue-3.0 problemtype episodic discountfactor 0.99 observations ints (256 0 1) "
        "actions ints (-1 63) rewards (-1.0 1.0)"
    )
    spec = parse(text)
    assert (spec.discount, spec.observations.int_count, spec.actions.ints) == (0.99, 256, (Range(-1, 63),))
    assert parse(text + " extra othello size=8 win=1.0").extra_values() == {"size": "8", "win": "1.0"}


@pytest.mark.parametrize(
    ("text", "observations"),
    [
        ("INTS DOUBLES (0 1) (-5 5)", Space((), (Range(0.0, 1.0), Range(-5.0, 5.0)))),
        ("DOUBLES INTS (0 2)", Space((Range(0, 2),))),
        ("INTS DOUBLES CHARCOUNT 0", Space()),
        ("INTS", Space()),
    ],
)
def test_a_group_may_have_no_range(text: str, observations: Space) -> None:
    spec = f"{START}episodic DISCOUNTFACTOR 1 OBSERVATIONS {text} ACTIONS DOUBLES INTS (0 1) REWARDS (0 1)"
    assert parse(spec).observations == observations
    assert parse(spec).actions == Space((Range(0, 1),))
    assert TaskSpecParser(spec).valid


@pytest.mark.parametrize(("text", "words"), cases("taskspecs_refused"))
def test_errors_say_what_was_expected_and_where(text: str, words: str) -> None:
    with pytest.raises(TaskSpecError, match=words) as caught:
        parse(text)
    assert "\n" not in str(caught.value)
    assert TaskSpecParser(text).error == str(caught.value)


whole = st.integers(-(2**31), 2**31 - 1)
real = st.floats(allow_nan=False, allow_infinity=False)
low, high = st.sampled_from([Special.NEGINF, Special.UNSPEC]), st.sampled_from(list(Special)[1:])
counts = st.integers(1, 1_000_000)
int_ranges = st.lists(st.builds(Range, whole | low, whole | high, counts), max_size=3).map(tuple)
real_ranges = st.lists(st.builds(Range, real | low, real | high, counts), max_size=3).map(tuple)
spaces = st.builds(Space, int_ranges, real_ranges, st.integers(0, 1_000_000))
words_only = st.from_regex(r"[a-z]+", fullmatch=True)
specs = st.builds(
    TaskSpec,
    words_only,
    st.floats(0, 1),
    spaces,
    spaces,
    st.builds(Range, real | low, real | high),
    st.text().map(lambda text: text.lstrip(" ")),
)


@pytest.mark.slow
@given(specs)
def test_what_is_written_reads_the_same(spec: TaskSpec) -> None:
    assert parse(str(spec)) == spec


def test_the_historic_parser() -> None:
    parser = TaskSpecParser(START + SAMPLES[2][0])
    assert parser.valid
    assert parser.getVersion() == "RL-Glue-3.0"
    assert (parser.getProblemType(), parser.getDiscountFactor()) == ("episodic", 0.7)
    assert parser.getIntObservations() == [["NEGINF", 1], [-5, "POSINF"], [-5, "POSINF"]]
    assert parser.getDoubleObservations()[-2:] == [["UNSPEC", 3.3], [0.0, 100.5]]
    assert parser.getCharCountObservations() == 32
    assert parser.getIntActions() == [[0, 4]] * 5
    assert parser.getDoubleActions()[-1] == ["NEGINF", "UNSPEC"]
    assert parser.getCharCountActions() == 8
    assert parser.getRewardRange() == [-5.0, 5.0]
    assert parser.getReward() == "(-5.0 5.0)"
    assert parser.getActions() == "INTS (5 0 4) DOUBLES (-.5 2) (2 7.8 9)(NEGINF UNSPEC) CHARCOUNT 8"
    assert parser.getObservations().startswith("INTS (NEGINF 1)( 2 -5 POSINF ) DOUBLES")
    assert parser.getExtra() == "some other stuff goes here"
    assert TaskSpecParser((START + SAMPLES[0][0]).encode()).valid


def test_the_historic_parser_needs_no_space_beside_a_bracket() -> None:
    words = "OBSERVATIONS INTS(0 1)ACTIONS INTS(0 3)rewards(0 1)EXTRA REWARDS of mine"
    parser = TaskSpecParser(f"{START}episodic DISCOUNTFACTOR 1 {words}")
    assert parser.valid
    raw = parser.getObservations(), parser.getActions(), parser.getReward(), parser.getExtra()
    assert raw == ("INTS(0 1)", "INTS(0 3)", "(0 1)", "REWARDS of mine")
