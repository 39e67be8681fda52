import re
import shlex
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.commands.tournament import command as tournament
from othello_lab.environment import agent_player
from othello_lab.environment.config import EnvironmentConfig
from othello_lab.game import Board, Colour, Game
from othello_lab.game.catalogue import files, is_built_in, make
from othello_lab.game.play import Pairing, Played, play_games
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.registry import RegistryError
from tests.game.engine_programs import ROOT, alive, posix

pytestmark = pytest.mark.slow
FAKE = Path(__file__).with_name("fake_agent.py")
OWN = f"{shlex.quote(sys.executable)} -m othello_lab agent"
# A 4x4 game in which both sides must pass. Black must pass in its last turn.
PASSES = "d3d2d1d4b4b1a1c4c1a2a3a4"


class Agents:
    def __init__(self, folder: Path) -> None:
        self._pid_file, self._heard = folder / "pid", folder / "heard"
        self._made: list[Player] = []

    def text(self, mode: str, seconds: float = 5.0) -> str:
        words = [sys.executable, str(FAKE), mode, str(self._pid_file), str(self._heard)]
        return f"agent:[{shlex.join(words)}],name=fake,time={seconds:g}"

    def __call__(self, mode: str, size: int = 4, seconds: float = 5.0) -> Player:
        self._made.append(make(self.text(mode, seconds), size))
        return self._made[-1]

    @property
    def heard(self) -> list[str]:
        return self._heard.read_text("utf-8").splitlines()

    def is_gone(self) -> bool:
        return not alive(int(self._pid_file.read_text("utf-8")))

    def close(self) -> None:
        for player in self._made:
            player.close()


@pytest.fixture
def agents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Agents]:
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    made = Agents(tmp_path)
    yield made
    made.close()


def choose(player: Player, game: Game) -> int:
    return player.choose(game, np.random.default_rng(0))


def moves_of(games: Iterator[Played]) -> list[list[int]]:
    return [played.record.game.moves for played in games]


def pairing(a: str, b: str = "random", size: int = 6) -> Pairing:
    return Pairing(a, b, size, ("", "c2"), seed=3)


@pytest.mark.usefixtures("agents")
def test_a_player_as_an_agent_has_the_same_games() -> None:
    player = "noisy:[positional],share=0.5"
    as_agent = f"agent:[{OWN} {player}],time=120"
    assert moves_of(play_games(pairing(as_agent), range(4))) == moves_of(
        play_games(pairing(player), range(4))
    )


def test_it_is_asked_as_in_an_evaluation(agents: Agents) -> None:
    games = list(play_games(pairing(agents.text("honest"), size=4), range(2)))
    assert not any(played.record.forfeit for played in games)
    task, *heard = agents.heard
    assert task == f"init {EnvironmentConfig(4).task_spec()}"
    assert heard[:2] == ["freeze learning", "freeze exploring"]
    assert heard[2].startswith("luck ")
    assert heard[3] == "start"
    ends = [f"end {({1.0: 1, 0.5: -0.5, 0.0: -1})[played.points]:g}" for played in games]
    assert [line for line in heard if line.startswith("end")] == ends
    assert heard.count("start") == 2
    assert sum(line.startswith("luck") for line in heard) == 1, "who does not know it is told once"
    assert heard[-1] == "cleanup"


def follow(player: Player, colour: Colour) -> None:
    """Let a player choose at the turns of a side in the game with passes, and observe the other moves."""
    played, game = Game.from_transcript(PASSES, 4), Game(Board.start(4))
    player.start(game)
    for move in played.moves:
        if game.board.turn is colour and game.board.legal_moves:
            choose(player, game)
        game.play(move)
        player.observe(move)


@pytest.mark.parametrize("colour", Colour)
def test_it_is_asked_for_its_passes_too(colour: Colour, agents: Agents) -> None:
    follow(agents("honest"), colour)
    turns = [board for board in Game.from_transcript(PASSES, 4).boards[:-1] if board.turn is colour]
    assert any(board.must_pass for board in turns)
    black, white = Game.from_transcript(PASSES, 4).board.counts()
    reward = 1 if (black > white) is (colour is Colour.BLACK) else -1
    assert agents.heard[4:] == ["start", *["step"] * (len(turns) - 1), f"end {reward}"]


