// A piece of the game tree: the moves of a position, best first, and beneath each its replies, asked for when unfolded.

import { icon, token } from "./board.js";
import { button, html } from "./dom.js";
import { chanceBar } from "./moves.js";
import { ALIKE, alikes, byPoints, ended, inMoves, isBest, isEndless, latest, marked, worthText } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Here} Here */
/** @typedef {import("./types.js").Worth} Worth */
/** @typedef {{position: string, side: number, here: Here}} Place a position in the tree */

const SHOWN = 12;
const SLACK = 3;

/**
 * What the tree needs to know and can do.
 * @typedef {object} Grown
 * @property {GameData} data
 * @property {(line: string[]) => Place | undefined} place the position after a line from there, if it is known
 * @property {(place: Place) => Analysis | undefined} known
 * @property {(line: string[]) => string} refused why a position cannot be shown
 * @property {(line: string[]) => boolean} unfolded
 * @property {(line: string[], on: boolean) => void} fold unfolds or folds
 * @property {(line: string[]) => boolean} wide whether all moves after a line are shown, however many
 * @property {(line: string[]) => void} widen shows all
 * @property {(line: string[]) => void} go
 * @property {(line: string[] | null) => void} peek
 */

/**
 * The moves after a line, each with its replies if they are unfolded.
 * @param {Grown} grown
 * @param {string[]} line
 * @param {string} label
 * @returns {HTMLElement}
 */
export function branches(grown, line, label) {
  const place = grown.place(line);
  const known = place && grown.known(place);
  if (place?.here.over) return html("p", { class: "quiet" }, ended(grown.data.names[place.here.winner ?? -1], place.here));
  if (!place || !known) return html("p", { class: "quiet" }, inMoves(grown.refused(line)) || "Analysing …");
  const list = html("ul", { "aria-label": label });
  const moves = marked(known);
  const shown = grown.wide(line) ? moves.length : room(moves);
  for (const worth of moves.slice(0, shown)) list.append(branch(grown, [...line, worth.move], worth, place));
  if (shown < moves.length) list.append(html("li", {}, more(grown, line, moves.slice(shown), shown > 0)));
  return list;
}

/**
 * How many of the moves are shown at first: some, all if these are few more, and never very many with the same value.
 * @param {Worth[]} moves
 */
function room(moves) {
  const many = alikes(moves);
  const crowd = moves.findIndex((worth) => (many.get(worthText(worth)) ?? 0) > ALIKE);
  const most = moves.length <= SHOWN + SLACK ? moves.length : SHOWN;
  return crowd < 0 ? most : Math.min(crowd, most);
}

/**
 * A move and, if they are unfolded, its replies.
 * @param {Grown} grown
 * @param {string[]} line
 * @param {Worth} worth
 * @param {Place} place
 */
function branch(grown, line, worth, place) {
  const open = grown.unfolded(line);
  const leaf = worth.distance === 1;
  const fold = leaf
    ? html("span", { class: "fold" })
    : button(open ? "▾" : "▸", () => grown.fold(line, !open), {
        id: `fold-${line.join(" ")}`,
        class: "fold plain",
        "aria-expanded": String(open),
        "aria-label": `Replies to ${worth.move}`,
      });
  const item = html("li", {}, html("div", { class: "branch" }, fold, row(grown, line, worth, place)));
  if (open && !leaf) item.append(branches(grown, line, `Replies to ${worth.move}`));
  return item;
}

/**
 * A move: who makes it, its name, its result, the distance, and its win probability against a model.
 * @param {Grown} grown
 * @param {string[]} line
 * @param {Worth} worth
 * @param {Place} place
 */
