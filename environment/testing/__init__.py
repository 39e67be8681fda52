"""Conformance tests for agents and environments of Othello, shipped for strangers.

    verify(MyAgent(), environment.testing.agents.rules(size=8))
    verify(MyEnvironment(), environment.testing.environments.rules())

`verify` is that of `rlglue.testing.rules`. For programs: `python -m rlglue.testing --agent 'COMMAND'`.
"""
