// What a search proves about a position: bounds on its score, and how they read.

import { NAMES } from "../offline/truth.js";

/** @typedef {import("../static/types.js").Bound} Bound */
/** @typedef {{low: number, high: number, draw: number | null}} Known bounds on the score, and the plies of a draw */

/** The score of a win at once; a win after d plies is TOP - d, a loss d - TOP, a draw 0. */
export const TOP = 127;

/** @returns {Known} */
export function nothing() {
  return { low: -TOP, high: TOP, draw: null };
}

/** What an entry says. @param {import("../offline/carried.js").Entry} entry @returns {Known} */
export function knownBy({ value, distance }) {
  const score = value === 0 ? 0 : value * (TOP - (distance ?? 0));
  return { low: score, high: score, draw: value === 0 ? distance : null };
}

/** The score one ply earlier, for the other side. @param {number} score */
function earlier(score) {
  return -score + Math.sign(score) || 0;
}

/** The other side's score one ply later, after a move worth this. @param {number} score */
export function later(score) {
  return -score - Math.sign(score) || 0;
}

/** The same one ply earlier, for the other side. @param {Known} known @returns {Known} */
export function before({ low, high, draw }) {
  return { low: earlier(high), high: earlier(low), draw: draw === null ? null : draw + 1 };
}

/** Whether the score is known. @param {Known} known */
export function settled({ low, high }) {
  return low === high;
}

/** Whether value and distance are known. @param {Known} known */
export function exact(known) {
  return settled(known) && (known.low !== 0 || known.draw !== null);
}

/** The value: -1, 0, 1, or null. @param {Known} known */
export function valueOf({ low, high }) {
  return low > 0 ? 1 : high < 0 ? -1 : low === high ? 0 : null;
}

/** The depth to which a search is complete: no end within it is missed. @param {Known} known */
export function looked({ low, high }) {
  if (low === high) return TOP;
  return Math.min(high > 0 ? TOP - high : TOP, low < 0 ? TOP + low : TOP) - 1;
}

/** What is known, as the page wants it. @param {Known} known */
export function fields(known) {
  const value = valueOf(known);
  const distance = !settled(known) ? null : value === 0 ? known.draw : TOP - Math.abs(known.low);
  const found = { value: value === null ? null : (NAMES[value] ?? null), distance };
  return exact(known) ? found : { ...found, at_least: bound(known.low), at_most: bound(known.high) };
}

/** A bound on a score. @param {number} score @returns {Bound} */
function bound(score) {
  return { value: NAMES[Math.sign(score)] ?? null, distance: score ? TOP - Math.abs(score) : null };
}

/** 1 ply, 3 plies. @param {number} count */
function plies(count) {
  return `${count} ${count === 1 ? "ply" : "plies"}`;
}

/** What is known, in words, as the program says it. @param {Known} known */
export function text(known) {
  const { value, distance, at_least: least, at_most: most } = { at_least: null, at_most: null, ...fields(known) };
  if (!least || !most) return `${value} in ${plies(distance ?? 0)}`;
  if (value === "draw") return "draw, of unknown length";
  const [low, high] = [least.distance ?? 0, most.distance ?? 0];
  if (value) return `${value} in ${Math.min(low, high)} to ${Math.max(low, high)} plies`;
  if (known.low === -TOP && known.high === TOP) return "open";
  const win = most.value === "win" ? `no win within ${plies(high - 1)}` : "no win";
  const loss = least.value === "loss" ? `no loss within ${plies(low - 1)}` : "no loss";
  return `open: ${win}, ${loss}`;
}

/**
 * What follows for a position from its moves.
 * @param {Known[]} moves
 * @returns {Known}
 */
export function bestOf(moves) {
  const low = Math.max(...moves.map((known) => known.low));
  const high = Math.max(...moves.map((known) => known.high));
  const draws = moves.filter((known) => settled(known) && known.low === 0).map((known) => known.draw);
  const lengths = draws.filter((draw) => draw !== null);
  return { low, high, draw: low === 0 && high === 0 && lengths.length ? Math.min(...lengths) : null };
}
