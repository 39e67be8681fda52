"""An agent that plays the first legal square, or misbehaves as its first argument says.

The process id goes to the file of the second argument, received messages to the file of the third.
"""

import os
import sys
import time
from pathlib import Path

import numpy as np

from rlglue.client import serve_agent
from rlglue.types import Action, Observation

MODE, PID_FILE, HEARD = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])


def note(what: str) -> None:
    with HEARD.open("a", encoding="utf-8") as file:
        file.write(f"{what}\n")


class Fake:
    def agent_init(self, task: str) -> None:
        note(f"init {task}")
        if MODE == "refuses":
            sys.exit("this agent is for 10x10 alone")

    def agent_start(self, seen: Observation) -> Action:
        note("start")
        return self.move(seen)

    def agent_step(self, reward: float, seen: Observation) -> Action:
        note("step")
        if MODE == "hangs":
            time.sleep(3600)
        if MODE == "dies":
            sys.exit("out of memory, out of luck")
        return self.move(seen)

    def agent_end(self, reward: float) -> None:
        note(f"end {reward:g}")

    def agent_cleanup(self) -> None:
        note("cleanup")

    def agent_message(self, message: str) -> str:
        note(message)
        return ""

    def move(self, seen: Observation) -> Action:
        legal = np.flatnonzero(np.split(np.asarray(seen.intArray), 4)[2])
        action = Action()
        action.intArray = [int(legal[0]) if len(legal) else -1]
        if MODE == "illegal":
            action.intArray = [0]
        if MODE == "talks":
            action.intArray = [1, 2]
        return action


PID_FILE.write_text(str(os.getpid()), "utf-8")
if MODE == "floods":
    print("much\n" * 100_000, flush=True)
if MODE == "absent":
    time.sleep(3600)
if MODE == "ends":
    sys.exit("no such file")
serve_agent(Fake())
