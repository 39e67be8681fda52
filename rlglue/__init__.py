"""The RL-Glue 3 protocol: messages, server, clients, and the import paths of rlglue-py3.

This module imports nothing, so `import rlglue` is fast. Begin with `rlglue.glue` (the meaning of the RL_*
calls) and `rlglue.wire` (the table of all calls, and their bytes). `rlglue.client` and `rlglue.server` are
the two ends of a connection, and `rlglue.connections` has the server's connections. `rlglue.testing` checks
whether an agent or environment follows the protocol.
"""
