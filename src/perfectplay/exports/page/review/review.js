// A review, step by step: the board, the judgement of each move, what was better, and the value curve.

/**
 * @typedef {{pieces: string, changed: number[], spoken: string}} Board
 * @typedef {{side: string, practise: string | null}} Side
 * @typedef {object} Ply
 * @property {number} ply
 * @property {string} side
 * @property {string} move
 * @property {string | null} judgement
 * @property {string} words
 * @property {string} why
 * @property {string[]} better
 * @property {string[]} line
 * @property {string} told the line in words
 * @property {Board[]} boards those of the better line
 * @typedef {object} Review
 * @property {string} heading
 * @property {string} turned
 * @property {string} note
 * @property {string[]} sides
 * @property {Side[]} summary
 * @property {number | null} turning_point
 * @property {Ply[]} plies
 * @property {Board[]} boards
 * @property {(number | null)[]} curve
 * @typedef {object} Art
 * @property {string} board
 * @property {number[]} box
 * @property {[number, number][]} places
 * @property {string[]} grounds
 * @property {number[]} ground_of
 * @property {string} under
 * @property {string} over
 * @property {string[][]} pieces
 * @property {string[]} tokens what stands for a side
 */

/** @type {Record<string, string>} */
const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" };
const [WIDE, HIGH, EDGE] = [320, 110, 8];
/** How wide a letter of a label is. */
const LETTER = 4.9;
const PIECE = 48;

/** @type {{art: Art, sides: string[], games: Review[]}} */
const data = JSON.parse(byId("data").textContent ?? "");
const pieces = data.art.pieces.flat();
/** @type {Review} */
let review = /** @type {Review} */ (data.games[0]);
/** The moves that have been made on the board, and of the better line after them. */
let [shown, along] = [0, 0];

/** @param {string} id @returns {HTMLElement} */
function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * An element with attributes and content.
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} content
 */
function html(name, attributes = {}, ...content) {
  const one = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, value);
  one.append(...content);
  return one;
}

/**
 * @param {string} text
 * @param {() => void} act
 * @param {boolean} current
 */
function step(text, act, current) {
  const one = html("button", { type: "button", ...(current ? { "aria-current": "step" } : {}) }, text);
  one.addEventListener("click", act);
  return one;
}

/** The board as SVG. @param {Board} board */
function drawing(board) {
  const { art } = data;
  const squares = art.places.map(([x, y], i) => {
    const ground = art.grounds[art.ground_of[i] ?? 0] ?? "";
    const piece = pieces[board.pieces.charCodeAt(i) - PIECE] ?? "";
    const fresh = board.changed.includes(i) ? ' class="new"' : "";
    return `<g${fresh} transform="translate(${x} ${y})">${ground}${piece}</g>`;
  });
  return `<svg class="art ${art.board}" viewBox="${art.box.join(" ")}" aria-hidden="true">${art.under}${squares.join("")}${art.over}</svg>`;
}

/** Goes to a position of the game, or of the better line of the move after it. @param {number} ply @param {number} [line] */
function go(ply, line = 0) {
  shown = Math.max(0, Math.min(review.plies.length, ply));
  along = line;
  show();
}

function show() {
  const made = review.plies[shown - 1];
  const board = along && made ? made.boards[along - 1] : review.boards[shown];
  if (!board) return;
  byId("board").innerHTML = drawing(board);
  byId("board").setAttribute("aria-label", `Board: ${board.spoken}`);
  byId("said").replaceChildren(...said(made));
  document.querySelectorAll("#plies button").forEach((one, i) => {
    if (i === shown) one.setAttribute("aria-current", "step");
    else one.removeAttribute("aria-current");
    const list = byId("plies");
    if (i === shown && one instanceof HTMLElement) list.scrollTop = one.offsetTop - list.offsetTop - list.clientHeight / 2;
  });
  byId("curve").replaceChildren(curve());
  for (const [id, off] of /** @type {[string, boolean][]} */ ([["first", shown === 0], ["back", shown === 0], ["forward", shown === review.plies.length], ["last", shown === review.plies.length], ["next", nextMistake() === null]]))
    byId(id).setAttribute("aria-disabled", String(off));
}

/** What is said of a move. @param {Ply | undefined} made */
function said(made) {
  if (!made) return [html("h2", {}, "Start"), html("p", {}, review.heading), html("p", {}, review.turned)];
  const judged = made.judgement ?? "not proven";
  const head = html("h2", {}, `${made.ply}. ${made.side} ${made.move} `, html("span", { class: `mark ${made.judgement ?? "open"}` }, judged));
  const parts = [head, html("p", {}, made.why), html("p", { class: "quiet" }, made.words.replace("->", "→"))];
  if (!made.better.length) return parts;
  const moves = made.line.map((move, i) => step(move, () => go(made.ply, i + 1), along === i + 1));
  const played = step("back to the game", () => go(made.ply), false);
  parts.push(html("p", {}, `Better: ${made.better.join(", ")}.`));
  parts.push(html("div", { class: "line", role: "group", "aria-label": "The better line" }, "Line:", ...moves, ...(made.told.endsWith("...") ? ["…"] : []), ...(along ? [played] : [])));
  return parts;
}

