// The game so far: a plot of its values, the moves and the mistakes.

import { button, html, refill, svg } from "./dom.js";
import { WORTH, inMoves, latest } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Ply} Ply */
/** @typedef {import("./words.js").Mistake} Mistake */

/**
 * @typedef {object} Past
 * @property {Ply[]} plies
 * @property {number} ply
 * @property {(Analysis | undefined)[]} worth the analysis of each position
 * @property {(Mistake | null)[]} mistakes of the move that led to each position
 */

const WIDE = 320;
const HIGH = 120;
const EDGE = 10;
const NAMES_WIDE = 48;
const LEAST = 0.25;
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
    ...(known > 1 ? [plot(data, past, jump)] : []),
    moveList(data, past, jump),
    ...(known > 1 && known < past.plies.length ? [open(past.plies.length - known)] : []),
    ...sentences(data, past, jump),
  );
  const current = holder.querySelector("[aria-current]");
  const list = holder.querySelector("ol");
  if (current instanceof HTMLElement && list) list.scrollTop = current.offsetTop - list.clientHeight / 2;
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
 * A position's score for the first side: 1 won, 0 drawn, -1 lost, less far from the end.
 * @param {Analysis} known
 * @param {number} side
 * @param {number} longest
 */
function height(known, side, longest) {
  if (known.value === null) return null;
  const far = (latest(known) ?? longest) / longest;
  return WORTH[known.value] * (side === 0 ? 1 : -1) * (LEAST + (1 - LEAST) * (1 - far));
}

/**
 * @param {GameData} data
 * @param {Past} past
 * @param {(ply: number) => void} jump
 */
function plot(data, past, jump) {
  const last = Math.max(1, past.plies.length - 1);
  const longest = Math.max(8, ...past.worth.map((one) => (one ? (latest(one) ?? 0) : 0)));
  /** @param {number} ply */
  const x = (ply) => NAMES_WIDE + (ply / last) * (WIDE - NAMES_WIDE - EDGE);
  /** @param {number} score */
  const y = (score) => HIGH / 2 - score * (HIGH / 2 - EDGE);
  const points = past.plies.map((ply, i) => {
    const known = past.worth[i];
    const score = known ? height(known, ply.side, longest) : null;
    return score === null ? null : { i, x: x(i), y: y(score) };
  });
  const there = points.filter((point) => point !== null);
  const path = points
    .map((point, i) => point && `${points[i - 1] ? "L" : "M"}${point.x.toFixed(1)} ${point.y.toFixed(1)}`)
    .join("");
  const picture = svg("svg", { class: "plot", viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img" });
  picture.setAttribute("aria-label", summary(past));
  picture.append(
    svg("line", { class: "middle", x1: NAMES_WIDE - 6, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
    svg("text", { class: "axis", x: 0, y: EDGE + 3 }, `${data.sides[0]} wins`),
    svg("text", { class: "axis", x: 0, y: HIGH / 2 + 3 }, "drawn"),
    svg("text", { class: "axis", x: 0, y: HIGH - EDGE + 3 }, `${data.sides[1]} wins`),
    svg("line", { class: "now", x1: x(past.ply), x2: x(past.ply), y1: 0, y2: HIGH }),
    svg("path", { class: "curve", d: path }),
  );
  for (const point of there) {
    const kind = past.mistakes[point.i]?.kind;
    const wrong = kind === "lost" || kind === "missed";
    const shape = wrong
      ? svg("path", { class: "mistake", d: "M0 -5 L5 0 L0 5 L-5 0 Z", transform: `translate(${point.x} ${point.y})` })
      : svg("circle", { class: "point", cx: point.x, cy: point.y, r: past.plies.length > 60 ? 1.5 : 2.8 });
    shape.addEventListener("click", () => jump(point.i));
    picture.append(shape);
  }
  return picture;
}

/**
 * The plot in words.
 * @param {Past} past
 */
function summary(past) {
  const wrong = past.mistakes.filter((one) => one && one.kind !== "slower").length;
  const now = inMoves(past.worth[past.ply]?.verdict ?? "");
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
    const what = before ? `${i}. ${data.sides[before.side]} ${ply.move}` : "Start";
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
    const who = data.sides[past.plies[i - 1]?.side ?? 0];
    const jumper = button(`${i}. ${who} ${ply?.move}`, () => jump(i - 1), { class: "link" });
    const mark = html("span", { class: `flaw ${kind}`, "aria-hidden": "true" }, MARKS[kind]);
    list.append(html("li", {}, mark, jumper, ` ${text}`));
  }
  return [list];
}
