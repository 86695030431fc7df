// A game of a tournament on the board: step by step, with the value of every position and what each blunder cost.

import { button, byId, html, refill } from "./dom.js";
import { plot } from "./evaluation.js";
import { squareName } from "./squares.js";
import { label, oddly, resultOf, token, unless } from "./tournament_list.js";
import { numberOf } from "./words.js";

/** @typedef {import("./types.js").TournamentData} TournamentData */
/** @typedef {import("./types.js").TournamentRow} Row */
/** @typedef {import("./types.js").TournamentReplay} Game */
/** @typedef {import("./tournament_list.js").GameList} GameList */

const EMPTY = ".";
/** Characters from 0 to ~ stand for numbers below 79; larger ones leave the control characters after them out. */
const [ZERO, PLAIN, GAP] = [48, 79, 34];
/** How far a finger goes to step, in pixels. */
const SWIPE = 40;
/** Plies to the end of a win that is drawn in the middle of its band, where no distance is known. */
const MIDWAY = 4;
/** More moves are not listed one by one. */
const MOST_LISTED = 400;

/** The number that a character stands for. @param {string} text @param {number} [at] */
function numberAt(text, at = 0) {
  const code = text.charCodeAt(at) - ZERO;
  return code < PLAIN ? code : code - GAP;
}

/** The boards of a game, one after another. @param {Game} game */
function boardsOf(game) {
  const boards = [[...(game.board ?? "")]];
  for (const changes of game.changes ?? []) {
    const next = [...(boards[boards.length - 1] ?? [])];
    for (let i = 0; i < changes.length; i += 2) next[numberAt(changes, i)] = changes[i + 1] ?? EMPTY;
    boards.push(next);
  }
  return boards;
}

/** A value of the record as an analysis has it, for the side to move. @param {string | undefined} text @param {number} side */
function known(text, side) {
  if (text === undefined || text === "?") return undefined;
  const points = /^[+-]/.test(text) ? Number(text) : undefined;
  const first = points === undefined ? { w: 1, d: 0, l: -1 }[text.charAt(0)] : Math.sign(points);
  const mine = (first ?? 0) * (side === 0 ? 1 : -1);
  /** @type {import("./types.js").Value} */
  const value = mine > 0 ? "win" : mine < 0 ? "loss" : "draw";
  const distance = points === undefined && text.length > 1 ? Number(text.slice(1)) : null;
  const margin = points === undefined ? {} : { margin: side === 0 ? points : -points };
  return { position: "", value, distance, ...margin, verdict: "", source: /** @type {const} */ ("table"), exact: true, moves: [] };
}

/**
 * A win or loss of which only the result is known, as one that is neither near nor far.
 * @param {ReturnType<typeof known>} worth
 */
function midway(worth) {
  const bare = worth && worth.distance === null && worth.margin === undefined && worth.value !== "draw";
  return bare ? { ...worth, distance: MIDWAY } : worth;
}

/** A time as people read it. @param {number} ms */
function duration(ms) {
  return ms >= 1000 ? `${(ms / 1000).toFixed(2)} s` : ms ? `${ms} ms` : "<0.1 ms";
}

export class Replay {
  /**
   * @param {TournamentData} data
   * @param {GameList} list
   */
  constructor(data, list) {
    this.data = data;
    this.list = list;
    this.dialog = /** @type {HTMLDialogElement} */ (byId("replay"));
    /** @type {(Row & Game) | null} */
    this.game = null;
    /** @type {string[][]} */
    this.boards = [];
    this.ply = 0;
    this.asked = 0;
    this.listen();
  }

