// Judgements of moves: their names, their marks, and how a second try compares with the best.

import { WORTH } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").Explanation} Explanation */
/** @typedef {import("./types.js").Judgement} Judgement */

/** @type {Record<Judgement, {mark: string, name: string, many: string}>} */
export const JUDGEMENTS = {
  best: { mark: "✓", name: "best move", many: "best moves" },
  good: { mark: "", name: "good move", many: "good moves" },
  inaccuracy: { mark: "?!", name: "inaccuracy", many: "inaccuracies" },
  mistake: { mark: "?", name: "mistake", many: "mistakes" },
  blunder: { mark: "??", name: "blunder", many: "blunders" },
};

/** The judgements of moves that a review comes back to. */
export const WRONG = /** @type {Judgement[]} */ (["inaccuracy", "mistake", "blunder"]);

/** What each judgement costs in accuracy, in per cent. @type {Record<Judgement, number>} */
const COSTS = { best: 0, good: 10, inaccuracy: 25, mistake: 50, blunder: 100 };
/** A move that gives away more than a third of the distance or of the points is an inaccuracy. */
const PART = 3;

/** Whether a judgement says that the result became worse. @param {Judgement | null} judgement */
export function isSerious(judgement) {
  return judgement === "mistake" || judgement === "blunder";
}

/**
 * The judgement of a move; null if it is not proven.
 * @param {Analysis} before
 * @param {string} move
 * @returns {Judgement | null}
 */
export function judgementOf(before, move) {
  const made = before.moves.find((one) => one.move === move);
  if (before.moves.length === 1) return "best";
  if (!made || before.value === null || made.value === null) return null;
  const lost = WORTH[before.value] - WORTH[made.value];
  if (lost > 0) return lost > 1 ? "blunder" : "mistake";
  if (before.value === "draw" || made.best) return "best";
  const points = typeof before.margin === "number" && typeof made.margin === "number";
  const [whole, left] = points ? [before.margin, made.margin] : [before.distance, made.distance];
  if (typeof whole !== "number" || typeof left !== "number") return null;
  if (whole === left) return "best";
  return PART * Math.abs(whole - left) > Math.abs(whole) ? "inaccuracy" : "good";
}

/**
 * The accuracy of moves with these judgements, in per cent; null if none is judged.
 * @param {(Judgement | null)[]} judgements
 */
export function accuracyOf(judgements) {
  const costs = judgements.flatMap((one) => (one === null ? [] : [COSTS[one]]));
  return costs.length ? Math.round(10 * (100 - costs.reduce((sum, cost) => sum + cost, 0) / costs.length)) / 10 : null;
}

/** @typedef {"best" | "slower" | "worse" | "open"} Try how a second try compares with the best move */

/**
 * How a move compares with the best of its position; `open` if that is not proven.
 * @param {Explanation} found
 * @param {string} move
 * @returns {Try}
 */
export function tryOf(found, move) {
  const made = found.moves.find((one) => one.move === move);
  if (!made || made.keeps === null) return "open";
  if (!made.keeps) return "worse";
  const alike = made.value === "draw" || made.distance === null || made.distance === found.distance;
  return alike && (made.margin ?? null) === (found.margin ?? null) ? "best" : "slower";
}
