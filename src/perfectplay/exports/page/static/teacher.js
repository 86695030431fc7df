// What teaches beside the game: explanations, their drawings on the board, and the guided review.

import { byId } from "./dom.js";
import { shapesOf } from "./drawings.js";
import { Guided } from "./guided.js";
import { showGuided } from "./review_panel.js";
import { readBoard } from "./squares.js";
import { Explainer, refutationText, showWhy } from "./why.js";
import { inMoves } from "./words.js";

/** @typedef {import("./board.js").Board} Board */
/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Here} Here */
/** @typedef {import("./types.js").Ply} Ply */

export class Teacher {
  /**
   * @param {Match} match
   * @param {() => void} changed
   */
  constructor(match, changed) {
    this.match = match;
    /** Changes with everything that is shown. */
    this.version = 0;
    const renewed = () => {
      this.version += 1;
      changed();
    };
    this.explainer = new Explainer(match, renewed);
    this.guided = new Guided(match, this.explainer, renewed);
    /** @type {Board | null} */
    this.board = null;
    this.on = false;
    match.reviewed = this.guided;
  }

  /** Whether the answer is being looked for, so that nothing may tell it. */
  get silent() {
    return this.guided.trying;
  }

  /**
   * Shows the panels and the drawings.
   * @param {GameData} data
   * @param {Here} here
   * @param {Ply} ply
   * @param {Board | null} board
   * @param {boolean} hidden whether something else is on the board
   * @param {(part: string, on: unknown[], show: () => void) => void} redraw shows a part if it has changed
   */
  show(data, here, ply, board, hidden, redraw) {
    const { guided, explainer, match } = this;
    guided.forget();
    guided.settle();
    const explains = match.state.why && !hidden && !here.over && !guided.trying;
    this.on = (explains && !match.thinking) || (guided.there && !hidden);
    this.board = board;
    byId("why-panel").hidden = !explains;
    const found = this.on ? explainer.of(ply.position) : undefined;
    const refused = explainer.asked.get(ply.position) ?? "";
    const shown = { found, refused, pinned: explainer.pinned };
    redraw("why", [explains, data, ply, ...Object.values(shown)], () => {
      if (explains) showWhy(byId("why"), data, shown, (part) => this.aim(part), (part) => this.pin(part));
      else byId("why").replaceChildren();
    });
    byId("guided").hidden = !guided.open || hidden;
    redraw("guided", [guided.open, data, ply, guided.review, guided.at, guided.told, guided.tried, guided.side, this.version], () => {
      if (guided.open) showGuided(byId("guided"), data, guided);
    });
    const cheap = match.known.get(match.plies[0]?.position ?? "")?.source === "table";
    if (cheap && here.over && match.atEnd && match.plies.length > 1 && !match.exploring) void guided.ask();
    const told = guided.open ? byId("guided").querySelectorAll(".said > p") : [];
    const said = [...told].map((one) => one.textContent).join(" ");
    const taught = said || (explains && found ? found.sentences.map(({ text }) => inMoves(text)).join(" ") : "");
    if (byId("taught").textContent !== taught) byId("taught").textContent = taught;
    this.draw();
  }

  /** Draws what is to be seen now, and says what the move that is pointed at runs into. */
  draw() {
    const { match, explainer, guided } = this;
    const { data, ply } = match;
    if (!this.board || !data || !ply) return;
    const found = this.on ? explainer.found.get(ply.position) : undefined;
    const bare = !found || match.made !== "" || (guided.trying && !guided.tried);
    const drawing = bare ? { threats: [], line: [] } : explainer.drawing(ply.position);
    const { shapes, words } = shapesOf(data, readBoard(data, ply.position), drawing);
    this.board.annotate(shapes, words);
    const text = found && !guided.trying && explainer.aimed ? refutationText(data, found, explainer.aimed) : "";
    byId("aimed").textContent = text;
  }

  /** Draws a part of the explanation, or the refutation of a move, for a moment. @param {string} part */
  aim(part) {
    if (!this.on || this.silent || part === this.explainer.aimed) return;
    const found = this.explainer.found.get(this.match.ply?.position ?? "");
    const known = part === "" || part === "line" || part === "threats" || found?.drawn.moves[part];
    this.explainer.aimed = known ? part : "";
    this.draw();
  }

  /** Keeps it drawn. @param {string} part */
  pin(part) {
    this.explainer.pinned = part;
    this.explainer.aimed = "";
    this.match.changed();
  }
}
