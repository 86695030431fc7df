// Solving a game from the page, with progress, until it is done or cancelled.

import { solve } from "./api.js";
import { button, focusBoard, html } from "./dom.js";

/** @typedef {import("./types.js").GameData} GameData */

/** Cancels the solve under way, also when another game is shown. */
let stop = new AbortController();

/**
 * @param {HTMLElement} panel
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {() => void} done
 */
export function showSolve(panel, holder, data, done) {
  stop.abort();
  stop = new AbortController();
  if (panel.contains(document.activeElement)) focusBoard();
  panel.hidden = !data.solvable;
  if (panel.hidden) return void holder.replaceChildren();
  const about = html(
    "p",
    {},
    "Solve it to see every move's exact result.",
  );
  holder.replaceChildren(
    about,
    button("Solve it", () => void run(holder, data, done), { id: "solve-it" }),
  );
  return undefined;
}

/**
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {() => void} done
 */
async function run(holder, data, done) {
  const mine = (stop = new AbortController());
  const bar = html("progress", { "aria-label": `Solving ${data.game}` });
  const text = html("p", { class: "quiet", role: "status" }, "starting");
  const cancel = button("Cancel", () => mine.abort(), { id: "cancel" });
  holder.replaceChildren(bar, text, cancel);
  cancel.focus();
  let [phase, begin] = ["", performance.now()];
  try {
    await solve(
      data.game,
      (step) => {
        if (step.phase !== phase) [phase, begin] = [step.phase, performance.now()];
        const seconds = (performance.now() - begin) / 1000;
        if (step.total) bar.value = step.done / step.total;
        else bar.removeAttribute("value");
        text.textContent = told(step, seconds);
      },
      mine.signal,
    );
    done();
  } catch (fault) {
    if (mine !== stop) return;
    const held = holder.contains(document.activeElement);
    const why = mine.signal.aborted ? "Cancelled." : String(/** @type {Error} */ (fault).message);
    const again = button("Try again", () => void run(holder, data, done), { id: "solve-it" });
    holder.replaceChildren(html("p", { role: "status" }, why), again);
    if (held) again.focus();
  }
}

/**
 * Progress, speed and time left.
 * @param {{phase: string, done: number, total: number | null}} step
 * @param {number} seconds since the phase began
 */
function told(step, seconds) {
  const parts = [step.phase];
  if (step.done > 1) parts.push(`${step.done.toLocaleString("en")} positions`);
  if (step.done > 1 && seconds > 1) parts.push(`${Math.round(step.done / seconds).toLocaleString("en")} a second`);
  if (step.total && step.done > 1 && seconds > 1) {
    parts.push(`about ${Math.ceil((seconds * (step.total - step.done)) / step.done)} s left`);
  }
  return parts.join(", ");
}
