// The game so far: a plot of its values, the moves and the mistakes.

import { button, html, refill } from "./dom.js";
import { plot } from "./evaluation.js";
import { JUDGEMENTS, WRONG } from "./judgements.js";
import { accuracy, inMoves, inTurn, numberOf, truth, turnsOf } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Ply} Ply */
/** @typedef {import("./words.js").Mistake} Mistake */

/**
 * @typedef {object} Past
 * @property {Ply[]} plies
 * @property {number} ply
 * @property {(Analysis | undefined)[]} worth the analysis of each position
 * @property {boolean} looking whether more analyses are on their way
 * @property {(Mistake | null)[]} mistakes of the move that led to each position
 * @property {import("./types.js").Review} [review] the judgements of all moves
 * @property {boolean} secret whether what was better is not told yet
 */

/**
 * @typedef {object} Deeds
 * @property {(ply: number) => void} jump
 * @property {(() => void) | null} review goes through the mistakes
 */

const MARKS = { lost: "✕", missed: "○", slower: "↓" };
const NAMES = { lost: "losing move", missed: "win thrown away", slower: "not the best" };

/**
 * What is said of a move: its kind, mark and name, why, and whether it is a fault worth a sentence.
 * @typedef {{kind: string, mark: string, name: string, text: string, fault: boolean}} Remark
 */

/**
 * A remark on the move to each position: the judgements of the review, or as long as there is none, the mistakes.
 * @param {Past} past
 * @returns {(Remark | null)[]}
 */
function remarks({ plies, mistakes, review }) {
  return plies.map((_, i) => {
    const [judged, wrong] = [review?.plies[i - 1], mistakes[i]];
    if (review && judged?.judgement) {
      const kind = judged.judgement;
      return { kind, ...JUDGEMENTS[kind], text: inMoves(judged.why), fault: WRONG.includes(kind) };
    }
    if (review || !wrong) return null;
    return { ...wrong, mark: MARKS[wrong.kind], name: NAMES[wrong.kind], fault: wrong.kind !== "slower" };
  });
}

/**
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Past} past
 * @param {Deeds} deeds
 */
export function showHistory(holder, data, past, deeds) {
  const known = past.worth.filter((one) => one && one.value !== null).length;
  const said = remarks(past);
  const start = past.plies.length > 1 && !past.secret ? deeds.review : null;
  refill(
    holder,
    ...(known > 1 ? [drawing(data, past, said, deeds.jump), views(holder, data, past, deeds)] : []),
    moveList(data, past, said, deeds.jump),
    ...(past.review ? [html("p", { class: "quiet", id: "accuracy" }, accuracyText(data, past.review))] : []),
    ...(known > 1 && known < past.plies.length && !past.looking ? [open(past.plies.length - known)] : []),
    ...(past.secret ? [] : sentences(data, past, said, deeds.jump)),
    ...(start ? [button("Review this game", start, { id: "review-game" })] : []),
  );
  const current = holder.querySelector("[aria-current]");
  const list = holder.querySelector("ol");
  if (current instanceof HTMLElement && list) list.scrollTop = current.offsetTop - list.clientHeight / 2;
}

/** @typedef {import("./evaluation.js").View} View */
/** @type {Record<View, string>} */
const VIEWS = { result: "Result", distance: "Distance", points: "Points" };
/** @type {View} what the plot shows */
let view = "result";

/**
 * @param {GameData} data
 * @param {Past} past
 * @param {(Remark | null)[]} said
 * @param {(ply: number) => void} jump
 */
function drawing(data, past, said, jump) {
  const marks = said.map((one) => (one?.kind === "slower" ? null : one));
  return plot(data, { ...past, marks, view: viewOf(data), about: summary(data, past, said) }, jump);
}

/**
 * What the plot shows of this game: not every game has points, and those that have no distances.
 * @param {GameData} data
 * @returns {View}
 */
function viewOf(data) {
  return view === "result" ? view : data.points ? "points" : "distance";
}

/**
 * The choice between the result and the distance or the points.
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {Past} past
 * @param {Deeds} deeds
 */
function views(holder, data, past, deeds) {
  const group = html("div", { class: "views", role: "group", "aria-label": "What the plot shows" });
  for (const name of /** @type {const} */ (["result", data.points ? "points" : "distance"])) {
    const show = () => {
      view = name;
      showHistory(holder, data, past, deeds);
    };
    const pressed = String(viewOf(data) === name);
    group.append(button(VIEWS[name], show, { id: `view-${name}`, class: "plain", "aria-pressed": pressed }));
  }
  return group;
}

