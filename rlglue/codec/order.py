"""The order of calls: what an experiment may ask of a server when.

The historic core passes everything on. Here a request that agent or environment could not answer is refused,
so that one experiment's mistake does not end what should stay connected. Whatever is not in the table, such
as messages and counts, may be asked at any time; a second RL_cleanup and a step after the last one as well.
"""

from typing import Final

from rlglue.codec import wire
from rlglue.errors import ProtocolError

_NONE: Final[frozenset[str]] = frozenset()
_ENV_INIT: Final = frozenset({"env_init"})
_ENV_START: Final = frozenset({"env_start"})
_AGENT_INIT: Final = frozenset({"agent_init"})
_AGENT_START: Final = frozenset({"agent_start"})
_INIT: Final = _ENV_INIT | _AGENT_INIT
_START: Final = _ENV_START | _AGENT_START

# request: what must have been called before, what it ends, what has been called after it
_TABLE: Final = {
    wire.RL_INIT: (_NONE, _START, _INIT),
    wire.RL_START: (_INIT, _NONE, _START),
    wire.RL_STEP: (_START, _NONE, _NONE),
    wire.RL_EPISODE: (_INIT, _NONE, _START),
    wire.RL_CLEANUP: (_NONE, _START, _NONE),
    wire.RL_ENV_START: (_ENV_INIT, _NONE, _ENV_START),
    wire.RL_ENV_STEP: (_ENV_START, _NONE, _NONE),
    wire.RL_AGENT_START: (_AGENT_INIT, _NONE, _AGENT_START),
    wire.RL_AGENT_STEP: (_AGENT_START, _NONE, _NONE),
    wire.RL_AGENT_END: (_AGENT_INIT, _NONE, _NONE),
}
_FREE: Final = (_NONE, _NONE, _NONE)


class Order:
    """Follows the requests of one experiment."""

    def __init__(self) -> None:
        self._called = _NONE

    def check(self, message_id: int) -> None:
        """Record the experiment's next request; ProtocolError if it comes too early."""
        needs, ends, begins = _TABLE.get(message_id, _FREE)
        if not needs <= self._called:
            first = "RL_start" if self._called & _INIT else "RL_init"
            raise ProtocolError(f"sent {wire.NAMES[message_id]} before {first}")
        if ends or begins:
            self._called = (self._called - ends) | begins
