// A board in a notebook: draws what Python sends and sends back what the user does. It knows no rules.

import { Board, token } from "../../exports/page/static/board.js";
import { clickOn, hintsOn, meant, reacts } from "../../exports/page/static/clicks.js";
import { button, html, refill } from "../../exports/page/static/dom.js";
import { listedTurns } from "../../exports/page/static/history.js";
import { showMoves } from "../../exports/page/static/moves.js";
import { readBoard } from "../../exports/page/static/squares.js";
import { inMoves, playerTitle, standing, title, truth } from "../../exports/page/static/words.js";
import { WidgetControls } from "./widget_controls.js";

/** @typedef {import("./widget_types.js").Context} Context */
/** @typedef {import("./widget_types.js").Message} Message */
/** @typedef {import("./widget_types.js").Shown} Shown */
/** @typedef {import("../../exports/page/static/types.js").LegalMove} LegalMove */

/**
 * Shows the board of a model in an element, apart from the style of the notebook.
 * @param {Context} context
 * @param {string} style
 */
export function render({ model, el }, style) {
  const host = html("div", { class: "perfectplay-board" });
  const root = host.attachShadow({ mode: "open" });
  const room = html("section", { class: "cell-room" });
  root.append(html("style", {}, style), room);
  el.append(host);
  const view = new View(room, model);
  const show = () => view.show(model.get("_shown"));
  // JupyterLab looks for this attribute: plain keys are the board's, but Ctrl-S still saves the notebook.
  const leave = (/** @type {KeyboardEvent} */ event) =>
    host.toggleAttribute("data-lm-suppress-shortcuts", !event.ctrlKey && !event.metaKey);
  model.on("change:_shown", show);
  host.addEventListener("keydown", (event) => view.pressed(event));
  window.addEventListener("keydown", leave, true);
  show();
  return () => {
    model.off("change:_shown", show);
    window.removeEventListener("keydown", leave, true);
  };
}

class View {
  /**
   * @param {HTMLElement} room
   * @param {import("./widget_types.js").Model} model
   */
  constructor(room, model) {
    this.model = model;
    this.data = model.get("_game");
    this.shown = model.get("_shown");
    /** @type {number | null} the piece that is about to move */
    this.chosen = null;
    /** @type {number | null} a square that was tapped on a board too fine for fingers */
    this.tapped = null;
    /** @type {LegalMove[]} moves of which one must be chosen by name */
    this.several = [];
    this.remark = "";
    /** The position on the board, and how it was reached. */
    this.at = "";
    this.seats = html("p", { class: "who" });
    this.holder = html("div", { class: "board-holder" });
    this.verdict = html("p", { class: "verdict" });
    this.fault = html("p", { class: "notice wrong", role: "alert", hidden: true });
    this.note = html("p", { class: "notice", hidden: true });
    this.moves = html("div", {});
    this.history = html("div", {});
    this.said = html("p", { class: "unseen", role: "status" });
    this.board = new Board(this.holder, this.data, (square) => this.clicked(square), (square) => this.aimed(square), (square) => {
      this.tapped = square;
      this.draw();
    });
    this.controls = new WidgetControls(this.data, (message) => this.send(message), () => this.pressedMore());
    this.listed = html("details", { class: "listed" }, html("summary", {}, "Moves"), this.moves);
    room.setAttribute("aria-label", this.data.title);
    room.append(
      html("div", { class: "table-side" }, this.seats, this.holder, this.verdict),
      html("div", { class: "tool-side" }, this.controls.all, this.fault, this.note, this.listed, this.history),
      this.said,
    );
  }

  /** @param {Message} message */
  send(message) {
    this.model.send(message);
  }

  /** @param {number | null} ply */
  go(ply) {
    if (ply !== null) this.send({ do: "go", ply });
  }

  /** Plays what was tapped, or lets the opponent move. */
  pressedMore() {
    if (this.tapped !== null) this.clicked(this.tapped);
    else this.send({ do: "let" });
  }

  /** Shows what Python has sent. @param {Shown} shown */
  show(shown) {
    const at = `${shown.ply} ${shown.plies[shown.ply]?.position}`;
    this.shown = shown;
    if (at !== this.at) {
      this.at = at;
      this.chosen = this.tapped = null;
      this.several = [];
      this.remark = "";
    }
    this.draw();
  }

  /** Redraws everything; each part replaces only what has changed. */
  draw() {
    const { data, shown } = this;
    const { here, plies, ply } = shown;
    const side = plies[ply]?.side ?? 0;
    this.drawBoard(side);
    this.drawSeats(side);
    const [there] = this.tapped === null ? [] : this.meant(this.tapped);
    this.controls.show(shown, there ? `Play ${there.move}` : shown.waits ? `Let ${data.names[side]} move` : "");
    this.verdict.textContent = this.sentence(side);
    this.verdict.classList.toggle("aside", !shown.result && !shown.known);
    say(this.fault, inMoves(shown.fault));
    say(this.note, this.remark || inMoves(shown.note));
    this.drawMoves();
    const list = html("ol", { class: "played", "aria-label": "Moves played" });
    list.append(
      ...listedTurns(data, plies, (i, text) =>
        button(text, () => this.go(i), { id: `ply-${i}`, "aria-current": i === ply ? "step" : false }),
      ),
    );
    refill(this.history, list);
    const current = list.querySelector("[aria-current]");
    if (current instanceof HTMLElement) list.scrollTop = current.offsetTop - list.clientHeight / 2;
    const last = plies[ply - 1];
    const played = last ? `${data.names[last.side]} plays ${plies[ply]?.move}. ` : "";
    const said = `${played}${standing(data, here, side)}. ${this.sentence(side)}`;
    if (this.said.textContent !== said && !shown.busy) this.said.textContent = said;
  }

