"""What people take away from the page: the link, the board as text, pictures, and the game as a GIF."""

import base64
import re

import pytest

import perfectplay
import visitors
from perfectplay.exports.page.page_export import writing
from perfectplay.rules.loading import load_game
from perfectplay.solvers.steps import finished
from visitors import expect, needs_axe, no_barriers

pytestmark = visitors.nightly

DECODED = """async ([kind, text]) => {
  const data = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
  const decoder = new ImageDecoder({ data, type: kind });
  await Promise.all([decoder.completed, decoder.tracks.ready]);
  const track = decoder.tracks.selectedTrack;
  const found = { size: [], seconds: [], loops: track.repetitionCount === Infinity, colours: [] };
  for (let i = 0; i < track.frameCount; i++) {
    const { image } = await decoder.decode({ frameIndex: i });
    found.seconds.push((image.duration ?? 0) / 1e6);
    const canvas = new OffscreenCanvas(image.displayWidth, image.displayHeight);
    const brush = canvas.getContext("2d");
    brush.drawImage(image, 0, 0);
    image.close();
    found.size = [canvas.width, canvas.height];
    const { data: pixels } = brush.getImageData(0, 0, canvas.width, canvas.height);
    const counts = {};
    for (let at = 0; at < pixels.length; at += 4) {
      const colour = pixels.slice(at, at + 4).join();
      counts[colour] = (counts[colour] ?? 0) + 1;
    }
    found.colours.push(counts);
  }
  return found;
}"""
"""The frames of a picture as the browser decodes them: how long each stays, and how often it has each colour."""

ENCODED = """async ([width, height, frames, address]) => {
  const { Gif } = await import(address);
  const gif = new Gif(width, height);
  for (const pixels of frames) gif.add(Uint8ClampedArray.from(pixels), 10);
  const data = gif.bytes();
  const decoder = new ImageDecoder({ data, type: "image/gif" });
  await Promise.all([decoder.completed, decoder.tracks.ready]);
  const found = [];
  for (let i = 0; i < decoder.tracks.selectedTrack.frameCount; i++) {
    const { image } = await decoder.decode({ frameIndex: i });
    const brush = new OffscreenCanvas(width, height).getContext("2d");
    brush.drawImage(image, 0, 0);
    image.close();
    found.push([...brush.getImageData(0, 0, width, height).data]);
  }
  return found;
}"""

DISC = 700
"""Pixels of a disc in a GIF, at least; its rim changes when it is no longer the last."""
RED, YELLOW, WON = (221, 75, 53), (242, 184, 52), (29, 34, 48)


@pytest.fixture
def share(visit):
    """Opens what can be taken away from the page of a server, or from a file."""

    def come(query="", where=None):
        allowed = {} if where else {"permissions": ["clipboard-read", "clipboard-write"]}
        one = visit(query, where, **allowed)
        one.page.locator("#share-panel summary").click()
        expect(one.page.get_by_role("button", name="Save picture")).to_be_visible()
        return one

    return come


def copied(one, name):
    """What a button copies."""
    one.page.get_by_role("button", name=name).click()
    one.see("#shared", "is copied.")
    return one.page.evaluate("navigator.clipboard.readText()")


def saved(one, name):
    """The name and the bytes of the file that a button saves."""
    with one.page.expect_download() as download:
        one.page.get_by_role("button", name=name).click()
    return download.value.suggested_filename, download.value.path().read_bytes()


def decoded(one, kind, content):
    return one.page.evaluate(DECODED, [kind, base64.b64encode(content).decode()])


def count(colours, wanted):
    """How many pixels have about this colour."""
    near = (tuple(map(int, text.split(","))) for text in colours)
    return sum(
        colours[",".join(map(str, one))]
        for one in near
        if max(abs(a - b) for a, b in zip(one, wanted, strict=False)) < 6
    )


def buttons(one):
    return one.page.locator("#share").locator("button, a").all_inner_texts()


def test_what_is_offered_is_what_works(share):
    always = ["Copy link", "Copy board as text", "Save picture", "Save SVG"]
    assert buttons(share("?game=gomoku")) == always
    assert buttons(share("?game=connect-four")) == [*always, "Save offline page"]
    shown = buttons(share("?game=tic-tac-toe&moves=b2"))
    assert shown[-2:] == ["Save GIF of the game", "Save offline page"]


@needs_axe
def test_the_panel_has_no_barriers(share):
    no_barriers(share("?moves=b2").page, scope="'#share-panel'")


def test_link_and_board_are_copied(share):
    one = share("?moves=b2,a1")
    assert copied(one, "Copy link") == one.page.url
    for game, moves in (("tactic-toe", "b2 a1 c3 a2"), ("kingpawns", "b1c1 c4b4"), ("lines:11,4,3", "a1 k4")):
        one = share(f"?game={game}&moves={moves.replace(' ', ',')}")
        assert copied(one, "Copy board as text") == str(perfectplay.Match(game).play(*moves.split()))


def test_the_picture_is_sharp_and_shows_the_winning_line(share):
    one = share("?game=connect-four&moves=4,3,4,3,4,3,4")
    expect(one.page.locator(".lines g")).to_have_count(1)
    name, content = saved(one, "Save picture")
    found = decoded(one, "image/png", content)
    assert name == "connect-four.png"
    assert max(found["size"]) == 1280
    (colours,) = found["colours"]
    assert count(colours, RED) > 10_000
    assert count(colours, WON) > 1000
    name, content = saved(one, "Save SVG")
    text = content.decode()
    assert name == "connect-four.svg"
    assert not re.search(r'(class|style|role|tabindex|aria-\w+|data-\w+)="|var\(', text)
    assert text.count("<line ") == 2  # the line and its casing
    shown = one.page.evaluate(
        "text => new DOMParser().parseFromString(text, 'image/svg+xml').documentElement.tagName", text
    )
    assert shown == "svg"
    assert one.page.locator(".easel").count() == 0


