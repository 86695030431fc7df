// The game so far: a plot of its values, the moves and the mistakes.

import { button, html, refill } from "./dom.js";
import { plot } from "./evaluation.js";
import { inTurn, numberOf, truth, turnsOf } from "./words.js";

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

/** @typedef {import("./evaluation.js").View} View */
/** @type {Record<View, string>} */
const VIEWS = { result: "Result", distance: "Distance", points: "Points" };
/** @type {View} what the plot shows */
let view = "result";

/**
 * @param {GameData} data
 * @param {Past} past
 * @param {(ply: number) => void} jump
 */
function drawing(data, past, jump) {
  const wrong = past.mistakes.map((one) => one !== null && one.kind !== "slower");
  return plot(data, { ...past, wrong, view: viewOf(data), about: summary(data, past) }, jump);
}

/**
 * What the plot shows of this game: not every game has points, and those that have no distances.
 * @param {GameData} data
 * @returns {View}
 */
function viewOf(data) {
  return view === "result" ? view : data.points ? "points" : "distance";
}

/**
 * The choice between the result and the distance or the points.
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Past} past
 * @param {(ply: number) => void} jump
 */
function views(holder, data, past, jump) {
  const group = html("div", { class: "views", role: "group", "aria-label": "What the plot shows" });
  for (const name of /** @type {const} */ (["result", data.points ? "points" : "distance"])) {
    const show = () => {
      view = name;
      showHistory(holder, data, past, jump);
    };
    const pressed = String(viewOf(data) === name);
    group.append(button(VIEWS[name], show, { id: `view-${name}`, class: "plain", "aria-pressed": pressed }));
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
  return `Value of the game over ${numberOf(past.plies.length - 1, "move")}; ${numberOf(wrong, "mistake")}. ${now}`;
}

/**
 * @param {GameData} data
 * @param {Past} past
 * @param {(ply: number) => void} jump
 */
function moveList(data, past, jump) {
  const list = html("ol", { class: "played", "aria-label": "Moves played" });
  list.append(
    ...listedTurns(data, past.plies, (i, what) => {
      const kind = past.mistakes[i]?.kind;
      const mark = kind ? html("span", { class: `flaw ${kind}`, title: past.mistakes[i]?.text }, MARKS[kind]) : null;
      const spoken = kind ? html("span", { class: "unseen" }, `, ${NAMES[kind]}`) : null;
      const jumper = button("", () => jump(i), { id: `ply-${i}`, "aria-current": i === past.ply ? "step" : false });
      jumper.append(what, ...(mark && spoken ? [mark, spoken] : []));
      return jumper;
    }),
  );
  return list;
}

/**
 * The start and the turns of a game, an item each, the moves of a turn side by side: 3. X a1, b1, then c2.
 * @param {GameData} data
 * @param {Ply[]} plies
 * @param {(ply: number, text: string) => HTMLElement} link
 */
export function listedTurns(data, plies, link) {
  const turns = turnsOf(plies).map((turn, i) => {
    const who = `${i + 1}. ${data.names[plies[(turn[0] ?? 1) - 1]?.side ?? 0]} `;
    const links = turn.map((ply, k) => {
      const [first, last] = [k === 0, k > 0 && k === turn.length - 1];
      return link(ply, `${first ? who : last ? "then " : ""}${plies[ply]?.move}`);
    });
    const several = turn.length > 1 ? { class: "turns", title: `${who}${inTurn(movesOf(plies, turn))}` } : {};
    return html("li", several, ...links);
  });
  return [html("li", {}, link(0, "Start")), ...turns];
}

/** @param {Ply[]} plies @param {number[]} turn */
function movesOf(plies, turn) {
  return turn.map((ply) => plies[ply]?.move ?? "");
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
  const turns = turnsOf(past.plies);
  for (const { i, text, kind } of found) {
    const ply = past.plies[i];
    const who = data.names[past.plies[i - 1]?.side ?? 0];
    const number = turns.findIndex((turn) => turn.includes(i)) + 1;
    const jumper = button(`${number}. ${who} ${ply?.move}`, () => jump(i - 1), { class: "link" });
    const mark = html("span", { class: `flaw ${kind}`, "aria-hidden": "true" }, MARKS[kind]);
    list.append(html("li", {}, mark, jumper, ` ${text}`));
  }
  return [list];
}
