// Positions typed or set up, the record of a game, and its solution as files.

import { readRecord, writeRecord } from "./address.js";
import { MARK, link } from "./api.js";
import { sample } from "./board.js";
import { button, html, refill } from "./dom.js";
import { download, fileName } from "./download.js";
import { pieceName } from "./squares.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Square} Square */
/** @typedef {import("./types.js").State} State */

/** @typedef {{squares: Square[], side: number, piece: Square}} SetUp a position that is being set up */

/**
 * @typedef {object} Deeds
 * @property {(text: string) => void} go
 * @property {() => void} begin
 * @property {(side: number) => void} turn
 * @property {(piece: Square) => void} take
 * @property {() => void} use
 * @property {() => void} cancel
 * @property {() => void} clear
 * @property {(record: ReturnType<typeof readRecord>) => void} open
 */

/**
 * @param {HTMLElement} holder
 * @param {State} state
 * @param {string} text the position on the board
 * @param {string} ending
 * @param {boolean} solved
 * @param {SetUp | null} setUp
 * @param {Deeds} deeds
 */
export function showPosition(holder, state, text, ending, solved, setUp, deeds) {
  const off = { spellcheck: "false", autocomplete: "off", maxlength: 512 };
  const input = html("input", { id: "position-text", value: text, ...off });
  const form = html(
    "form",
    { class: "field" },
    html("label", { for: "position-text" }, "Position"),
    html("span", { class: "row" }, input, html("button", { type: "submit" }, "Go")),
  );
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    deeds.go(input.value);
  });
  const { game } = state;
  refill(
    holder,
    form,
    button("Set up by clicking", deeds.begin, { id: "set-up", disabled: setUp !== null }),
    html(
      "div",
      { class: "row wrap" },
      button("Download record", () => save(`${fileName(game)}.txt`, writeRecord(state, ending))),
      opener(deeds),
      html(
        "a",
        { class: "button", href: link("analysis", { game, position: text }), download: `${fileName(game)}.json` },
        "Position as JSON",
      ),
    ),
    ...(solved && MARK === "?" ? [exports(game)] : []),
  );
}

/** The whole solution as files. @param {string} game */
function exports(game) {
  const kinds = { "json.gz": "JSON", h: "C" };
  const links = Object.entries(kinds).map(([format, name]) =>
    html("a", { class: "button", href: link("export", { game, format }), download: "" }, name),
  );
  return html("div", { class: "row wrap" }, "Export:", ...links);
}

/**
 * The palette and the side to move of a position that is being set up, below the board.
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {SetUp | null} setUp
 * @param {Deeds} deeds
 */
export function showSetting(holder, data, setUp, deeds) {
  holder.hidden = setUp === null;
  if (!setUp) return void holder.replaceChildren();
  const palette = html("fieldset", { class: "palette" }, html("legend", {}, "Click squares to put"));
  /** @type {Square[]} */
  const pieces = [null, ...data.pieces.flatMap((names, owner) => names.map((_, kind) => ({ owner, kind }))).filter(isFirst(data))];
  for (const piece of pieces) {
    const chosen = piece?.owner === setUp.piece?.owner && piece?.kind === setUp.piece?.kind;
    const name = pieceName(data, piece);
    const id = piece ? `piece-${piece.owner}${name}` : "piece-none";
    const change = () => deeds.take(piece);
    const input = html("input", { id, type: "radio", name: "piece", checked: chosen, change });
    const shown = piece ? [sample(data, piece), html("span", { class: "unseen" }, name)] : ["empty"];
    palette.append(html("label", {}, input, ...shown));
  }
  const turns = html("fieldset", { class: "palette" }, html("legend", {}, "To move"));
  data.sides.forEach((side, i) => {
    const change = () => deeds.turn(i);
    const input = html("input", { id: `turn-${i}`, type: "radio", name: "turn", checked: i === setUp.side, change });
    turns.append(html("label", {}, input, side));
  });
  const buttons = html(
    "div",
    { class: "row wrap" },
    button("Play from here", deeds.use, { id: "use", class: "strong" }),
    button("Clear the board", deeds.clear, { id: "clear" }),
    button("Cancel", deeds.cancel, { id: "leave" }),
  );
  refill(holder, palette, turns, buttons);
  return undefined;
}

/**
 * Whether a piece is not the other side's that looks the same.
 * @param {GameData} data
 * @returns {(piece: {owner: number, kind: number}) => boolean}
 */
function isFirst(data) {
  const [first, second] = data.art.pieces;
  return ({ owner, kind }) => owner === 0 || first.indexOf(second[kind] ?? "") < 0;
}

/** @param {Deeds} deeds */
function opener(deeds) {
  const input = html("input", { type: "file", accept: ".txt,text/plain", class: "unseen", id: "record-file" });
  input.addEventListener("change", async () => {
    const file = input.files?.[0];
    input.value = "";
    if (file) deeds.open(readRecord(await file.slice(0, 1 << 16).text()));
  });
  return html("label", { class: "button", for: "record-file" }, input, "Open record");
}

/**
 * @param {string} name
 * @param {string} text
 */
function save(name, text) {
  download(name, new Blob([text], { type: "text/plain" }));
}
