"""For programs that read: every page of the site as plain Markdown next to it, and llms.txt, which lists them.

llms.txt has the form that https://llmstxt.org describes."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path

from reference import MENU, faces_data
from sphinx.application import Sphinx

PYTHON = "reference/python"  # its text is in docstrings
DIRECTIVES = re.compile(r"^```\{eval-rst\}\n.*?^```\n", re.M | re.S)
FRONT = "index"


def setup(app: Sphinx) -> dict[str, bool]:
    app.connect("build-finished", write_plain)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_plain(app: Sphinx, failed: Exception | None) -> None:
    """Write the pages and the list."""
    if failed:
        return
    out, env = Path(app.outdir), app.env
    texts = {page: plain_text(Path(env.doc2path(page)).read_text("utf-8")) for page in sorted(env.found_docs)}
    texts[PYTHON] = DIRECTIVES.sub("", texts[PYTHON]) + "\n".join(python_names())
    for page, text in texts.items():
        (out / f"{page}.md").write_text(text, "utf-8")
    front = Path(env.doc2path(FRONT)).read_text("utf-8")
    (out / "llms.txt").write_text("\n".join(listed(front, texts, env.toctree_includes)), "utf-8")


def plain_text(source: str) -> str:
    """Return a page without what only the site needs."""
    source = re.sub(r"^<iframe.*?</iframe>\n\n", "", MENU.sub("", source), flags=re.M)
    return source.rstrip("\n") + "\n"


def python_names() -> Iterator[str]:
    """Yield the Python API: each name with its signature and its docstring, and the public methods of a class."""
    for face in faces_data():
        yield f"\n## Names of {face['module']}\n"
        module = import_module(face["module"])
        for name, _ in face["things"]:
            thing = getattr(module, name)
            yield from described(f"{face['module']}.{name}", thing)
            for each, member in inspect.getmembers(thing) if isinstance(thing, type) else ():
                if not each.startswith("_") and inspect.isfunction(member) and member.__doc__:
                    yield from described(f"{face['module']}.{name}.{each}", member)


def described(name: str, thing: Callable[..., object]) -> Iterator[str]:
    try:
        signature = re.sub(r" at 0x\w+", "", str(inspect.signature(thing)))
    except (TypeError, ValueError):  # of a class in C
        signature = ""
    yield f"### `{name}{signature}`\n\n{inspect.getdoc(thing) or ''}\n"


def listed(front: str, texts: dict[str, str], below: dict[str, list[str]]) -> Iterator[str]:
    """Yield the lines of llms.txt: what this is, then the pages of each part of the menu, with what each is about."""
    title, about = heading_of(front)
    yield f"# {title}\n\n> {about}\n"
    for caption, pages in MENU.findall(front):
        yield f"\n## {caption or 'Begin'}\n"
        for page in with_those_below(pages.split(), below):
            title, about = heading_of(texts[page])
            yield f"- [{title}]({page}.md): {about}"


def with_those_below(pages: list[str], below: dict[str, list[str]]) -> Iterator[str]:
    for page in pages:
        yield page
        yield from with_those_below(below.get(page, []), below)


def heading_of(text: str) -> tuple[str, str]:
    """Return the title of a page and its first paragraph on one line, without links."""
    title, about = text.removeprefix("# ").split("\n\n")[:2]
    return title, re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", " ".join(about.split()))
