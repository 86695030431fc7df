// Explore: click through the game tree. Nobody moves by itself, and the game that was left stays as it is.

import { button, focusBoard, html } from "./dom.js";
import { listedTurns } from "./history.js";
import { chooser, prospect } from "./moves.js";
import { branches, stepped } from "./tree.js";
import { origin } from "./words.js";

/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./tree.js").Place} Place */
/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Here} Here */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./types.js").Model} Model */
/** @typedef {import("./types.js").Ply} Ply */

/** @typedef {{data: GameData, here: Here, ply: Ply, models: Model[]}} Root */

const DEEP = 4;
const SECONDS = "0.4";

/** What is unfolded; lines are counted from the first position of the game. */
export class Explorer {
  /**
   * @param {Match} match
   * @param {() => void} changed
   * @param {(place: Place | null, move: string) => void} peek shows a move on the board, or nothing
   */
  constructor(match, changed, peek) {
    this.match = match;
    this.changed = changed;
    this.peek = peek;
    this.game = "";
    /** @type {Map<string, Place>} positions by the lines that lead there */
    this.places = new Map();
    /** @type {Set<string>} */
    this.open = new Set();
    /** @type {Set<string>} lines after which all moves are shown */
    this.wide = new Set();
    /** @type {Map<string, string>} lines that are being asked for, and why some were refused */
    this.asked = new Map();
    /** Changes with everything that is shown. */
    this.version = 0;
    this.turn = -1;
  }

  /** Shows something new. */
  renew() {
    this.version += 1;
    this.changed();
  }

  /**
   * A line, from the first position.
   * @param {string[]} line from the position on the board
   */
  key(line) {
    const { state } = this.match;
    return [state.position, ...state.moves.slice(0, state.ply), ...line].join(" ");
  }

  /**
   * The position after a line; it is asked for if it is not known yet.
   * @param {string[]} line
   * @returns {Place | undefined}
   */
  place(line) {
    const { ply, here } = this.match;
    if (line.length === 0) return ply && here ? { position: ply.position, side: ply.side, here } : undefined;
    const found = this.places.get(this.key(line));
    if (!found || (!found.here.over && !this.match.known.has(found.position))) void this.ask(line);
    return found;
  }

  /**
   * Asks for the position after a line, and for its analysis.
   * @param {string[]} line
   */
  async ask(line) {
    const [key, { match }] = [this.key(line), this];
    const before = line.length > 1 ? this.places.get(this.key(line.slice(0, -1))) : match.ply;
    if (this.asked.has(key) || !before) return;
    this.asked.set(key, "");
    try {
      /** @type {Line} */
      const { plies, here } = await match.ask("line", { position: before.position, moves: line[line.length - 1] ?? "" });
      const after = plies[plies.length - 1];
      if (!after) return;
      const { position, side } = after;
      if (!here.over && !match.known.has(position)) {
        const seconds = match.data?.solved ? "" : SECONDS;
        /** @type {Analysis} */
        const known = await match.ask("analysis", { position, seconds });
        match.known.set(position, known);
        if (!known.exact) match.rough.add(position);
      }
      this.places.set(key, { position, side, here });
      this.asked.delete(key);
    } catch (fault) {
      if (fault instanceof DOMException) this.asked.delete(key); // the position was left
      else this.asked.set(key, /** @type {Error} */ (fault).message);
    }
    this.renew();
  }

  /**
   * Unfolds or folds the replies to a move.
   * @param {string[]} line
   * @param {boolean} on
   */
  fold(line, on) {
    if (on) this.open.add(this.key(line));
    else this.open.delete(this.key(line));
    this.asked.delete(this.key(line));
    this.renew();
  }

  /** Unfolds the best move, its best reply, and so on, some moves deep. */
  async deepen() {
    const turn = this.match.turn;
    /** @type {string[]} */
    let line = [];
    for (let depth = 0; depth < DEEP; depth++) {
      const place = this.place(line);
      const best = place && this.match.known.get(place.position)?.moves[0];
      if (!best?.best || best.distance === 1 || turn !== this.match.turn) break;
      line = [...line, best.move];
      this.open.add(this.key(line));
      if (!this.places.has(this.key(line))) await this.ask(line);
    }
    this.renew();
  }

  /** Folds everything. */
  close() {
    this.open.clear();
    this.wide.clear();
    this.renew();
  }

