// Guided review: to the position before each mistake, another try, then the answer and why.

import { HUMAN } from "./address.js";
import { ask } from "./api.js";
import { button, focusBoard, html, refill } from "./dom.js";
import { JUDGEMENTS, WRONG, tryOf } from "./judgements.js";
import { refutationText } from "./why.js";
import { accuracy, inMoves, listed } from "./words.js";

/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./types.js").Explanation} Explanation */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Judged} Judged */
/** @typedef {import("./types.js").Review} Review */
/** @typedef {import("./why.js").Explainer} Explainer */

const EVERYBODY = -1;
/** The rows of the summary. @type {[string, (one: import("./types.js").Summary) => string][]} */
const MEASURES = [
  ["Accuracy", (one) => (one.accuracy === null ? "–" : accuracy(one.accuracy))],
  ["Moves", (one) => String(one.moves)],
  ["Best", (one) => String(one.best)],
  ["Good", (one) => String(one.good)],
  ["Inaccuracies ?!", (one) => String(one.inaccuracies)],
  ["Mistakes ?", (one) => String(one.mistakes)],
  ["Blunders ??", (one) => String(one.blunders)],
];

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

/**
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Guided} guided
 */
export function showGuided(holder, data, guided) {
  const { review, step } = guided;
  const { refused } = guided;
  const leave = button("Leave the review", () => void guided.leave(), { id: "review-leave" });
  if (!review) {
    const text = refused ? inMoves(refused) : "Reviewing the game …";
    refill(holder, html("h2", {}, "Review"), html("p", {}, text), html("div", { class: "row wrap" }, leave));
    return;
  }
  if (step) refill(holder, ...mistakeParts(data, guided, step, leave));
  else refill(holder, ...summaryParts(data, guided, review, leave));
}

/**
 * A mistake: what was played, what was tried, and when it is told, what was better.
 * @param {GameData} data
 * @param {Guided} guided
 * @param {Judged} step
 * @param {HTMLElement} leave
 */
function mistakeParts(data, guided, step, leave) {
  const { steps, at } = guided;
  const heading = html("h2", {}, `${at + 1} of ${steps.length}: ${JUDGEMENTS[step.judgement ?? "mistake"].name}`);
  const who = step.side;
  const played = `Move ${step.ply}: ${who} played ${step.move}${costText(step)}.`;
  const said = html("div", { class: "said" });
  if (guided.told) said.append(...answer(guided, step));
  else {
    said.append(html("p", {}, played));
    said.append(html("p", { class: "task" }, guided.tried ? tryText(data, guided) : `What is better? Play it on the board as ${who}.`));
  }
  const row = html("div", { class: "row wrap" });
  if (!guided.there) row.append(button("Back to the position", () => void guided.go(at), { id: "review-back", class: "strong" }));
  else if (!guided.told) row.append(button("Show the answer", () => guided.tell(), { id: "review-answer" }));
  const last = at === steps.length - 1;
  row.append(button(last ? "Summary" : "Next", () => void guided.go(at + 1), { id: "review-next", class: guided.told ? "strong" : "" }));
  if (at > 0) row.append(button("Previous", () => void guided.go(at - 1), { id: "review-previous" }));
  if (guided.told) row.append(button("Try again", () => void guided.go(at), { id: "review-again" }));
  row.append(leave);
  return [heading, said, row];
}

/**
 * What a move cost: which threw away the win; which wins, but more slowly.
 * @param {Judged} step
 */
function costText({ before, after, judgement }) {
  if (judgement === "inaccuracy") return after.value === "win" ? ", which still wins, but not best" : ", which is not best";
  if (before.value === "win") return after.value === "loss" ? ", which turned a win into a loss" : ", which threw away the win";
  return ", which lost the draw";
}

/**
 * The answer: the better moves, the line and why.
 * @param {Guided} guided
 * @param {Judged} step
 */
function answer(guided, step) {
  const right = guided.tried && step.better.includes(guided.tried);
  const kept = step.judgement === "inaccuracy" ? "" : ` keeps the ${step.before.value}`;
  const parts = [];
  if (right) parts.push(html("p", { class: "right" }, `✓ Right: ${guided.tried}${kept || " is best"}.`));
  const others = step.better.filter((move) => move !== guided.tried);
  if (others.length) parts.push(html("p", {}, right ? `${listed(others)} would do as well.` : `${listed(others)} was better.`));
  if (step.line.length > 1) parts.push(html("p", {}, `Best play: ${step.line.join(", ")}.`));
  if (step.why) parts.push(html("p", {}, inMoves(step.why)));
  return parts;
}

/**
 * How a try compares with the best.
 * @param {GameData} data
 * @param {Guided} guided
 */
function tryText(data, guided) {
  const { tried, match, explainer } = guided;
  const position = match.ply?.position ?? "";
  const found = explainer.found.get(position);
  if (!found) return explainer.asked.get(position) || `Judging ${tried} …`;
  const texts = {
    best: `${tried} is right.`,
    slower: `${tried} keeps the ${found.value}, but something is better. Try again, or see the answer.`,
    worse: `${refutationText(data, found, tried)} Try again, or see the answer.`,
    open: `What ${tried} is worth is not proven. Try another move, or see the answer.`,
  };
  return texts[tryOf(found, tried)];
}

/**
 * How both sides played, and where the game turned.
 * @param {GameData} data
 * @param {Guided} guided
 * @param {Review} review
 * @param {HTMLElement} leave
 */
function summaryParts(data, guided, review, leave) {
  const { steps, side } = guided;
  const whose = side === EVERYBODY ? "" : ` by ${data.names[side]}`;
  const none = steps.length ? "The review is done" : `No mistakes${whose}`;
  const sides = review.summary;
  const heads = sides.map((one) => html("th", { scope: "col" }, one.side));
  const rows = MEASURES.map(([name, measure]) => {
    return html("tr", {}, html("th", { scope: "row" }, name), ...sides.map((one) => html("td", {}, measure(one))));
  });
  const table = html(
    "table",
    { class: "summary" },
    html("thead", {}, html("tr", {}, html("td", {}), ...heads)),
    html("tbody", {}, ...rows),
  );
  const turned = turningText(review);
  const practise = sides.flatMap((one, i) => {
    const told = one.practise && (side === EVERYBODY || side === i);
    return told ? [html("p", {}, html("b", {}, `${one.side}: `), inMoves(one.practise ?? ""))] : [];
  });
  const row = html("div", { class: "row wrap" });
  if (steps.length) row.append(button("Once more", () => void guided.go(0), { id: "review-once-more" }));
  for (const other of [EVERYBODY, 0, 1]) {
    const name = other === EVERYBODY ? "Both sides" : (data.names[other] ?? "");
    if (other !== side) row.append(button(`Review ${name}`, () => guided.choose(other), { id: `review-side-${other}` }));
  }
  row.append(leave);
  return [html("h2", {}, none), table, ...(turned ? [html("p", {}, turned)] : []), ...practise, row];
}

/**
 * Where the game turned, in words.
 * @param {Review} review
 */
export function turningText(review) {
  const turn = review.plies.find((one) => one.ply === review.turning_point);
  return turn ? `Turning point: move ${turn.ply}, ${turn.side} ${turn.move}. After it the result did not change.` : "";
}
