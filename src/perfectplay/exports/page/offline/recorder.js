// What is kept of a search: nodes with their scores, and its steps in order, as the server records them.

import { shown } from "./positions.js";

/** @typedef {import("../static/types.js").LessonNode} LessonNode */
/** @typedef {import("../static/types.js").LessonStep} LessonStep */
/** @typedef {import("../static/types.js").Recorded} Recorded */
/** @typedef {{side: number}} Side */

/**
 * A game to search, and what tells its positions apart.
 * @template {Side} P
 * @typedef {object} Source
 * @property {import("./positions.js").Shown<P>} game
 * @property {(place: P) => string} key the same for a position with either side to move
 * @property {((place: P) => string) | null} classKey the same for all images of a position; null without symmetries
 * @property {((place: P) => {value: number, distance: number | null, margin?: number}) | null} entry from the solution, for the side to move
 */

/** The score of a win at the root: more plies than any search has. */
const LONGER = 2 ** 40;

/** @template {Side} P */
export class Recorder {
  /**
   * @param {Source<P>} source
   * @param {number | null} depth
   */
  constructor(source, depth) {
    this.source = source;
    this.depth = depth;
    /** Quick wins count more, and late losses. */
    this.hurries = !source.game.data.points;
    /** @type {LessonNode[]} */
    this.nodes = [];
    /** @type {LessonStep[]} */
    this.steps = [];
  }

  /**
   * Records a node and returns its number.
   * @param {P} place
   * @param {number | undefined} parent
   * @param {number} depth
   * @param {string | undefined} move
   * @param {Partial<LessonNode>} [facts]
   */
  add(place, parent, depth, move, facts = {}) {
    const number = this.nodes.length;
    const position = shown(this.source.game, place);
    this.nodes.push({ parent, depth, move, position, side: place.side, kind: "searched", ...facts });
    if (facts.kind !== "cut") this.steps.push({ kind: "enter", node: number });
    return number;
  }

  /** Adds facts to a node. @param {number} number @param {Partial<LessonNode>} facts */
  note(number, facts) {
    Object.assign(/** @type {LessonNode} */ (this.nodes[number]), facts);
  }

  /**
   * Records that the search is back from a child.
   * @param {number} node
   * @param {number} child
   * @param {number} best
   * @param {number} score
   * @param {number} [alpha]
   * @param {number} [beta]
   */
  back(node, child, best, score, alpha, beta) {
    this.steps.push({ kind: "back", node, child, best, score, alpha, beta });
  }

  /**
   * Records the moves that are cut off.
   * @param {{move: string, child: P}[]} rest
   * @param {number} parent
   * @param {number} depth
   * @param {number} alpha
   * @param {number} beta
   */
  cut(rest, parent, depth, alpha, beta) {
    if (rest.length) this.steps.push({ kind: "cut", node: parent, child: this.nodes.length, alpha, beta });
    for (const { move, child } of rest) this.add(child, parent, depth, move, { kind: "cut", alpha, beta });
  }

  /**
   * The score of a node that is not searched further: at the end of the game, or at the depth limit.
   * @param {P} place
   * @param {number} number
   * @param {number} depth
   * @param {number} moves how many there are
   * @param {number} plies to take off
   */
  end(place, number, depth, moves, plies) {
    if (!moves) {
      const [score, rows] = [withoutPlies(this.value(place), plies), this.source.game.rows(place)];
      this.note(number, { kind: "finished", score, ...(rows.length ? { rows } : {}) });
      return score;
    }
    if (depth !== this.depth) return null;
    this.note(number, { kind: "horizon", score: 0 });
    return 0;
  }

  /** The score of a finished game for the first side. @param {P} place */
  value(place) {
    const { winner, margin } = this.source.game.end(place);
    if (!this.hurries) return (place.side === 0 ? 1 : -1) * (margin ?? 0) || 0;
    return winner === null ? 0 : winner === 0 ? LONGER : -LONGER;
  }

  /** The score in the solution for the first side. @param {P} place */
  lookedUp(place) {
    const { value, distance, margin } = this.source.entry?.(place) ?? { value: 0, distance: null };
    const score = this.hurries ? value * (LONGER - (distance ?? 0)) : (margin ?? 0);
    return (place.side === 0 ? score : -score) || 0;
  }

  /** What was recorded, in scores in which a win is worth 10, 100 or so, less some plies. @returns {Partial<Recorded>} */
  found() {
    const far = this.nodes.map(({ depth, score }) => Math.max(depth, score && this.hurries ? LONGER - Math.abs(score) : 0));
    const top = this.hurries ? 10 ** String(Math.max(...far)).length : null;
    const nodes = this.nodes.map((node) => scaled(node, top));
    const count = (/** @type {string} */ kind) => nodes.filter((node) => node.kind === kind).length;
    return {
      score_of_a_win: top,
      score: nodes[0]?.score ?? 0,
      visited: nodes.length - count("cut"),
      cut: count("cut"),
      repeated: count("repeated"),
      nodes,
      steps: this.steps.map((step) => scaled(step, top)),
    };
  }
}

/**
 * The value with so many plies taken off a win or a loss.
 * @param {number} value
 * @param {number} plies
 */
export function withoutPlies(value, plies) {
  return value - Math.sign(value) * plies;
}

/**
 * A node or a step with small scores, and without what is not known.
 * @template {{score?: number | undefined, alpha?: number | undefined, beta?: number | undefined}} T
 * @param {T} one
 * @param {number | null} top
 * @returns {T}
 */
function scaled(one, top) {
  /** @param {number | undefined} score */
  const small = (score) => {
    if (score === undefined || Math.abs(score) === Infinity) return undefined;
    return top === null || score === 0 ? score : Math.sign(score) * (top - (LONGER - Math.abs(score)));
  };
  const all = { ...one, score: small(one.score), alpha: small(one.alpha), beta: small(one.beta) };
  return /** @type {T} */ (Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)));
}
