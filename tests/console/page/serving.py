import base64
import time
from collections.abc import Callable
from typing import Any

import msgspec
from werkzeug.test import Client, TestResponse

from othello_lab.commands.draw import draw_last
from othello_lab.commands.play import files, save_folder
from othello_lab.console.controller import Controller
from othello_lab.console.page.tabs import Tabs
from othello_lab.console.saving import SavedGame, SaveFile
from othello_lab.console.seat import HUMAN, offered
from othello_lab.console.sitting import Sitting
from othello_lab.experiment.show.site import Site
from othello_lab.game import Board
from tests.console.screen.playing import PATIENCE, seat_for, table

HOST = "127.0.0.1:8000"
OWN = {"Host": HOST, "Origin": f"http://{HOST}", "Content-Type": "application/json"}
ONE, TWO = "1" * 32, "2" * 32


class Greedy:
    def __init__(self, transcript: str = "", white: str = "greedy") -> None:
        self._transcript, self._white = transcript, white

    def make(self, file: SaveFile, saved: SavedGame | None) -> Controller:
        if saved:
            seats = {colour: (text and seat_for(text, 4)) or None for colour, text in saved.seats.items()}
            return Controller(Sitting(saved.game, seats), seat_for(saved.adviser, 4), seat_for, file)
        made = table(transcript=self._transcript, white=self._white)
        made.save_file, made._draw = file, draw_last
        return made


class Browser:
    def __init__(self, transcript: str = "", white: str = "greedy") -> None:
        players = {text: text for text in ("greedy", "mobility", HUMAN)} | offered(people=True)
        self.tabs = Tabs(Greedy(transcript, white).make, save_folder(), Board.start(4), players)
        self.client = Client(Site(files, post={"/game": self.tabs.answer}))
        self._shown = set[str]()

    def reload(self) -> None:
        self._shown.clear()

    def post(self, body: bytes, headers: dict[str, str] | None = None) -> TestResponse:
        return self.client.post("/game", data=body, headers={**OWN, **(headers or {})})

    def tell(self, do: str = "", game: str = ONE, **more: str | int) -> dict[str, Any]:
        if do in ("values", "review"):
            do, more = "command", {"name": do}
        action = {"do": do, **more} if do else None
        version = "shown" if game in self._shown else ""
        answer = self.post(msgspec.json.encode({"game": game, "version": version, "action": action}))
        self._shown.add(game)
        assert answer.status_code == 200, answer.text
        found: dict[str, Any] = msgspec.json.decode(answer.data)
        return found

    def notice(self, do: str, **more: str | int) -> str:
        """Carry out an action, wait until nothing goes on, and return the notice."""
        self.tell(do, ONE, **more)
        return str(self.ready()["notice"])

    def await_that(self, holds: Callable[[dict[str, Any]], object], game: str = ONE) -> dict[str, Any]:
        ends = time.monotonic() + PATIENCE
        while not holds(state := self.tell(game=game)):
            assert time.monotonic() < ends, state
            time.sleep(0.02)
        return state

    def ready(self, game: str = ONE) -> dict[str, Any]:
        return self.await_that(lambda state: state["failure"] or not state["is_busy"], game)


def in_file(content: str) -> str:
    return base64.b64encode(content.encode()).decode()
