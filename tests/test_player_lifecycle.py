"""What `game/players/player.py` promises a player, in every seat that a player may take."""

import json
from collections.abc import Callable
from functools import partial

import numpy as np
import pytest
from click.testing import CliRunner

from othello_lab.agent.player_agent import PlayerAgent
from othello_lab.commands.agent import command as agent_command
from othello_lab.commands.environment import command as environment_command
from othello_lab.commands.play import command as play_command
from othello_lab.game import Game
from othello_lab.game.catalogue import BUILT_IN
from othello_lab.game.play import Pairing, play_games
from othello_lab.game.players.player import Forfeit, Player
from othello_lab.game.players.simple import pick
from rlglue.errors import ServerLost
from rlglue.glue import Glue
from tests.calling import add_player
from tests.environment import parts

SIZE = 4


class Recorder(Player):
    """Plays at random, and fails as soon as a move was not reported to it."""

    def __init__(self) -> None:
        self.heard: list[int] | None = None
        self.games = 0
        self.moves = 0

    def start(self, game: Game) -> None:
        self.heard = list(game.moves)
        self.games += 1

    def observe(self, move: int) -> None:
        assert self.heard is not None, "observe comes after start"
        self.heard.append(move)

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        assert self.heard == game.moves, "start and observe tell the whole game"
        self.moves += 1
        return pick(game.board.legal_moves, rng)

    def close(self) -> None:
        self.heard = None


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[Recorder]:
    players: list[Recorder] = []

    def build() -> Recorder:
        players.append(Recorder())
        return players[-1]

    add_player(monkeypatch, "recorder", build)
    monkeypatch.setitem(BUILT_IN, "recorder", "")  # otherwise, a message must not choose the player
    return players


environment = partial(parts.environment, size=SIZE)


def run(glue: Glue) -> None:
    glue.RL_init()
    for limit in (0, 2, 0):
        glue.RL_episode(limit)
    glue.RL_cleanup()


def match() -> None:
    assert len(list(play_games(Pairing("recorder", "random", SIZE), range(3)))) == 3


def agent() -> None:
    run(Glue(PlayerAgent("recorder"), environment(first="alternate")))


def agent_in_self_play() -> None:
    run(Glue(PlayerAgent("recorder"), environment(opponent="self")))


def opponent() -> None:
    run(Glue(PlayerAgent("random"), environment(opponent="recorder", first="alternate")))


def opponent_that_comes_in_the_middle_of_a_game() -> None:
    glue = Glue(PlayerAgent("random"), environment(opponent="random"))
    glue.RL_init()
    for last in ("recorder", "random"):
        glue.RL_start()
        glue.RL_step()
        glue.RL_env_message(f"opponent {last}")
        while not glue.RL_step().terminal:
            pass
        assert json.loads(glue.RL_env_message("stats"))["opponent"] == last
        glue.RL_episode()


def console() -> None:
    # Not on 4x4, because the solver gives the hints near the end.
    typed = "".join(f"{word}\n" for word in ("c2", "hint", "undo", "c2", "quit"))
    arguments = ["recorder", "--size", "6", "--hint", "recorder"]
    CliRunner().invoke(play_command, arguments, typed, catch_exceptions=False)


SEATS = [match, agent, agent_in_self_play, opponent, opponent_that_comes_in_the_middle_of_a_game, console]


@pytest.mark.parametrize("seat", SEATS)
def test_a_player_is_told_of_every_game_and_closed(seat: Callable[[], None], made: list[Recorder]) -> None:
    seat()
    assert made
    for player in made:
        assert player.games
        assert player.moves
        assert player.heard is None, "close comes at the end"


def test_in_self_play_the_passes_of_the_other_side_are_part_of_one_game(made: list[Recorder]) -> None:
    passing = "-OX---------XO-- X"  # after a1 white must pass
    glue = Glue(PlayerAgent("recorder"), environment(opponent="self"))
    glue.RL_init()
    glue.RL_env_message(f"start {passing}")
    for _ in range(20):
        glue.RL_episode(0)
    assert made[-1].games == 20


def play_and_lose_the_server(glue: Glue) -> None:
    glue.RL_init()
    glue.RL_episode()
    raise ServerLost("the server is gone")


@pytest.mark.parametrize("seat", ["agent", "environment"])
def test_a_process_that_ends_closes_its_player(
    seat: str, made: list[Recorder], monkeypatch: pytest.MonkeyPatch
) -> None:
    if seat == "agent":
        command, arguments = agent_command, ["recorder"]
        serve = lambda part, *rest: play_and_lose_the_server(Glue(part, environment()))  # noqa: E731
    else:
        command, arguments = environment_command, ["--size", "4", "--opponent", "recorder"]
        serve = lambda part, *rest, stay: play_and_lose_the_server(Glue(PlayerAgent("random"), part))  # noqa: E731
    monkeypatch.setattr(f"rlglue.client.serve_{seat}", serve)
    result = CliRunner().invoke(command, arguments)
    assert (result.exit_code, result.output) == (1, "Error: the server is gone\n")
    assert made[-1].games == 1
    assert made[-1].heard is None


class Cheat(Player):
    def __init__(self, begins: bool) -> None:
        self.begins = begins

    def start(self, game: Game) -> None:
        if not self.begins:
            raise Forfeit("it does not start")

    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return 5  # one of the first four discs


@pytest.mark.parametrize("begins", [True, False])
def test_who_cheats_or_does_not_begin_loses_that_game(begins: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    env = environment(first="opponent")
    env.settings.opponent = Cheat(begins)
    glue = Glue(PlayerAgent("random"), env)
    glue.RL_init()
    for _ in range(2):
        glue.RL_episode()
        assert glue.RL_return() == 1.0
    assert parts.stats(env)["opponent_forfeits"] == 2
    monkeypatch.setattr("othello_lab.agent.player_agent.make", lambda text, size: Cheat(begins))
    glue = Glue(PlayerAgent("cheat"), environment())
    glue.RL_init()
    for _ in range(2):
        glue.RL_episode()
        assert glue.RL_return() == -1.0


def test_a_game_at_the_console_stays_where_the_player_cheats(monkeypatch: pytest.MonkeyPatch) -> None:
    add_player(monkeypatch, "cheat", lambda: Cheat(True))
    shown = CliRunner().invoke(play_command, ["cheat", "--size", "4"], "b1\n", catch_exceptions=False).output
    assert "b2 is not legal here: it is occupied\nThe game stays as it is." in shown
