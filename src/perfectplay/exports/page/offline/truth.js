// The values of moves, best first.

import { byPoints } from "../static/words.js";

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./carried.js").Entry} Entry */
/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("./carried.js").Step} Step */
/** @typedef {import("../static/types.js").Value} Value */
/** @typedef {Step & {entry: Entry, best: boolean}} Weighed a move and its value to the player who makes it */

/** @type {Record<number, Value>} */
export const NAMES = { [-1]: "loss", 0: "draw", 1: "win" };

/**
 * How good an entry is: more points; quick wins, late losses; of draws the shorter stands first.
 * @param {Entry} entry
 */
function preference({ value, distance, margin }) {
  if (margin !== undefined) return margin;
  const far = distance ?? 1e6;
  return value * 1e7 + (value === -1 ? far : -far);
}

/**
 * The moves of a position, the best first.
 * @param {Carried} game
 * @param {Place} place
 * @returns {Weighed[]}
 */
export function weighed(game, place) {
  const moves = game.steps(place).map((step) => {
    const entry = before(game.entry(step.child), step.child.side === place.side);
    return { ...step, entry, best: false };
  });
  moves.sort((a, b) => preference(b.entry) - preference(a.entry));
  const top = moves[0]?.entry;
  for (const move of moves)
    move.best = top !== undefined && asGood(move.entry, top);
  return moves;
}

/**
 * The entry one ply earlier, seen by the other side, or by the same side if it moves again.
 * @param {Entry} entry
 * @param {boolean} again
 * @returns {Entry}
 */
function before({ value, distance, margin }, again) {
  const [sign, plies] = [again ? 1 : -1, distance === null ? null : distance + 1];
  const seen = { value: sign * value || 0, distance: plies };
  return margin === undefined ? seen : { ...seen, margin: sign * margin || 0 };
}

/**
 * Whether an entry is as good as the best: draws are, whatever their length.
 * @param {Entry} one
 * @param {Entry} best
 */
function asGood(one, best) {
  if (one.value !== best.value || one.margin !== best.margin) return false;
  return one.value === 0 || one.distance === best.distance;
}

/**
 * The value, the distance and the margin as the page shows them.
 * @param {Entry} entry
 */
export function named(entry) {
  return { ...entry, value: NAMES[entry.value] ?? null };
}

/**
 * An entry in words: win in 13 plies, win by 4, endless draw.
 * @param {Entry} entry
 */
export function entryText({ value, distance, margin }) {
  if (margin !== undefined) return `${NAMES[value]} ${byPoints({ margin })}`.trim();
  return distance === null ? `endless ${NAMES[value]}` : `${NAMES[value]} in ${distance} ${distance === 1 ? "ply" : "plies"}`;
}
