"""The way to a browser: textual's own, which would outlive a server that is killed."""

from textual.drivers.web_driver import WebDriver
from textual.messages import ExitApp


class BrowserDriver(WebDriver):
    """Draws for the server of a browser; the program ends with that server, however it ends."""

    def run_input_thread(self) -> None:
        """Hand on what comes from the server, and end the program when nothing more will come."""
        super().run_input_thread()
        self._app.post_message(ExitApp())
