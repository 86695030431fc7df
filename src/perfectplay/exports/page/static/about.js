// What people should know about a game: its rules, its history, and the result that is known.

import { html, refill } from "./dom.js";

/** @typedef {import("./types.js").GameData} GameData */

/**
 * @param {HTMLElement} panel
 * @param {HTMLElement} holder
 * @param {GameData} data
 */
export function showAbout(panel, holder, data) {
  const { rules = "", history = "", known = "" } = data.about ?? {};
  panel.hidden = rules === "" && history === "";
  const lines = rules.split("\n").filter((line) => line !== "");
  /** @type {HTMLElement[]} */
  const parts = [html("ul", { class: "rules" }, ...lines.map((line) => html("li", {}, line)))];
  if (known) parts.push(html("p", {}, html("b", {}, `${known} with best play.`)));
  if (history) parts.push(html("p", { class: "quiet" }, ...italics(history)));
  refill(holder, ...parts);
}

/**
 * A text whose *titles* are set in italics.
 * @param {string} text
 */
function italics(text) {
  return text.split("*").map((part, i) => (i % 2 ? html("cite", {}, part) : part));
}
