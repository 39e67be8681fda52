import json
from collections.abc import Iterator
from pathlib import Path
from shutil import copytree

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.agent import checkpoint
from othello_lab.agent.learner import find_method, method_names
from othello_lab.agent.make import check_learner, make_agent
from othello_lab.agent.ppo.learner import PROBABILITY
from othello_lab.agent.selfplay import training
from othello_lab.agent.selfplay.play import PlayedGames
from othello_lab.agent.selfplay.pool import PAST
from othello_lab.commands.cli import cli
from othello_lab.environment.othello import OthelloEnvironment
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game import Board, Game
from othello_lab.game.batch import Positions, repeated
from othello_lab.game.catalogue import make
from othello_lab.game.errors import UnplayableError
from othello_lab.game.players.player import Policy
from othello_lab.game.registry import RegistryError
from othello_lab.game.values import EXPECTED_RESULT, EXPECTED_RETURN
from rlglue.glue import Glue
from tests.agent.learners import DQN_SELFPLAY, LEARNERS, MCQ, Bounds, Rounds, Seat, Single
from tests.agent.parts import (
    AnyAgent,
    agent_of,
    for_selfplay,
    freeze,
    games_of_policy,
    learner_of,
    play,
    played_by,
    seated,
    selfplay,
    trio,
)
from tests.agent.table import announce
from tests.cases import cases
from tests.game.sampling import random_games

pytestmark = pytest.mark.slow

START = repeated(Board.start(4), 1)


@pytest.fixture(autouse=True, scope="module")
def _announced(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        announce(tmp_path_factory.mktemp("table"), patch)
        yield


@pytest.fixture(scope="module")
def two() -> Iterator[Pool]:
    with Pool(2) as pool:
        yield pool


def every(column: str) -> pytest.MarkDecorator:
    asked = {name: getattr(learner, column) for name, learner in LEARNERS.items()}
    rows = [pytest.param(LEARNERS[name].text, value, id=name) for name, value in asked.items() if value]
    return pytest.mark.parametrize(("text", column), rows)


def check(glue: Glue, wanted: Bounds | None) -> None:
    if wanted:
        found = json.loads(glue.RL_agent_message("stats"))[wanted.name]
        assert wanted.least <= found <= wanted.most, wanted.name


@pytest.mark.parametrize("opponent", ["random", "self"])
@every("single")
def test_single_games_go_on_to_the_byte(tmp_path: Path, text: str, single: Single, opponent: str) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    (glue, agent), (again, other) = trio(text, here, 1, opponent), trio(text, there, 9, opponent)
    play(glue, single.before)
    check(glue, single.middle)
    saved = glue.RL_agent_message("save middle")
    assert saved == f"message understood, saved {here / 'middle.safetensors'}"
    rest = play(glue, single.after)
    check(glue, single.end)
    copytree(here, there)
    again.RL_env_message("seed 1")
    again.RL_env_message(f"episode {single.before}")
    assert again.RL_agent_message("load middle").startswith("message understood")
    assert play(again, single.after) == rest
    assert other.stats() == agent.stats()
    assert other.save("end").read_bytes() == agent.save("end").read_bytes()


@every("single")
def test_a_checkpoint_before_the_first_game_is_loaded(tmp_path: Path, text: str, single: Single) -> None:
    glue, _ = trio(text, tmp_path)
    assert glue.RL_agent_message("save first").startswith("message understood")
    assert glue.RL_agent_message("load first").startswith("message understood")
    play(glue, 1)


def play_rounds(agent: AnyAgent, pool: Pool, rounds: Rounds, done: range) -> list[PlayedGames]:
    course = selfplay(agent, pool, rounds.pool, rounds.opening)
    return [course.play(games, done.step) for games in done]


@every("rounds")
def test_selfplay_goes_on_to_the_byte(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, rounds: Rounds
) -> None:
    monkeypatch.setattr(training, "FIRST_PAST", 50)
    half = len(rounds.done) // 2
    whole, part = (for_selfplay(text, tmp_path / name) for name in ("whole", "part"))
    again = for_selfplay(text, tmp_path / "part", seed=9)
    for agent in (whole, part):
        play_rounds(agent, Pool(), rounds, rounds.done[:half])
        agent.save("middle")
    again.load("middle")
    for agent in (whole, again):
        play_rounds(agent, Pool(), rounds, rounds.done[half:])
    assert again.save("end").read_bytes() == whole.save("end").read_bytes()


@pytest.mark.slow
@every("processes")
def test_the_same_seed_gives_the_same_learner_on_any_number_of_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, two: Pool, text: str, processes: Rounds
) -> None:
    monkeypatch.setattr(training, "FIRST_PAST", 300)
    saved = []
    for name, pool in (("1", Pool()), ("2", two)):
        agent = for_selfplay(text, tmp_path / name)
        results = [played.results for played in play_rounds(agent, pool, processes, processes.done)]
        saved.append((agent.save("end").read_bytes(), results))
    assert saved[0] == saved[1]
    assert any(name == PAST for name, _ in results[-1])
    past = sorted(path.name for path in (tmp_path / "2").glob("past-*"))
    assert past == ["past-00000300.safetensors", "past-00000600.safetensors"]


