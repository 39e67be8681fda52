import csv
import json
import sys
from pathlib import Path

import numpy as np
import pytest

from othello_lab.commands.evaluate import command
from othello_lab.experiment.compare.match import OPPONENTS
from othello_lab.game.board import Colour
from othello_lab.game.game import Game
from othello_lab.game.players.player import Player
from tests.calling import add_player, caller
from tests.experiment.workers.test_interrupts import Interrupted
from tests.game.recorded import read

AGENT = """
import numpy as np
from rlglue.agent import AgentLoader
from rlglue.agent.Agent import Agent
from rlglue.types import Action

class LastSquare(Agent):
    def agent_start(self, observation):
        squares = len(observation.intArray) // 4
        legal = np.flatnonzero(observation.intArray[2 * squares:3 * squares])
        action = Action()
        action.intArray = [int(legal[-1]) if len(legal) else -1]
        return action

    def agent_step(self, reward, observation):
        return self.agent_start(observation)

if __name__ == "__main__":
    AgentLoader.loadAgent(LastSquare())
"""
QUICK = ("--size", "4", "--openings", "3")

evaluate = caller(command)


def rows(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))


def without_names(row: dict[str, str]) -> dict[str, str]:
    return {key: value for key, value in row.items() if key not in ("agent", "a")}


def test_a_line_for_each_of_the_usual_opponents_that_the_board_has() -> None:
    lines = evaluate("greedy", *QUICK).output.splitlines()
    assert lines[1].strip() == "greedy on 4x4, 6 games a line from 3 openings"
    named = [line[:16].strip() for line in lines[4:12]]
    assert named == [*OPPONENTS]
    assert max(map(len, lines[:10])) <= 80
    assert any(line.startswith("score: wins and half the draws; ± or [low, high]: 95 %") for line in lines)
    assert lines[-1].startswith("greedy ")


def test_csv_and_json_say_the_same(tmp_path: Path) -> None:
    path = tmp_path / "scores.csv"
    output = evaluate("greedy", "--opponent", "random", *QUICK, "--json", "--csv", str(path)).stdout
    (found,) = json.loads(output)
    (row,) = rows(path)
    assert found["win"] + found["draw"] + found["loss"] == found["games"] == 6
    assert [row[key] for key in ("agent", "opponent", "win", "score")] == [
        "greedy",
        "random",
        str(found["win"]),
        str(found["score"]),
    ]
    assert row["white_score_low"] == str(found["as_white"]["score_interval"][0])
    assert row["forfeits"] == "0"


def test_the_games_that_are_lost_can_be_written_down(tmp_path: Path) -> None:
    path = tmp_path / "lost.jsonl"
    words = ["greedy", *QUICK, "--opponent", "random", "--opponent", "positional"]
    found = json.loads(evaluate(*words, "--json", "--lost", str(path)).stdout)
    lost = read(path)
    assert len(lost) == sum(row["loss"] for row in found) > 0
    for record in lost:
        winner = record.black if record.winner is Colour.BLACK else record.white
        assert winner in ("random", "positional")
        assert "greedy" in (record.black, record.white)
    assert "exists: name a new file" in evaluate(*words, "--lost", str(path)).output


class LastSquarePlayer(Player):
    def choose(self, game: Game, rng: np.random.Generator) -> int:
        return max(game.board.legal_moves)


@pytest.mark.slow
def test_an_agent_of_old_has_the_table_of_a_player(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    add_player(monkeypatch, "last", LastSquarePlayer)
    agent = tmp_path / "old_agent.py"
    agent.write_text(AGENT, "utf-8")
    against = ("--opponent", "random", "--opponent", "alphabeta:depth=2,eval=mobility", *QUICK, "--seed", "5")
    tables: list[list[dict[str, str]]] = []
    for who in ("last", f'"{sys.executable}" "{agent}"'):
        path = tmp_path / f"{len(tables)}.csv"
        result = evaluate(who, *against, "--csv", str(path))
        assert result.exit_code == 0, result.output
        tables.append([without_names(row) for row in rows(path)])
    assert tables[0] == tables[1]


@pytest.mark.slow
def test_an_agent_that_ends_at_once_is_named_with_its_last_words() -> None:
    result = evaluate(f'"{sys.executable}" -c "raise SystemExit(chr(98)+chr(121)+chr(101))"', *QUICK)
    assert result.exit_code == 1
    assert "ended with exit status 1" in result.output
    assert "bye" in result.output


@pytest.mark.slow
def test_an_interrupt_ends_games_after_those_of_a_program(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_player(monkeypatch, "interrupted", Interrupted)
    agent = tmp_path / "old_agent.py"
    agent.write_text(AGENT, "utf-8")
    result = evaluate(f'"{sys.executable}" "{agent}"', "interrupted", *QUICK, "--opponent", "greedy")
    assert "interrupted was stopped after 1 of 6 games" in result.stderr
    assert result.exit_code == 143
