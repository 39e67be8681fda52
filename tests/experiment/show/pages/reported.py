import json
import sqlite3
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from othello_lab.commands.tournament import command
from othello_lab.experiment.compare.tournament.entrants import Entrant
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.game import Board, Game, records
from othello_lab.game.records import Record

NAMES = ("run", "games", "tournament")
RUN = "one <b>&"
HOSTILE = "<script>document.title='gone'</script>\"'&$x$</script><img src=x onerror=alert(1)>"


def folder_of(
    path: Path, episodes: int, metrics: list[dict[str, Any]], evaluations: list[str], **stats: object
) -> RunFolder:
    path.mkdir(parents=True)
    config = {"agent": {"text": "dqn"}, "seed": 3, "environment_stats": stats}
    (path / "config.json").write_text(json.dumps(config))
    rows = (f"{i},{'win' if i % 3 else 'loss'},1,30,40,24,black,0\n" for i in range(1, episodes + 1))
    header = "episode,outcome,reward,steps,discs_own,discs_opponent,colour,illegal\n"
    (path / "episodes.csv").write_text(header + "".join(rows))
    (path / "metrics.jsonl").write_text("".join(json.dumps(line) + "\n" for line in metrics))
    header = "episode,opponent,colour,games,win,draw,loss\n"
    (path / "evaluations.csv").write_text(header + "".join(evaluations))
    return RunFolder(path)


def run_folder(path: Path, agent: str = "greedy", evaluations: str = "") -> Path:
    line = {"steps_per_second": 9.0, "agent": {"updates": 5, "loss": 0.1, "epsilon": 0.5}}
    usual = "0,corner-greedy,black,40,10,0,30\n60,corner-greedy,black,40,30,2,8\n60,random,white,40,39,0,1\n"
    metrics = [{"episode": episode, **line} for episode in (20, 60)]
    stats = {"opponent": "corner-greedy", "first": "agent", "size": 4}
    folder = folder_of(path, 60, metrics, [evaluations or usual], **stats)
    own = {"agent": {"text": agent}, "environment": {"size": 4}, "note": HOSTILE}
    folder.write_config({**folder.config(), **own})
    return path


def tournament(path: Path) -> Path:
    players = ["random", "greedy", "noisy:greedy,share=0.5"]
    arguments = [*players, "--size", "4", "--openings", "3", "--database", str(path)]
    assert CliRunner().invoke(command, arguments).exit_code == 0
    old, new = Entrant("random", None), Entrant(HOSTILE, None)
    with sqlite3.connect(path) as database:
        database.execute("UPDATE player SET id = ?, text = ? WHERE id = ?", [new.id, HOSTILE, old.id])
        for seat in ("black", "white"):
            database.execute(f"UPDATE game SET {seat} = ? WHERE {seat} = ?", [new.id, old.id])  # noqa: S608  constants
    database.close()
    return path


def games_file(path: Path) -> Path:
    passing = Game.from_transcript("d3d4c4d2c1b4a4a3a2d1a1b1", 4)
    forfeit = records.Forfeited(Board.start(8).turn, HOSTILE)
    games = [
        Record(passing, "greedy", HOSTILE, opening=2),
        Record(Game.from_transcript("f5"), HOSTILE, "greedy", forfeit=forfeit),
        Record(Game.from_transcript("f5d6c3d3c4"), "", ""),
    ]
    records.write(path, games)
    return path
