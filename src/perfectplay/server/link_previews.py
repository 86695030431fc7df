"""What other sites show beside a link to the gallery or to a game: a title, a sentence, and a picture."""

import asyncio
import json
from contextlib import suppress
from urllib.parse import quote

from starlette.requests import Request

from perfectplay.exports.page.cards import HEADLINE, LEAD
from perfectplay.exports.page.game_data import Fields, titled
from perfectplay.exports.page.preview import card_preview, gallery_preview
from perfectplay.server.dispatcher import Dispatcher, checked
from perfectplay.views.png import draws_png
from perfectplay.words import PerfectplayError

GALLERY, GAME = "preview.png", "picture/{game:path}.png"
"""The paths of the pictures."""


def of_gallery(request: Request) -> Fields:
    """What is told about the gallery."""
    return {"title": HEADLINE, "about": LEAD, "image": picture_address(request, GALLERY)}


def of_game(request: Request, dispatcher: Dispatcher) -> Fields:
    """What is told about the page of a game; the rules of a user's own file do not run for it."""
    name = request.query_params.get("game") or dispatcher.allowed.opens
    title, about = titled(name), LEAD
    if not dispatcher.is_own({"game": name}):
        with suppress(PerfectplayError):
            look = dispatcher.allowed.game(name).look
            title, about = look.title or title, look.summary or about
    path = GAME.replace("{game:path}", quote(name, safe=",:="))
    return {"title": title, "about": about, "image": picture_address(request, path)}


def picture_address(request: Request, path: str) -> str:
    """The address of a picture as others see it; empty if no pictures are drawn here."""
    return f"{request.base_url}{path}" if draws_png() else ""


class Pictures:
    """The pictures of a server, drawn one at a time."""

    def __init__(self, dispatcher: Dispatcher) -> None:
        self.dispatcher, self.drawing = dispatcher, asyncio.Semaphore(1)

    async def drawn(self, request: Request) -> bytes:
        """The picture of the game in the path, or of the gallery, as PNG."""
        if "game" not in request.path_params:
            cards = await self.dispatcher.cards(request.is_disconnected)
            async with self.drawing:
                return await asyncio.to_thread(gallery_preview, HEADLINE, LEAD, cards)
        values = checked("card", {"game": request.path_params["game"]})
        body, _ = await self.dispatcher.answer("card", values, request.is_disconnected)
        async with self.drawing:
            return await asyncio.to_thread(card_preview, json.loads(body))
