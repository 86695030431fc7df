// The panel of the guided review: the question, what a try is worth, the answer, and the summary.

import { button, html, refill } from "./dom.js";
import { EVERYBODY } from "./guided.js";
import { JUDGEMENTS, tryOf } from "./judgements.js";
import { refutationText } from "./why.js";
import { accuracy, inMoves, listed } from "./words.js";

/** @typedef {import("./guided.js").Guided} Guided */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Judged} Judged */
/** @typedef {import("./types.js").Review} Review */

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
    const name = other === EVERYBODY ? "both sides" : (data.names[other] ?? "");
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
