"""`python -m rlglue.agent.AgentLoader MODULE[.CLASS]` connects a class in the current folder."""

from rlglue.client import serve_agent
from rlglue.glue import AgentLike
from rlglue.scripts import configure_logging, new_from_command_line, run_as_script


def loadAgent(agent: AgentLike) -> None:
    """Connect the agent to the server, and answer requests until the server ends the run."""
    configure_logging()
    serve_agent(agent)


def loadAgentLikeScript() -> None:
    """Connect an agent of the class that the first command-line argument names."""
    loadAgent(new_from_command_line())


if __name__ == "__main__":
    run_as_script(loadAgentLikeScript)
