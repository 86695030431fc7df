// The games of a tournament: a list with filters, some at a time.

import { button, byId, html, refill } from "./dom.js";
import { numberOf } from "./words.js";

/** @typedef {import("./types.js").TournamentData} TournamentData */
/** @typedef {import("./types.js").TournamentRow} Row */

/** Rows of a page. */
const ROWS = 40;
/** Where the line of a name may break. */
const BREAKS = /(?<=[\s/:,=_…])(?=.)|(?<=\w-)(?=.)/;
const RESULTS = /** @type {const} */ (["1–0", "0–1", "½–½"]);

/** The result of a game. @param {Row} row */
export function resultOf(row) {
  return RESULTS[row.winner ?? 2];
}

/** How a game ended, where it was not played to its end. @param {Row} row */
export function oddly(row) {
  return row.cause ?? (row.unfinished ? "unfinished" : "");
}

/** What is said of a game that does not count in the standings. @param {TournamentData} data @param {Row} row */
export function unless(data, row) {
  const why = data.uncounted[row.number];
  return why === undefined ? "" : `not counted: ${why}`;
}

/** The name of a player, shortened if it is long, with places to break a line. @param {TournamentData} data @param {number} place */
export function label(data, place) {
  const [name = "", short = ""] = [data.players[place], data.short[place]];
  const parts = short.split(BREAKS).flatMap((part) => [part.startsWith("-") ? html("span", { class: "whole" }, part) : part, html("wbr")]);
  const shown = name === short ? parts : [html("span", { "aria-hidden": "true" }, ...parts), html("span", { class: "unseen" }, name)];
  return html("span", { class: "name", title: name }, ...shown);
}

/** The number of blunders in a game. @param {Row} row */
function blundersIn(row) {
  return row.blunders ? row.blunders[0] + row.blunders[1] : 0;
}

/** Whether a game ended so for a player, or for the side that moves first. @param {Row} row @param {string} player @param {string} wanted */
function endedSo(row, player, wanted) {
  const side = row.players[1] === Number(player) && player !== "" ? 1 : 0;
  const result = row.winner === null ? "drawn" : row.winner === side ? "won" : "lost";
  return wanted === "" || wanted === result;
}

/** @type {Record<string, (row: Row, data: TournamentData) => boolean>} */
const ONLY = {
  "": () => true,
  forfeits: (row) => row.cause !== undefined,
  blunders: (row) => blundersIn(row) > 0,
  unfinished: (row) => row.unfinished === true,
  counted: (row, data) => !unless(data, row),
  uncounted: (row, data) => unless(data, row) !== "",
};

export class GameList {
  /** @param {TournamentData} data */
  constructor(data) {
    this.data = data;
    this.from = 0;
    this.chosen = { player: "", against: "", result: "", only: "" };
    /** @type {Row[]} */
    this.rows = [];
  }

  /** Shows the games of two players. @param {string} player @param {string} against */
  pick(player, against) {
    this.chosen = { player, against, result: "", only: "" };
    this.from = 0;
    this.show();
  }

  /** Shows the filters and the games that they leave. */
  show() {
    const { short, games } = this.data;
    const names = short.map((name, i) => /** @type {[string, string]} */ ([String(i), name]));
    const who = this.chosen.player === "" ? "the first player" : (short[Number(this.chosen.player)] ?? "");
    /** @type {[string, string][]} */
    const counting = Object.keys(this.data.uncounted).length || this.chosen.only.endsWith("counted") ? [["counted", "that count"], ["uncounted", "not counted"]] : [];
    refill(
      byId("filters"),
      this.choice("player", "Player", [["", "all players"], ...names]),
      this.choice("against", "Against", [["", "anybody"], ...names]),
      this.choice("result", "Result", [["", "any result"], ["won", `${who} won`], ["drawn", "drawn"], ["lost", `${who} lost`]]),
      this.choice("only", "Only", [["", "all games"], ["blunders", "with blunders"], ["forfeits", "forfeits"], ["unfinished", "unfinished"], ...counting]),
    );
    byId("filters").hidden = games.length === 0;
    this.rows = games.filter((row) => this.isWanted(row));
    if (this.data.live) this.rows.reverse(); // the newest first
    this.from = Math.min(this.from, Math.max(0, Math.ceil(this.rows.length / ROWS) - 1) * ROWS);
    this.page();
  }

