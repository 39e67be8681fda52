# The lab in a container, for Docker and Podman alike. It lies here because `build .` looks for it here:
#
#     docker build -t othello-lab .
#     docker run --rm -it -v othello-runs:/lab/runs othello-lab --episodes 300      (is `othello run --episodes 300`)
#     docker run --rm -it -v othello-runs:/lab/runs --entrypoint othello othello-lab play
#
# docs/start.md says how it is reached from outside.

FROM python:3.11-slim AS build
WORKDIR /source
RUN python -m venv /lab/venv
ENV PATH=/lab/venv/bin:$PATH PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
# torch first and alone: it is by far the largest, and stays the same. The index has the build without CUDA.
COPY constraints.txt .
ARG TORCH_INDEX=https://download.pytorch.org/whl/cpu
RUN pip install -c constraints.txt --extra-index-url https://pypi.org/simple --index-url "$TORCH_INDEX" torch
COPY . .
RUN pip install -c constraints.txt '.[board,plots,train]'

FROM python:3.11-slim
RUN useradd --create-home --home-dir /lab lab && install -d -o lab -g lab /lab/runs
COPY --from=build /lab/venv /lab/venv
# Compiled code lies where the user can write: another processor than the one that built this compiles anew.
ENV PATH=/lab/venv/bin:$PATH NUMBA_CACHE_DIR=/lab/compiled
USER lab
WORKDIR /lab
RUN python -m othello_lab.game.warm_up
VOLUME /lab/runs
ENTRYPOINT ["othello", "run"]
