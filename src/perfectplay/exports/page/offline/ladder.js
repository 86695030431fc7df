// The algorithms of the ladder, recorded in this page as the server records them: the same nodes, the same steps.

import { Refusal, given, shown } from "./positions.js";
import { Recorder, withoutPlies } from "./recorder.js";

/** @typedef {{side: number}} Side */
/** @typedef {import("../static/types.js").Lesson} Lesson */
/** @typedef {Record<string, string>} Values */

const MOST = 1000;
const DEEPEST = 20;
/** The true score is at most, equal to, or at least the one that is kept. */
const [UPPER, EXACT, LOWER] = [-1, 0, 1];
/** @type {Record<number, "≤" | "≥" | undefined>} */
const SIGNS = { [UPPER]: "≤", [LOWER]: "≥" };

/**
 * Whether a score is better than another for the first side, or else for the second.
 * @param {boolean} mine
 * @param {number} found
 * @param {number} score
 */
function improves(mine, found, score) {
  return mine ? found > score : found < score;
}

/**
 * Every line to its end.
 * @template {Side} P
 * @param {Recorder<P>} tree
 * @param {P} place
 * @param {number} number
 * @param {number} depth
 * @returns {number}
 */
function minimax(tree, place, number, depth) {
  const moves = tree.source.game.steps(place);
  const end = tree.end(place, number, depth, moves.length, 0);
  if (end !== null) return end;
  let [best, score] = [-1, 0];
  for (const { move, child } of moves) {
    const below = tree.add(child, number, depth + 1, move);
    const found = minimax(tree, child, below, depth + 1);
    if (best < 0 || improves(place.side === 0, found, score)) [best, score] = [below, found];
    tree.back(number, below, best, score);
  }
  tree.note(number, { score, best });
  return score;
}

/**
 * The score, and the least and the greatest that it can be; each move at the root gets a full window.
 * @template {Side} P
 * @param {Recorder<P>} tree
 * @param {P} place
 * @param {number} number
 * @param {number} depth
 * @param {number} [alpha]
 * @param {number} [beta]
 * @returns {{score: number, low: number, high: number}}
 */
function alphaBeta(tree, place, number, depth, alpha = -Infinity, beta = Infinity) {
  const moves = tree.source.game.steps(place);
  tree.note(number, { alpha, beta });
  const end = tree.end(place, number, depth, moves.length, tree.hurries ? depth : 0);
  if (end !== null) return { score: end, low: end, high: end };
  const mine = place.side === 0;
  let [best, score] = [-1, 0];
  const [lows, highs] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (const [i, { move, child }] of moves.entries()) {
    const below = tree.add(child, number, depth + 1, move);
    const window = depth === 0 ? [-Infinity, Infinity] : [alpha, beta];
    const found = alphaBeta(tree, child, below, depth + 1, window[0], window[1]);
    lows.push(found.low);
    highs.push(found.high);
    if (best < 0 || improves(mine, found.score, score)) [best, score] = [below, found.score];
    [alpha, beta] = mine ? [Math.max(alpha, score), beta] : [alpha, Math.min(beta, score)];
    tree.back(number, below, best, score, alpha, beta);
    if (alpha >= beta && i + 1 < moves.length) {
      tree.cut(moves.slice(i + 1), number, depth + 1, alpha, beta);
      lows.push(-Infinity);
      highs.push(Infinity);
      break;
    }
  }
  const choose = mine ? Math.max : Math.min;
  const [low, high] = [choose(...lows), choose(...highs)];
  const bound = low === high ? undefined : score === low ? "≥" : "≤";
  tree.note(number, { score, best, bound });
  return { score, low, high };
}

/**
 * Every position once; the cache knows them by a key.
 * @template {Side} P
 * @param {Recorder<P>} tree
 * @param {(place: P) => string} key
 */
function cached(tree, key) {
  /** @type {Map<string, {score: number, first: number}>} for the side to move */
  const cache = new Map();
  /** @param {P} place @param {number} number @param {number} depth @returns {number} */
  const search = (place, number, depth) => {
    const [name, sign] = [`${key(place)} ${tree.depth === null ? "" : depth}`, place.side === 0 ? 1 : -1];
    const known = cache.get(name);
    if (known) {
      tree.note(number, { kind: "repeated", score: sign * known.score || 0, same_as: known.first });
      return sign * known.score || 0;
    }
    const moves = tree.source.game.steps(place);
    const end = tree.end(place, number, depth, moves.length, 0);
    let [best, score] = [-1, end ?? 0];
    for (const { move, child } of end === null ? moves : []) {
      const below = tree.add(child, number, depth + 1, move);
      const found = withoutPlies(search(child, below, depth + 1), tree.hurries ? 1 : 0);
      if (best < 0 || improves(place.side === 0, found, score)) [best, score] = [below, found];
      tree.back(number, below, best, score);
    }
    if (end === null) tree.note(number, { score, best });
    cache.set(name, { score: sign * score, first: number });
    return score;
  };
  return search;
}

/**
 * Alpha-beta with a table of scores and bounds.
 * @template {Side} P
 * @param {Recorder<P>} tree
 */
