// Why: a position explained in sentences beside the board and by drawings on it.

import { button, html, refill } from "./dom.js";
import { MOST, NOTHING_DRAWN } from "./drawings.js";
import { inMoves, numberOf, percent, worthText } from "./words.js";

/** @typedef {import("./drawings.js").Drawing} Drawing */
/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./types.js").Drawn} Drawn */
/** @typedef {import("./types.js").Explanation} Explanation */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Reason} Reason */

const SECONDS = "3";
const REFUTED = 12;
const BEST_LINE = "line";
const THREATS = "threats";
/** Plies of a threat, and of a line without an end in sight, that are drawn before somebody asks for more. */
const NEAR = 5;

/** The explanations of positions, asked for when they are wanted, and what of one is shown on the board. */
export class Explainer {
  /**
   * @param {Match} match
   * @param {() => void} changed called when there is something new to show
   */
  constructor(match, changed) {
    this.match = match;
    this.changed = changed;
    this.rules = "";
    /** @type {Map<string, Explanation>} by position */
    this.found = new Map();
    /** @type {Map<string, string>} positions that are asked for, and why some were refused */
    this.asked = new Map();
    /** What is drawn as long as it is pointed at or focused: a move, or a part of the explanation. */
    this.aimed = "";
    /** What stays drawn. */
    this.pinned = "";
    this.turn = -1;
  }

  /**
   * The explanation of a position; it is asked for if it is not known yet.
   * @param {string} position
   */
  of(position) {
    const { data, turn } = this.match;
    const rules = `${data?.game} ${data?.rules} ${data?.solved}`;
    if (rules !== this.rules) for (const kept of [this.found, this.asked]) kept.clear();
    this.rules = rules;
    if (turn !== this.turn) this.aimed = this.pinned = "";
    this.turn = turn;
    if (!this.found.has(position) && !this.asked.has(position)) void this.ask(position);
    return this.found.get(position);
  }

  /** @param {string} position */
  async ask(position) {
    this.asked.set(position, "");
    const rules = this.rules;
    try {
      const found = await this.match.ask("explain", { position, seconds: this.match.data?.solved ? "" : SECONDS });
      if (rules === this.rules) this.found.set(position, found);
      this.asked.delete(position);
    } catch (fault) {
      if (fault instanceof DOMException) this.asked.delete(position); // the position was left
      else this.asked.set(position, /** @type {Error} */ (fault).message);
    }
    this.changed();
  }

  /** What is drawn now. @param {string} position @returns {Drawing} */
  drawing(position) {
    const found = this.found.get(position);
    return found ? drawingOf(found, this.aimed || this.pinned) : NOTHING_DRAWN;
  }
}

/**
 * What is drawn of an explanation: a part of it, the refutation of a move, or all that the position holds.
 * @param {Explanation} found
 * @param {string} part
 * @returns {Drawing}
 */
export function drawingOf(found, part) {
  const { drawn } = found;
  if (part === BEST_LINE) return { threats: [], line: drawn.line };
  if (part === THREATS) return { threats: drawn.threats, line: [] };
  const refuted = drawn.moves[part];
  if (refuted) return { threats: [], line: refuted };
  if (part) return NOTHING_DRAWN;
  const { threats } = found;
  const near = threats?.value === "win" && threats.plies !== null && threats.plies <= NEAR;
  const decided = found.value !== "draw" && found.distance !== null && found.distance <= MOST;
  return { threats: near ? drawn.threats : [], line: decided ? drawn.line : drawn.line.slice(0, NEAR) };
}

/**
 * A move and what follows in words: a1 loses in 4 moves: O b2, X c3, O c1.
 * @param {GameData} data
 * @param {Explanation} found
 * @param {string} name
 */
export function refutationText(data, found, name) {
  const reason = found.moves.find((one) => one.move === name);
  const line = found.drawn.moves[name]?.slice(1) ?? [];
  if (!reason || !line.length) return "";
  const what = reason.value === "loss" ? "loses" : "gives the win away";
  const soon = reason.value === "loss" && reason.distance ? ` in ${numberOf(reason.distance, "move")}` : "";
  const trap = isTrap(reason) ? ` A trap: you see it only ${numberOf(reason.trap ?? 0, "move")} ahead.` : "";
  return `${name} ${what}${soon}${line.length ? `: ${lineText(data, line)}` : ""}.${trap}`;
}

/**
 * The moves of a line, with the side before each: O b2, X c3.
 * @param {GameData} data
 * @param {Drawn[]} line
 */
