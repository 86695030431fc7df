// The list of moves, best first: the value of each, and its win probability against a model.

import { icon } from "./board.js";
import { button, html, refill } from "./dom.js";
import { ALIKE, alikes, isBest, marked, origin, percent, worthText } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").Chance} Chance */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Model} Model */
/** @typedef {import("./types.js").Worth} Worth */

/**
 * @typedef {object} Asked
 * @property {Analysis | undefined} known
 * @property {boolean} waiting
 * @property {string} who the side to move
 * @property {string} chance
 * @property {Model[]} models
 * @property {boolean} solved
 * @property {LegalMove[]} choose moves to choose one from, or none
 */

/**
 * @param {HTMLElement} holder
 * @param {Asked} asked
 * @param {(move: string) => void} play
 * @param {(move: string | null) => void} aim
 * @param {(model: string) => void} choose
 */
export function showMoves(holder, asked, play, aim, choose) {
  if (asked.choose.length) {
    const question = html("p", {}, "Which move do you mean?");
    const several = html("ul", { class: "worths" });
    for (const { move } of asked.choose) {
      const one = button(move, () => play(move));
      several.append(html("li", {}, one));
    }
    refill(holder, question, several);
    return;
  }
  const list = html("ul", { class: "worths", "aria-label": "Moves, best first" });
  const known = asked.known ? marked(asked.known) : [];
  for (const { worth, alike } of crowded(known)) {
    if (worth) list.append(html("li", {}, row(worth, play, aim)));
    else list.append(html("li", { class: "quiet" }, alike));
  }
  const parts = [];
  if (asked.solved && asked.models.length) parts.push(chooser(asked, choose));
  if (asked.known?.chance) parts.push(html("p", { class: "prospect" }, prospect(asked, asked.known.chance)));
  if (asked.waiting) parts.push(html("p", { class: "quiet" }, "Analysing …"));
  else if (asked.known && asked.known.source !== "table") {
    parts.push(html("p", { class: "quiet" }, origin(asked.known)));
  }
  refill(holder, ...parts, list, ...(known.length ? [legend(known)] : []));
}

/** What the signs of the hints mean, those that are there. @param {Worth[]} known */
function legend(known) {
  const texts = { win: "wins", draw: "draws", loss: "loses" };
  const kinds = /** @type {const} */ (["win", "draw", "loss"]).filter((kind) => known.some((one) => one.value === kind));
  const signs = kinds.map((kind) => html("span", {}, icon(kind), texts[kind]));
  if (known.some((one) => one.value === null)) signs.push(html("span", {}, "? not known"));
  const points = known.some((one) => one.margin !== undefined);
  const number = points
    ? html("span", { title: "with best play of both sides" }, "number: points ahead at the end")
    : html("span", { title: "plies: moves of both sides together" }, "number: moves to the end");
  return html("p", { class: "legend" }, ...signs, number, html("span", {}, "shaded: best"));
}

/**
 * The moves in their order; very many with the same value are one line.
 * @param {Worth[]} known
 * @returns {{worth?: Worth, alike: string}[]}
 */
function crowded(known) {
  const many = alikes(known);
  const lines = known.map((worth) => {
    const [text, count] = [worthText(worth), many.get(worthText(worth)) ?? 0];
    return count > ALIKE ? { alike: `${count} moves: ${text}` } : { worth, alike: "" };
  });
  return lines.filter((line, i) => line.worth || lines.findIndex((other) => other.alike === line.alike) === i);
}

/**
 * A move: its icon, name, value and probability.
 * @param {Worth} worth
 * @param {(move: string) => void} play
 * @param {(move: string | null) => void} aim
 */
function row(worth, play, aim) {
  const whole = button("", () => play(worth.move), {
    id: `move-${worth.move}`,
    class: `worth ${worth.value ?? "open"} ${isBest(worth) || worth.only ? "best" : ""}`,
    pointerenter: () => aim(worth.move),
    pointerleave: () => aim(null),
    focus: () => aim(worth.move),
    blur: () => aim(null),
  });
  const mark = worth.value === null ? html("span", { class: "icon" }, "?") : icon(worth.value);
  const about = worth.margin === undefined ? `${worth.text}: a ply is one move of one side` : `${worth.text} with best play`;
  whole.append(mark, html("b", {}, worth.move), html("span", { class: "text", title: about }, worthText(worth)));
  if (worth.chance) whole.append(chanceBar(worth.chance, worth.streetwise === true));
  return whole;
}

/**
 * Probabilities as a bar and a number.
 * @param {Chance} chance
 * @param {boolean} smart
 */
export function chanceBar(chance, smart) {
  const text = `wins ${percent(chance.win)}${smart ? ", the street-smart choice" : ""}`;
  const bar = html("span", { class: "bar", "aria-hidden": "true" });
  for (const kind of /** @type {const} */ (["win", "draw", "loss"])) {
    const part = html("span", { class: kind });
    part.style.flexGrow = String(chance[kind]);
    bar.append(part);
  }
  const number = html("span", { class: "share" }, percent(chance.win), smart ? " ★" : "");
  number.setAttribute("aria-hidden", "true");
  return html("span", { class: "chance", title: text }, bar, number, html("span", { class: "unseen" }, `, ${text}`));
}

/**
 * @param {Asked} asked
 * @param {Chance} chance
 */
export function prospect(asked, chance) {
  const numbers = `wins ${percent(chance.win)}, draws ${percent(chance.draw)}, loses ${percent(chance.loss)}`;
  return `${asked.who} ${numbers} of games, playing only moves that keep the result (★).`;
}

/**
 * @param {Asked} asked
 * @param {(model: string) => void} choose
 */
export function chooser(asked, choose) {
  const select = html("select", { id: "model", change: () => choose(select.value) });
  select.append(html("option", { value: "" }, "Off"));
  const there = asked.models.some((model) => model.name === asked.chance) || asked.chance === "";
  const models = there ? asked.models : [...asked.models, { name: asked.chance, about: "" }];
  for (const { name, about } of models) {
    select.append(html("option", { value: name, selected: name === asked.chance }, about || name));
  }
  return html("p", { class: "field" }, html("label", { for: "model" }, "Win probability against"), select);
}
