"""The base class that environments written for rlglue-py3 extend."""

from rlglue.glue import EnvironmentLike


class Environment(EnvironmentLike):
    """An environment. A subclass must override at least env_init, env_start and env_step."""
