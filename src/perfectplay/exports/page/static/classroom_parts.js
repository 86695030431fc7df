// The elements of the classroom, and those parts that show one step.

import { token } from "./board.js";
import { button, html } from "./dom.js";
import { WINDOWED } from "./lesson.js";
import { algorithmIdea, algorithmTitle, scoreText } from "./lesson_words.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Lesson} Lesson */
/** @typedef {import("./lesson.js").Replay} Replay */
/** @typedef {import("./lesson.js").Standing} Standing */
/** @typedef {ReturnType<typeof built>} Parts */

const DEPTHS = [1, 2, 3, 4, 5, 6];
const CACHED = ["cache", "symmetry", "flags"];

/**
 * What the buttons do.
 * @typedef {object} Deeds
 * @property {() => void} leave
 * @property {() => void} full fills the screen, or no longer
 * @property {() => void} small takes a small position
 * @property {(depth: number | null) => void} look looks so far ahead
 * @property {() => void} start
 * @property {() => void} back
 * @property {() => void} play
 * @property {() => void} step
 * @property {() => void} end
 * @property {() => void} next goes to the next algorithm
 * @property {() => void} same goes to the node that this one repeats
 * @property {(speed: number) => void} hurry
 * @property {() => void} faster
 * @property {() => void} slower
 * @property {() => void} widen shows the whole tree, or no longer
 * @property {(number: number) => void} choose shows the algorithm of that number
 */

/**
 * All elements, in their places.
 * @param {Deeds} deeds
 * @param {number} fastest
 */
export function built(deeds, fastest) {
  const heading = html("h1", { id: "classroom-title", tabindex: -1 }, "Classroom");
  const ladder = html("div", { class: "ladder", role: "group", "aria-label": "Algorithms" });
  const ahead = html("select", { id: "lesson-depth" });
  const far = DEPTHS.map((plies) => html("option", { value: plies }, plies === 1 ? "1 ahead" : `${plies} ahead`));
  ahead.append(html("option", { value: "" }, "to the end"), ...far);
  ahead.addEventListener("change", () => deeds.look(ahead.value ? Number(ahead.value) : null));
  const stage = html("div", { class: "board" });
  const turn = html("p", { class: "turn" });
  const range = html("div", { class: "window" });
  const tree = html("div", { class: "tree-holder" });
  const said = html("p", { class: "sentence" });
  const same = button("", deeds.same, { id: "lesson-same", class: "link", hidden: true });
  const spoken = html("p", { class: "unseen", role: "status", "aria-live": "polite" });
  const counts = html("dl", { class: "counts" });
  const fault = html("p", { class: "fault", role: "alert", hidden: true });
  const small = button("Take a small position", deeds.small, { id: "lesson-small", hidden: true });
  const footer = buttons(deeds, fastest, html("label", { class: "ahead", for: "lesson-depth" }, "Look", ahead));
  const tools = [
    button("Full screen", deeds.full, { id: "classroom-full", title: "Full screen (F)" }),
    button("Close", deeds.leave, { id: "classroom-close", title: "Back to the game (Esc)" }),
  ];
  const room = html(
    "section",
    { id: "classroom", class: "classroom", "aria-labelledby": "classroom-title" },
    html("header", {}, heading, ladder, html("div", { class: "tools row" }, ...tools)),
    html("div", { class: "scene" }, html("div", { class: "seen" }, turn, stage, range), tree),
    html("div", { class: "telling" }, html("div", { class: "saying" }, said, same), fault, small, counts),
    footer.all,
    spoken,
  );
  room.addEventListener("keydown", (event) => event.stopPropagation()); // the page behind hears nothing
  return { room, heading, ladder, ahead, stage, turn, range, tree, said, same, spoken, counts, fault, small, ...footer };
}

/**
 * The buttons below.
 * @param {Deeds} deeds
 * @param {number} fastest
 * @param {HTMLElement} ahead how far to look
 */
