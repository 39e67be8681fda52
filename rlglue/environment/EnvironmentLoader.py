"""`python -m rlglue.environment.EnvironmentLoader MODULE[.CLASS]` connects a class in the current folder."""

from rlglue.client import serve_environment
from rlglue.glue import EnvironmentLike
from rlglue.scripts import configure_logging, new_from_command_line, run_as_script


def loadEnvironment(environment: EnvironmentLike) -> None:
    """Connect the environment to the server, and answer requests until the server ends the run."""
    configure_logging()
    serve_environment(environment)


def loadEnvironmentLikeScript() -> None:
    """Connect an environment of the class that the first command-line argument names."""
    loadEnvironment(new_from_command_line())


if __name__ == "__main__":
    run_as_script(loadEnvironmentLikeScript)
