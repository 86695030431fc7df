// Solving a game from the page: offered where it may succeed, with progress, until it is done or cancelled.

import { ask, solve } from "./api.js";
import { button, focusBoard, html } from "./dom.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {{phase: string, done: number, total: number | null}} Step */

/** What each phase is called, and where in the whole work it begins and ends. */
/** @type {Record<string, [string, number, number]>} */
const PHASES = {
  starting: ["Starting", 0, 0.02],
  compiling: ["Preparing the engine", 0.02, 0.08],
  solving: ["Solving", 0.08, 0.95],
  forward: ["Finding all positions", 0.08, 0.45],
  backward: ["Working out results from the end", 0.45, 0.9],
  counting: ["Counting", 0.9, 0.93],
  writing: ["Saving", 0.93, 1],
};
const ENOUGH = 2;

/** Cancels the solve under way, also when another game is shown. */
let stop = new AbortController();

/**
 * @param {HTMLElement} panel
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {() => void} done
 */
export async function showSolve(panel, holder, data, done) {
  stop.abort();
  const mine = (stop = new AbortController());
  if (panel.contains(document.activeElement)) focusBoard();
  panel.hidden = true;
  holder.replaceChildren();
  if (!data.solvable) return;
  /** @type {{positions: number | null, solvable: boolean}} */
  const known = await ask("forecast", { game: data.game }, mine.signal).catch(() => ({ positions: null, solvable: true }));
  panel.hidden = mine.signal.aborted || !known.solvable;
  if (panel.hidden) return;
  const start = button("Solve it", () => void run(holder, data, known.positions, done), { id: "solve-it" });
  holder.replaceChildren(html("p", {}, "Solve it to see every move's exact result."), start);
}

/**
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {number | null} positions
 * @param {() => void} done
 */
async function run(holder, data, positions, done) {
  const mine = (stop = new AbortController());
  const bar = html("progress", { "aria-label": `Solving ${data.title}`, max: 1 });
  const text = html("p", { class: "quiet", role: "status" }, "Starting");
  const cancel = button("Cancel", () => mine.abort(), { id: "cancel" });
  holder.replaceChildren(bar, text, cancel);
  cancel.focus();
  const began = performance.now();
  let share = 0;
  try {
    await solve(
      data.game,
      (step) => {
        const seconds = (performance.now() - began) / 1000;
        share = Math.max(share, shareOf(step, positions));
        bar.value = share;
        text.textContent = told(step, share, seconds);
      },
      mine.signal,
    );
    done();
  } catch (fault) {
    if (mine !== stop) return;
    const held = holder.contains(document.activeElement);
    const why = mine.signal.aborted ? "Cancelled." : String(/** @type {Error} */ (fault).message);
    const again = button("Try again", () => void run(holder, data, positions, done), { id: "solve-it" });
    holder.replaceChildren(html("p", { role: "status" }, why), again);
    if (held) again.focus();
  }
}

/**
 * How much of the whole work is done.
 * @param {Step} step
 * @param {number | null} positions a forecast
 */
function shareOf(step, positions) {
  const [, begin, end] = PHASES[step.phase] ?? ["", 0, 0];
  const total = step.total ?? (step.phase === "forward" ? positions : null);
  return begin + (end - begin) * (total ? Math.min(1, step.done / total) : 0);
}

/**
 * The phase, how much is done, and the time left.
 * @param {Step} step
 * @param {number} share
 * @param {number} seconds since the beginning
 */
function told(step, share, seconds) {
  const parts = [PHASES[step.phase]?.[0] ?? step.phase, `${Math.floor(100 * share)}%`];
  if (step.done > 1) parts.push(`${step.done.toLocaleString("en")} positions`);
  parts.push(seconds > ENOUGH && share > 0.1 ? `about ${lasting((seconds * (1 - share)) / share)} left` : "estimating the time left");
  return parts.join(" · ");
}

/** @param {number} seconds */
function lasting(seconds) {
  if (seconds < 90) return `${Math.max(1, Math.ceil(seconds))} s`;
  return seconds < 5400 ? `${Math.ceil(seconds / 60)} min` : `${Math.ceil(seconds / 3600)} h`;
}
