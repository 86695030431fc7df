// The gallery: search, filters, and the games that were played last.

import { byId, html } from "./dom.js";
import { kept, showTheme } from "./theme.js";

const search = /** @type {HTMLInputElement} */ (byId("search"));
const rows = [byId("filters"), byId("groups")];
const cards = /** @type {HTMLElement[]} */ ([...document.querySelectorAll(".card")]);

/** The letters and digits of a text, without case and accents. @param {string} text */
function plain(text) {
  return text.normalize("NFD").replace(/×/g, "x").replace(/[^\p{L}\p{N}]/gu, "").toLowerCase();
}

/** Whether a card has what a chip asks for: a tag, a group, or with "" anything.
 * @param {HTMLElement} card @param {string} wanted */
const has = (card, wanted) =>
  wanted === "" || card.dataset.group === wanted || (card.dataset.tags ?? "").split(" ").includes(wanted);

/** Shows the cards that match the text and the chips. */
function sift() {
  const typed = plain(search.value);
  const wanted = rows.map((row) => row.querySelector("[aria-pressed=true]")?.getAttribute("data-wanted") ?? "");
  for (const card of cards) {
    const words = `${card.dataset.names} ${card.dataset.group} ${card.querySelector(".words")?.textContent}`;
    card.hidden = !plain(words).includes(typed) || !wanted.every((one) => has(card, one));
  }
  byId("none").hidden = cards.some((card) => !card.hidden);
}

for (const row of rows) {
  const chips = [...row.querySelectorAll("button")];
  for (const chip of chips) {
    const wanted = chip.getAttribute("data-wanted") ?? "";
    chip.hidden = !cards.some((card) => has(card, wanted));
    chip.addEventListener("click", () => {
      for (const other of chips) other.setAttribute("aria-pressed", String(other === chip));
      sift();
    });
  }
  row.hidden = chips.filter((chip) => !chip.hidden).length < 3; // all, and one that all have: nothing to choose from
}
search.addEventListener("input", sift);
search.hidden = false;

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