ALONE = pytest.mark.parametrize("text", [DQN_SELFPLAY, "td", MCQ], ids=["dqn", "td", "mcq"])


@ALONE
def test_weights_make_another_learner_judge_alike(text: str) -> None:
    made, other = learner_of(text), learner_of(text, seed=7)
    made.learn(played_by(made))
    weights = made.weights()
    other.take_weights(weights)
    assert np.array_equal(other.move_values(START), made.move_values(START))
    made.learn(played_by(made))
    assert not np.array_equal(other.move_values(START), made.move_values(START)), "they were copies"
    changed = [not np.array_equal(array, weights[name]) for name, array in made.weights().items()]
    assert any(changed), "what was returned is a copy"


@every("seat")
def test_it_plays_the_same_in_every_seat(tmp_path: Path, text: str, seat: Seat) -> None:
    """The seats are two frozen agents, with the current and the saved policy, and a player."""
    size, half = seat.config.size, seat.played // 2
    agent = agent_of(text, tmp_path, size=size)
    glue = seated(agent, OthelloEnvironment(seat.config))
    play(glue, seat.learned)
    path = agent.save_policy("net")
    wanted = games_of_policy(path, seat.played, seat.config, seat.player)
    freeze(glue)
    glue.RL_env_message("episode 5000")
    assert play(glue, half) == wanted[:half]
    assert glue.RL_agent_message("load_policy net").startswith("message understood")
    assert play(glue, seat.played - half) == wanted[half:]
    assert "policy only" in glue.RL_agent_message("load net")
    with pytest.raises(RegistryError, match=f"is for {size}x{size} boards, this game is {size + 2}x"):
        make(f"{seat.player}:{path}", size + 2)