  /** Whether the filters leave a game. @param {Row} row */
  isWanted(row) {
    const { player, against, result, only } = this.chosen;
    const plays = [player, against].every((one) => one === "" || row.players.includes(Number(one)));
    return plays && (player === "" || player !== against) && endedSo(row, player, result) && (ONLY[only]?.(row, this.data) ?? true);
  }

  /**
   * A filter.
   * @param {keyof GameList["chosen"]} key
   * @param {string} label
   * @param {[value: string, text: string][]} options
   */
  choice(key, label, options) {
    const found = options.map(([value, text]) => html("option", { value, selected: this.chosen[key] === value }, text));
    const change = () => {
      this.chosen[key] = select.value;
      this.from = 0;
      this.show();
    };
    const select = html("select", { id: `filter-${key}`, change }, ...found);
    return html("label", { class: "field", for: `filter-${key}` }, html("span", {}, label), select);
  }

  /** Shows the rows of this page, and the buttons to others. */
  page() {
    const { rows, from } = this;
    const to = Math.min(rows.length, from + ROWS);
    const all = rows.length === this.data.games.length ? "" : ` (${this.data.games.length.toLocaleString("en")} in all)`;
    byId("count").textContent = rows.length ? `${from + 1} to ${to} of ${rows.length.toLocaleString("en")} games${all}` : "No game matches.";
    byId("list").replaceChildren(...rows.slice(from, to).map((row) => this.item(row)));
    const pages = byId("pages");
    /** @param {string} text @param {number} start @param {string} id */
    const turn = (text, start, id) => {
      const off = start < 0 || start >= rows.length || start === from;
      return button(text, () => !off && this.turn(start), { id, "aria-disabled": off ? "true" : null });
    };
    refill(
      pages,
      turn("First", rows.length ? 0 : -1, "page-first"),
      turn("Previous", from - ROWS, "page-previous"),
      turn("Next", from + ROWS, "page-next"),
      turn("Last", Math.floor(Math.max(0, rows.length - 1) / ROWS) * ROWS, "page-last"),
    );
    pages.hidden = rows.length <= ROWS;
  }

  /** Goes to a page. @param {number} start */
  turn(start) {
    this.from = start;
    this.page();
    byId("games").scrollIntoView();
  }

  /** A game in the list. @param {Row} row */
  item(row) {
    const sides = row.players.map((one, side) => {
      const won = row.winner === side;
      return html("span", { class: won ? "side won" : "side" }, token(this.data, side), label(this.data, one));
    });
    const blunders = blundersIn(row);
    const left = unless(this.data, row);
    return html(
      "li",
      {},
      html(
        "a",
        { href: `#game=${row.number}`, id: `row-${row.number}`, class: left ? "uncounted" : null },
        html("span", { class: "at" }, String(row.number)),
        ...sides,
        html("span", { class: "result" }, resultOf(row)),
        html("span", { class: "plies" }, numberOf(row.plies, "move")),
        html("span", { class: "wrong" }, blunders ? numberOf(blunders, "blunder") : ""),
        html("span", { class: "odd" }, oddly(row), left ? html("span", { class: "left" }, left) : null),
      ),
    );
  }

  /** The number of the game before or after another in the list. @param {number} number @param {number} step */
  beside(number, step) {
    const at = this.rows.findIndex((row) => row.number === number);
    return at < 0 ? undefined : this.rows[at + step]?.number;
  }
}

/** What stands for a side. @param {TournamentData} data @param {number} side */
export function token(data, side) {
  const holder = html("span", { class: "token", "aria-hidden": "true" });
  holder.innerHTML = `<svg class="art" viewBox="-5 -5 10 10">${data.art.tokens[side] ?? ""}</svg>`;
  return holder;
}
