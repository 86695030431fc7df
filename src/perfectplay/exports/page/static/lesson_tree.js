// The search tree of a lesson: it grows as the search goes on, and the picture follows the node that the search is in.

import { svg } from "./dom.js";
import { tidy } from "./lesson.js";
import { scoreText } from "./lesson_words.js";

/** @typedef {import("./lesson.js").Replay} Replay */
/** @typedef {import("./lesson.js").Standing} Standing */

/** Lengths in the picture: letters are 24 high, and drawn at the size of the page's letters. */
const LETTER = 24;
const NARROW = 60;
const ROOT = 96;
const HIGH = 68;
const LEVEL = 122;
const GAP = 12;
const EDGE = 26;
/** How far from the middle the node may go before the picture follows, as a share of half the width. */
const SLACK = 0.6;
/** How much larger than the page's letters a small tree is drawn. */
const LARGER = 1.3;
/** How small the letters may become so that the whole tree is seen at the end, by the page's. */
const READABLE = 0.6;

export class LessonTree {
  /**
   * @param {HTMLElement} holder
   * @param {Replay} replay
   * @param {(node: number) => void} jump what a click on a node does
   */
  constructor(holder, replay, jump) {
    this.holder = holder;
    this.replay = replay;
    this.whole = false;
    const longest = Math.max(...replay.nodes.map(({ move, score, bound }) => Math.max((move ?? "").length, scoreText(score ?? 0, bound).length)));
    this.width = Math.max(NARROW, 15 * longest + 26);
    /** The nodes that others repeat. */
    this.firsts = new Set(replay.nodes.map(({ same_as }) => same_as));
    const places = tidy(replay.below);
    /** @type {[number, number][]} the middle of the top of each node */
    this.places = places.map((x, node) => [(x + 0.5) * (this.width + GAP), replay.node(node).depth * LEVEL]);
    this.size = [(Math.max(...places) + 1) * (this.width + GAP), Math.max(...this.places.map(([, y]) => y)) + HIGH + 34];
    this.edges = replay.nodes.map((_, node) => this.edge(node));
    this.boxes = replay.nodes.map((_, node) => this.box(node));
    this.link = svg("path", { class: "link" });
    this.world = svg("g", { class: "world" });
    this.world.append(svg("g", {}, ...this.edges), svg("g", {}, ...this.boxes), this.link);
    this.picture = svg("svg", { class: "lesson-tree", "aria-hidden": "true" }, this.world);
    this.picture.addEventListener("click", (event) => {
      const at = event.target instanceof Element ? event.target.closest("[data-node]") : null;
      const link = event.target instanceof Element ? event.target.closest("[data-same]") : null;
      if (at) jump(Number(link?.getAttribute("data-same") ?? at.getAttribute("data-node")));
    });
    holder.replaceChildren(this.picture);
    this.middle = this.place(0)[0];
    this.over = false;
    this.focus = 0;
  }

  /** @param {number} node @returns {[number, number]} */
  place(node) {
    return this.places[node] ?? [0, 0];
  }

  /** The branch to a node, with a cross if it is cut. @param {number} node */
  edge(node) {
    const { parent, kind } = this.replay.node(node);
    if (parent === undefined) return svg("g");
    const [[x, y], [u, v]] = [this.place(parent), this.place(node)];
    const [top, half] = [y + HIGH, (y + HIGH + v) / 2];
    const line = svg("path", { d: `M${x} ${top} C${x} ${half} ${u} ${half} ${u} ${v}` });
    const cross = svg("path", { class: "cross", d: `M${u - 9} ${v - 24} l18 18 m0 -18 l-18 18` });
    return kind === "cut" ? svg("g", { class: "edge" }, line, cross) : svg("g", { class: "edge" }, line);
  }

  /** A node: its move, its score, and below it what it repeats. @param {number} node */
  box(node) {
    const { move, kind, side, same_as } = this.replay.node(node);
    const [x, y] = this.place(node);
    const wide = node === 0 ? Math.max(this.width, ROOT) : this.width;
    const shape = { x: -wide / 2, width: wide, height: HIGH, rx: side === 0 ? 6 : HIGH / 2.6 };
    const named = this.firsts.has(node);
    return svg(
      "g",
      { "data-node": kind === "cut" ? null : node, transform: `translate(${x} ${y})` },
      svg("rect", shape),
      svg("text", { class: "move", y: LETTER + 3 }, move ?? "start"),
      svg("text", { class: "score", y: 2 * LETTER + 10 }),
      same_as === undefined ? null : svg("text", { class: "same", "data-same": same_as, y: HIGH + EDGE }, `= ${same_as}`),
      named ? svg("text", { class: "name", x: -wide / 2, y: -6 }, String(node)) : null,
      kind === "cut" ? svg("path", { class: "strike", d: `M${-wide / 2 + 6} ${LETTER - 5} H${wide / 2 - 6}` }) : null,
    );
  }

