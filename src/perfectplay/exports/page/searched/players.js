// Players: each chooses at random among the moves that look best to it.

import { ONGOING, STYLES } from "./machine.js";
import { TOP, before, looked, nothing } from "./scores.js";

/** @typedef {import("./game.js").Step} Step */
/** @typedef {import("./study.js").Study} Study */

const PATIENCE = 10_000;

/** Whether there is a player of that name. @param {string} name */
export function isPlayer(name) {
  return /^level:([1-9]|10)$/.test(name) || ["perfect", "wins", "blocks", "random"].includes(name);
}

/**
 * The moves that a player chooses from.
 * @param {Study} study
 * @param {string} name
 * @param {AbortSignal} [signal]
 * @returns {Promise<Step[]>}
 */
export async function choices(study, name, signal) {
  const { moves } = study;
  const level = study.game.about.levels[Number(/^level:(\d+)$/.exec(name)?.[1]) - 1];
  if (level && Math.random() < level[0]) return moves;
  if (level && level[1] < TOP) return seen(study, level[1], signal);
  if (level || name === "perfect") return bestMoves(study, signal);
  const winning = moves.filter((move) => winsAtOnce(study, move));
  if (name === "random") return moves;
  if (winning.length) return winning;
  return name === "blocks" ? greatest(moves, (move) => -danger(study, move)) : moves;
}

/**
 * Moves that are proven best; if that takes too long, those that are proven to be the best so far.
 * @param {Study} study
 * @param {AbortSignal} [signal]
 * @returns {Promise<Step[]>}
 */
export async function bestMoves(study, signal) {
  const begin = performance.now();
  while (!study.best.length && !study.done && performance.now() - begin < PATIENCE) await study.advance(signal);
  if (study.best.length) return study.best;
  return greatest(study.moves, ({ after }) => before(after).low * 1e3 + before(after).high);
}

/**
 * The best moves as seen at this depth: whatever lies deeper looks equal.
 * @param {Study} study
 * @param {number} plies
 * @param {AbortSignal} [signal]
 */
async function seen(study, plies, signal) {
  /** @type {Map<Step, number>} */
  const scores = new Map();
  for (const move of study.moves) {
    const after = nothing();
    /** @param {{low: number, high: number}} bounds */
    const enough = (bounds) => looked({ ...bounds, draw: null }) >= plies - 1;
    const how = { style: STYLES.deepen, enough, time: PATIENCE, signal };
    for (let final = false; !final && !enough(after); ) ({ final } = await study.machine.narrow(move.child.words, after, how));
    const { low, high } = before(after);
    scores.set(move, low === high && TOP - Math.abs(low) <= plies ? low : 0);
  }
  return greatest(study.moves, (move) => scores.get(move) ?? 0);
}

/** @param {Study} study @param {Step} move */
function winsAtOnce(study, move) {
  return study.machine.outcome(move.child.words) === -1;
}

/**
 * The number of immediate wins of the other side after a move; infinite if it has won.
 * @param {Study} study
 * @param {Step} move
 */
function danger(study, { child }) {
  const outcome = study.machine.outcome(child.words);
  if (outcome !== ONGOING) return outcome === 1 ? Infinity : 0;
  return study.game.steps(child).filter((next) => winsAtOnce(study, next)).length;
}

/**
 * The moves with the greatest number.
 * @template {Step} S
 * @param {S[]} moves
 * @param {(move: S) => number} number
 */
function greatest(moves, number) {
  const numbers = moves.map(number);
  const most = Math.max(...numbers);
  return moves.filter((_, i) => numbers[i] === most);
}