/** The number of the next move that worsened the result, null if there is none. */
function nextMistake() {
  const found = review.plies.find((made) => made.ply > shown && (made.judgement === "mistake" || made.judgement === "blunder"));
  return found ? found.ply : null;
}

/** @param {string} name @param {Record<string, string | number>} attributes @param {string} [text] */
function svg(name, attributes, text = "") {
  const one = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [key, value] of Object.entries(attributes)) one.setAttribute(key, String(value));
  one.textContent = text;
  return one;
}

/** The value curve: bands of wins, draws and losses of the first side. */
function curve() {
  const last = Math.max(1, review.plies.length);
  const labels = data.sides.map((side) => `${side} wins`);
  const left = EDGE + LETTER * Math.max(...labels.map((label) => label.length));
  /** @param {number} ply */
  const x = (ply) => left + (ply / last) * (WIDE - left - EDGE);
  /** @param {number} height */
  const y = (height) => HIGH / 2 - height * (HIGH / 2 - EDGE);
  const about = `Value of the game over ${last} moves, for ${data.sides[0]}. ${review.turned}`;
  const picture = svg("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, role: "img", "aria-label": about });
  ["win", "draw", "loss"].forEach((kind, i) => picture.append(svg("rect", { class: `band ${kind}`, y: (i * HIGH) / 3, width: WIDE, height: HIGH / 3 })));
  [labels[0], "draw", labels[1]].forEach((label, i) => picture.append(svg("text", { x: 4, y: ((2 * i + 1) * HIGH) / 6 + 3 }, label)));
  picture.append(svg("line", { class: "now", x1: x(shown), x2: x(shown), y1: 0, y2: HIGH }));
  let path = "";
  review.curve.forEach((height, i) => {
    if (height === null) return;
    const before = review.curve[i - 1];
    path += `${before === null || before === undefined ? "M" : "L"}${x(i).toFixed(1)} ${y(height).toFixed(1)}`;
  });
  picture.append(svg("path", { class: "curve", d: path }));
  review.curve.forEach((height, i) => {
    if (height === null) return;
    const judged = review.plies[i - 1]?.judgement;
    const wrong = judged === "mistake" || judged === "blunder";
    const at = `translate(${x(i).toFixed(1)} ${y(height).toFixed(1)})`;
    picture.append(wrong ? svg("path", { class: "wrong", d: "M0 -5 L5 0 L0 5 L-5 0 Z", transform: at }) : svg("circle", { class: "point", r: 2, transform: at }));
  });
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const across = (((event.clientX - box.left) / box.width) * WIDE - left) / (WIDE - left - EDGE);
    go(Math.round(across * last));
  });
  return picture;
}

/** The heading without the name of the game. @param {Review} one */
function brief(one) {
  return one.heading.slice(one.heading.lastIndexOf(": ") + 2);
}

/** A piece of a side. @param {number} side */
function token(side) {
  const holder = html("span");
  holder.innerHTML = `<svg class="art token" viewBox="-5 -5 10 10" aria-hidden="true">${data.art.tokens[side] ?? ""}</svg>`;
  return holder;
}

/** Shows a game from its start. @param {number} number */
function open(number) {
  review = /** @type {Review} */ (data.games[number]);
  byId("heading").textContent = brief(review);
  const list = [html("li", {}, step("Start", () => go(0), false))];
  for (const made of review.plies) {
    const one = step(`${made.ply}. ${made.side} ${made.move}`, () => go(made.ply), false);
    const sign = SIGNS[made.judgement ?? ""];
    if (sign) one.append(html("span", { class: `sign ${made.judgement}`, "aria-hidden": "true" }, sign), html("span", { class: "unseen" }, `, ${made.judgement}`));
    list.push(html("li", {}, one));
  }
  byId("plies").replaceChildren(...list);
  const sides = review.summary.map((side, i) => {
    const practise = side.practise ? [html("dd", {}, `To practise: ${side.practise}`)] : [html("dd", {}, "No move of this side is judged.")];
    return html("div", {}, html("dt", {}, token(i), review.sides[i] ?? ""), ...practise);
  });
  const note = review.note ? [html("p", { class: "quiet" }, review.note)] : [];
  byId("summary").replaceChildren(html("h2", {}, "Summary"), html("dl", {}, ...sides), html("p", {}, review.turned), ...note);
  go(0);
}

const deeds = {
  first: () => go(0),
  back: () => go(shown - (along ? 0 : 1)),
  forward: () => go(shown + 1),
  last: () => go(review.plies.length),
  next: () => go(nextMistake() ?? shown),
};
for (const [id, act] of Object.entries(deeds)) byId(id).addEventListener("click", act);
/** @type {Record<string, () => void>} */
const keys = { ArrowLeft: deeds.back, ArrowRight: deeds.forward, Home: deeds.first, End: deeds.last };
document.addEventListener("keydown", (event) => {
  const act = keys[event.key];
  if (!act || event.ctrlKey || event.altKey || event.metaKey || event.target instanceof HTMLSelectElement) return;
  event.preventDefault();
  act();
});
const games = document.getElementById("games");
if (games instanceof HTMLSelectElement) {
  data.games.forEach((one, i) => games.append(html("option", { value: String(i) }, `${i + 1}: ${brief(one)}`)));
  games.addEventListener("change", () => open(games.selectedIndex));
}
open(0);