function row(grown, line, worth, place) {
  const { data } = grown;
  const best = isBest(worth);
  const whole = button("", () => grown.go(line), {
    id: `go-${line.join(" ")}`,
    class: `worth ${worth.value ?? "open"} ${best || worth.only ? "best" : ""}`,
    pointerenter: () => grown.peek(line),
    pointerleave: () => grown.peek(null),
    focus: () => grown.peek(line),
    blur: () => grown.peek(null),
  });
  const result = resultText(data, place.side, worth);
  whole.append(
    token(data, place.side),
    html("b", {}, worth.move),
    worth.value === null ? html("span", { class: "icon", "aria-hidden": "true" }, "?") : icon(worth.value),
    html("span", { class: "text", title: worthText(worth) }, result),
    html("span", { class: "far", title: data.points ? "Points with best play" : "Moves to the end with best play" }, distanceText(worth)),
  );
  if (worth.chance) whole.append(chanceBar(worth.chance, worth.streetwise === true));
  if (best) whole.append(html("span", { class: "pill" }, "best"));
  return whole;
}

/**
 * How a move turns out, with the name of the side that wins.
 * @param {GameData} data
 * @param {number} side who makes it
 * @param {Worth} worth
 */
export function resultText(data, side, worth) {
  if (worth.value === "draw") return "Draw";
  if (worth.value !== null) return `${data.names[worth.value === "win" ? side : 1 - side]} wins`;
  const text = worthText(worth);
  return text.endsWith("draw") ? `${text} for ${data.names[side]}` : text;
}

/**
 * The points, or the moves to the end as far as they are known.
 * @param {Worth} worth
 */
export function distanceText(worth) {
  if (worth.margin !== undefined) return byPoints(worth);
  if (worth.distance !== null) return `in ${worth.distance}`;
  if (isEndless(worth)) return "endless";
  const far = latest(worth);
  return far === null || worth.value === null ? "" : `in at most ${far}`;
}

/**
 * The moves that are not shown: how many, and what is known of them if it is the same.
 * @param {Grown} grown
 * @param {string[]} line
 * @param {Worth[]} hidden
 * @param {boolean} others whether others are shown
 */
function more(grown, line, hidden, others) {
  const texts = new Set(hidden.map(worthText));
  const count = `${hidden.length} ${others ? "more " : ""}${hidden.length === 1 ? "move" : "moves"}`;
  const text = texts.size === 1 ? `${count}: ${[...texts].join("")}` : count;
  return button(text, () => grown.widen(line), { id: `more-${line.join(" ")}`, class: "link more" });
}

/**
 * Arrow keys: up and down go from move to move, right unfolds, left folds or goes to the move before.
 * @param {KeyboardEvent} event
 */
export function stepped(event) {
  const { currentTarget: tree, target } = event;
  if (!(tree instanceof HTMLElement) || !(target instanceof HTMLElement)) return;
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const rows = /** @type {HTMLElement[]} */ ([...tree.querySelectorAll(".worth")]);
  const item = target.closest("li");
  const mine = /** @type {HTMLElement | null | undefined} */ (item?.querySelector(".worth"));
  const fold = /** @type {HTMLElement | null | undefined} */ (item?.querySelector(":scope > .branch > button.fold"));
  const at = mine ? rows.indexOf(mine) : -1;
  const open = fold?.getAttribute("aria-expanded") === "true";
  /** @type {Record<string, () => void>} */
  const keys = {
    ArrowDown: () => rows[at + 1]?.focus(),
    ArrowUp: () => rows[at - 1]?.focus(),
    Home: () => rows[0]?.focus(),
    End: () => rows[rows.length - 1]?.focus(),
    ArrowRight: () => (open ? rows[at + 1]?.focus() : fold?.click()),
    ArrowLeft: () => (open ? fold?.click() : above(item)?.focus()),
  };
  const act = keys[event.key];
  if (!act) return;
  event.preventDefault();
  event.stopPropagation();
  act();
}

/**
 * The move to which this is a reply.
 * @param {HTMLElement | null} item
 * @returns {HTMLElement | null | undefined}
 */
function above(item) {
  return item?.parentElement?.closest("li")?.querySelector(".worth");
}
