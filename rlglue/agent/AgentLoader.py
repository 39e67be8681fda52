"""The agent loader of rlglue-py3, which connects to the server at RLGLUE_HOST and RLGLUE_PORT.

`python -m rlglue.agent.AgentLoader MODULE[.CLASS]` connects an agent whose class is in a module of the
current folder.
"""

from rlglue.class_loader import new_from_command_line, run_as_script
from rlglue.client import serve_agent
from rlglue.glue import AgentLike
from rlglue.scripts import configure_logging


def loadAgent(agent: AgentLike) -> None:
    """Connect the agent to the server, and answer requests until the server ends the run."""
    configure_logging()
    serve_agent(agent)


def loadAgentLikeScript() -> None:
    """Connect an agent of the class that the first command-line argument names."""
    loadAgent(new_from_command_line("agent_init"))


if __name__ == "__main__":
    run_as_script(loadAgentLikeScript)
