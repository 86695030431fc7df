// A game judged move by move, from what is known of each of its positions.

import { accuracyOf, isSerious, judgementOf } from "../static/judgements.js";

/** @typedef {import("../static/types.js").Analysis} Analysis */
/** @typedef {import("../static/types.js").Judged} Judged */
/** @typedef {import("../static/types.js").Judgement} Judgement */
/** @typedef {import("../static/types.js").Review} Review */
/** @typedef {import("../static/types.js").Worth} Worth */

/**
 * A move of a game, the analysis of its position, why it was good or bad, and best play after a better one.
 * @typedef {object} Made
 * @property {number} side
 * @property {string} move
 * @property {Analysis} known
 * @property {(move: string) => string[]} line
 * @property {string} why
 */

/**
 * The review of a game; what to practise is not told.
 * @param {string} game
 * @param {[string, string]} names of the sides
 * @param {Made[]} made
 * @returns {Review}
 */
export function reviewed(game, names, made) {
  const plies = made.map((one, i) => judged(names, one, i + 1));
  const serious = plies.filter((one) => isSerious(one.judgement));
  const summary = names.map((side, number) => {
    const mine = plies.filter((_, i) => made[i]?.side === number).map((one) => one.judgement);
    /** @param {Judgement} kind */
    const count = (kind) => mine.filter((one) => one === kind).length;
    return {
      side,
      moves: mine.length,
      best: count("best"),
      good: count("good"),
      inaccuracies: count("inaccuracy"),
      mistakes: count("mistake"),
      blunders: count("blunder"),
      accuracy: accuracyOf(mine),
      practise: null,
    };
  });
  return { game, plies, summary, turning_point: serious.at(-1)?.ply ?? null };
}

/**
 * @param {[string, string]} names
 * @param {Made} made
 * @param {number} ply
 * @returns {Judged}
 */
function judged(names, { side, move, known, line, why }, ply) {
  const worth = known.moves.find((one) => one.move === move);
  const judgement = judgementOf(known, move);
  const better = worth ? betterMoves(known, worth, judgement) : [];
  return {
    ply,
    side: names[side] ?? "",
    move,
    before: bound(known, 0),
    after: worth ? bound(worth, 1) : { value: null, distance: null },
    judgement,
    better,
    line: better[0] === undefined ? [] : line(better[0]),
    why,
  };
}

/**
 * Value, distance and points, so many plies later.
 * @param {Worth | Analysis} known
 * @param {number} later
 */
function bound({ value, distance, margin }, later) {
  const found = { value, distance: distance === null ? null : distance - later };
  return margin === undefined ? found : { ...found, margin };
}

/**
 * The moves that were better, the best first.
 * @param {Analysis} known
 * @param {Worth} made
 * @param {Judgement | null} judgement
 */
function betterMoves(known, made, judgement) {
  if (judgement === null || judgement === "best") return [];
  const kept = known.moves.filter((one) => one.value === known.value && one !== made);
  const sooner = kept.filter((one) => known.moves.indexOf(one) < known.moves.indexOf(made)); // the best come first
  const better = isSerious(judgement) ? kept : sooner.filter((one) => one.distance !== made.distance || one.margin !== made.margin);
  return better.map((one) => one.move);
}
