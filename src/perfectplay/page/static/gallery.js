// The gallery: search, filters, and the games that were played last.

import { byId, html } from "./dom.js";
import { kept, showTheme } from "./theme.js";

const search = /** @type {HTMLInputElement} */ (byId("search"));
const filters = byId("filters");
const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".card")]);

/** A text without case, accents and signs that nobody types. @param {string} text */
function plain(text) {
  return text.normalize("NFD").replace(/\p{M}/gu, "").replace(/\s*×\s*/g, "x").toLowerCase();
}

/** Shows the cards that match the text and the filter. */
function sift() {
  const wanted = plain(search.value.trim());
  const tag = filters.querySelector("[aria-pressed=true]")?.getAttribute("data-tag") ?? "";
  for (const card of cards) {
    const tags = (card.dataset.tags ?? "").split(" ");
    const words = card.querySelector(".words")?.textContent ?? "";
    card.hidden = !plain(words).includes(wanted) || (tag !== "" && !tags.includes(tag));
  }
  byId("none").hidden = cards.some((card) => !card.hidden);
}

for (const chip of filters.querySelectorAll("button")) {
  const tag = chip.getAttribute("data-tag");
  chip.hidden = tag !== "" && !cards.some((card) => (card.dataset.tags ?? "").split(" ").includes(tag ?? ""));
  chip.addEventListener("click", () => {
    for (const other of filters.querySelectorAll("button")) other.setAttribute("aria-pressed", String(other === chip));
    sift();
  });
}
search.addEventListener("input", sift);
search.hidden = filters.hidden = false;

/** The page that a link goes to, whatever is on its board. @param {string} link */
const pageOf = (link) => link.replace(/[?#].*/, "");
const pages = new Set(cards.map((card) => pageOf(card.querySelector("a")?.getAttribute("href") ?? "")));
/** @type {{title: string, link: string}[]} */
const played = JSON.parse(kept("perfectplay-recent") || "[]");
const recent = played.filter(({ link }) => pages.has(pageOf(link))); // other sites may have been kept by the browser, too
byId("recent").hidden = recent.length === 0;
byId("recent-games").append(
  ...recent.map(({ title, link }) => html("li", {}, html("a", { class: "chip", href: link }, title))),
);
showTheme();
