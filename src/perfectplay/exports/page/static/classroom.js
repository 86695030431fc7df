// The classroom: one position, the algorithms of the ladder, and each search step by step; made for a projector.

import { Refusal, ask } from "./api.js";
import { built, keyed, label, showCounts, showLadder, showSame, showWindow, turnOf } from "./classroom_parts.js";
import { Replay } from "./lesson.js";
import { LessonBoard } from "./lesson_board.js";
import { LessonTree } from "./lesson_tree.js";
import { sentence } from "./lesson_words.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Lesson} Lesson */
/** @typedef {NonNullable<import("./types.js").State["lesson"]>} Place where a lesson stands */

/** Milliseconds a step, by speed. */
const SPEEDS = [3200, 2000, 1200, 700, 350, 140, 50];
const USUAL_SPEED = 2;
/** Milliseconds between two texts that are read aloud while the search runs. */
const SPOKEN = 5000;
/** Milliseconds without a step before the address tells where the lesson stands. */
const SETTLED = 400;
/** @type {Place} */
const BEGINNING = { algorithm: "", step: 0, depth: null, small: false };

export class Classroom {
  /**
   * @param {(place: Place) => void} moved keeps where the lesson stands
   * @param {() => void} leave
   */
  constructor(moved, leave) {
    this.moved = moved;
    this.leave = leave;
    /** @type {GameData | null} */
    this.data = null;
    /** @type {LessonBoard | null} */
    this.board = null;
    /** @type {LessonTree | null} */
    this.tree = null;
    /** @type {Lesson | null} */
    this.lesson = null;
    /** @type {Map<string, Replay>} */
    this.replays = new Map();
    /** @type {Map<string, number>} how many positions minimax visits below each line */
    this.sizes = new Map();
    /** @type {Set<string>} the algorithms that were watched to the end */
    this.watched = new Set();
    /** The position that was asked for; empty for one that was chosen here. */
    this.position = "";
    this.name = "";
    this.step = 0;
    this.speed = USUAL_SPEED;
    this.playing = 0;
    this.settling = 0;
    this.spoke = 0;
    this.asked = new AbortController();
    this.parts = built(this.deeds(), SPEEDS.length - 1);
    this.parts.pace.value = String(this.speed);
    this.resized = new ResizeObserver(() => {
      this.tree?.aim();
      this.board?.fit();
    });
    this.hear = (/** @type {KeyboardEvent} */ event) => this.pressed(event);
  }

  /** What the buttons do. @returns {import("./classroom_parts.js").Deeds} */
  deeds() {
    return {
      leave: () => this.leave(),
      full: () => void this.fullScreen(),
      small: () => void this.open(this.data, "", BEGINNING),
      look: (depth) => void this.open(this.data, this.position || (this.lesson?.position ?? ""), { ...BEGINNING, depth }),
      start: () => this.go(0),
      back: () => this.go(this.step - 1),
      play: () => this.toggle(),
      step: () => this.go(this.step + 1),
      end: () => this.go(this.replay?.end ?? 0),
      next: () => this.choose(this.following),
      same: () => this.visit(this.replay?.node(this.replay.standing(this.step).at).same_as),
      hurry: (speed) => this.hurry(speed),
      faster: () => this.hurry(this.speed + 1),
      slower: () => this.hurry(this.speed - 1),
      widen: () => this.show(),
      choose: (number) => this.choose([...this.replays.keys()][number] ?? this.name),
    };
  }

  /** The search that is shown. */
  get replay() {
    return this.replays.get(this.name);
  }

  /** The name of the next algorithm that can be shown; the first again after the last. */
  get following() {
    const names = [...this.replays.keys()];
    return names[(names.indexOf(this.name) + 1) % names.length] ?? "";
  }

  /**
   * Shows a lesson; without a position one is chosen.
   * @param {GameData | null} data
   * @param {string} position
   * @param {Place} place
   */
  async open(data, position, place) {
    if (!data) return;
    this.pause();
    this.asked.abort();
    this.asked = new AbortController();
    const { signal } = this.asked;
    const { room, heading, stage } = this.parts;
    if (!room.isConnected) this.enter();
    if (this.data !== data) this.board = new LessonBoard(stage, data);
    this.data = data;
    this.position = position;
    heading.textContent = data.title;
    this.board?.show(position || data.start);
    this.tell("Recording the searches …");
    try {
      const depth = place.depth ? String(place.depth) : "";
      const found = await ask("classroom", { game: data.game, position, depth }, signal);
      signal.throwIfAborted();
      this.begin(found, place);
    } catch (fault) {
      if (signal.aborted) return;
      this.refuse(fault instanceof Refusal ? fault.message : `something went wrong: ${fault}`);
      if (!(fault instanceof Refusal)) console.error(fault);
    }
  }

  /** Takes the place of the page. */
  enter() {
    for (const one of document.body.children) if (one instanceof HTMLElement) one.inert = true;
    document.body.append(this.parts.room);
    document.documentElement.classList.add("teaching");
    this.resized.observe(this.parts.tree);
    addEventListener("keydown", this.hear, { capture: true });
    this.parts.heading.focus();
  }

  /** Gives the page its place back. */
  close() {
    if (!this.parts.room.isConnected) return;
    this.pause();
    this.asked.abort();
    clearTimeout(this.settling);
    this.parts.room.remove();
    removeEventListener("keydown", this.hear, { capture: true });
    document.documentElement.classList.remove("teaching");
    for (const one of document.body.children) if (one instanceof HTMLElement) one.inert = false;
    if (document.fullscreenElement) void document.exitFullscreen();
  }

