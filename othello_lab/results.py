"""Rows of results, and a data frame of them."""

from abc import ABC, abstractmethod
from typing import Any


class Rows(ABC):
    """A result that is a table too."""

    @abstractmethod
    def rows(self) -> list[dict[str, Any]]:
        """Return a dictionary for each row, numbers as numbers."""

    def frame(self) -> Any:  # noqa: ANN401  a pandas.DataFrame, where there is pandas
        """Return the rows as a pandas.DataFrame; raise ImportError without pandas."""
        try:
            import pandas as pd  # type: ignore[import-untyped]  # an extra
        except ImportError:
            raise ImportError("frame() needs pandas: python -m pip install pandas; rows() does not") from None
        return pd.DataFrame(self.rows())
