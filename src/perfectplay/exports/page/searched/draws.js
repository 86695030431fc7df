// How long a draw lasts if both sides shorten it, where the rules do not tell.

import { ONGOING } from "./machine.js";
import { nothing, settled } from "./scores.js";

/** @typedef {import("./machine.js").Machine} Machine */
/** @typedef {import("./machine.js").Words} Words */

const MOST_DRAWN = 20_000;
const MOST_TIME = 20_000;

/**
 * The plies to the end of a drawn position; null if that takes too long to find.
 * @param {Machine} machine
 * @param {Words} words
 * @param {AbortSignal} [signal]
 */
export async function shortestDraw(machine, words, signal) {
  const begin = performance.now();
  const seen = new Set([machine.code.smallest(...words).join()]);
  let layer = [words];
  for (let plies = 1; layer.length && seen.size < MOST_DRAWN; plies++) {
    /** @type {Words[]} */
    const fresh = [];
    for (const here of layer)
      for (const move of machine.moves(here)) {
        const child = machine.play(here, move);
        const outcome = machine.outcome(child);
        const least = machine.code.smallest(...child).join();
        if (outcome === 0) return plies;
        if (outcome !== ONGOING || seen.has(least)) continue;
        const known = nothing();
        while (!settled(known)) {
          const { final } = await machine.narrow(child, known, { time: MOST_TIME, signal });
          if ((final && !settled(known)) || performance.now() - begin > MOST_TIME) return null;
        }
        if (known.low !== 0) continue;
        seen.add(least);
        fresh.push(child);
      }
    layer = fresh;
  }
  return null;
}
