// Why a position stands as it does, from the solution in this file. Where a pass is not known, refutations tell the same.

import { difficulty, trapDepth } from "./difficulty.js";
import { drawnLine, movesPieces } from "./positions.js";
import { sentences } from "./reasons.js";
import { isDouble, threatsTo } from "./threats.js";
import { NAMES, named, weighed } from "./truth.js";

/** @typedef {import("./carried.js").Carried} Carried */
/** @typedef {import("./carried.js").Place} Place */
/** @typedef {import("./truth.js").Weighed} Weighed */
/** @typedef {import("../static/types.js").Explanation} Explanation */

const LONGEST = 24;

/**
 * Why a position stands as it does.
 * @param {Carried} game
 * @param {Place} place
 * @returns {Omit<Explanation, "position">}
 */
export function explained(game, place) {
  const [here, moves] = [game.entry(place), weighed(game, place)];
  const threats = moves.length ? threatsTo(game, place, moves) : null;
  const failing = moves.filter((move) => move.entry.value < here.value);
  const bad = new Map((here.value === -1 ? moves : failing).map((move) => [move.move, [move, ...bestFrom(game, move.child)]]));
  const line = bestFrom(game, place);
  const moving = movesPieces(game, place);
  const double = threats !== null && isDouble(game, place, moves, threats);
  const side = game.data.names[1 - place.side] ?? "";
  return {
    ...named(here),
    source: "table",
    sentences: sentences(game, place, { moves, failing, threats, double, line }).map((text) => ({ text })),
    threats: threats && { side, moves: threats.moves.map((one) => one.move), value: NAMES[threats.value] ?? null, plies: threats.plies, double },
    sharpness: moves.length ? (moves.length - failing.length) / moves.length : null,
    difficulty: moves.length ? difficulty(game, moves, failing) : null,
    moves: moves.map((move) => ({
      move: move.move,
      ...named(move.entry),
      keeps: !failing.includes(move),
      refutation: failing.includes(move) ? (bad.get(move.move)?.slice(1).map((one) => one.move) ?? []) : [],
      trap: failing.includes(move) ? trapDepth(moves, move) : null,
    })),
    line: { moves: line.map((one) => one.move) },
    drawn: {
      threats: threats?.moves.flatMap((move) => drawnLine(game, threats.place, [move], moving)) ?? [],
      line: drawnLine(game, place, line, moving),
      moves: Object.fromEntries([...bad].map(([move, steps]) => [move, drawnLine(game, place, steps, moving)])),
    },
  };
}

/**
 * Best play from a position, as far as it is drawn; where it is endless, until a position stands again.
 * @param {Carried} game
 * @param {Place} place
 */
export function bestFrom(game, place) {
  /** @param {Place} at */
  const key = ({ number, image, side }) => `${number} ${image} ${side}`;
  /** @type {Weighed[]} */
  const line = [];
  const met = new Set([key(place)]);
  for (let at = place; line.length < LONGEST; at = line[line.length - 1]?.child ?? at) {
    const moves = weighed(game, at);
    const [first] = moves;
    if (!first) break;
    const alike = moves.filter(({ entry }) => entry.value === first.entry.value && entry.distance === first.entry.distance && entry.margin === first.entry.margin);
    const next = alike.find((move) => met.has(key(move.child))) ?? first;
    line.push(next);
    if (met.has(key(next.child))) break;
    met.add(key(next.child));
  }
  return line;
}
