"""Lost games: written to lost.jsonl of the run folder where --keep-lost-games asks for it."""

from collections.abc import Callable
from typing import Any

from othello_lab.experiment.run.control import agent_values, environment_values
from othello_lab.experiment.run.names import told_name
from othello_lab.experiment.run.outcomes import SELF, Episode, Outcome
from othello_lab.experiment.run.run_folder import RunFolder
from othello_lab.game.board import Colour
from othello_lab.game.game import STANDARD, Game, parse_start
from othello_lab.game.records.jsonl import as_json
from othello_lab.game.records.record import Forfeited, Record
from rlglue.glue import Glue


class LostGames:
    """Writes lost games down, if the environment tells them; in self-play nobody loses."""

    def __init__(self, glue: Glue, folder: RunFolder, size: int, say: Callable[[str], None]) -> None:
        """`size` is the board's. `say` tells the user, once, that the environment does not tell its games."""
        self._glue, self._folder, self._say = glue, folder, say
        self._size: int | None = size

    def of_training(self, episode: Episode) -> None:
        """Write down the training game that has just ended, if it was lost."""
        self._add("training", episode.index - 1, episode)

    def of_evaluation(self, after: int, episode: Episode) -> None:
        """Write down a lost game of the evaluation that follows `after` training games."""
        self._add("evaluation", after, episode)

    def _add(self, what: str, after: int, episode: Episode) -> None:
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
        self._folder.add_lost(after, as_json(record))

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
