// Requests about puzzles answered from the positions in this file, as the server answers them.

import { byId } from "../static/dom.js";

/** @typedef {import("../static/types.js").Worth & {child: string, to: number[], from: number[]}} Step */
/**
 * A position on the way to a solution, or after a wrong move, of which only the best line is known.
 * @typedef {object} Place
 * @property {number} side
 * @property {import("../static/types.js").Here} here
 * @property {import("../static/types.js").Value} [value]
 * @property {Step[]} [moves]
 * @property {string} [reply] what the other side answers
 * @property {string[]} [best]
 */
/** @typedef {Record<string, string>} Values */

/** A request that cannot be answered. */
export class Refusal extends Error {}

/** The start of an address' details: a file takes no query, but a fragment. */
export const MARK = "#";

/** @type {{puzzles: import("../static/types.js").Puzzle[], places: Record<string, Place>}} */
const { puzzles, places } = JSON.parse(byId("first").textContent ?? "");

/** @param {string | undefined} position */
function place(position) {
  const found = places[position ?? ""];
  if (!found) throw new Refusal(`${position} is not in this file`);
  return found;
}

/** @type {Record<string, (values: Values) => unknown>} */
const TASKS = {
  puzzles: () => ({ puzzles }),
  line: ({ position = "", moves }) => {
    const { side, here, moves: known } = place(position);
    const step = known?.find((one) => one.move === moves);
    if (!moves || !step) return { plies: [{ position, side }], here };
    const child = place(step.child);
    const { move, to, from } = step;
    return { plies: [{ position, side }, { position: step.child, side: child.side, move, to, from }], here: child.here };
  },
  analysis: ({ position }) => place(position),
  "best-line": ({ position }) => ({ moves: place(position).best ?? [] }),
};

/**
 * The answer to a request.
 * @param {string} task
 * @param {Values} values
 * @returns {Promise<any>}
 */
export async function ask(task, values) {
  return TASKS[task]?.(values);
}
