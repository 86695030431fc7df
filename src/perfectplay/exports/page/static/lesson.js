// A recorded search, replayed: what is known of each node after some of its steps, and where the nodes stand.

/** @typedef {import("./types.js").LessonNode} LessonNode */
/** @typedef {import("./types.js").LessonStep} LessonStep */
/** @typedef {import("./types.js").Recorded} Recorded */

/** The algorithms that search with a window, and those whose wins count one less for each ply on the way up. */
export const WINDOWED = ["alpha-beta", "flags"];
const HURRIED = ["cache", "symmetry", "table"];

/**
 * What the search knows after a step.
 * @typedef {object} Standing
 * @property {number} at the node that the search is in
 * @property {LessonStep | null} step null at the end
 * @property {Map<number, number>} best the best child so far of each node
 * @property {Map<number, number>} scores the scores so far
 * @property {Set<number>} done nodes whose score is final
 * @property {Set<number>} met nodes that were visited
 * @property {Set<number>} cut
 * @property {number} hits visits that the cache has answered
 * @property {number | undefined} alpha
 * @property {number | undefined} beta
 */

export class Replay {
  /** @param {Recorded} recorded */
  constructor(recorded) {
    this.name = recorded.name;
    this.nodes = recorded.nodes ?? [];
    this.steps = recorded.steps ?? [];
    this.top = recorded.score_of_a_win ?? null;
    this.visited = recorded.visited ?? 0;
    /** Whether the search did not look to the end. */
    this.guesses = this.nodes.some(({ kind }) => kind === "horizon");
    /** @type {number[][]} the children of each node */
    this.below = this.nodes.map(() => []);
    this.nodes.forEach(({ parent }, number) => parent !== undefined && this.below[parent]?.push(number));
    /** @type {Map<number, number>} the last step in each node */
    this.last = new Map();
    this.steps.forEach(({ node }, index) => this.last.set(node, index));
    /** @type {Map<number, number>} the step that enters each node */
    this.entered = new Map();
    this.steps.forEach(({ kind, node }, index) => kind === "enter" && this.entered.set(node, index));
  }

  /** The number of the step after the last, at which the search is over. */
  get end() {
    return this.steps.length;
  }

  /** @param {number} number */
  node(number) {
    return /** @type {LessonNode} */ (this.nodes[number]);
  }

  /** The children that are cut in a node, from one on. @param {number} parent @param {number} first */
  cutFrom(parent, first) {
    return (this.below[parent] ?? []).filter((child) => child >= first && this.node(child).kind === "cut");
  }

  /**
   * What a child gives its parent: a win one move later counts one less.
   * @param {number} child
   */
  gives(child) {
    const score = this.node(child).score ?? 0;
    return this.top !== null && HURRIED.includes(this.name) ? score - Math.sign(score) : score;
  }

  /**
   * What is known after the step of that number; the one after the last is the end.
   * @param {number} index
   * @returns {Standing}
   */
  standing(index) {
    /** @type {Standing} */
    const found = {
      ...{ at: 0, step: this.steps[index] ?? null, best: new Map(), scores: new Map(), hits: 0, alpha: undefined, beta: undefined },
      ...{ done: new Set(), met: new Set(), cut: new Set() },
    };
    for (const [number, step] of this.steps.slice(0, index + 1).entries()) this.take(found, step, number);
    if (index >= this.end) Object.assign(found, { at: 0, alpha: undefined, beta: undefined });
    return found;
  }

  /**
   * Adds what a step finds out.
   * @param {Standing} found
   * @param {LessonStep} step
   * @param {number} number
   */
  take(found, step, number) {
    const node = this.node(step.node);
    found.at = step.node;
    [found.alpha, found.beta] = step.kind === "enter" ? [node.alpha, node.beta] : [step.alpha, step.beta];
    if (step.kind === "enter") {
      found.met.add(step.node);
      if (node.kind === "repeated") found.hits += 1;
    } else if (step.kind === "cut") {
      for (const child of this.cutFrom(step.node, step.child ?? 0)) found.cut.add(child);
    } else {
      found.best.set(step.node, step.best ?? 0);
      found.scores.set(step.node, step.score ?? 0);
    }
    const looked = node.kind === "looked up" && step.kind === "enter";
    if (looked || number === this.last.get(step.node)) {
      found.done.add(step.node);
      found.scores.set(step.node, node.score ?? 0);
    }
  }

  /** How many nodes plain minimax visits below each line of moves. @returns {Map<string, number>} */
  sizes() {
    const sizes = this.nodes.map(() => 1);
    for (let number = this.nodes.length - 1; number > 0; number--) {
      const parent = this.nodes[number]?.parent ?? 0;
      sizes[parent] = (sizes[parent] ?? 0) + (sizes[number] ?? 0);
    }
    return new Map(this.nodes.map((_, number) => [this.line(number), sizes[number] ?? 0]));
  }

  /** The moves that lead to a node, as one text. @param {number} number */
  line(number) {
    const moves = [];
    for (let at = number; at > 0; at = this.node(at).parent ?? 0) moves.push(this.node(at).move);
    return moves.reverse().join(" ");
  }

  /** The nodes from one up to the root. @param {number} number */
  path(number) {
    const path = [number];
    for (let at = number; at > 0; path.push(at)) at = this.node(at).parent ?? 0;
    return path;
  }
}

/**
 * The horizontal place of each node in widths of a node: none overlap, parents are above the middle of their children.
 * Subtrees are packed once to the left and once to the right; the mean of both is balanced (Reingold, Tilford 1981).
 * @param {number[][]} below the children of each node, which come after it
 */
export function tidy(below) {
  const left = packed(below);
  const right = packed(below.map((children) => children.toReversed()));
  const places = left.map((place, node) => (place - (right[node] ?? 0)) / 2);
  const least = Math.min(...places);
  return places.map((place) => place - least);
}

/**
 * The place of each node from the root's, each subtree as far to the left as those before it allow.
 * @param {number[][]} below
 */
function packed(below) {
  const offsets = below.map(() => 0);
  /** @type {{left: number[], right: number[]}[]} the outline of each subtree, from its root */
  const outlines = below.map(() => ({ left: [], right: [] }));
  for (let node = below.length - 1; node >= 0; node--) {
    /** @type {number[]} */
    let left = [];
    /** @type {number[]} */
    let right = [];
    /** @type {number[]} */
    const places = [];
    for (const child of below[node] ?? []) {
      const its = outlines[child] ?? { left: [], right: [] };
      const gaps = its.left.slice(0, right.length).map((begin, level) => (right[level] ?? 0) + 1 - begin);
      const place = gaps.length ? Math.max(...gaps) : 0;
      places.push(place);
      left = [...left, ...its.left.slice(left.length).map((at) => at + place)];
      right = [...its.right.map((at) => at + place), ...right.slice(its.right.length)];
    }
    const middle = places.length ? ((places[0] ?? 0) + (places[places.length - 1] ?? 0)) / 2 : 0;
    (below[node] ?? []).forEach((child, i) => (offsets[child] = (places[i] ?? 0) - middle));
    outlines[node] = { left: [0, ...left.map((at) => at - middle)], right: [0, ...right.map((at) => at - middle)] };
  }
  below.forEach((children, node) => {
    for (const child of children) offsets[child] = (offsets[child] ?? 0) + (offsets[node] ?? 0);
  });
  return offsets;
}
