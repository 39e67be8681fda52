"""The page of the package: README.md as text, since its links lead to files that a package index has not.

All else about the package stands in pyproject.toml.
"""

import re
from pathlib import Path
from typing import Final

PICTURE: Final = re.compile(r"!\[([^]]*)\]\((?!https?:)[^)]*\)")
LINK: Final = re.compile(r"\[([^]]*)\]\((?!https?:|#)[^)]*\)")
NOTE: Final = "The pages and pictures that are named here lie in `docs/` of the source distribution.\n"


def page(readme: str) -> str:
    """Return a README with the words of its pictures and of links to files in their place."""
    return LINK.sub(r"\1", PICTURE.sub(r"*(Picture: \1.)*", readme)).rstrip() + "\n\n" + NOTE


if __name__ == "__main__":
    from setuptools import setup

    readme = Path(__file__).with_name("README.md").read_text("utf-8")
    setup(long_description=page(readme), long_description_content_type="text/markdown")
