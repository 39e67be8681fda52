"""The base class that agents written for rlglue-py3 extend."""

from rlglue.glue import AgentLike


class Agent(AgentLike):
    """An agent. A subclass must override agent_start and agent_step, and may override other methods."""
