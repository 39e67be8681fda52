"""An MkDocs hook that generates the pages of the site outside docs/."""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from posixpath import dirname, join, normpath, relpath
from typing import Final

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from othello_lab.commands.cli import cli

ROOT: Final = Path(__file__).parent.parent
TOP: Final = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "LICENSE": "licence.md",
}  # files outside docs/ that become pages of the site, with page names
COMMANDS: Final = "commands.md"  # the page with all commands and options
SOURCE: Final = "source/"  # the folder of the pages that show source files
PICTURE: Final = re.compile(r"!\[[^]]*\]\(([^)]+)\)")
LINK: Final = re.compile(r"(?<=\]\()(?!https?:|#)([^)#]+)")
LANGUAGES: Final = {".py": "python", ".js": "javascript", ".c": "c", ".toml": "toml"}


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages that are not in docs/."""
    files.append(File.generated(config, COMMANDS, content=_commands_page()))
    for path, page in TOP.items():
        files.append(File.generated(config, page, content=(ROOT / path).read_text("utf-8")))
    for path in sorted(set(_linked(files))):
        files.append(File.generated(config, _page_of(path), content=_source_page(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Return the Markdown of a page, with links to files replaced by links to pages."""
    here = page.file.src_uri
    if here.startswith(SOURCE):
        return markdown
    folder = dirname(_path_of(here))
    markdown = PICTURE.sub(r"[\g<0>](\1)", markdown)  # link to the full-size picture, for phones
    return LINK.sub(lambda found: _link(here, _target(folder, found[1])), markdown)


def _commands_page() -> str:
    """Return a page with an index of all options and the help of each command."""
    sections, commands_of = [], defaultdict(list)
    for context in _contexts(click.Context(cli, info_name="othello", max_content_width=100)):
        name, command = context.command_path, context.command
        rows = []
        for option in command.get_params(context):
            record = option.get_help_record(context)
            if record and isinstance(option, click.Option) and "--help" not in option.opts:
                rows.append(f"| {_cell(f'`{record[0]}`')} | {_cell(record[1])} |\n")
                commands_of[option.opts[-1]].append(
                    f"[{name.removeprefix('othello ')}](#{name.replace(' ', '-')})"
                )
        formatter = context.make_formatter()
        command.format_usage(context, formatter)
        command.format_help_text(context, formatter)
        table = f"\n| option | meaning |\n|---|---|\n{''.join(rows)}" if rows else ""
        sections.append(f"## {name}\n\n```text\n{formatter.getvalue()}```\n{table}\n")
    index = "".join(f"| `{option}` | {', '.join(names)} |\n" for option, names in sorted(commands_of.items()))
    head = "# Commands and options\n\nAn index of all options, and the help of each command.\n\n"
    return f"{head}| option | commands |\n|---|---|\n{index}\n{''.join(sections)}"


def _contexts(context: click.Context) -> Iterator[click.Context]:
    """Yield the context of each command below a group, recursively."""
    group = context.command
    assert isinstance(group, click.Group)  # noqa: S101
    for name in group.list_commands(context):
        command = group.get_command(context, name)
        assert command is not None  # noqa: S101  it is listed
        below = click.Context(command, context, info_name=name, max_content_width=100)
        yield below
        if isinstance(command, click.Group):
            yield from _contexts(below)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("<", "&lt;").replace("\n", " ")


def _linked(files: Iterable[File]) -> Iterator[str]:
    """Yield the source files and folders that pages link to, and the files in these folders."""
    pages = [file for file in files if file.src_uri.endswith(".md")]
    for path in {path for page in pages for path in _links(page) if _page_of(path).startswith(SOURCE)}:
        yield path
        yield from _listed(path)


def _links(page: File) -> Iterator[str]:
    folder = dirname(_path_of(page.src_uri))
    yield from (_target(folder, found) for found in LINK.findall(page.content_string))


def _target(folder: str, link: str) -> str:
    return normpath(join(folder, link))


def _link(page: str, path: str) -> str:
    """Return the relative link from a page to the page that shows the file `path`."""
    return relpath(_page_of(path), dirname(page) or ".")


def _page_of(path: str) -> str:
    """Return the page that shows the file `path` of the repository."""
    if path in TOP or path.startswith("docs/"):
        return TOP.get(path, path.removeprefix("docs/"))
    return f"{SOURCE}{path}.md"


def _path_of(page: str) -> str:
    """Return the path of the file that a page shows."""
    back = {shown: path for path, shown in TOP.items()}
    return back.get(page, f"docs/{page}")


def _listed(path: str) -> list[str]:
    return sorted(found.relative_to(ROOT).as_posix() for found in (ROOT / path).glob("*.py"))


def _source_page(path: str) -> str:
    """Return the text of a page that shows a file, or lists the files of a folder."""
    head = f"---\nsearch:\n  exclude: true\n---\n\n# {path}\n\n"
    if (ROOT / path).is_dir():
        return head + "".join(f"- [{name}]({_link(_page_of(path), name)})\n" for name in _listed(path))
    text = (ROOT / path).read_text("utf-8")
    return f"{head}```` {LANGUAGES.get(Path(path).suffix, 'text')}\n{text}````\n"
