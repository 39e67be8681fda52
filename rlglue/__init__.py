"""The RL-Glue 3 protocol: codec, server, clients, and the import paths of rlglue-py3.

Nothing is imported here, so that `import rlglue` costs nothing. Start reading at `rlglue.glue` (what the
RL_* calls mean) and `rlglue.codec.wire` (how they look as bytes); `rlglue.server` and `rlglue.client` say who
sends them to whom, `rlglue.codec.order` what may follow what, `rlglue.testing` whether a part keeps to it.
"""