@pytest.mark.parametrize(("text", "reason"), cases("learner_options_refused"))
def test_a_wrong_option_is_told(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        check_learner(text, 4)
    with pytest.raises(ValueError, match=reason):
        make_agent(text, size=4)


@every("other")
def test_checkpoints_of_another_board_or_network_are_refused(tmp_path: Path, text: str, other: str) -> None:
    (glue, agent), (unlike, refusing) = trio(text, tmp_path), trio(other, tmp_path)
    for one in (glue, unlike):
        play(one, 1)
    path = agent.save("four")
    with pytest.raises(RegistryError, match="is for 4x4 boards, this game is 6x6"):
        make(f"trained:{path}", 6)
    assert "is for 4x4 boards" in trio(text, tmp_path, size=6)[0].RL_agent_message("load four")
    before = refusing.save("before").read_bytes()
    assert "other options" in unlike.RL_agent_message("load four")
    assert "holds another policy" in unlike.RL_agent_message("load_policy four")
    assert "no checkpoint" in unlike.RL_agent_message("load five")
    assert refusing.save("after").read_bytes() == before


@every("arrays")
def test_checkpoints_of_other_arrays_are_refused(tmp_path: Path, text: str, arrays: tuple[str, ...]) -> None:
    glue, agent = trio(text, tmp_path, opponent="self")
    play(glue, 3)
    stored = checkpoint.load(agent.save("one"))
    before = agent.save("before").read_bytes()
    for name in arrays:
        held = {key: array for key, array in stored.arrays.items() if key != name}
        checkpoint.save(stored.path, stored.kind, held, stored.values)
        assert f"lacks array '{name}'" in glue.RL_agent_message("load one")
        held[name] = stored.arrays[name][..., :-1]
        checkpoint.save(stored.path, stored.kind, held, stored.values)
        assert "has another array" in glue.RL_agent_message("load one")
    assert agent.save("after").read_bytes() == before


UNITS = {
    "dqn,hidden=16,frames=2": EXPECTED_RETURN,
    "dqn,hidden=16,symmetric_play=1": EXPECTED_RETURN,
    "mcq,network=simple": EXPECTED_RETURN,
    "ppo": PROBABILITY,
    "table": EXPECTED_RETURN,
    "tabular": EXPECTED_RETURN,
    "td,hidden=8": EXPECTED_RESULT,
    "alphazero,width=16,simulations=8,solve=4": EXPECTED_RESULT,
}


@pytest.mark.parametrize("text", UNITS)
def test_a_policy_plays_its_best_move_in_one_position_and_in_many(text: str, tmp_path: Path) -> None:
    glue, agent = trio(text, tmp_path)
    play(glue, 5)
    player, rng = make(f"trained:{agent.save_policy('net')}", 4), np.random.default_rng(1)
    games = [Game.from_transcript("d3d4c4d2c1b4a4a3a2d1a1b1"[:plies], 4) for plies in range(2, 20, 2)]
    for game in games:
        values = player.values(game, rng)
        assert values
        assert values.unit == UNITS[text]
        if not text.startswith("alphazero"):  # which searches
            assert player.choose(game, rng) == [*game.board.legal_moves][int(values.values.argmax())]
    assert isinstance(player, Policy) != ("frames=2" in text), "it looks at the game, not at a position"
    if isinstance(player, Policy):
        boards = [board for game in random_games(4, 8) for board in game.boards if board.legal_moves]
        many = player.choose_many(Positions.of(boards), np.zeros(len(boards), np.uint64))
        assert many.tolist() == [player.choose(Game(board), rng) for board in boards]


def test_the_learner_of_another_package_is_found_by_its_name() -> None:
    assert "table" in method_names()
    agent = make_agent("table,rate=0.5", size=4)
    assert json.loads(agent.agent_message("config")) == {"agent": "table", "rate": "0.5"}
    with pytest.raises(ValueError, match="table has no option 'rat'; did you mean rate"):
        make_agent("table,rat=1")
    with pytest.raises(RegistryError, match="no learner 'tabel'; did you mean table"):
        find_method("tabel")


@pytest.mark.slow
def test_commands_take_a_learner_of_another_package(here: Path) -> None:

    def call(line: str) -> str:
        result = CliRunner().invoke(cli, line.split())
        assert result.exit_code == 0, result.output
        return result.output

    few = "--eval-every 0 --final-games 0"
    call(f"run --in-process --agent table,rate=0.2 --size 4 --episodes 20 {few} --name one")
    call("run --in-process --resume one --episodes 30")
    call(f"selfplay --learner table --from one --size 4 --games 40 --games-at-once 20 {few} --name two")
    call("selfplay --resume two --games 60")
    assert "random" in call("evaluate one --opponent random --openings 2")
    assert call("match two random --openings 1").startswith("two ")
    found = next(Path("runs/one/checkpoints").glob("*.safetensors"))
    call(f"match trained:{found} search:depth=2,eval=trained:{found} --size 4 --openings 1")


@pytest.mark.parametrize("text", [LEARNERS[name].text for name in ("ppo", "alphazero", "dqn")])
def test_a_network_that_overflows_is_told_in_a_line(tmp_path: Path, text: str) -> None:
    path = trio(text, tmp_path)[1].save_policy("one")
    stored = checkpoint.load(path)
    large = {name: np.full_like(array, 3e38) for name, array in stored.arrays.items()}
    checkpoint.save(path, stored.kind, large, stored.values)
    player = make(f"trained:{path}", 4)
    with pytest.raises(UnplayableError, match="the network overflows"):
        player.choose(Game(Board.start(4)), np.random.default_rng(0))
    result = CliRunner().invoke(cli, ["match", str(path), "greedy", "--openings", "0"])
    assert result.exit_code == 1
    assert result.output.splitlines()[-1].startswith("Error: the network overflows")