/**
 * How many positions are not proven.
 * @param {number} count
 */
function open(count) {
  const what = count === 1 ? "1 position is" : `${count} positions are`;
  return html("p", { class: "quiet" }, `${what} not proven by the search.`);
}

/**
 * The plot in words.
 * @param {GameData} data
 * @param {Past} past
 * @param {(Remark | null)[]} said
 */
function summary(data, past, said) {
  const wrong = said.filter((one) => one?.fault).length;
  const known = past.worth[past.ply];
  const now = known ? truth(data, past.plies[past.ply]?.side ?? 0, known) : "";
  return `Value of the game over ${numberOf(past.plies.length - 1, "move")}; ${numberOf(wrong, "mistake")}. ${now}`;
}

/**
 * How well each side played, in words.
 * @param {GameData} data
 * @param {import("./types.js").Review} review
 */
function accuracyText(data, { summary: sides }) {
  const known = sides.flatMap((one, i) => (one.accuracy === null ? [] : [`${data.names[i]} ${accuracy(one.accuracy)}`]));
  return known.length ? `Accuracy: ${known.join(", ")}.` : "";
}

/**
 * @param {GameData} data
 * @param {Past} past
 * @param {(Remark | null)[]} said
 * @param {(ply: number) => void} jump
 */
function moveList(data, past, said, jump) {
  const list = html("ol", { class: "played", "aria-label": "Moves played" });
  list.append(
    ...listedTurns(data, past.plies, (i, what) => {
      const one = said[i];
      const why = one && !past.secret ? one.text : "";
      const mark = one?.mark ? html("span", { class: `flaw ${one.kind}`, title: why, "aria-hidden": "true" }, one.mark) : null;
      const spoken = one ? html("span", { class: "unseen" }, `, ${one.name}`) : null;
      const jumper = button("", () => jump(i), { id: `ply-${i}`, "aria-current": i === past.ply ? "step" : false });
      jumper.append(what, ...(mark ? [mark] : []), ...(spoken ? [spoken] : []));
      return jumper;
    }),
  );
  return list;
}

/**
 * The start and the turns of a game, an item each, the moves of a turn side by side: 3. X a1, b1, then c2.
 * @param {GameData} data
 * @param {Ply[]} plies
 * @param {(ply: number, text: string) => HTMLElement} link
 */
export function listedTurns(data, plies, link) {
  const turns = turnsOf(plies).map((turn, i) => {
    const who = `${i + 1}. ${data.names[plies[(turn[0] ?? 1) - 1]?.side ?? 0]} `;
    const links = turn.map((ply, k) => {
      const [first, last] = [k === 0, k > 0 && k === turn.length - 1];
      return link(ply, `${first ? who : last ? "then " : ""}${plies[ply]?.move}`);
    });
    const several = turn.length > 1 ? { class: "turns", title: `${who}${inTurn(movesOf(plies, turn))}` } : {};
    return html("li", several, ...links);
  });
  return [html("li", {}, link(0, "Start")), ...turns];
}

/** @param {Ply[]} plies @param {number[]} turn */
function movesOf(plies, turn) {
  return turn.map((ply) => plies[ply]?.move ?? "");
}

/**
 * The mistakes in words.
 * @param {GameData} data
 * @param {Past} past
 * @param {(Remark | null)[]} said
 * @param {(ply: number) => void} jump
 */
function sentences(data, past, said, jump) {
  const found = said.flatMap((one, i) => (one?.fault ? [{ ...one, i }] : []));
  if (!found.length) return [];
  const list = html("ul", { class: "mistakes", "aria-label": "Mistakes" });
  const turns = turnsOf(past.plies);
  for (const { i, text, kind, mark: sign } of found) {
    const ply = past.plies[i];
    const who = data.names[past.plies[i - 1]?.side ?? 0];
    const number = turns.findIndex((turn) => turn.includes(i)) + 1;
    const jumper = button(`${number}. ${who} ${ply?.move}`, () => jump(i - 1), { class: "link" });
    const mark = html("span", { class: `flaw ${kind}`, "aria-hidden": "true" }, sign);
    list.append(html("li", {}, mark, jumper, ` ${text}`));
  }
  return [list];
}
