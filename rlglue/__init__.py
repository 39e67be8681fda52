"""The RL-Glue 3 protocol: messages, server, clients, and the import paths of rlglue-py3.

Nothing is imported here, so that `import rlglue` costs nothing. Start reading at `rlglue.glue` (what the RL_*
calls mean) and `rlglue.wire` (the table of all calls, and how they look as bytes). `rlglue.client` and
`rlglue.server` are the two ends of a connection, `rlglue.connections` has the server's connections, and
`rlglue.testing` checks whether a part keeps to the protocol.
"""