function buttons(deeds, fastest, ahead) {
  const start = signed("⇤", "Start", deeds.start, { id: "lesson-start", title: "To the start (Home)" });
  const back = signed("◀", "Back", deeds.back, { id: "lesson-back", title: "One step back (←)" });
  const play = signed("▶", "Play", deeds.play, { id: "lesson-play", class: "strong", title: "Play or pause (space)" });
  const step = signed("▶", "Step", deeds.step, { id: "lesson-step", class: "after", title: "One step (→)" });
  const end = signed("⇥", "End", deeds.end, { id: "lesson-end", class: "after", title: "To the end (End)" });
  const next = signed("→", "Next algorithm", deeds.next, { id: "lesson-next", class: "after", title: "The next algorithm (N)" });
  const pace = html("input", { id: "lesson-speed", type: "range", min: 0, max: fastest, title: "Speed (+ and −)" });
  pace.addEventListener("input", () => deeds.hurry(Number(pace.value)));
  const whole = html("input", { id: "lesson-whole", type: "checkbox", role: "switch", title: "The whole tree (W)" });
  whole.addEventListener("change", deeds.widen);
  const all = html(
    "footer",
    { class: "steps" },
    html("div", { class: "row", role: "group", "aria-label": "Steps" }, start, back, play, step, end),
    html("label", { class: "pace", for: "lesson-speed" }, "Speed", pace),
    html("label", { class: "switch", for: "lesson-whole" }, whole, "Whole tree"),
    ahead,
    next,
  );
  return { all, start, back, play, step, end, next, pace, whole };
}

/**
 * A button with a sign and a word, which a narrow screen leaves out.
 * @param {string} sign
 * @param {string} word
 * @param {() => void} act
 * @param {import("./dom.js").Attributes} attributes
 */
function signed(sign, word, act, attributes) {
  const made = button("", act, attributes);
  label(made, sign, word);
  return made;
}

/**
 * What such a button says.
 * @param {HTMLElement} made
 * @param {string} sign
 * @param {string} word
 */
export function label(made, sign, word) {
  if (made.getAttribute("aria-label") === word) return;
  made.setAttribute("aria-label", word);
  made.replaceChildren(html("span", { class: "glyph", "aria-hidden": "true" }, sign), html("span", { class: "word" }, word));
}

/** @type {Record<string, "leave" | "full" | "next" | "faster" | "slower" | "play" | "back" | "step" | "start" | "end">} */
const KEYS = {
  ...{ Escape: "leave", f: "full", n: "next", "+": "faster", "=": "faster", "-": "slower", " ": "play" },
  ...{ ArrowLeft: "back", ArrowRight: "step", Home: "start", End: "end" },
};
/** What keys do by themselves in some places: keys walk over the board, choose a speed, press a button. */
const OWN = { "[role=grid]": /^(Arrow.*|Home|End|Enter| )$/, "select, [type=range]": /^(?!Escape)/, "button, input": /^ $/ };

/**
 * What a key does where the focus is; undefined if nothing, or what the browser makes of it.
 * @param {Deeds} deeds
 * @param {string} key
 * @param {Element | null} at
 * @returns {(() => void) | undefined}
 */
export function keyed(deeds, key, at) {
  if (Object.entries(OWN).some(([where, keys]) => at?.closest(where) && keys.test(key))) return undefined;
  if (/^[1-9]$/.test(key)) return () => deeds.choose(Number(key) - 1);
  if (key.toLowerCase() === "w") return () => document.getElementById("lesson-whole")?.click();
  const name = KEYS[key.length === 1 ? key.toLowerCase() : key];
  return name && deeds[name];
}

/**
 * The algorithms, with what they have visited once they were watched to the end.
 * @param {HTMLElement} ladder
 * @param {Lesson} lesson
 * @param {string} name the one that is shown
 * @param {Set<string>} watched
 * @param {(name: string) => void} choose
 */
