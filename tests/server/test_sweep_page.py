"""The report of a sweep: maps and table without scripts, sorting, links that open variants, hostile names."""

import re
import shlex
from html import unescape
from urllib.parse import parse_qs, urlsplit

import pytest

from homes import ROOT
from perfectplay.exports.page.sweep_page import play_address, play_command, serve_command, sweep_page
from perfectplay.insight.sweeps.measures import Swept
from perfectplay.server.allowed_names import allow
from sweep_facts import HOSTILE, OWN_FILE, hostile, lines, many, mixed, single
from visitors import DESK, PHONE, expect, fits, needs_axe, needs_browser, no_barriers


def column(page, name):
    """The texts in a column of the table."""
    return page.locator("#table").evaluate(
        "(table, name) => { const at = [...table.tHead.rows[0].cells].findIndex(one => one.textContent === name);"
        " return [...table.tBodies[0].rows].map(row => row.cells[at].textContent.trim()); }",
        name,
    )


def test_a_link_and_a_command_open_each_variant(tmp_path, monkeypatch):
    own = "./my game's.py"
    (tmp_path / own).write_text((ROOT / "examples/hexapawn.py").read_text(encoding="utf-8"))
    monkeypatch.chdir(tmp_path)
    started = shlex.split(serve_command(mixed().rows))
    assert started == ["perfectplay", "serve", own]
    assert serve_command(lines().rows) == "perfectplay serve"
    allowed = allow(started[2:], [])
    for game in ("lines:3,3,3", "lines:2,2,2,misere=true", own):
        asked = parse_qs(urlsplit(play_address(game)).query)["game"]
        assert allowed.game(asked[0]).name == allowed.game(game.removeprefix("./")).name
        assert shlex.split(play_command(game)) == ["perfectplay", "play", game]
    assert parse_qs(urlsplit(play_address(OWN_FILE)).query) == {"game": ["my game's.py:3"]}


def test_every_variant_has_its_links_and_its_command():
    facts = mixed()
    page = sweep_page(facts)
    for row in facts.rows:
        links = [unescape(one) for one in re.findall(r'href="([^"]*)"', page)]
        assert links.count(play_address(row.variant.game)) >= 2
        assert play_command(row.variant.game) in unescape(page)
    heads = re.findall(r'<th scope="row" class="name"><a[^>]*>(.*?)</a>', page)
    assert [unescape(head.replace("<wbr>", "")) for head in heads] == [row.variant.game for row in facts.rows]
    for one in facts.skipped:
        assert one.why in page


def test_the_axes_of_its_maps_can_be_chosen():
    assert "fairness of lines, height=2 by k and width" in sweep_page(lines(), axes=("k", "width"))


def test_a_sweep_without_variants_and_one_with_a_single_variant_are_reported():
    assert "1 variant of lines, solved" in sweep_page(single())
    assert "No variant" in sweep_page(Swept(("lines:2,2,4",)))


@pytest.mark.nightly
@needs_browser
def test_the_reader_picks_a_measure_without_scripts(shown):
    page = shown(sweep_page(mixed()), java_script_enabled=False)
    visible = page.locator(".map:visible")
    expect(visible).to_have_count(1)
    expect(visible.locator("h3")).to_have_text("fairness")
    page.get_by_text("fairness (random)", exact=True).first.click()
    expect(visible.locator(".estimated text").last).to_have_text("≈61.0%")
    page.get_by_text("result", exact=True).first.click()
    expect(visible.locator("h3")).to_have_text("result")
    expect(visible.get_by_role("link", name="lines:3,3,3: draw in 9 plies, solved")).to_have_attribute(
        "href", "http://127.0.0.1:8000/?game=lines:3,3,3"
    )
    expect(page.locator("#table td.play code").first).to_have_text("perfectplay play lines:2,2,2")


@pytest.mark.nightly
@needs_browser
def test_the_table_is_sorted_by_a_click_or_a_key_and_back(shown):
    page, swept = shown(sweep_page(mixed())), [row.variant.game for row in mixed().rows]
    head = page.get_by_role("columnheader", name="depth")
    head.get_by_role("button").focus()
    for key, order in (("Enter", "ascending"), ("Space", "descending")):
        page.keyboard.press(key)
        expect(head).to_have_attribute("aria-sort", order)
        texts = column(page, "depth")
        known = [int(text) for text in texts if text != "–"]
        assert known == sorted(known, reverse=order == "descending")
        assert set(texts[len(known) :]) == {"–"}
    page.get_by_role("button", name="result").click()
    expect(page.locator("th[aria-sort]")).to_have_text(["result"])
    results = column(page, "result")
    assert results[0].startswith("loss in")
    assert results.index("draw to win") > max(at for at, text in enumerate(results) if text.startswith("draw in"))
    for _ in range(2):
        page.get_by_role("button", name="result").click()
    expect(page.locator("th[aria-sort]")).to_have_count(0)
    assert column(page, "variant") == swept


@pytest.mark.nightly
@needs_browser
def test_a_command_is_copied(shown):
    page = shown(sweep_page(mixed()), permissions=["clipboard-read", "clipboard-write"])
    command = play_command(OWN_FILE)
    page.get_by_role("button", name=f"Copy: {command}").click()
    expect(page.get_by_role("button", name=f"Copy: {command}")).to_have_text("Copied")
    assert page.evaluate("navigator.clipboard.readText()") == command


def test_hostile_names_stay_texts():
    page = sweep_page(hostile())
    assert HOSTILE not in page
    assert unescape(page).count(HOSTILE) > 1


@pytest.mark.nightly
@needs_browser
@needs_axe
@pytest.mark.parametrize(("viewport", "label"), [(DESK, "result"), (PHONE, "fairness (random)")])
def test_axe_finds_nothing_wrong_and_nothing_is_scrolled_sideways(shown, viewport, label):
    facts = mixed()
    page = shown(sweep_page(facts._replace(rows=facts.rows[24:])), viewport=viewport, bypass_csp=True)
    page.locator(".picks").get_by_text(label, exact=True).click()
    no_barriers(page)
    assert fits(page)
    page = shown(sweep_page(many()), viewport=PHONE)
    assert fits(page)
    expect(page.locator("#table tbody tr")).to_have_count(300)
