"""Connects an agent to a server, as rlglue-py3's loader does: RLGLUE_HOST and RLGLUE_PORT say where.

`python -m rlglue.agent.AgentLoader MODULE[.CLASS]` does it for a class in a module of the current folder.
"""

from rlglue.class_loader import new_from_command_line, run_as_script
from rlglue.client import serve_agent
from rlglue.glue import AgentLike
from rlglue.scripts import configure_logging


def loadAgent(agent: AgentLike) -> None:
    """Connect and answer for the agent until the server is done with it."""
    configure_logging()
    serve_agent(agent)


def loadAgentLikeScript() -> None:
    """Connect an instance of the class that the first command-line argument names."""
    loadAgent(new_from_command_line("agent_init"))


if __name__ == "__main__":
    run_as_script(loadAgentLikeScript)
