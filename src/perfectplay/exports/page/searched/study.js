// A position under analysis: its value first, then a best move, then the values of all, then how long they last. It can be left and taken up again.

import { ONGOING, STYLES } from "./machine.js";
import { before, bestOf, exact, knownBy, later, nothing, settled, valueOf } from "./scores.js";
import { shortestDraw } from "./draws.js";

/** @typedef {import("./book.js").Book} Book */
/** @typedef {import("./game.js").Game} Game */
/** @typedef {import("./game.js").Place} Place */
/** @typedef {import("./game.js").Step} Step */
/** @typedef {import("./scores.js").Known} Known */
/** @typedef {Step & {after: Known, closed: boolean, nodes: number}} Studied a move, what is known after it, whether that is all, and the effort of the next proof */

const GLANCE = 1 << 13;
const MOST_GLANCE = 1 << 24;
const MORE = 8;
/** Milliseconds for the value of a position, for all its moves, and for one of which not even the value is found. */
const VALUE_TIME = 15_000;
const ALL_TIME = 120_000;
const OPEN_TIME = 20_000;

export class Study {
  /**
   * @param {Game} game
   * @param {Book} book
   * @param {Place} place
   */
  constructor(game, book, place) {
    this.game = game;
    this.machine = game.machine;
    this.place = place;
    this.spent = 0;
    this.glance = GLANCE;
    /** Whether nothing more will be found, and whether nothing more by a search of the position itself. */
    this.done = this.closed = false;
    const outcome = this.machine.outcome(place.words);
    const entry = book.find(place.words);
    /** @type {Map<string, Known>} by symmetry class: moves to the same have one */
    const classes = new Map();
    /** @type {Studied[]} */
    this.moves = game.steps(place).map((step) => {
      const found = book.find(step.child.words);
      const least = this.machine.code.smallest(...step.child.words).join();
      const after = classes.get(least) ?? (found ? knownBy(found) : nothing());
      classes.set(least, after);
      return { ...step, after, closed: false, nodes: GLANCE };
    });
    /** @type {Known} what is known of the position, besides what its moves tell */
    this.known = nothing();
    if (outcome !== ONGOING) this.known = knownBy({ value: outcome, distance: 0 });
    else if (entry) this.known = knownBy(entry);
    this.finish();
  }

  /** What is known of the position. @returns {Known} */
  get here() {
    if (!this.moves.length) return this.known;
    const best = bestOf(this.moves.map((move) => before(move.after)));
    const [low, high] = [Math.max(best.low, this.known.low), Math.min(best.high, this.known.high)];
    return { low, high, draw: low === 0 && high === 0 ? (this.known.draw ?? best.draw) : null };
  }

  /** The moves that are proven to be as good as any. */
  get best() {
    const { here } = this;
    if (!settled(here)) return [];
    return this.moves.filter(({ after }) => before(after).low === here.low);
  }

  /** Whether everything is known. */
  get exact() {
    return exact(this.here) && this.moves.every((move) => exact(move.after));
  }

  /** Takes note of what is certain, and whether more can be found. */
  finish() {
    const value = valueOf(this.here);
    if (this.exact || this.spent > ALL_TIME || (value === null && this.spent > OPEN_TIME)) this.done = true;
  }

  /**
   * Proves one thing more, or a part of it.
   * @param {AbortSignal} [signal]
   */
  async advance(signal) {
    const { here } = this;
    const open = this.moves.filter((move) => !settled(move.after) && !move.closed);
    const [valued, worth] = [settled(here) || this.closed, later(here.low)];
    const able = this.moves.filter(({ after }) => !settled(after) && after.low <= worth && worth <= after.high);
    if (open.length && (this.glance === GLANCE || (!valued && this.spent > VALUE_TIME))) await this.look(open, signal);
    else if (!valued) await this.evaluate(signal);
    else if (settled(here) && !this.best.length && able.length) await this.prove(able, worth, signal);
    else if (open.length) await this.weigh(open, here, signal);
    else await this.measure(signal);
    this.finish();
  }