  /**
   * Begins with the searches that have come.
   * @param {Lesson} lesson
   * @param {Place} place
   */
  begin(lesson, place) {
    this.refuse("");
    this.lesson = lesson;
    const able = lesson.algorithms.filter((one) => one.nodes);
    this.replays = new Map(able.map((one) => [one.name, new Replay(one)]));
    this.sizes = this.replays.get("minimax")?.sizes() ?? new Map();
    this.watched.clear();
    const { ahead } = this.parts;
    const depth = lesson.depth ? String(lesson.depth) : "";
    if (![...ahead.options].some((one) => one.value === depth)) ahead.add(new Option(`${depth} ahead`, depth));
    ahead.value = depth;
    this.choose(this.replays.has(place.algorithm) ? place.algorithm : (able[0]?.name ?? ""), place.step);
  }

  /**
   * Shows another algorithm, from its start.
   * @param {string} name
   * @param {number} [step]
   */
  choose(name, step = 0) {
    const playing = this.playing !== 0;
    this.pause();
    this.name = name;
    const { replay } = this;
    if (!replay) return;
    this.tree = new LessonTree(this.parts.tree, replay, (node) => this.visit(node));
    this.take(step);
    if (playing) this.toggle();
  }

  /** Goes to the step that enters a node. @param {number | undefined} node */
  visit(node) {
    const step = node === undefined ? undefined : this.replay?.entered.get(node);
    if (step !== undefined) this.go(step);
  }

  /** Pauses, and goes to a step. @param {number} step */
  go(step) {
    this.pause();
    this.take(step);
  }

  /** Goes to a step. @param {number} step */
  take(step) {
    const { replay, lesson } = this;
    if (!replay || !lesson) return;
    this.step = Math.min(Math.max(0, step), replay.end);
    if (this.step === replay.end) this.watched.add(this.name);
    this.show();
    clearTimeout(this.settling);
    const depth = this.position ? lesson.depth : null;
    const place = { algorithm: this.name, step: this.step, depth, small: this.position === "" };
    this.settling = setTimeout(() => this.moved(place), SETTLED);
  }

  /** Plays or pauses; at the end it begins again. */
  toggle() {
    const { replay } = this;
    if (this.playing || !replay) return this.pause();
    const run = () => {
      this.playing = setTimeout(run, SPEEDS[this.speed]);
      this.take(this.step + 1);
      if (this.step >= replay.end) this.pause();
    };
    this.playing = setTimeout(run, SPEEDS[this.speed]);
    return this.step >= replay.end ? this.take(0) : this.show();
  }

  /** Stops playing. */
  pause() {
    if (!this.playing) return;
    clearTimeout(this.playing);
    this.playing = 0;
    this.show();
  }

  /** Sets the speed. @param {number} speed */
  hurry(speed) {
    this.speed = Math.min(Math.max(0, speed), SPEEDS.length - 1);
    this.parts.pace.value = String(this.speed);
  }

  /** Fills the screen, or no longer. */
  async fullScreen() {
    if (document.fullscreenElement) await document.exitFullscreen();
    else await document.documentElement.requestFullscreen?.().catch(() => {});
  }

  /** Says why nothing can be shown; empty when something can. @param {string} text */
  refuse(text) {
    const { fault, small, room } = this.parts;
    fault.textContent = text && `${text[0]?.toUpperCase()}${text.slice(1)}.`;
    fault.hidden = small.hidden = text === "";
    room.classList.toggle("refused", text !== "");
    if (!text) return;
    this.lesson = null;
    this.replays.clear();
    this.tell("");
  }

  /**
   * Shows a sentence; it is read aloud, too, but not too often while the search runs.
   * @param {string} text
   */
  tell(text) {
    this.parts.said.textContent = text;
    if (this.playing && performance.now() - this.spoke < SPOKEN) return;
    this.spoke = performance.now();
    this.parts.spoken.textContent = text;
  }

  /** Shows the step. */
  show() {
    const { data, replay, lesson, parts } = this;
    if (!data || !replay || !lesson) return;
    const standing = replay.standing(this.step);
    const node = replay.node(standing.at);
    this.tell(sentence(data, replay, this.step, this.sizes));
    this.board?.show(node.position, node.parent === undefined ? undefined : replay.node(node.parent).position, node.rows);
    parts.turn.replaceChildren(...turnOf(data, node));
    showSame(parts.same, standing.step?.kind === "enter" ? node.same_as : undefined);
    showWindow(parts.range, data, replay, standing);
    showLadder(parts.ladder, lesson, this.name, this.watched, (name) => this.choose(name));
    showCounts(parts.counts, replay, standing, this.sizes.get("") ?? 0);
    this.tree?.show(standing, parts.whole.checked);
    const [first, over] = [this.step === 0, standing.step === null];
    for (const one of [parts.start, parts.back]) one.setAttribute("aria-disabled", String(first));
    for (const one of [parts.step, parts.end]) one.setAttribute("aria-disabled", String(over));
    label(parts.play, this.playing ? "❚❚" : "▶", this.playing ? "Pause" : "Play");
    parts.next.classList.toggle("strong", over);
  }

  /**
   * Keys, wherever the focus is.
   * @param {KeyboardEvent} event
   */
  pressed(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const at = event.target instanceof Element ? event.target : null;
    const act = keyed(this.deeds(), event.key, at);
    if (act || !at || !this.parts.room.contains(at)) event.stopPropagation(); // the page behind hears nothing
    if (!act) return;
    event.preventDefault();
    act();
  }
}