  /** Steps by keyboard and by finger; closing the dialog forgets the game in the address. */
  listen() {
    /** @type {Record<string, () => void>} */
    const keys = {
      ArrowLeft: () => this.go(this.ply - 1),
      ArrowRight: () => this.go(this.ply + 1),
      Home: () => this.go(0),
      End: () => this.go(this.last),
      PageUp: () => this.other(-1),
      PageDown: () => this.other(1),
    };
    this.dialog.addEventListener("keydown", (event) => {
      const act = keys[event.key];
      const own = event.target instanceof HTMLInputElement && !event.key.startsWith("Page");
      if (!act || own || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      act();
    });
    this.dialog.addEventListener("close", () => {
      const number = this.game?.number;
      this.game = null;
      if (location.hash.startsWith("#game=")) history.replaceState(null, "", location.pathname + location.search);
      document.getElementById(`row-${number}`)?.focus();
    });
    this.dialog.addEventListener("click", (event) => {
      if (event.target === this.dialog) this.dialog.close();
    });
  }

  get last() {
    return this.game?.moves?.length ?? 0;
  }

  close() {
    if (this.dialog.open) this.dialog.close();
  }

  /** Opens a game at a move. @param {number} number @param {number} [ply] */
  async open(number, ply = 0) {
    const row = this.data.games.find((one) => one.number === number);
    if (!row) return this.close();
    const asked = ++this.asked;
    const game = this.data.live ? { ...row, ...(await this.fetched(number)) } : row;
    if (asked !== this.asked) return; // another game was opened meanwhile
    this.game = game;
    this.boards = boardsOf(game);
    this.build();
    if (!this.dialog.open) this.dialog.showModal();
    this.go(ply);
  }

  /** What a server knows of a game. @param {number} number @returns {Promise<Game>} */
  async fetched(number) {
    try {
      const answer = await fetch(`./api/tournament-game?number=${number}`);
      const found = await answer.json();
      return answer.ok ? found : { error: found.error };
    } catch {
      return { error: "The server does not answer." };
    }
  }

  /** Opens the game before or after this one in the list. @param {number} step */
  other(step) {
    const number = this.game ? this.list.beside(this.game.number, step) : undefined;
    if (number !== undefined) location.hash = `#game=${number}`;
  }

  /** Builds what stays while the game is stepped through. */
  build() {
    const { data, game } = this;
    if (!game) return;
    const seats = game.players.map((one, side) => {
      const won = game.winner === side ? "side won" : "side";
      return html("span", { class: won }, token(data, side), label(data, one));
    });
    const before = this.list.beside(game.number, -1);
    const after = this.list.beside(game.number, 1);
    const off = { "aria-disabled": "true" };
    const head = html(
      "header",
      { class: "row" },
      html("h2", { id: "replay-title" }, `Game ${game.number}`),
      html("span", { class: "quiet" }, [resultOf(game), oddly(game), unless(data, game)].filter(Boolean).join(" · ")),
      html(
        "span",
        { class: "row tools" },
        button("↑", () => this.other(-1), { id: "game-before", "aria-label": "Previous game", title: "Page Up", ...(before === undefined ? off : {}) }),
        button("↓", () => this.other(1), { id: "game-after", "aria-label": "Next game", title: "Page Down", ...(after === undefined ? off : {}) }),
        button("✕", () => this.dialog.close(), { id: "close", "aria-label": "Close", title: "Esc" }),
      ),
    );
    const opening = game.opening ? [html("p", { class: "quiet" }, `Opening: ${game.opening.join(" ")}`)] : [];
    const who = html("p", { class: "who" }, seats[0] ?? "", html("span", { class: "quiet" }, "against"), seats[1] ?? "");
    if (game.error !== undefined || !game.moves) {
      const why = game.said ?? "";
      refill(this.dialog, head, who, html("p", { class: "notice wrong" }, game.error ?? "This game cannot be replayed."), html("p", {}, why));
      return;
    }
    const board = html("div", { id: "board", class: "still", role: "img" });
    this.swipe(board);
    refill(
      this.dialog,
      head,
      who,
      html("div", { class: "stage" }, html("div", { class: "left" }, board, this.controls()), html("div", { class: "right" }, html("div", { id: "said", class: "said", "aria-live": "polite" }), html("div", { id: "curve" }), html("ol", { id: "plies", class: "plies", "aria-label": "Moves" }, ...this.moves()), ...opening, ...this.printed(), ...this.linked())),
    );
  }

  /** The buttons below the board. */
  controls() {
    const wrong = this.game?.regret?.some((one) => one) ?? false;
    const range = html("input", { id: "slider", type: "range", min: 0, max: this.last, value: 0, "aria-label": "Move", input: () => this.go(Number(range.value)) });
    return html(
      "div",
      { class: "controls", role: "group", "aria-label": "Steps" },
      range,
      html(
        "div",
        { class: "row wrap" },
        button("«", () => this.go(0), { id: "to-start", "aria-label": "Start", title: "Home" }),
        button("‹", () => this.go(this.ply - 1), { id: "back", "aria-label": "Back", title: "Left arrow" }),
        button("›", () => this.go(this.ply + 1), { id: "forward", autofocus: true, "aria-label": "Forward", title: "Right arrow" }),
        button("»", () => this.go(this.last), { id: "to-end", "aria-label": "End", title: "End" }),
        wrong ? button("Next blunder", () => this.go(this.nextBlunder() ?? this.ply), { id: "next-blunder" }) : null,
      ),
    );
  }

  /** The number of the next blunder, undefined if there is none. */
  nextBlunder() {
    const at = (this.game?.regret ?? []).findIndex((one, i) => i >= this.ply && one);
    return at < 0 ? undefined : at + 1;
  }

  /** The moves as buttons. */
  moves() {
    const names = this.game?.moves ?? [];
    return names.slice(0, MOST_LISTED).map((name, i) => {
      const sign = this.sign(i + 1);
      const mark = sign ? [html("span", { class: "flaw", "aria-hidden": "true" }, sign), html("span", { class: "unseen" }, ", blunder")] : [];
      const made = html("button", { type: "button", id: `ply-${i + 1}`, click: () => this.go(i + 1) }, `${i + 1}. ${name}`, ...mark);
      return html("li", {}, made);
    });
  }

  /** ? for a move that gives away half a point, ?? for one that gives away all. @param {number} ply */
  sign(ply) {
    const regret = this.game?.regret?.[ply - 1] ?? 0;
    return regret > 0.5 ? "??" : regret > 0 ? "?" : "";
  }

  /** What bots wrote to standard error. */
  printed() {
    const { data, game } = this;
    return (game?.stderr ?? []).flatMap((text, side) => {
      if (!text) return [];
      const name = data.players[game?.players[side] ?? 0] ?? "";
      return [html("details", {}, html("summary", {}, `Standard error of ${name}`), html("pre", { tabindex: "0" }, text))];
    });
  }

  /** The way to the page with this game, where the server has one. */
  linked() {
    const link = this.game?.link;
    return link === undefined ? [] : [html("p", {}, html("a", { href: link }, "Analyse this game"))];
  }

  /** Steps when a finger goes to the left or right. @param {HTMLElement} board */
  swipe(board) {
    let from = 0;
    board.addEventListener("touchstart", (event) => (from = event.changedTouches[0]?.clientX ?? 0), { passive: true });
    board.addEventListener("touchend", (event) => {
      const moved = (event.changedTouches[0]?.clientX ?? from) - from;
      if (Math.abs(moved) > SWIPE) this.go(this.ply + (moved < 0 ? 1 : -1));
    });
  }

  /** Goes to a position of the game. @param {number} ply */
  go(ply) {
    const { game } = this;
    if (!game) return;
    this.ply = Math.max(0, Math.min(this.last, ply));
    const at = this.ply ? `&move=${this.ply}` : "";
    history.replaceState(null, "", `${location.pathname}${location.search}#game=${game.number}${at}`);
    if (game.error === undefined && game.moves) this.show();
  }

  /** Shows the position. */
  show() {
    const { ply, last } = this;
    const board = byId("board");
    board.innerHTML = this.drawing();
    board.setAttribute("aria-label", `Board: ${this.spoken()}`);
    refill(byId("said"), ...this.sentences());
    if (this.game?.values) refill(byId("curve"), this.curve());
    for (const [id, off] of /** @type {[string, boolean][]} */ ([["to-start", ply === 0], ["back", ply === 0], ["forward", ply === last], ["to-end", ply === last], ["next-blunder", this.nextBlunder() === undefined]])) {
      document.getElementById(id)?.setAttribute("aria-disabled", String(off));
    }
    const slider = byId("slider");
    if (slider instanceof HTMLInputElement) slider.value = String(ply);
    for (const old of this.dialog.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
    const now = document.getElementById(`ply-${ply}`);
    now?.setAttribute("aria-current", "step");
    const held = byId("plies");
    if (now) held.scrollTop = now.offsetTop - held.offsetTop - held.clientHeight / 2;
  }

  /** The board as SVG. */
  drawing() {
    const { art } = this.data;
    const pieces = art.pieces.flat();
    const [board, before] = [this.boards[this.ply] ?? [], this.boards[this.ply - 1]];
    const squares = art.places.map(([x, y], i) => {
      const at = board[i] ?? EMPTY;
      const fresh = before && before[i] !== at && at !== EMPTY ? ' class="new"' : "";
      const piece = at === EMPTY ? "" : (pieces[numberAt(at)] ?? "");
      return `<g${fresh} transform="translate(${x} ${y})">${art.grounds[art.ground_of[i] ?? 0] ?? ""}${piece}</g>`;
    });
    return `<svg class="art ${art.board}" viewBox="${art.box.join(" ")}" aria-hidden="true">${art.under}${squares.join("")}${art.over}</svg>`;
  }

  /** What stands where: X on a1 b2, O on c3. */
  spoken() {
    const { data } = this;
    const names = data.spoken.flat();
    /** @type {Map<string, string[]>} */
    const places = new Map();
    (this.boards[this.ply] ?? []).forEach((at, square) => {
      if (at === EMPTY) return;
      const name = names[numberAt(at)] ?? "";
      places.set(name, [...(places.get(name) ?? []), squareName(data, square)]);
    });
    return [...places].map(([name, squares]) => `${name} on ${squares.join(" ")}`).join(", ") || "empty";
  }

  /** What is said of the last move, and of the position. */
  sentences() {
    const { data, game, ply, last } = this;
    if (!game) return [];
    const side = Number(game.sides?.[ply - 1] ?? 0);
    const name = game.moves?.[ply - 1];
    const took = game.ms?.[ply - 1];
    const time = took === undefined ? [] : [html("span", { class: "quiet" }, ` ${duration(took)}`)];
    const made = name === undefined ? html("h3", {}, "Start") : html("h3", {}, `${ply}. ${data.names[side]} ${name}`, ...time);
    const lines = [made, ...this.blamed(), html("p", { class: "stands" }, this.standing())];
    if (ply === last && game.cause !== undefined) {
      const loser = data.players[game.players[game.winner === 0 ? 1 : 0]] ?? "";
      lines.push(html("p", { class: "notice wrong" }, html("b", {}, `${loser} forfeits: ${game.cause}. `), game.said ?? ""));
    }
    return lines;
  }

  /** What the last move gave away. */
  blamed() {
    const { game, ply } = this;
    const regret = game?.regret?.[ply - 1];
    if (!regret) return [];
    const side = Number(game?.sides?.[ply - 1] ?? 0);
    const [before, after] = [known(game?.values?.[ply - 1], side), known(game?.values?.[ply], side)];
    const kind = before && after ? `Blunder, ${before.value} to ${after.value}.` : `Blunder: gave away ${regret === 0.5 ? "½" : regret}.`;
    const kept = game?.kept?.[String(ply)];
    const better = kept ? ` Better: ${kept}.` : "";
    return [html("p", { class: "blame" }, html("span", { class: "flaw", "aria-hidden": "true" }, `${this.sign(ply)} `), kind + better)];
  }

  /** How the position stands. */
  standing() {
    const { data, game, ply, last } = this;
    const over = ply === last && game?.cause === undefined && !game?.unfinished;
    if (over && game) return game.winner === null ? "The game is drawn." : `${data.names[game.winner]} has won.`;
    const text = game?.values?.[ply];
    const [one, other] = data.names;
    const next = data.names[Number(game?.sides?.[ply] ?? 0)];
    if (text === undefined || text === "?") return `${next} to move.`;
    if (text === "d" || text === "+0") return `${next} to move. Drawn with best play.`;
    if (/^[+-]/.test(text)) return `${next} to move. ${text.startsWith("+") ? one : other} wins by ${text.slice(1)} with best play.`;
    const soon = text.length > 1 ? ` in ${numberOf(Number(text.slice(1)), "move")}` : " with best play";
    return `${next} to move. ${text.startsWith("w") ? one : other} wins${soon}.`;
  }

  /** The value of every position. */
  curve() {
    const { game, ply } = this;
    const sides = [...(game?.sides ?? "")].map(Number);
    const worth = sides.map((side, i) => midway(known(game?.values?.[i], side)));
    const marks = sides.map((_, i) => (this.sign(i) ? { kind: this.sign(i) === "?" ? "mistake" : "blunder", mark: this.sign(i) } : null));
    const plies = sides.map((side) => ({ position: "", side }));
    const about = `Value of each position of the game. ${this.standing()}`;
    return plot(this.data, { plies, ply, worth, marks, view: "result", about }, (to) => this.go(to));
  }
}
