// How a position stands, as a height: the bar beside the board, and the plot of a game.

import { html, refill, svg } from "./dom.js";
import { WORTH, latest, signed, truth } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Ply} Ply */

const BANDS = /** @type {const} */ (["win", "draw", "loss"]);
const NEAREST = 0.94;
const FARTHEST = 0.4;
const LEAST_LONGEST = 8;

/**
 * The distance that counts as far, or the points that count as many, among some positions.
 * @param {(Analysis | undefined)[]} worth
 */
export function longestOf(worth) {
  if (worth.some((one) => one?.margin !== undefined)) return Math.max(1, ...worth.map((one) => Math.abs(one?.margin ?? 0)));
  return Math.max(LEAST_LONGEST, ...worth.map((one) => (one ? (latest(one) ?? 0) : 0)));
}

/**
 * A position's height for the first side, from 1 (has won) over 0 (drawn) to -1 (has lost); null if it is not known.
 * A third of the way up or down is the border of the draws.
 * @param {Analysis | undefined} known
 * @param {number} side
 * @param {number} longest
 */
export function height(known, side, longest) {
  if (!known || known.value === null) return null;
  const near = known.margin === undefined ? latest(known) : longest - Math.abs(known.margin ?? 0);
  const far = Math.min(1, (near ?? longest) / longest);
  return WORTH[known.value] * (side === 0 ? 1 : -1) * (NEAREST + (FARTHEST - NEAREST) * far);
}

/**
 * The bar beside the board: three bands, and a pointer at the height of this position.
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Analysis | undefined} known
 * @param {number} side
 * @param {number} longest
 */
export function showBar(holder, data, known, side, longest) {
  const at = height(known, side, longest);
  const bands = BANDS.map((kind) => html("span", { class: `band ${kind}` }));
  const points = typeof known?.margin !== "number" ? "" : signed(forFirst(known.margin, side));
  const pointer = html("span", { class: points ? "pointer points" : "pointer" }, points);
  pointer.style.setProperty("--at", String(at === null ? 0.5 : 0.5 - at / 2));
  pointer.hidden = at === null;
  const names = [`${data.names[0]} wins`, "drawn", `${data.names[1]} wins`];
  holder.title = names.join(" · ");
  holder.setAttribute("role", "img");
  holder.setAttribute("aria-label", known ? `Evaluation: ${truth(data, side, known)}` : "Evaluation: not known yet");
  refill(holder, ...bands, pointer);
}

/**
 * A margin as the first side sees it.
 * @param {number} margin
 * @param {number} side the side to move
 */
function forFirst(margin, side) {
  return side === 0 || margin === 0 ? margin : -margin;
}

/** @typedef {"result" | "distance" | "points"} View what a plot shows */

/**
 * @typedef {object} Plotted
 * @property {Ply[]} plies
 * @property {number} ply the one on the board
 * @property {(Analysis | undefined)[]} worth
 * @property {({kind: string, mark: string} | null)[]} marks of the move to each position
 * @property {View} view
 * @property {string} about
 */

const WIDE = 320;
const HIGH = 132;
const LEFT = 6;
const EDGE = 8;
/** Moves that are no mistakes. */
const QUIET = ["best", "good"];

/**
 * The plot of a game, beside the labels of its heights: values in bands, the distance to the end, or points.
 * @param {Pick<GameData, "names">} data
 * @param {Plotted} past
 * @param {(ply: number) => void} jump
 */
export function plot(data, past, jump) {
  const last = Math.max(1, past.plies.length - 1);
  const longest = longestOf(past.worth);
  const views = { result: height, distance: depth, points: lead };
  const heights = past.plies.map((ply, i) => views[past.view](past.worth[i], ply.side, longest));
  /** @param {number} ply */
  const x = (ply) => LEFT + (ply / last) * (WIDE - 2 * LEFT);
  /** @param {number} score */
  const y = (score) => HIGH / 2 - score * (HIGH / 2 - EDGE);
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": past.about });
  picture.append(
    ...(past.view === "result" ? bands() : [svg("rect", { class: "band draw", width: WIDE, height: HIGH })]),
    ...(past.view === "points" ? [svg("line", { class: "level", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 })] : []),
    svg("line", { class: "now", x1: x(past.ply), x2: x(past.ply), y1: 0, y2: HIGH }),
  );
  const path = heights.map((score, i) => {
    if (score === null) return "";
    const before = heights[i - 1];
    return `${before === null || before === undefined ? "M" : "L"}${x(i).toFixed(1)} ${y(score).toFixed(1)}`;
  });
  picture.append(svg("path", { class: "curve", d: path.join("") }));
  heights.forEach((score, i) => {
    if (score === null) return;
    const at = `translate(${x(i).toFixed(1)} ${y(score).toFixed(1)})`;
    const mark = past.marks[i];
    if (mark && !QUIET.includes(mark.kind)) picture.append(flawMark(mark, at));
    else if (mark) picture.append(svg("circle", { class: `point ${mark.kind}`, r: 3, transform: at }));
    else if (past.plies.length <= 60) picture.append(svg("circle", { class: "point", r: 3, transform: at }));
  });
  const hit = svg("rect", { class: "hit", width: WIDE, height: HIGH });
  hit.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const share = ((event.clientX - box.left) / box.width) * WIDE;
    jump(Math.max(0, Math.min(last, Math.round(((share - LEFT) / (WIDE - 2 * LEFT)) * last))));
  });
  picture.append(hit);
  return html("div", { class: "plot" }, axis(data, past.view, longest), picture);
}

/**
 * A mistake on the plot: a diamond, for a blunder a great one, for an inaccuracy a small one.
 * @param {{kind: string, mark: string}} mark
 * @param {string} at
 */
function flawMark({ kind }, at) {
  const size = kind === "blunder" ? 8 : kind === "inaccuracy" ? 4.5 : 6;
  return svg("path", { class: `mistake ${kind}`, d: `M0 ${-size} L${size} 0 L0 ${size} L${-size} 0 Z`, transform: at });
}

/** The three bands. */
function bands() {
  return BANDS.map((kind, i) => svg("rect", { class: `band ${kind}`, y: (i * HIGH) / 3, width: WIDE, height: HIGH / 3 }));
}

/**
 * The labels of heights, from the top.
 * @param {Pick<GameData, "names">} data
 * @param {View} view
 * @param {number} longest the most plies or points
 */
function axis({ names }, view, longest) {
  const texts = {
    result: [`${names[0]} wins`, "Draw", `${names[1]} wins`],
    points: [`${names[0]} by ${longest}`, `${names[1]} by ${longest}`],
    distance: [`${longest} moves`, "the end"],
  };
  const labels = texts[view].map((text) => html("span", {}, text));
  return html("div", { class: view === "result" ? "axis bands" : "axis", "aria-hidden": "true" }, ...labels);
}

/**
 * The distance to the end as a height, null if there is none.
 * @param {Analysis | undefined} known
 * @param {number} _side
 * @param {number} longest
 */
function depth(known, _side, longest) {
  const far = known ? latest(known) : null;
  return far === null ? null : 2 * (far / longest) - 1;
}

/**
 * The points of the first side as a height, null if they are not known.
 * @param {Analysis | undefined} known
 * @param {number} side
 * @param {number} most
 */
function lead(known, side, most) {
  return typeof known?.margin !== "number" ? null : forFirst(known.margin, side) / most;
}
