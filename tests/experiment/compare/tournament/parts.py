"""A small tournament on 4x4, planned and played."""

from pathlib import Path

from rich.console import Console

from othello_lab.experiment.compare.tournament.entrants import entrant
from othello_lab.experiment.compare.tournament.schedule import Plan, play_tournament
from othello_lab.experiment.compare.tournament.store import Played
from othello_lab.experiment.workers.pool import Pool
from othello_lab.game.openings import standard_openings

TEXTS = ["random", "greedy", "noisy:positional,share=0.5"]


def plan(*texts: str, openings: int = 3, repeat: int = 1, seed: int = 0) -> Plan:
    return Plan([entrant(text, 4) for text in texts], 4, standard_openings(4, openings), repeat, seed)


def played(path: Path, what: Plan, jobs: int = 1) -> list[Played]:
    with Pool(jobs) as pool:
        return play_tournament(what, path, pool, Console(quiet=True)).games
