// The values of moves, best first.

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./carried.js").Entry} Entry */
/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("./carried.js").Step} Step */
/** @typedef {import("../static/types.js").Value} Value */
/** @typedef {Step & {entry: Entry, best: boolean}} Weighed a move and its value to the player who makes it */

/** @type {Record<number, Value>} */
export const NAMES = { [-1]: "loss", 0: "draw", 1: "win" };

/**
 * How good an entry is: quick wins, late losses; of draws the shorter stands first.
 * @param {Entry} entry
 */
function preference({ value, distance }) {
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
    const { value, distance } = game.entry(step.child);
    return { ...step, entry: { value: -value || 0, distance: distance === null ? null : distance + 1 }, best: false };
  });
  moves.sort((a, b) => preference(b.entry) - preference(a.entry));
  const top = moves[0]?.entry;
  for (const move of moves)
    move.best = move.entry.value === top?.value && (top.value === 0 || move.entry.distance === top.distance);
  return moves;
}

/**
 * The value and the distance as the page shows them.
 * @param {Entry} entry
 */
export function named({ value, distance }) {
  return { value: NAMES[value] ?? null, distance };
}

/**
 * An entry in words: win in 13 plies, endless draw.
 * @param {Entry} entry
 */
export function entryText({ value, distance }) {
  return distance === null ? `endless ${NAMES[value]}` : `${NAMES[value]} in ${distance} ${distance === 1 ? "ply" : "plies"}`;
}