  /** The board. @param {number} side the side to move */
  drawBoard(side) {
    const { data, shown, chosen } = this;
    const { here, plies, ply } = shown;
    const [all, at] = [data.text.rows.flat(), plies[ply]];
    this.board.show({
      squares: readBoard(data, at?.position ?? ""),
      side,
      last: at?.to ?? [],
      left: at?.from ?? [],
      going: here.going,
      rows: here.rows,
      legal: new Set(shown.mine ? all.filter((square) => reacts(data, here.moves, chosen, square)) : []),
      hints: shown.known ? hintsOn(here.moves, chosen, shown.known) : new Map(),
      chosen,
      targets: chosen === null ? [] : all.filter((square) => this.meant(square).length > 0),
      tapped: this.tapped,
      about: `Board of ${data.title}, ${data.shape[0]} by ${data.shape[1]}. ${standing(data, here, side)}.`,
    });
  }

  /** Who plays, and whose turn it is. @param {number} side the side to move */
  drawSeats(side) {
    const { data, shown } = this;
    const { here, players } = shown;
    const alone = players.some(Boolean);
    const seats = data.names.map((name, one) => {
      const who = players[one] ? title(playerTitle(data, players[one])) : alone ? "You" : name;
      const turn = !here.over && one === side;
      return html("span", { class: `seat ${turn ? "turn" : ""}` }, token(data, one), html("b", {}, who));
    });
    const stands = here.over || !shown.mine || !alone ? standing(data, here, side) : "Your move";
    this.seats.replaceChildren(...seats, html("span", { class: "turn-text" }, shown.busy || stands));
  }

  /** The list of moves: best first with their values, or just their names. */
  drawMoves() {
    const { shown, several } = this;
    const { known } = shown;
    if (several.length) this.listed.open = true;
    if (several.length || known) {
      const asked = { known: known ?? undefined, waiting: false, who: "", chance: "", models: [], solved: false, choose: several };
      const aim = (/** @type {string | null} */ move) => this.board.mark(this.squaresOf(move));
      showMoves(this.moves, asked, (move) => this.play(move), aim, () => {});
    } else {
      const list = html("ul", { class: "names", "aria-label": "Legal moves" });
      for (const { move } of shown.here.moves)
        list.append(
          html("li", {}, button(move, () => this.play(move), {
            id: `move-${move}`,
            "aria-disabled": String(!shown.mine),
            pointerenter: () => this.board.mark(this.squaresOf(move)),
            pointerleave: () => this.board.mark([]),
          })),
        );
      refill(this.moves, shown.here.over ? html("p", { class: "quiet" }, "The game is over.") : list);
    }
  }

  /** @param {string | null} move */
  squaresOf(move) {
    return this.shown.here.moves.find((one) => one.move === move)?.to ?? [];
  }

  /** The sentence below the board: the result, or what hints tell. @param {number} side the side to move */
  sentence(side) {
    const { shown, data } = this;
    if (shown.result) return shown.result;
    if (shown.hints && shown.known) return truth(data, side, shown.known);
    return data.note;
  }

  /** The moves that a click on a square means now. @param {number} square */
  meant(square) {
    return meant(this.data, this.shown.here.moves, this.chosen, square);
  }

  /** The squares that a click on one would change. @param {number | null} square */
  aimed(square) {
    if (square === null || !this.shown.mine) return [];
    const found = this.meant(square);
    return found.length === 1 ? (found[0]?.to ?? []) : [];
  }

  /** A click on a square. @param {number} square */
  clicked(square) {
    if (!this.shown.mine) return;
    const { play, chosen, several, note } = clickOn(this.data, this.shown.here.moves, this.chosen, square);
    this.tapped = null;
    if (play !== undefined) return this.play(play);
    [this.chosen, this.several, this.remark] = [chosen, several, note];
    this.draw();
  }

  /** @param {string} move */
  play(move) {
    const { mine, plies, ply } = this.shown;
    if (mine) this.send({ do: "play", move, at: plies[ply]?.position ?? "" });
  }

  /** Escape leaves the piece where it is; no key of the board is one of the notebook's. @param {KeyboardEvent} event */
  pressed(event) {
    if (event.key === "Escape" && this.chosen !== null) {
      this.chosen = null;
      this.draw();
    }
    if (!event.ctrlKey && !event.metaKey && !event.altKey) event.stopPropagation();
  }
}

/** Shows a text, or hides where it stands. @param {HTMLElement} place @param {string} text */
function say(place, text) {
  if (place.textContent !== text) place.textContent = text;
  place.hidden = text === "";
}
