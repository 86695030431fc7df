"""Runs the notebooks of the documentation and writes their outputs into them: `make notebooks`."""

import os
import re
import sys
import tempfile
from base64 import b64decode, b64encode
from io import BytesIO
from pathlib import Path

import nbformat
from nbclient import NotebookClient
from nbformat import NotebookNode
from PIL import Image

ROOT = Path(__file__).parent.parent
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}
ARGUMENTS = [
    "--HistoryManager.enabled=False",
    "--InlineBackend.figure_formats={'retina'}",
    "--InlineBackend.rc={'figure.dpi': 84}",
]
"""Arguments of the kernel: no history, and pictures that are sharp on every screen and yet small."""
COLOURS = 64
SECONDS = 300
"""The time limit of a cell."""
STYLE = re.compile(r"<(style|script)\b.*?</\1>", re.DOTALL)
TAG = re.compile(r"<[^>]*>")
TIME = re.compile(r"\b\d[\d.,]* m?s\b")
"""A time, which is never the same again."""


def run(path: Path, place: Path, home: Path | None = None) -> NotebookNode:
    """The notebook as it is after a run in an empty folder below `place`, with tables in `home` if it is given."""
    notebook = nbformat.v4.new_notebook(metadata={"kernelspec": KERNEL})
    notebook.cells = [cell_without_outputs(cell) for cell in nbformat.read(path, as_version=4).cells]
    folder = place / "work"
    folder.mkdir()
    environment = {name: value for name, value in os.environ.items() if name != "MPLBACKEND"}
    environment |= {"IPYTHONDIR": str(place / "ipython"), "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    environment |= {} if home is None else {"PERFECTPLAY_HOME": str(home)}
    client = NotebookClient(notebook, timeout=SECONDS, resources={"metadata": {"path": str(folder)}})
    client.extra_arguments = ARGUMENTS
    client.execute(env=environment)
    return plain(notebook)


def cell_without_outputs(cell: NotebookNode) -> NotebookNode:
    """A copy of the cell as it is before a run."""
    made = {"code": nbformat.v4.new_code_cell, "markdown": nbformat.v4.new_markdown_cell}[cell.cell_type]
    return made(cell.source, id=cell.id, metadata=cell.metadata)


def plain(notebook: NotebookNode) -> NotebookNode:
    """The notebook without what differs from run to run: times, and the version of Python."""
    notebook.metadata = NotebookNode(kernelspec=KERNEL, language_info={"name": "python"})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = joined(cell.outputs)
    return notebook


def joined(outputs: list[NotebookNode]) -> list[NotebookNode]:
    """The outputs, with what is printed in one go as one output, in however many pieces it came."""
    whole: list[NotebookNode] = []
    for output in outputs:
        if whole and output.output_type == "stream" and whole[-1].get("name") == output.name:
            whole[-1].text += output.text
        else:
            whole.append(small(output))
    return whole


def small(output: NotebookNode) -> NotebookNode:
    """The output with its picture, if it has one, in few colours: a third of the size."""
    if "image/png" in output.get("data", {}):
        found = BytesIO()
        picture = Image.open(BytesIO(b64decode(output.data["image/png"]))).convert("RGB")
        picture.quantize(COLOURS, dither=Image.Dither.NONE).save(found, "PNG", optimize=True)
        output.data["image/png"] = b64encode(found.getvalue()).decode()
    return output


def texts(notebook: NotebookNode) -> list[str]:
    """What each code cell prints or shows as text, but for times; of HTML the words, and of pictures nothing."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    return [TIME.sub("?", "\n".join(map(text_of, cell.outputs))) for cell in cells]


def text_of(output: NotebookNode) -> str:
    """What an output says."""
    if output.output_type == "stream":
        return str(output.text)
    if output.output_type == "error":
        return f"{output.ename}: {output.evalue}"
    html = TAG.sub(" ", STYLE.sub("", output.data.get("text/html", "")))
    return "\n".join([output.data.get("text/plain", ""), " ".join(html.split())]).strip()


def written(notebook: NotebookNode, old: str) -> str:
    """The notebook as a file; the file as it was if only times differ."""
    new = nbformat.writes(notebook) + "\n"
    return old if TIME.sub("?", new) == TIME.sub("?", old) else new


def faults(notebook: NotebookNode) -> list[str]:
    """Outputs that no reader should see: errors, warnings, and paths of the machine that ran the notebook."""
    outputs = [output for cell in notebook.cells if cell.cell_type == "code" for output in cell.outputs]
    wrong = [text_of(one) for one in outputs if one.output_type == "error" or one.get("name") == "stderr"]
    home = re.compile(rf"/home/|/tmp/|/Users/|{re.escape(str(ROOT))}|\bat 0x[0-9a-f]+")
    return wrong + [text for text in map(text_of, outputs) if home.search(text)]


def main() -> None:
    """Runs the notebooks named on the command line, or all."""
    for path in [Path(name).resolve() for name in sys.argv[1:]] or NOTEBOOKS:
        with tempfile.TemporaryDirectory() as place:
            notebook = run(path, Path(place), Path(place) / "home")
        if found := faults(notebook):
            sys.exit(f"{path.name}: {found[0]}")
        old = path.read_text(encoding="utf-8")
        if (new := written(notebook, old)) != old:
            path.write_text(new, encoding="utf-8")
            print(f"wrote {path.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
