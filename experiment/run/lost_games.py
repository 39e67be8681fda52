"""The games that an agent lost, written into the folder of its run."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from othello_lab.experiment.run.control import AnyGlue, agent_values, environment_values
from othello_lab.experiment.run.names import told_name
from othello_lab.experiment.run.outcomes import SELF, Episode, Outcome
from othello_lab.experiment.run.rows import json_objects
from othello_lab.game.board import Colour
from othello_lab.game.files import complete_lines, naming, replace_or_remove
from othello_lab.game.game import STANDARD, Game, parse_start
from othello_lab.game.records.jsonl import as_json
from othello_lab.game.records.record import Forfeited, Record

NAME: Final = "lost.jsonl"
"""A game a line, as `game.records.jsonl` has it, with the number of training games then as `episode`."""
_TRAINING, _EVALUATION = "training", "evaluation"


class LostGames:
    """Writes lost games down, as far as the environment tells them: one in which the agent plays both sides
    is lost by nobody.
    """

    def __init__(self, glue: AnyGlue, run: Path, size: int | None, say: Callable[[str], None]) -> None:
        """`size` is the board's, None: no game is written down. `say` tells the user, once, that the
        environment does not tell its games.
        """
        self._glue, self._run, self._size, self._say = glue, run, size, say

    def of_training(self, episode: Episode) -> None:
        """Write a training game down, the last of the environment, if it was lost."""
        self._add(_TRAINING, episode.index, episode)

    def of_evaluation(self, after: int, episode: Episode) -> None:
        """Write a game of the evaluation after so many training games down likewise."""
        self._add(_EVALUATION, after, episode)

    def _add(self, what: str, number: int, episode: Episode) -> None:
        if self._size is None or episode.outcome is not Outcome.LOSS:
            return
        told = environment_values(self._glue)
        if told.get("opponent") == SELF:
            return
        try:
            record = self._record(what, episode, told, self._size)
        except ValueError as error:
            self._size = None
            self._say(f"lost games are not kept: the environment does not tell its games: {error}")
            return
        line = json.dumps({**as_json(record), "episode": number})
        with naming(self._run / NAME), (self._run / NAME).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")

    def _record(self, what: str, episode: Episode, told: dict[str, Any], size: int) -> Record:
        """Return the game that has just ended; raise ValueError if the environment does not tell it."""
        game = Game.from_transcript(self._glue.RL_env_message("transcript"), size)
        given = len(parse_start(str(told.get("start", STANDARD)), size).moves)
        colour = Colour(episode.colour)
        forfeit = None if game.board.is_over else Forfeited(colour, "illegal action")
        agent = told_name(agent_values(self._glue, "config")) or "agent"
        names = agent, str(told.get("opponent", ""))
        black, white = names if colour is Colour.BLACK else names[::-1]
        return Record(game, black, white, given, forfeit=forfeit, event=what)


def cut_back(run: Path, episode: int) -> None:
    """Discard the games after that episode, and those of the evaluation right after it."""
    path = run / NAME
    lines = [
        json.dumps(line) + "\n"
        for line in json_objects(complete_lines(path))
        if int(line.get("episode", episode)) < episode + (line.get("event") == _TRAINING)
    ]
    replace_or_remove(path, "".join(lines))
