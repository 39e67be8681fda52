"""The first contact with a program: which protocol it speaks."""

from itertools import chain

from game.players.base import Forfeit, UnplayableError
from game.players.engine import gtp, nboard
from game.players.engine.conversation import START_SECONDS, Conversation
from game.players.engine.protocol import Engine

# NBoard's come first: it wants to be greeted before all else, and ignores what it does not know.
_GREETINGS = {
    "gtp": gtp.GREETING,
    "nboard": nboard.GREETING,
    None: (*nboard.GREETING, *gtp.GREETING),
}
PROTOCOLS = ("gtp", "nboard")


def connect(program: Conversation, protocol: str | None, depth: int | None) -> Engine:
    """Return a program that has just been started as what it speaks, by its answers where that is not named.

    What it writes before them is a banner. Raises Forfeit, and UnplayableError for a protocol or a depth that
    is not its own.
    """
    questions = _GREETINGS[protocol]
    lines = program.ask(*questions, extra=START_SECONDS)
    try:
        first = next(line for line in lines if line.strip() == nboard.GREETED or gtp.ANSWER.match(line))
    except Forfeit as failure:
        raise Forfeit(f"{failure}; expected a program that speaks GTP or NBoard") from None
    if first.strip() == nboard.GREETED:
        return nboard.NBoardEngine(program, depth or nboard.DEPTH)
    if protocol == "nboard":
        raise UnplayableError(f"{program.name} speaks GTP: leave out protocol=nboard")
    if depth is not None:
        raise UnplayableError(f"{program.name} speaks GTP, which has no words for a depth: leave out depth=")
    return gtp.GtpEngine(program, gtp.read_name(chain([first], lines), len(questions)))
