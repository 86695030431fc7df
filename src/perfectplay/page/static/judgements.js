// Judgements of moves: their names, their marks, and how a second try compares with the best.

/** @typedef {import("./types.js").Bound} Bound */
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
