"""What Othello asks of every agent and environment beside what RL-Glue does, shipped for strangers.

    verify(MyAgent(), environment.testing.agents.rules(size=8))
    verify(MyEnvironment(), environment.testing.environments.rules())

`verify` is that of `rlglue.testing.rules`. For programs: `python -m rlglue.testing --agent 'COMMAND'`.
"""
