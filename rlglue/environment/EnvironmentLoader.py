"""Connects an environment to a server, as rlglue-py3's loader does: RLGLUE_HOST and RLGLUE_PORT say where.

`python -m rlglue.environment.EnvironmentLoader MODULE[.CLASS]` does it for a class in a module of the
current folder.
"""

from rlglue.class_loader import new_from_command_line, run_as_script
from rlglue.client import serve_environment
from rlglue.glue import EnvironmentLike
from rlglue.scripts import configure_logging


def loadEnvironment(environment: EnvironmentLike) -> None:
    """Connect and answer for the environment until the server is done with it."""
    configure_logging()
    serve_environment(environment)


def loadEnvironmentLikeScript() -> None:
    """Connect an instance of the class that the first command-line argument names."""
    loadEnvironment(new_from_command_line("env_init"))


if __name__ == "__main__":
    run_as_script(loadEnvironmentLikeScript)