  /** Looks at all open moves, as deep as some nodes allow. @param {Studied[]} open @param {AbortSignal} [signal] */
  async look(open, signal) {
    const nodes = this.glance;
    for (const move of open) await this.narrow(move, { style: STYLES.deepen, nodes, signal });
    this.glance = Math.min(2 * nodes, MOST_GLANCE);
  }

  /** Finds the value of the position, then its score. @param {AbortSignal} [signal] */
  async evaluate(signal) {
    const { here, known } = this;
    [known.low, known.high] = [here.low, here.high];
    const time = Math.max(0, VALUE_TIME - this.spent);
    const how = { time, signal, ...(valueOf(known) === null && { enough: decided }) };
    const { final, took } = await this.machine.narrow(this.place.words, known, how);
    this.spent += took;
    this.closed = final && !settled(known);
    if (settled(known) && known.low === 0) known.draw = this.machine.left(this.place.words);
  }

  /**
   * Tries to prove that a move is as good as the position, each in turn with more and more nodes.
   * @param {Studied[]} able the moves that may be
   * @param {number} worth the score after a best move
   * @param {AbortSignal} [signal]
   */
  async prove(able, worth, signal) {
    const least = Math.min(...able.map((move) => move.nodes));
    for (const move of able) {
      if (move.nodes > least || this.best.length) continue;
      move.nodes = MORE * least;
      move.after.low = Math.max(move.after.low, worth); // no move leads to less
      await this.narrow(move, { style: STYLES.test, goal: worth + 1, nodes: least, signal });
      move.closed = false;
    }
  }

  /**
   * Finds the value of a move, or if all are known, a score.
   * @param {Studied[]} open
   * @param {Known} here
   * @param {AbortSignal} [signal]
   */
  async weigh(open, here, signal) {
    const unknown = open.find(({ after }) => valueOf(after) === null);
    const move = unknown ?? open[0];
    if (!move) return;
    const { after } = move;
    after.low = Math.max(after.low, Math.min(later(here.high), after.high)); // no move leads to less
    const time = Math.max(0, ALL_TIME - this.spent);
    await this.narrow(move, { time, signal, ...(unknown && { enough: decided }) });
  }

  /**
   * Narrows what is known of a move; of a draw also how long it lasts, where the rules tell.
   * @param {Studied} move
   * @param {import("./machine.js").How} how
   */
  async narrow(move, how) {
    const { words } = move.child;
    const { final, took } = await this.machine.narrow(words, move.after, how);
    this.spent += took;
    move.closed = final && !settled(move.after);
    if (settled(move.after) && move.after.low === 0)
      move.after.draw ??= this.machine.outcome(words) === 0 ? 0 : this.machine.left(words);
  }

  /** Finds how long a draw lasts where only a search can tell. @param {AbortSignal} [signal] */
  async measure(signal) {
    const move = this.moves.find(({ after }) => after.low === 0 && after.draw === null);
    const begin = performance.now();
    if (move) move.after.draw = await shortestDraw(this.machine, move.child.words, signal);
    this.spent += performance.now() - begin;
    if (!move || move.after.draw === null) this.done = true;
  }

  /** What is known of a move. @param {Studied} move @returns {Known} */
  worth({ after }) {
    return before(after);
  }

  /** The moves, best first: by the proven score, then by the possible one; of draws, the shorter first. */
  ranked() {
    /** @param {Studied} move */
    const order = (move) => {
      const { low, high, draw } = before(move.after);
      return low * 1e6 + high * 1e3 - (draw ?? 0);
    };
    return [...this.moves].sort((a, b) => order(b) - order(a));
  }
}

/** Whether bounds tell the value. @param {{low: number, high: number}} bounds */
function decided({ low, high }) {
  return low > 0 || high < 0;
}
