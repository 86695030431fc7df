// The game so far: a plot of its values, the moves and the mistakes.

import { button, html, refill } from "./dom.js";
import { plot } from "./evaluation.js";
import { truth } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Ply} Ply */
/** @typedef {import("./words.js").Mistake} Mistake */

/**
 * @typedef {object} Past
 * @property {Ply[]} plies
 * @property {number} ply
 * @property {(Analysis | undefined)[]} worth the analysis of each position
 * @property {boolean} looking whether more analyses are on their way
 * @property {(Mistake | null)[]} mistakes of the move that led to each position
 */

const MARKS = { lost: "✕", missed: "○", slower: "↓" };
const NAMES = { lost: "losing move", missed: "win thrown away", slower: "not the best" };

/**
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Past} past
 * @param {(ply: number) => void} jump
 */
export function showHistory(holder, data, past, jump) {
  const known = past.worth.filter((one) => one && one.value !== null).length;
  refill(
    holder,
    ...(known > 1 ? [drawing(data, past, jump), views(holder, data, past, jump)] : []),
    moveList(data, past, jump),
    ...(known > 1 && known < past.plies.length && !past.looking ? [open(past.plies.length - known)] : []),
    ...sentences(data, past, jump),
  );
  const current = holder.querySelector("[aria-current]");
  const list = holder.querySelector("ol");
  if (current instanceof HTMLElement && list) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

/** @type {"result" | "distance"} what the plot shows */
let view = "result";

/**
 * @param {GameData} data
 * @param {Past} past
 * @param {(ply: number) => void} jump
 */
function drawing(data, past, jump) {
  const wrong = past.mistakes.map((one) => one !== null && one.kind !== "slower");
  return plot(data, { ...past, wrong, view, about: summary(data, past) }, jump);
}

/**
 * The choice between result and distance.
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Past} past
 * @param {(ply: number) => void} jump
 */
function views(holder, data, past, jump) {
  const group = html("div", { class: "views", role: "group", "aria-label": "What the plot shows" });
  for (const [name, text] of /** @type {const} */ ([["result", "Result"], ["distance", "Distance"]])) {
    const show = () => {
      view = name;
      showHistory(holder, data, past, jump);
    };
    group.append(button(text, show, { id: `view-${name}`, class: "plain", "aria-pressed": String(view === name) }));
  }
  return group;
}

/**
 * How many positions are not proven.
 * @param {number} count
 */
function open(count) {
  const what = count === 1 ? "1 position is" : `${count} positions are`;
  return html("p", { class: "quiet" }, `${what} not proven by the search.`);
}

/**
 * The plot in words.
 * @param {GameData} data
 * @param {Past} past
 */
function summary(data, past) {
  const wrong = past.mistakes.filter((one) => one && one.kind !== "slower").length;
  const known = past.worth[past.ply];
  const now = known ? truth(data, past.plies[past.ply]?.side ?? 0, known) : "";
  return `Value of the game over ${past.plies.length - 1} moves; ${wrong} ${wrong === 1 ? "mistake" : "mistakes"}. ${now}`;
}

/**
 * @param {GameData} data
 * @param {Past} past
 * @param {(ply: number) => void} jump
 */
function moveList(data, past, jump) {
  const list = html("ol", { class: "played", "aria-label": "Moves played" });
  past.plies.forEach((ply, i) => {
    const kind = past.mistakes[i]?.kind;
    const before = past.plies[i - 1];
    const what = before ? `${i}. ${data.names[before.side]} ${ply.move}` : "Start";
    const mark = kind ? html("span", { class: `flaw ${kind}`, title: past.mistakes[i]?.text }, MARKS[kind]) : null;
    const spoken = kind ? html("span", { class: "unseen" }, `, ${NAMES[kind]}`) : null;
    const jumper = button("", () => jump(i), { id: `ply-${i}`, "aria-current": i === past.ply ? "step" : false });
    jumper.append(what, ...(mark && spoken ? [mark, spoken] : []));
    list.append(html("li", {}, jumper));
  });
  return list;
}

/**
 * The mistakes that changed the result, in words.
 * @param {GameData} data
 * @param {Past} past
 * @param {(ply: number) => void} jump
 */
function sentences(data, past, jump) {
  const found = past.mistakes.flatMap((one, i) => (one && one.kind !== "slower" ? [{ ...one, i }] : []));
  if (!found.length) return [];
  const list = html("ul", { class: "mistakes", "aria-label": "Mistakes" });
  for (const { i, text, kind } of found) {
    const ply = past.plies[i];
    const who = data.names[past.plies[i - 1]?.side ?? 0];
    const jumper = button(`${i}. ${who} ${ply?.move}`, () => jump(i - 1), { class: "link" });
    const mark = html("span", { class: `flaw ${kind}`, "aria-hidden": "true" }, MARKS[kind]);
    list.append(html("li", {}, mark, jumper, ` ${text}`));
  }
  return [list];
}
