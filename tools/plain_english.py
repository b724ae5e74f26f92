"""Find what is not plain, current English in texts: docs, docstrings, comments, help texts and messages.

`words.toml` lists what to avoid and what to write instead. `python tools/plain_english.py` reads all texts except those of
the tests; `python tools/plain_english.py tests/cli README.md` reads these."""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
import tomllib
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
CODE = "roundsim", "strategies", "bench", "tools", "docs"
PAGES = "*.md", "changelog.d/*.md", "examples/**/*.md"
GENERATED = ROOT / "docs" / "reference"  # by `nox -s site`
DATA = tomllib.loads((HERE / "words.toml").read_text("utf-8"))
QUOTATIONS: list[dict[str, str]] = DATA.get("quotation", [])
Reader = Callable[[str], Iterator[tuple[int, str]]]


class Avoid(NamedTuple):
    """A pattern with its plain replacement; `but`: how paths begin where it is a term."""

    pattern: re.Pattern[str]
    plain: str
    but: tuple[str, ...]


class Finding(NamedTuple):
    file: str
    line: int
    text: str
    plain: str

    def __str__(self) -> str:
        return f'{self.file}:{self.line}: "{" ".join(self.text.split())[:60]}": write: {self.plain}'


def avoid_of(entry: dict[str, Any]) -> Avoid:
    pattern = re.compile(entry["find"].replace(" ", r"\s+"), re.IGNORECASE)
    return Avoid(pattern, entry["plain"], tuple(entry.get("but", ())))


AVOID = [avoid_of(entry) for entry in DATA["avoid"]]


# A text is a piece of prose with the line that it begins at. Code within it is blanked.


def blank(found: re.Match[str]) -> str:
    """Return something as long that no pattern finds, with the same line breaks."""
    return re.sub(r"[^\n]", "~", found[0])


def without_code(text: str) -> str:
    return re.sub(r"`[^`\n]+`|https?://\S+|\]\([^)\s]*\)", blank, text)


def texts_of_python(source: str) -> Iterator[tuple[int, str]]:
    """Yield docstrings, other strings with a space in them, and comments, those on consecutive lines as one."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and " " in node.value.strip():
            yield node.lineno, node.value
    begins, lines = 0, list[str]()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            alone = token.line[: token.start[1]].strip() == ""
            if lines and (not alone or token.start[0] != begins + len(lines)):
                yield begins, "\n".join(lines)
                lines = []
            begins = begins if lines else token.start[0]
            lines.append(token.string.lstrip("# "))
    if lines:
        yield begins, "\n".join(lines)


def texts_of_markdown(source: str) -> Iterator[tuple[int, str]]:
    """Yield paragraphs, list items, and cells of tables; no headings and no blocks of code."""
    paragraph, begins, in_block = list[str](), 0, False
    for number, line in enumerate([*source.splitlines(), ""], 1):
        stripped = line.strip()
        fence, heading, row = stripped.startswith("```"), stripped.startswith("#"), stripped.startswith("|")
        item = re.match(r"(?:[*+-]|\d+\.)\s+", stripped)
        if paragraph and (not stripped or fence or heading or row or item or in_block):
            yield begins, "\n".join(paragraph)
            paragraph = []
        in_block ^= fence
        if in_block or fence or heading or not stripped:
            continue
        if row:
            yield from ((number, cell.strip()) for cell in stripped.strip("|").split("|"))
        else:
            begins = begins if paragraph else number
            paragraph.append(stripped.removeprefix(item[0] if item else "").replace("**", ""))


def texts_of_template(source: str) -> Iterator[tuple[int, str]]:
    """Yield the text between the tags of an HTML template."""
    source = re.sub(r"\{[{%#].*?[}%#]\}", blank, source, flags=re.DOTALL)
    for found in re.finditer(r"(?:\A|(?<=>))[^<>]*\w \w[^<>]*", source):
        yield source.count("\n", 0, found.start()) + 1, found[0].strip("\n")


def texts_of_comments(source: str) -> Iterator[tuple[int, str]]:
    """Yield the comments of C and JavaScript."""
    for found in re.finditer(r"/\*(.*?)\*/|(?<![:\"'])//([^\n]*)", source, re.DOTALL):
        yield source.count("\n", 0, found.start()) + 1, (found[1] or found[2] or "").strip("* ")


def texts_of_schema(source: str) -> Iterator[tuple[int, str]]:
    """Yield the descriptions of a JSON Schema."""
    for found in re.finditer(r'"description": "([^"]*)"', source):
        yield source.count("\n", 0, found.start()) + 1, found[1]


def texts_of_blocks(source: str) -> Iterator[tuple[int, str]]:
    """Yield the blocks of code in a Markdown page."""
    for found in re.finditer(r"^( *)```\w+\n(.*?)^\1```", source, re.DOTALL | re.MULTILINE):
        yield source.count("\n", 0, found.start(2)) + 1, found[2]


READERS = {
    ".py": texts_of_python,
    ".md": texts_of_markdown,
    ".j2": texts_of_template,
    ".json": texts_of_schema,
    ".js": texts_of_comments,
    ".c": texts_of_comments,
    ".h": texts_of_comments,
}


def files() -> list[Path]:
    folders = [path for name in CODE for path in (ROOT / name).rglob("*") if path.suffix in READERS]
    folders = [path for path in folders if not path.is_relative_to(GENERATED)]
    pages = {path for pattern in PAGES for path in ROOT.glob(pattern)}
    return sorted({*ROOT.glob("*.py"), *pages, *folders})


def findings_in(file: str, source: str, reader: Reader | None = None) -> list[Finding]:
    """Return what is to be avoided in a file, in the order of its lines. `reader`: yields its texts, if not all of them
    are meant."""
    quoted = [entry["text"] for entry in QUOTATIONS if entry["file"] == file]
    found = []
    for line, text in (reader or READERS[Path(file).suffix])(source):
        for quotation in quoted:
            text = re.sub(re.escape(quotation).replace(r"\ ", r"\s+"), blank, text)
        text = without_code(text)
        for avoid in AVOID:
            if not (avoid.but and file.startswith(avoid.but)):
                for match in avoid.pattern.finditer(text):
                    at = match.start() + len(match[0]) - len(match[0].lstrip())
                    found.append(Finding(file, line + text.count("\n", 0, at), match[0].strip(), avoid.plain))
    return sorted(found)


def findings_of(paths: Iterable[Path], reader: Reader | None = None) -> list[Finding]:
    """Return what is to be avoided in these files."""
    texts = ((str(path.relative_to(ROOT)), path.read_text("utf-8")) for path in paths)
    return [each for file, text in texts for each in findings_in(file, text, reader)]


def lost_quotations() -> Iterator[str]:
    """Yield the exceptions that are not needed: texts that their file does not quote."""
    for entry in QUOTATIONS:
        if entry["text"] not in " ".join((ROOT / entry["file"]).read_text("utf-8").split()):
            yield f"{entry['file']}: does not quote {entry['text']!r} any more"


def main(words: Sequence[str]) -> None:
    named = [Path(word).resolve() for word in words]
    paths = [each for path in named for each in (sorted(path.rglob("*.py")) if path.is_dir() else [path])]
    wrong = [*map(str, findings_of(paths or files())), *lost_quotations()]
    sys.exit("\n".join(wrong) or None)


if __name__ == "__main__":
    main(sys.argv[1:])
