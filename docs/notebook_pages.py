"""The pages of the notebooks: MkDocs gets each as Markdown, with the outputs that are stored in it.

So they look like all other pages, in light and dark, and their links are checked; nothing runs when the site is built.
"""

import html
import re
from base64 import b64decode
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import nbformat
from mkdocs.structure.files import File, Files
from nbformat import NotebookNode

FOLDER = Path(__file__).parent / "notebooks"
STYLE = """<style>
.output { margin: -0.6em 0 1.4em; padding-left: 0.8em; border-left: 0.15em solid var(--md-default-fg-color--lighter); }
.output pre { background: none; }
.output img { background: #fff; border-radius: 0.2rem; }
.output { overflow-x: auto; }
</style>
"""
LINK = re.compile(r"\]\(([\w./-]+)\.ipynb\)")
"""A link to a notebook, which leads to its page on the site."""
MARK = re.compile(r'<div class="output" id="output-(\d+)"></div>')


def shown_html(text: str) -> str:
    """The HTML of an output; tables of pandas look like all tables of the site."""
    if 'class="dataframe"' not in text:
        return text
    text = re.sub(r"<style scoped>.*?</style>", "", text, flags=re.DOTALL)
    return re.sub(r'<table border="1" class="dataframe">', "<table>", text)


def fenced(text: str, language: str) -> str:
    """The text as a block of code."""
    return f"```{language}\n{text.rstrip()}\n```"


class NotebookPage:
    """A notebook as a page of the site: its Markdown, its pictures, and the HTML that goes into it at the end."""

    def __init__(self, path: Path) -> None:
        self.name = path.stem
        self.pictures: dict[str, bytes] = {}
        self.html: list[str] = []
        notebook = nbformat.read(path, as_version=4)
        parts = [part for cell in notebook.cells for part in self.cell(cell)]
        first, rest = parts[0], parts[1:]
        download = f'<a href="{path.name}" download>Download this notebook</a>'

        self.markdown = "\n\n".join([first, download, STYLE, *rest]) + "\n"

    def cell(self, cell: NotebookNode) -> Iterator[str]:
        """The parts of a cell."""
        if cell.cell_type == "markdown":
            yield cell.source
            return
        yield fenced(cell.source, "python")
        for output in cell.outputs:
            yield self.output(output, cell.metadata.get("alt", ""))

    def output(self, output: NotebookNode, alt: str) -> str:
        """An output as the best of the forms that it comes in."""
        data: dict[str, Any] = output.get("data", {"text/plain": output.get("text", "")})
        if "image/png" in data:
            name = f"{self.name}-{len(self.pictures) + 1}.png"
            self.pictures[name] = b64decode(data["image/png"])
            width = output.metadata.get("image/png", {}).get("width")
            size = f' width="{width}"' if width else ""
            return f'<div class="output"><img src="{name}" alt="{html.escape(alt)}"{size}></div>'
        if "text/html" in data or "image/svg+xml" in data:
            self.html.append(shown_html(data.get("text/html") or data["image/svg+xml"]))
            return f'<div class="output" id="output-{len(self.html) - 1}"></div>'
        return f'<div class="output" markdown="block">\n\n{fenced(data["text/plain"], "text")}\n\n</div>'


PAGES: dict[str, NotebookPage] = {}
"""The pages of this build, by their place on the site."""


def on_files(files: Files, config: Any, **_: object) -> Files:
    """Called by MkDocs: adds the pages of the notebooks, and their pictures."""
    PAGES.clear()
    for path in sorted(FOLDER.glob("*.ipynb")):
        page = NotebookPage(path)
        PAGES[f"notebooks/{page.name}.md"] = page
        files.append(File.generated(config, f"notebooks/{page.name}.md", content=page.markdown))
        for name, picture in page.pictures.items():
            files.append(File.generated(config, f"notebooks/{name}", content=picture))
    return files


def on_page_markdown(markdown: str, **_: object) -> str:
    """Called by MkDocs: a page with its links to notebooks."""
    return LINK.sub(r"](\1.md)", markdown)


def on_page_content(content: str, page: Any, **_: object) -> str | None:
    """Called by MkDocs: puts the HTML of outputs into a page, untouched by Markdown."""
    if page.file.src_uri not in PAGES:
        return None
    found = PAGES[page.file.src_uri].html
    return MARK.sub(lambda mark: f'<div class="output">{found[int(mark[1])]}</div>', content)