  /**
   * @param {Standing} standing
   * @param {boolean} whole whether all of the tree is seen, however small; it is at the end
   */
  show(standing, whole) {
    const { replay } = this;
    const path = new Set(replay.path(standing.at));
    const known = new Set([...standing.met].map((node) => replay.node(node).same_as));
    replay.nodes.forEach((node, number) => {
      const [box, edge] = [this.boxes[number], this.edges[number]];
      const there = standing.met.has(number) || standing.cut.has(number);
      const score = standing.met.has(number) ? standing.scores.get(number) : undefined;
      const best = node.parent !== undefined && standing.best.get(node.parent) === number;
      const marks = {
        away: !there,
        now: number === standing.at,
        path: path.has(number),
        best,
        open: !standing.done.has(number),
        cut: node.kind === "cut",
        repeated: node.kind === "repeated",
        known: known.has(number),
        plus: score !== undefined && score > 0,
        minus: score !== undefined && score < 0,
        zero: score === 0,
      };
      const classes = Object.entries(marks).flatMap(([name, on]) => (on ? [name] : [])).join(" ");
      if (box?.getAttribute("class") !== `box ${classes}`) box?.setAttribute("class", `box ${classes}`);
      if (edge?.getAttribute("class") !== `edge ${classes}`) edge?.setAttribute("class", `edge ${classes}`);
      const bound = standing.done.has(number) ? node.bound : "";
      const guess = node.kind === "horizon" ? "?" : "";
      const text = score === undefined ? (standing.cut.has(number) ? "cut" : "") : `${scoreText(score, bound)}${guess}`;
      const shown = box?.querySelector(".score");
      if (shown && shown.textContent !== text) shown.textContent = text;
    });
    this.showLink(standing);
    this.focus = standing.at;
    this.whole = whole;
    this.over = standing.step === null;
    this.aim();
  }

  /** An arc from a position that is known to the node that it repeats. @param {Standing} standing */
  showLink(standing) {
    const first = standing.step?.kind === "enter" ? this.replay.node(standing.at).same_as : undefined;
    this.link.classList.toggle("away", first === undefined);
    if (first === undefined) return;
    const [[x, y], [u, v]] = [this.place(standing.at), this.place(first)];
    const [from, low] = [y + HIGH + EDGE + 8, Math.max(y, v) + HIGH + 80];
    this.link.setAttribute("d", `M${x} ${from} C${x} ${low} ${u} ${low} ${u} ${v + HIGH}`);
  }

  /** Moves the picture so that the node is seen, and as little as it must; the whole tree, if that is wanted. */
  aim() {
    const [wide, high] = [this.holder.clientWidth, this.holder.clientHeight];
    const [width = 1, height = 1] = this.size;
    if (!wide || !high) return;
    const letters = Number.parseFloat(getComputedStyle(this.holder).fontSize) / LETTER;
    const fit = Math.min(LARGER * letters, (wide - 16) / width, (high - 16) / height);
    const all = this.whole || (this.over && fit > READABLE * letters);
    const scale = all ? fit : Math.max(fit, letters);
    const [x, y] = this.place(this.focus);
    const half = wide / scale / 2;
    const [low, end] = this.seen();
    if (end - low <= 2 * half) this.middle = within(this.middle, end - half, low + half);
    else this.middle = within(within(this.middle, x - SLACK * half, x + SLACK * half), low + half, end - half);
    if (width <= 2 * half) this.middle = width / 2;
    const room = high / scale;
    const top = height <= room ? (height - room) / 2 : within(y + HIGH / 2 - room / 2, -8, height - room);
    this.world.style.transform = `translate(${wide / 2 - this.middle * scale}px, ${-top * scale}px) scale(${scale})`;
  }

  /** Where the part of the tree that is shown begins and ends. @returns {[number, number]} */
  seen() {
    const shown = this.places.filter((_, node) => !this.boxes[node]?.classList.contains("away")).map(([x]) => x);
    return [Math.min(...shown) - this.width / 2 - GAP, Math.max(...shown) + this.width / 2 + GAP];
  }
}

/**
 * The number nearest to this one that is within bounds.
 * @param {number} number
 * @param {number} low
 * @param {number} high
 */
function within(number, low, high) {
  return Math.min(Math.max(number, low), high);
}