function flagged(tree) {
  /** @type {Map<string, {score: number, bound: number, first: number}>} for the side to move */
  const table = new Map();
  /** @param {P} place @param {number} number @param {number} depth @param {number} alpha @param {number} beta @returns {number} */
  const search = (place, number, depth, alpha, beta) => {
    const moves = tree.source.game.steps(place);
    tree.note(number, { alpha, beta });
    const end = tree.end(place, number, depth, moves.length, 0);
    if (end !== null) return end;
    const [name, mine] = [`${tree.source.key(place)} ${tree.depth === null ? "" : depth}`, place.side === 0];
    const sign = mine ? 1 : -1;
    const [low, high] = mine ? [alpha, beta] : [-beta, -alpha];
    const known = table.get(name);
    if (known && (known.bound === LOWER ? known.score >= high : known.bound === EXACT || known.score <= low)) {
      const score = sign * known.score || 0;
      tree.note(number, { kind: "repeated", score, bound: SIGNS[sign * known.bound], same_as: known.first });
      return score;
    }
    let [best, score] = [-1, 0];
    for (const [i, { move, child }] of moves.entries()) {
      const below = tree.add(child, number, depth + 1, move);
      const found = search(child, below, depth + 1, alpha, beta);
      if (best < 0 || improves(mine, found, score)) [best, score] = [below, found];
      [alpha, beta] = mine ? [Math.max(alpha, score), beta] : [alpha, Math.min(beta, score)];
      tree.back(number, below, best, score, alpha, beta);
      if (alpha >= beta) {
        tree.cut(moves.slice(i + 1), number, depth + 1, alpha, beta);
        break;
      }
    }
    const bound = sign * score >= high ? LOWER : sign * score <= low ? UPPER : EXACT;
    tree.note(number, { score, best, bound: SIGNS[sign * bound] });
    table.set(name, { score: sign * score, bound, first: number });
    return score;
  };
  return search;
}

/**
 * The position and its moves in the solution.
 * @template {Side} P
 * @param {Recorder<P>} tree
 * @param {P} place
 */
function lookedUp(tree, place) {
  let [best, score] = [-1, 0];
  for (const { move, child } of tree.source.game.steps(place)) {
    const there = tree.lookedUp(child);
    const below = tree.add(child, 0, 1, move, { kind: "looked up", score: there });
    const gives = withoutPlies(there, tree.hurries ? 1 : 0);
    if (best < 0 || improves(place.side === 0, gives, score)) [best, score] = [below, gives];
    tree.back(0, below, best, score);
  }
  tree.note(0, { kind: "looked up", score: tree.lookedUp(place), best });
}

/**
 * What each algorithm does in a position; without one in that which came with the page.
 * @template {Side} P
 * @param {import("./recorder.js").Source<P>} source
 * @param {Values} values
 * @returns {Lesson}
 */
export function lesson(source, values) {
  const { game, classKey, entry } = source;
  const usual = game.data.lesson ?? { position: game.data.start, depth: null };
  const chosen = !values.position;
  const place = given(game, { position: values.position || usual.position });
  const depth = values.depth ? depthOf(values.depth) : chosen ? usual.depth : null;
  const position = shown(game, place);
  if (!game.steps(place).length) throw new Refusal(`${position} is the end of the game; there is nothing to search`);
  if (isLarge(game, place, depth)) {
    const less = "play more moves first, or look fewer moves ahead";
    throw new Refusal(`the search tree of this position has more than ${MOST.toLocaleString("en")} nodes, too many to watch; ${less}`);
  }
  /** @type {[string, (tree: Recorder<P>) => void][]} */
  const searches = [
    ["minimax", (tree) => void minimax(tree, place, 0, 0)],
    ["alpha-beta", (tree) => void alphaBeta(tree, place, 0, 0)],
    ["cache", (tree) => void cached(tree, source.key)(place, 0, 0)],
  ];
  if (classKey) searches.push(["symmetry", (tree) => void cached(tree, classKey)(place, 0, 0)]);
  searches.push(["flags", (tree) => void flagged(tree)(place, 0, 0, -Infinity, Infinity)]);
  if (entry) searches.push(["table", (tree) => lookedUp(tree, place)]);
  const algorithms = searches.map(([name, search]) => {
    const tree = new Recorder(source, depth);
    tree.add(place, undefined, 0, undefined);
    search(tree);
    return { name, ...tree.found() };
  });
  return { game: game.data.game, position, side: place.side, depth, chosen, algorithms };
}

/** How many plies to look ahead. @param {string} text */
function depthOf(text) {
  const depth = Number(text);
  if (!/^\d+$/.test(text) || depth < 1 || depth > DEEPEST) throw new Refusal(`depth must be a number from 1 to ${DEEPEST}, not '${text}'`);
  return depth;
}

/**
 * Whether the tree from a position on has too many nodes.
 * @template {Side} P
 * @param {import("./positions.js").Shown<P>} game
 * @param {P} place
 * @param {number | null} depth
 */
function isLarge(game, place, depth) {
  let count = 1;
  const waiting = [{ place, plies: 0 }];
  for (let here = waiting.pop(); here && count <= MOST; here = waiting.pop()) {
    const { plies } = here;
    if (plies === depth) continue;
    const below = game.steps(here.place);
    count += below.length;
    waiting.push(...below.map(({ child }) => ({ place: child, plies: plies + 1 })));
  }
  return count > MOST;
}
