"""The RL-Glue 3 protocol: codec, server, clients, and the import paths of rlglue-py3.

Nothing is imported here, so that `import rlglue` costs nothing. Start reading at `rlglue.glue` (what the
RL_* calls mean), `rlglue.wire` (how they look as bytes) and `rlglue.server` and `rlglue.client` (who sends
them to whom).
"""