function lineText(data, line) {
  return line.map((one, i) => (line[i - 1]?.side === one.side ? one.move : `${data.names[one.side]} ${one.move}`)).join(", ");
}

/**
 * @typedef {object} Shown
 * @property {Explanation | undefined} found
 * @property {string} refused why there is none
 * @property {string} pinned
 */

/**
 * The sentences, and everything that can be drawn, as buttons that draw it.
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Shown} shown
 * @param {(part: string) => void} aim draws a part for a moment; empty for none
 * @param {(part: string) => void} pin draws it until it is unpinned
 */
export function showWhy(holder, data, { found, refused, pinned }, aim, pin) {
  const sentences = html("ul", { id: "reasons", class: "reasons" });
  if (!found) {
    sentences.append(html("li", { class: "quiet" }, refused ? inMoves(refused) : "Looking for reasons …"));
    refill(holder, sentences);
    return;
  }
  sentences.append(...found.sentences.map(({ text }) => html("li", {}, inMoves(text))));
  const parts = partsOf(data, found).map(({ part, title, text, count }) => {
    const on = pinned === part;
    const one = button("", () => pin(on ? "" : part), {
      id: `why-${part}`,
      class: "part",
      "aria-pressed": String(on),
      pointerenter: () => aim(part),
      pointerleave: () => aim(""),
      focus: () => aim(part),
      blur: () => aim(""),
    });
    one.append(html("b", {}, title), html("span", {}, text), ...(count ? [html("span", { class: "unseen" }, count)] : []));
    return html("li", {}, one);
  });
  const list = html("ul", { class: "parts", "aria-label": "Show on the board" }, ...parts);
  const key = parts.length ? [html("p", { class: "legend" }, ...keyOf(data, found))] : [];
  refill(holder, sentences, ...facts(found), ...(parts.length ? [list] : []), ...key);
}

/**
 * What can be drawn: threats, the best line, and the moves that fail.
 * @param {GameData} data
 * @param {Explanation} found
 */
function partsOf(data, { threats, drawn, moves }) {
  /** @type {{part: string, title: string, text: string, count?: string}[]} */
  const parts = [];
  if (threats && drawn.threats.length) {
    const title = threats.double ? "Double threat" : drawn.threats.length > 1 ? "Threats" : "Threat";
    parts.push({ part: THREATS, title, text: lineText(data, drawn.threats) });
  }
  if (drawn.line.length) parts.push({ part: BEST_LINE, title: "Best line", text: lineText(data, drawn.line) });
  const failing = moves.filter((one) => drawn.moves[one.move]);
  for (const one of failing.slice(0, REFUTED)) {
    const text = `${worthText({ ...one, text: failText(one), best: false })}: ${lineText(data, drawn.moves[one.move]?.slice(1) ?? [])}`;
    parts.push({ part: one.move, title: one.move, text: isTrap(one) ? `${text} · trap` : text });
  }
  return parts;
}

/** Whether a move looks fine until one looks far enough; in games for points nobody sees plies. @param {Reason} reason */
function isTrap({ trap, margin }) {
  return trap !== null && margin === undefined;
}

/** What becomes of a move that fails. @param {Reason} reason */
function failText({ value, distance, margin }) {
  if (value !== "loss") return "only a draw";
  if (typeof margin === "number") return `loses by ${-margin}`;
  return distance === null ? "loses" : `loses in ${distance}`;
}

/**
 * How sharp and how difficult the position is.
 * @param {Explanation} found
 */
function facts({ moves, sharpness, difficulty, value }) {
  if (sharpness === null || difficulty === null || sharpness === 1 || value === "loss") return [];
  const kept = Math.round(sharpness * moves.length);
  const sharp = `${kept} of ${numberOf(moves.length, "move")} ${kept === 1 ? "keeps" : "keep"} the ${value}`;
  const about = "the mean over levels 1 to 10";
  return [html("p", { class: "quiet", title: about }, `${sharp}. Players go wrong here ${percent(difficulty)} of the time.`)];
}

/**
 * What the signs on the board mean, those that are there.
 * @param {GameData} data
 * @param {Explanation} found
 */
function keyOf(data, { drawn }) {
  const signs = [];
  if (drawn.threats.length) signs.push(html("span", {}, html("span", { class: "sign alarm" }, "!"), "a threat is carried out here"));
  for (const side of [0, 1])
    signs.push(html("span", {}, html("span", { class: `sign ${side === 0 ? "first" : "second"}` }, String(side + 1)), `${data.names[side]}'s moves`));
  return signs;
}
