"""The views in a real notebook: executed, exported, and seen by a browser in light and in dark."""

import re
import shutil
import warnings

import pytest

CELLS = (
    "import perfectplay",
    'match = perfectplay.Match("tic-tac-toe", ["b2", "b1"])\nmatch',
    "match.analyse()",
    'perfectplay.odds("tic-tac-toe", "random", "perfect")',
    'perfectplay.tree("tic-tac-toe", "a1", "b1", "c3", "a3", "c1", "c2")',
)
CHROMIUM = shutil.which("chromium")
pytestmark = pytest.mark.nightly
COLOURS = """() => [...document.querySelectorAll(".ppv")].map(one => {
  const style = getComputedStyle(one);
  return [style.color, style.backgroundColor, style.colorScheme, one.getBoundingClientRect().height];
})"""
HOSTS = {
    '<html theme="dark"><body>': "dark",  # Colab
    '<html theme="light"><body>': "light",
    '<body class="vscode-dark" style="--vscode-editor-background:#111;--vscode-editor-foreground:#ddd">': "dark",
    '<body class="vscode-light" style="--vscode-editor-background:#fff;--vscode-editor-foreground:#333">': "light",
    '<html><body data-md-color-scheme="slate">': "dark",  # Material for MkDocs
    "<html><body>": "other",
}
"""How other pages that show notebooks begin, and their theme; without one, it is that of the system."""
LEAST_CONTRAST = 4.5
"""What WCAG asks of text."""


@pytest.fixture(scope="module")
def executed():
    """The notebook after all its cells were run."""
    nbformat = pytest.importorskip("nbformat")
    nbclient = pytest.importorskip("nbclient")
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in CELLS])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # zmq, tornado and traitlets warn of each other
        nbclient.NotebookClient(notebook, kernel_name="python3", timeout=120).execute()
    return notebook


def exported(notebook, theme):
    nbconvert = pytest.importorskip("nbconvert")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return nbconvert.HTMLExporter(theme=theme).from_notebook_node(notebook)[0]


def test_each_cell_has_its_view_and_its_text(executed):
    for cell in executed.cells[1:]:
        (output,) = cell.outputs
        assert output.data["text/html"].startswith('<div class="ppv">')
        assert "\n" not in output.data["text/plain"]
    assert executed.cells[1].outputs[0].data["text/plain"] == "Match('tic-tac-toe', ['b2', 'b1'])"


@pytest.mark.skipif(CHROMIUM is None, reason="no chromium")
def test_views_are_readable_in_exported_pages_and_in_all_hosts_light_and_dark(executed, tmp_path):
    playwright = pytest.importorskip("playwright.sync_api")
    with playwright.sync_playwright() as engines:
        browser = engines.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for theme in ("light", "dark"):
            path = tmp_path / f"{theme}.html"
            path.write_text(exported(executed, theme), encoding="utf-8")
            page = browser.new_page(color_scheme="dark" if theme == "light" else "light")  # the notebook decides
            page.route(re.compile("^https?:"), lambda route: route.abort())
            page.goto(path.as_uri(), wait_until="domcontentloaded")
            found = page.evaluate(COLOURS)
            assert len(found) == len(CELLS) - 1
            for colour, ground, scheme, height in found:
                assert scheme == theme
                assert height > 60
                assert contrast(colour, ground) > LEAST_CONTRAST
            assert page.locator(".ppv svg[role=img]").count() >= 3
        view = executed.cells[2].outputs[0].data["text/html"]
        for start, theme in HOSTS.items():
            for system in ("light", "dark"):
                page = browser.new_page(color_scheme=system)
                page.set_content(f"<!doctype html>{start}{view}</body></html>")
                ((colour, ground, scheme, _),) = page.evaluate(COLOURS)
                assert scheme == ("light dark" if theme == "other" else theme)
                assert contrast(colour, ground) > LEAST_CONTRAST
                assert (luminance(ground) < 0.5) == ((system if theme == "other" else theme) == "dark")
                page.close()
        browser.close()


def contrast(one, other):
    """The contrast of two colours as browsers write them, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def luminance(colour):
    red, green, blue = (int(part) / 255 for part in re.findall(r"\d+", colour)[:3])
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in (red, green, blue)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