def test_every_piece_is_on_the_picture(share):
    one = share("?moves=b2,a1,c1,a3,a2&second=human")
    text = saved(one, "Save SVG")[1].decode()
    drawn = one.page.evaluate(
        """text => {
            const picture = new DOMParser().parseFromString(text, "image/svg+xml");
            const kinds = ["path[stroke-width='1.2']", "circle[stroke-width='1.2']"];
            return kinds.map((kind) => picture.querySelectorAll(kind).length);
        }""",
        re.sub(r'stroke-width="1\.2px"', 'stroke-width="1.2"', text),
    )
    assert drawn == [3, 2]  # crosses and rings


def test_a_page_that_cannot_be_saved_says_why(share):
    one = share("?game=lines:8,8,5&second=human")  # 64 squares: neither solved nor searched
    expect(one.page.get_by_role("button", name="Save picture")).to_be_visible()
    expect(one.page.get_by_role("button", name="Save offline page")).to_have_count(0)
    one = share("?game=drop:6,6,4&second=human")
    one.page.route("**/api/export?*", lambda route: route.fulfill(status=422, json={"error": "too big"}))
    one.page.get_by_role("button", name="Save offline page").click()
    expect(one.page.locator("#shared")).to_have_text("That did not work: too big")
    one.faults.clear()


def test_the_gif_has_every_position_once(share):
    one = share("?game=connect-four&moves=4,3,4,3,4,3,4&ply=2")
    name, content = saved(one, "Save GIF of the game")
    found = decoded(one, "image/gif", content)
    assert name == "connect-four.gif"
    assert max(found["size"]) == 480
    assert found["seconds"] == [0.8] * 7 + [2.5]
    assert found["loops"]
    reds, yellows = ([count(colours, wanted) for colours in found["colours"]] for wanted in (RED, YELLOW))
    assert reds[0] == yellows[0] == 0
    assert all((reds[i] - reds[i - 1] > DISC) == (i % 2 == 1) for i in range(1, 7))
    assert all((yellows[i] - yellows[i - 1] > DISC) == (i % 2 == 0) for i in range(1, 7))
    won = [count(colours, WON) for colours in found["colours"]]
    assert won[7] > max(won[:7]) + 100  # the line, although the board shows an earlier position
    expect(one.page.locator("#shared")).to_have_text("GIF saved: 8 positions.")
    expect(one.page.locator("#share-progress")).to_be_hidden()


def frames(seed, width, height, colours, count):
    """Pictures of so many colours, each of which differs from the last in some places."""
    from random import Random

    dice = Random(seed)
    palette = [[8 * dice.randrange(32) for _ in range(3)] for _ in range(colours)]
    pixels = [dice.choice(palette) for _ in range(width * height)]
    for _ in range(count):
        yield [part for pixel in pixels for part in (*pixel, 255)]
        for _ in range(dice.randrange(20)):
            pixels[dice.randrange(len(pixels))] = dice.choice(palette)


def test_a_gif_of_few_colours_loses_nothing_and_of_many_little(share):
    """The browser's decoder reads what was written: codes of all widths, and tables that are begun again."""
    one = share("?game=tic-tac-toe")
    script = one.page.locator('script[type="module"]').get_attribute("src").replace("page.js", "gif.js")
    for width, height, colours in ((1, 1, 1), (3, 2, 2), (40, 30, 5), (64, 64, 200), (120, 90, 256), (300, 200, 3)):
        wanted = list(frames(width * height, width, height, colours, 4))
        assert one.page.evaluate(ENCODED, [width, height, wanted, script]) == wanted
    wanted = list(frames(7, 60, 60, 1000, 1))
    (found,) = one.page.evaluate(ENCODED, [60, 60, wanted, script])
    assert max(abs(a - b) for a, b in zip(found, wanted[0], strict=True)) < 80


def test_the_phones_own_sheet_is_used_where_there_is_one(share):
    one = share("?game=tic-tac-toe&moves=b2")
    assert "Share …" not in buttons(one)
    one.page.context.add_init_script(
        "navigator.share = async (what) => { window.handed = what; }; navigator.canShare = () => true;"
    )
    one.goto("?game=tic-tac-toe&moves=b2,a1")
    one.page.locator("#share-panel summary").click()
    one.page.get_by_role("button", name="Share …").click()
    one.page.wait_for_function("() => window.handed")
    assert one.page.evaluate("[handed.title, handed.url, handed.files[0].name, handed.files[0].size > 1000]") == [
        "Tic-tac-toe",
        one.page.url,
        "tic-tac-toe.png",
        True,
    ]


def test_the_offline_page_shares_pictures_and_no_link(share, tmp_path):
    with (tmp_path / "game.html").open("wb") as sink:
        finished(writing(load_game("tic-tac-toe"), sink))
    one = share("#game=tic-tac-toe&moves=b2,a1,c3", where=(tmp_path / "game.html").as_uri())
    assert buttons(one) == ["Copy board as text", "Save picture", "Save SVG", "Save GIF of the game"]
    _, content = saved(one, "Save GIF of the game")
    assert content[:6] == b"GIF89a"
    assert content.count(b"\x21\xf9\x04\x04") == 4
    _, content = saved(one, "Save picture")
    assert content[:4] == b"\x89PNG"