export function showLadder(ladder, lesson, name, watched, choose) {
  if (ladder.dataset.of !== `${lesson.position} ${lesson.depth}`) {
    ladder.dataset.of = `${lesson.position} ${lesson.depth}`;
    const tabs = lesson.algorithms.map((one) =>
      button("", () => one.nodes && choose(one.name), { "data-name": one.name, title: one.stopped ?? algorithmIdea(one.name) }),
    );
    ladder.replaceChildren(...tabs);
  }
  lesson.algorithms.forEach((one, i) => {
    const tab = /** @type {HTMLElement} */ (ladder.children[i]);
    const on = one.name === name;
    if (on && tab.getAttribute("aria-pressed") !== "true") tab.scrollIntoView({ block: "nearest", inline: "center" });
    tab.setAttribute("aria-pressed", String(on));
    tab.setAttribute("aria-disabled", String(!one.nodes));
    const count = one.nodes ? (watched.has(one.name) ? String(one.visited) : "") : "no table";
    tab.replaceChildren(algorithmTitle(one.name), ...(count ? [html("b", {}, count)] : []));
  });
}

/**
 * Whose choice a node is.
 * @param {GameData} data
 * @param {import("./types.js").LessonNode} node
 */
export function turnOf(data, node) {
  const wants = node.side === 0 ? "wants a high number" : "wants a low number";
  if (node.kind === "finished") return [html("b", {}, "The game is over")];
  return [token(data, node.side), html("b", {}, data.names[node.side] ?? ""), ` ${wants}`];
}

/**
 * The way to the node that this one repeats; it keeps the focus of the next step where it goes.
 * @param {HTMLElement} link
 * @param {number | undefined} first
 */
export function showSame(link, first) {
  if (first === undefined && document.activeElement === link) document.getElementById("lesson-step")?.focus();
  link.hidden = first === undefined;
  link.textContent = `Go to node ${first}`;
}

/**
 * The window of alpha-beta: what each side is sure of.
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Replay} replay
 * @param {Standing} standing
 */
export function showWindow(holder, data, replay, { alpha, beta }) {
  holder.hidden = !WINDOWED.includes(replay.name);
  if (holder.hidden) return;
  const most = 1.1 * (replay.top ?? Math.max(1, ...replay.nodes.map(({ score }) => Math.abs(score ?? 0))));
  const [low, high] = [alpha ?? -most, beta ?? most];
  const span = html("span", { class: low >= high ? "span shut" : "span" });
  span.style.left = `${50 + (50 * Math.min(low, high)) / most}%`;
  span.style.right = `${50 - (50 * Math.max(low, high)) / most}%`;
  holder.replaceChildren(
    html("p", {}, html("b", {}, `α ${alpha === undefined ? "−∞" : scoreText(alpha)}`), ` ${data.names[0]} is sure of at least this`),
    html("div", { class: "scale", "aria-hidden": "true" }, span),
    html("p", {}, html("b", {}, `β ${beta === undefined ? "∞" : scoreText(beta)}`), ` ${data.names[1]} allows at most this`),
  );
}

/**
 * The counts of a step, and how many positions plain minimax visits.
 * @param {HTMLElement} holder
 * @param {Replay} replay
 * @param {Standing} standing
 * @param {number} all
 */
export function showCounts(holder, replay, standing, all) {
  /** @type {[string, number, string][]} */
  const counts = [["Visited", standing.met.size, `of ${all} for minimax`]];
  if (WINDOWED.includes(replay.name)) counts.push(["Moves cut", standing.cut.size, ""]);
  if (CACHED.includes(replay.name)) counts.push(["Cache hits", standing.hits, ""]);
  holder.replaceChildren(
    ...counts.map(([name, count, of]) => html("div", {}, html("dt", {}, name), html("dd", {}, html("b", {}, String(count)), ` ${of}`))),
  );
  holder.style.setProperty("--part", String(all ? Math.min(1, standing.met.size / all) : 0));
}
