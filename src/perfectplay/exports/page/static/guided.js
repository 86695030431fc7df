// Guided review: to the position before each mistake, another try, then the answer and why.

import { HUMAN } from "./address.js";
import { ask } from "./api.js";
import { focusBoard } from "./dom.js";
import { WRONG, tryOf } from "./judgements.js";

/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./types.js").Judged} Judged */
/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./why.js").Explainer} Explainer */

/** Instead of a side: both. */
export const EVERYBODY = -1;

export class Guided {
  /**
   * @param {Match} match
   * @param {Explainer} explainer
   * @param {() => void} changed
   */
  constructor(match, explainer, changed) {
    this.match = match;
    this.explainer = explainer;
    this.changed = changed;
    /** @type {Map<string, Review>} by game and moves */
    this.found = new Map();
    /** @type {{key: string, stop: AbortController, done: Promise<void>} | null} the game that is being reviewed */
    this.asking = null;
    /** Why there is no review. */
    this.refused = "";
    this.open = false;
    /** The game that is gone through. */
    this.game = "";
    /** Which of the mistakes is shown; after the last, the summary. */
    this.at = 0;
    /** The side whose moves are gone through. */
    this.side = EVERYBODY;
    /** The move that was tried. */
    this.tried = "";
    this.told = false;
  }

  /** What the game on the board is known by. */
  get key() {
    const { data, state } = this.match;
    return [state.game, data?.rules, data?.solved, state.position, ...state.moves].join(" ");
  }

  /** The review of the game on the board. */
  get review() {
    return this.found.get(this.key);
  }

  /** The plies that are gone through, as indices of the review. */
  get steps() {
    const { review, side, match } = this;
    const plies = review?.plies ?? [];
    return plies.flatMap((one, i) => {
      const counts = one.judgement && WRONG.includes(one.judgement) && (side === EVERYBODY || match.plies[i]?.side === side);
      return counts ? [i] : [];
    });
  }

  /** The mistake that is shown; none at the summary. @returns {Judged | undefined} */
  get step() {
    return this.open ? this.review?.plies[this.steps[this.at] ?? -1] : undefined;
  }

  /** Whether the position before the mistake is on the board. */
  get there() {
    return this.step !== undefined && this.match.state.ply === this.steps[this.at];
  }

  /** Whether a better move is looked for. */
  get trying() {
    return this.there && !this.told;
  }

  /** Asks for the review of the game on the board; the request lives as long as the game stays the same. */
  ask() {
    const { key } = this;
    if (this.found.has(key)) return Promise.resolve();
    if (this.asking?.key === key) return this.asking.done;
    this.forget();
    const stop = new AbortController();
    this.asking = { key, stop, done: this.answer(key, stop.signal) };
    return this.asking.done;
  }

  /** @param {string} key @param {AbortSignal} signal */
  async answer(key, signal) {
    const { state, data } = this.match;
    const rules = state.game.includes(".py") ? "" : (data?.rules ?? "");
    const values = { game: state.game, position: state.position, moves: state.moves.join(","), rules };
    try {
      this.found.set(key, await ask("review", values, signal));
      this.refused = "";
    } catch (fault) {
      if (fault instanceof DOMException) return; // it is another game now
      this.refused = /** @type {Error} */ (fault).message;
    }
    this.asking = null;
    this.changed();
  }

  /** Cancels the review of a game that is no longer on the board, and leaves it. */
  forget() {
    if (this.asking && this.asking.key !== this.key) {
      this.asking.stop.abort();
      this.asking = null;
    }
    if (this.open && this.game !== this.key) this.open = false;
  }

  /** Starts: with the first mistake of the person who played, or of both. */
  async start() {
    const { players } = this.match.state;
    const people = [0, 1].filter((side) => players[side] === HUMAN);
    this.side = people.length === 1 ? (people[0] ?? EVERYBODY) : EVERYBODY;
    this.open = true;
    this.game = this.key;
    this.refused = "";
    this.changed();
    await this.ask();
    if (this.review) await this.go(0);
  }

  /** Shows a mistake, or after the last the summary. @param {number} at */
  async go(at) {
    this.at = at;
    this.tried = "";
    this.told = false;
    const ply = this.steps[at];
    await this.match.jump(ply ?? this.match.plies.length - 1);
    if (ply !== undefined) focusBoard();
    else document.getElementById("review-leave")?.focus();
  }

  /** Goes through the moves of one side, or of both. @param {number} side */
  choose(side) {
    this.side = side;
    void this.go(0);
  }

  /** Ends the review, and goes back to the end of the game. */
  async leave() {
    this.open = false;
    await this.match.jump(this.match.plies.length - 1);
    focusBoard();
  }

  /**
   * Takes a move as a try, and when the answer is told, to show what follows; returns whether it was one.
   * @param {string} move
   */
  take(move) {
    if (!this.there) return false;
    if (this.told) {
      this.explainer.pinned = move;
      this.changed();
      return true;
    }
    this.tried = move;
    this.explainer.pinned = move;
    this.changed();
    return true;
  }

  /** Tells the answer once it is known that the try was as good. */
  settle() {
    const found = this.trying && this.tried ? this.explainer.of(this.match.ply?.position ?? "") : undefined;
    if (!found || tryOf(found, this.tried) !== "best") return;
    this.told = true;
    this.explainer.pinned = "";
  }

  /** Tells the answer. */
  tell() {
    this.told = true;
    this.explainer.pinned = "";
    this.changed();
  }
}