  /**
   * @param {HTMLElement} holder
   * @param {Root} root
   */
  show(holder, root) {
    const { match } = this;
    if (this.game !== root.data.game) {
      for (const kept of [this.places, this.open, this.wide, this.asked]) kept.clear();
      this.game = root.data.game;
    }
    const known = this.known(root.here);
    /** @type {HTMLElement[]} */
    const parts = [this.crumbs(root.data)];
    if (known && !root.here.over) parts.push(html("p", { class: "quiet", id: "origin" }, origin(known)));
    const asked = { known, waiting: false, who: root.data.names[root.ply.side] ?? "", chance: match.state.chance };
    const more = { ...asked, models: root.models, solved: root.data.solved, choose: [] };
    if (root.data.solved && root.models.length) parts.push(chooser(more, (chance) => match.tell({ chance })));
    if (known?.chance) parts.push(html("p", { class: "prospect" }, prospect(more, known.chance)));
    parts.push(this.tree(root));
    if (!root.here.over) parts.push(this.tools(known?.moves.some((one) => one.best) === true));
    swap(holder, parts, match.turn !== this.turn);
    this.turn = match.turn;
  }

  /**
   * The analysis of the position on the board; one that knows nothing if there was none to be had.
   * @param {Here} here
   * @returns {Analysis | undefined}
   */
  known(here) {
    const { match } = this;
    const found = match.prospect ?? match.worth;
    if (found || match.unknown !== match.turn) return found;
    const [nothing, text] = [{ value: null, distance: null }, "not known yet"];
    const moves = here.moves.map(({ move }) => ({ move, ...nothing, text, best: false }));
    return { ...nothing, position: "", verdict: "", source: "search", exact: false, moves };
  }

  /**
   * The tree below the position on the board.
   * @param {Root} root
   */
  tree(root) {
    const { match } = this;
    const tree = html("div", { class: "tree", keydown: (event) => stepped(/** @type {KeyboardEvent} */ (event)) });
    /** @type {import("./tree.js").Grown} */
    const grown = {
      data: root.data,
      place: (line) => this.place(line),
      known: (place) => (place.position === root.ply.position && this.known(root.here)) || match.known.get(place.position),
      refused: (line) => this.asked.get(this.key(line)) ?? "",
      unfolded: (line) => this.open.has(this.key(line)),
      fold: (line, on) => this.fold(line, on),
      wide: (line) => this.wide.has(this.key(line)),
      widen: (line) => {
        this.wide.add(this.key(line));
        this.renew();
      },
      go: (line) => void match.follow(line),
      peek: (line) => {
        const place = line ? this.place(line.slice(0, -1)) : undefined;
        this.peek(place ?? null, line?.[line.length - 1] ?? "");
      },
    };
    tree.append(branches(grown, [], "Moves, best first"));
    return tree;
  }

  /** Buttons for the whole tree. @param {boolean} best whether a best move is known */
  tools(best) {
    return html(
      "div",
      { class: "row wrap" },
      button("Unfold the best line", () => void this.deepen(), { id: "unfold", disabled: !best }),
      button("Fold all", () => this.close(), { id: "fold-all", disabled: this.open.size === 0 }),
    );
  }

  /**
   * The line so far: each of its positions can be gone back to.
   * @param {GameData} data
   */
  crumbs(data) {
    const { plies, state } = this.match;
    const list = html("ol", { class: "played crumbs" });
    list.append(
      ...listedTurns(data, plies, (i, text) => {
        const current = i === state.ply ? "step" : false;
        const later = i > state.ply ? "later" : "";
        const act = () => void this.match.jump(i);
        return button(text, act, { id: `crumb-${i}`, class: later, "aria-current": current });
      }),
    );
    return html("nav", { "aria-label": "The line so far" }, list);
  }
}

/**
 * Replaces what is in the panel; the focus stays at the same id, and goes to the first move of another position.
 * @param {HTMLElement} holder
 * @param {HTMLElement[]} parts
 * @param {boolean} moved whether the position is another
 */
function swap(holder, parts, moved) {
  const at = document.activeElement;
  const [inside, crumb] = [holder.contains(at), at?.id.startsWith("crumb-")];
  const scrolled = holder.querySelector(".tree")?.scrollTop ?? 0;
  holder.replaceChildren(...parts);
  const tree = holder.querySelector(".tree");
  if (tree && !moved) tree.scrollTop = scrolled;
  const list = holder.querySelector(".crumbs");
  if (list) list.scrollTop = list.scrollHeight;
  if (!inside) return;
  const same = document.getElementById(at?.id ?? "");
  const first = holder.querySelector(crumb ? "[aria-current]" : ".worth") ?? holder.querySelector("[aria-current]");
  const next = same && holder.contains(same) && !(moved && !crumb) ? same : first;
  if (next instanceof HTMLElement) next.focus();
  else focusBoard();
}