def test_another_game_is_a_new_episode(agents: Agents) -> None:
    player, game = agents("honest"), Game(Board.start(4))
    for _ in range(2):  # as a person does who takes moves back
        choose(player, game)
    game.play(game.board.legal_moves[0])
    choose(player, game)  # now the other side
    game.play(game.board.legal_moves[0])
    game.play(game.board.legal_moves[0])
    choose(player, game)
    assert [line for line in agents.heard if line in ("start", "step")] == ["start", "start", "start", "step"]


@posix
def test_a_class_has_its_tournament_by_one_command(agents: Agents, tmp_path: Path) -> None:
    words = [agents.text("honest"), agents.text("dies").replace("name=fake", "name=bob"), "greedy"]
    options = f"--size 4 --openings 1 --jobs 1 --database {tmp_path / 'class.sqlite'}"
    result = CliRunner().invoke(tournament, [*words, *options.split()])
    assert result.exit_code == 0, result.output
    assert "forfeits: 4 by bob" in result.stdout
    assert agents.is_gone()


FORFEITS = {
    "illegal": r"fake answered \[0\], which is not legal in -----OX--XO----- X",
    "talks": r"fake answered \[1, 2\], which is not legal in .*",
    "dies": r"fake left during agent_step: it ended with exit status 1: out of memory, out of luck",
    "hangs": r"fake gave no answer within 1 s during agent_step",
    "refuses": r"fake left during agent_init: it ended with exit status 1: this agent is for 10x10 alone",
    "ends": r"fake ended with exit status 1: no such file, before it connected",
}


@posix
@pytest.mark.parametrize("mode", FORFEITS)
def test_who_misbehaves_loses_and_is_ended(mode: str, agents: Agents) -> None:
    (played,) = play_games(pairing(agents.text(mode, seconds=1), size=4), range(1))
    assert played.record.forfeit
    assert played.record.forfeit.by is played.colour
    assert re.fullmatch(FORFEITS[mode], played.record.forfeit.reason)
    assert agents.is_gone()


def test_an_illegal_answer_ends_the_episode_alone(agents: Agents) -> None:
    list(play_games(pairing(agents.text("illegal"), size=4), range(2)))
    assert [line for line in agents.heard if line in ("start", "end -1", "cleanup")] == [
        *["start", "end -1"] * 2,
        "cleanup",
    ]


def test_who_has_died_is_started_again(agents: Agents) -> None:
    list(play_games(pairing(agents.text("dies"), size=4), range(2)))
    assert sum(line.startswith("init") for line in agents.heard) == 2


@posix
def test_a_program_that_is_absent_is_waited_for_once(agents: Agents, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(agent_player, "START_SECONDS", 1.0)
    player = agents("absent")
    for _ in range(2):
        begin = time.monotonic()
        with pytest.raises(Forfeit, match="fake has not connected within 1 s: expected an RL-Glue agent"):
            player.start(Game(Board.start(4)))
        seconds = time.monotonic() - begin
    assert seconds < 0.5
    assert agents.is_gone()


@posix
def test_one_that_writes_much_plays_on_and_goes_when_it_is_closed(agents: Agents) -> None:
    player, game = agents("floods"), Game(Board.start(4))
    assert choose(player, game) in game.board.legal_moves
    assert not agents.is_gone()
    player.close()
    assert agents.is_gone()
    assert agents.heard[-1] == "cleanup"


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("agent", "agent: name the program, such as agent:python my_agent.py"),
        ("agent:no-such-program x", "agent: there is no program 'no-such-program'"),
        ("agent:python,cwd=/no/such/folder", "agent: cwd is '/no/such/folder', expected a folder"),
        ("agent:python,time=0", "agent: time is '0', expected seconds for each answer, above 0"),
        ("agent:python,depth=3", "agent has no option 'depth'; its options: time, cwd, name"),
    ],
)
def test_wrong_texts_are_refused(text: str, why: str) -> None:
    with pytest.raises(RegistryError, match=why):
        make(text, 8)


def test_another_submission_is_another_player(tmp_path: Path) -> None:
    script = tmp_path / "alice.py"
    script.write_text("1", "utf-8")
    (tmp_path / "log").touch()
    for text in (f"agent:python {script} {tmp_path}/log", f"agent:python alice.py log,cwd=[{tmp_path}]"):
        assert files(text, 8) == (script,)


def test_no_agent_is_started_over_the_wire() -> None:
    assert not is_built_in("agent:python my_agent.py", 8)
