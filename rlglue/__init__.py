"""The RL-Glue 3 protocol: messages, server, clients, and the import paths of rlglue-py3.

This module imports nothing, so `import rlglue` is fast. Begin with `rlglue.glue`, which defines the RL_*
calls, and `rlglue.wire`, which encodes them as bytes. `rlglue.client` and `rlglue.server` are the two ends of
a connection. `rlglue.connections` holds all connections of the server. `rlglue.testing` checks whether an
agent or environment follows the protocol.
"""
