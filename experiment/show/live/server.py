"""A web server on this machine's own address, for pages of this program: werkzeug's."""

from collections.abc import Callable
from typing import Final
from wsgiref.types import WSGIApplication

from werkzeug.serving import ThreadedWSGIServer, WSGIRequestHandler

HOST: Final = "127.0.0.1"


class PortError(ValueError):
    """A port that cannot be listened on."""


def serve(app: WSGIApplication, port: int, say: Callable[[str], None]) -> None:
    """Serve an application until Ctrl-C, at any free port if it is 0, and say where; raises PortError."""
    server = _Server(HOST, port, app, _Handler)
    say(f"http://{HOST}:{server.port}/")
    server.serve_forever()


class _Server(ThreadedWSGIServer):
    """Werkzeug's own prints what is wrong with a port, and ends the process."""

    def server_bind(self) -> None:
        try:
            super().server_bind()
        except OSError as error:
            why = error.strerror or str(error)
            raise PortError(f"cannot listen on {HOST}:{self.port} ({why}): choose another") from None


class _Handler(WSGIRequestHandler):
    """Says nothing of each request."""

    def log(self, type: str, message: str, *args: object) -> None:  # noqa: A002  werkzeug's name
        pass
