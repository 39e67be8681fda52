"""Players think in threads: the screen answers keys meanwhile, and what comes too late is dropped."""

import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from threading import Thread
from typing import Generic, TypeVar

from game.players.base import Forfeit

_LOG = logging.getLogger(__name__)
Result = TypeVar("Result")
Later = Callable[[Callable[[], None]], object]
"""Calls something in the thread of the screen, soon; None of what it calls runs after the screen is gone."""


@dataclass(frozen=True)
class Failure:
    """Why a player cannot go on, in one line."""

    why: str


@dataclass(frozen=True)
class Thought(Generic[Result]):
    """Work for a thread and what is done with what comes of it."""

    work: Callable[[], Result]
    done: Callable[["Result | Failure"], None]

    def start(self, later: Later) -> None:
        """Begin; `later` brings `done` back into the thread of the screen.

        The thread ends with the program: nobody who leaves waits for it.
        """
        Thread(target=self._run, args=(later,), daemon=True).start()

    def _run(self, later: Later) -> None:
        result = self._result()
        with suppress(RuntimeError):  # the screen is gone
            later(lambda: self.done(result))

    def _result(self) -> Result | Failure:
        try:
            return self.work()
        except (Forfeit, ValueError) as error:
            return Failure(str(error))
        except Exception as error:
            # Of a player of anybody's: the game outlives it.
            _LOG.exception("a player failed")
            return Failure(f"{type(error).__name__}: {error}")
