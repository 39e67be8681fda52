"""The device that torch computes on, as a text names it."""

import re

import torch

NAMES = "auto, cpu, cuda or cuda:N"


class DeviceError(ValueError):
    """A text that names no device, or one that is not there."""


def read_device(text: str) -> torch.device:
    """Return the device of `auto`, `cpu`, `cuda` or `cuda:N`; raises DeviceError where there is none such.

    auto is the first CUDA device, where there is one, else the processor.
    """
    if not re.fullmatch("auto|cpu|cuda(:[0-9]{1,3})?", text):
        raise DeviceError(f"{text[:40]!r} is no device: expected {NAMES}")
    count = torch.cuda.device_count() if torch.cuda.is_available() else 0
    if text == "auto":
        text = "cuda" if count else "cpu"
    if text == "cpu":
        return torch.device("cpu")
    index = int(text.partition(":")[2] or 0)
    if not count:
        raise DeviceError(f"{text}: torch sees no CUDA device here; use cpu")
    if index >= count:
        raise DeviceError(f"{text}: the last CUDA device here is cuda:{count - 1}")
    return torch.device("cuda", index)
