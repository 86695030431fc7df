// What the browser remembers of puzzles: those that are solved, the streak, and the days in a row.

import { keep, kept } from "./theme.js";

/** @typedef {{solved: string[], streak: number, day: number, days: number}} Remembered */

const KEPT = "perfectplay-puzzles";
const DAY = 24 * 60 * 60 * 1000;
/** Steps from day to day through a set, so that easy and hard puzzles take turns. */
const STRIDE = 37;

/** The number of this day, by the calendar of the place. */
export function today(now = new Date()) {
  return Math.floor(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate()) / DAY);
}

/**
 * The puzzle of the day: the same for everybody.
 * @template T
 * @param {T[]} puzzles
 * @param {number} day
 * @returns {T | undefined}
 */
export function ofTheDay(puzzles, day) {
  return puzzles[(day * STRIDE) % Math.max(1, puzzles.length)];
}

/** @returns {Record<string, Remembered>} */
function all() {
  try {
    return JSON.parse(kept(KEPT) || "{}");
  } catch {
    return {};
  }
}

/**
 * What is remembered of a game.
 * @param {string} game
 * @returns {Remembered}
 */
export function remembered(game) {
  return { solved: [], streak: 0, day: 0, days: 0, ...all()[game] };
}

/**
 * Remembers that a puzzle is done.
 * @param {string} game
 * @param {string} position
 * @param {boolean} clean whether it was solved without a mistake and without help
 * @param {boolean} daily whether it is the one of today
 */
export function done(game, position, clean, daily) {
  const before = remembered(game);
  const solved = before.solved.includes(position) ? before.solved : [...before.solved, position];
  const [now, streak] = [today(), clean ? before.streak + 1 : 0];
  const days = !daily || before.day === now ? before.days : before.day === now - 1 ? before.days + 1 : 1;
  keep(KEPT, JSON.stringify({ ...all(), [game]: { solved, streak, day: daily ? now : before.day, days } }));
}

/** Ends the streak. @param {string} game */
export function failed(game) {
  keep(KEPT, JSON.stringify({ ...all(), [game]: { ...remembered(game), streak: 0 } }));
}
