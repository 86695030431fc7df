// The page: shows a match and passes on what the user does.

import { HUMAN, address, readAddress } from "./address.js";
import { Board, sample } from "./board.js";
import { Controls } from "./controls.js";
import { byId, focusBoard, html } from "./dom.js";
import { Match } from "./match.js";
import { showSound, sound } from "./sound.js";
import { keep, kept, showTheme } from "./theme.js";
import { movesFrom, movesTo, readBoard, writeBoard } from "./squares.js";
import { inMoves, mistake, playerTitle, standing, title, truth } from "./words.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Here} Here */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Ply} Ply */
/** @typedef {import("./types.js").Worth} Worth */

const MOST_MOVES = 1000;
const CROWDED = 99;
const RECENT = "perfectplay-recent";
const MOST_RECENT = 5;
const { games: catalogue, ...first } = JSON.parse(byId("first").textContent ?? "");

class Page {
  constructor() {
    this.match = new Match(readAddress(address(), catalogue.opens), () => this.render());
    this.buttons = new Controls(byId("controls"));
    /** @type {Board | null} */
    this.board = null;
    /** @type {typeof import("./panels.js") | null} the panels beside the board, loaded after it */
    this.panels = null;
    /** @type {number | null} the piece that is about to move */
    this.chosen = null;
    /** @type {LegalMove[]} moves of which one must be chosen by name */
    this.several = [];
    /** @type {import("./position.js").SetUp | null} */
    this.setUp = null;
    /** @type {Map<string, unknown>} what was shown last: only what changed is redrawn */
    this.shown = new Map();
    this.turn = -1;
  }

  /**
   * Redraws a part if what it depends on has changed.
   * @param {string} part
   * @param {unknown[]} on
   * @param {() => void} show
   */
  redraw(part, on, show) {
    const before = /** @type {unknown[] | undefined} */ (this.shown.get(part));
    if (before && on.every((one, i) => one === before[i])) return;
    this.shown.set(part, on);
    show();
  }

  /** Shows everything. */
  render() {
    const { match } = this;
    const { data, here, ply, state } = match;
    byId("fault").textContent = inMoves(match.fault);
    byId("fault").hidden = match.fault === "";
    this.redraw("games", [this.panels, state.game, match.fault, data], () =>
      this.panels?.showGames(
        byId("games"),
        catalogue,
        state.game,
        (name) => this.away(() => match.begin(name)),
        (text) => this.refuse(text),
      ),
    );
    if (!data || !here || !ply) return;
    if (match.turn !== this.turn) {
      this.turn = match.turn;
      this.chosen = null;
      this.several = [];
    }
    this.redraw("board", [data], () => {
      document.title = `${data.title} · perfectplay`;
      byId("title").textContent = data.title;
      byId("variant").hidden = false;
      const [click, aim] = [this.clicked.bind(this), this.aimed.bind(this)];
      this.board = new Board(byId("board"), data, click, aim);
    });
    this.draw(data, here, ply);
    this.redraw("heard", [match.plies.length, match.state.ply], () => this.hear(data, here));
    this.controls(data, here, ply);
    if (this.panels) {
      const { showPlayers, showSolve } = this.panels;
      this.redraw("players", [data, ...state.players], () =>
        showPlayers(byId("players"), data, state.players, (players) => match.seat(players)),
      );
      this.redraw("solve", [data], () => showSolve(byId("solve-panel"), byId("solve"), data, () => void match.reload()));
      this.list(this.panels, data, ply);
      this.evaluate(this.panels, data, ply);
      this.finish(this.panels, data, here);
      this.redraw("about", [data], () => this.panels?.showAbout(byId("about-panel"), byId("about"), data));
      this.history(this.panels, data);
      this.position(this.panels, data, here, ply);
    }
    const verdict = state.hints && match.worth ? truth(data, ply.side, match.worth) : "";
    const said = `${match.spoken} ${standing(data, here, ply.side)}. ${verdict}`.trim();
    if (byId("said").textContent !== said && !match.thinking) byId("said").textContent = said;
  }

  /**
   * A quiet sound for a move and for the end of a game; and the game is among those played last.
   * @param {GameData} data
   * @param {Here} here
   */
  hear(data, here) {
    const { match } = this;
    if (match.plies.length < 2) return;
    if (match.atEnd) sound(here.over ? "end" : "move");
    const link = `./${address()}`;
    /** @type {{title: string, link: string, game: string}[]} */
    const before = JSON.parse(kept(RECENT) || "[]");
    const others = before.filter((one) => one.game !== data.game);
    keep(RECENT, JSON.stringify([{ title: data.title, link, game: data.game }, ...others].slice(0, MOST_RECENT)));
  }

  /** Shows an error. @param {string} text */
  refuse(text) {
    this.match.fault = text;
    this.render();
  }

  /** Does something and leaves the set-up. @param {() => unknown} act */
  away(act) {
    this.setUp = null;
    this.match.held = false;
    act();
  }

  /**
   * The board, the line above it and the sentence below.
   * @param {GameData} data
   * @param {Here} here
   * @param {Ply} ply
   */
  draw(data, here, ply) {
    const { match, setUp } = this;
    const stands = setUp ? "Setting up a position" : standing(data, here, ply.side);
    const [people, who] = [match.state.players.filter((one) => one === HUMAN).length, playerTitle(data, match.mover)];
    const busy = `${title(who)} (${data.names[ply.side]}) is thinking …`;
    const yours = people === 1 && match.mover === HUMAN && !here.over && !setUp;
    byId("turn").textContent = match.thinking && !here.over ? busy : yours ? "Your move" : stands;
    this.redraw("seats", [data, ...match.state.players, here.over ? -1 : ply.side], () =>
      byId("seats").replaceChildren(...data.names.map((_, side) => this.seat(data, side, !here.over && side === ply.side))),
    );
    byId("verdict").textContent = setUp ? "" : this.sentence(data, here);
    const squares = setUp ? setUp.squares : readBoard(data, ply.position);
    const all = [...squares.keys()];
    const none = { last: [], left: [], going: [], rows: [], hints: new Map(), targets: [] };
    const seen = {
      last: ply.to ?? [],
      left: ply.from ?? [],
      going: here.going,
      rows: here.rows,
      hints: this.hints(here),
      targets: this.chosen === null ? [] : all.filter((square) => this.meant(square).length > 0),
    };
    this.board?.show({
      squares,
      side: ply.side,
      ...(setUp ? none : seen),
      legal: new Set(setUp ? all : match.mine ? all.filter((square) => this.reacts(here, square)) : []),
      chosen: this.chosen,
      about: `Board of ${data.title}, ${data.shape[0]} by ${data.shape[1]}. ${stands}.`,
    });
  }

  /**
   * A side: a picture of its piece, and who plays it.
   * @param {GameData} data
   * @param {number} side
   * @param {boolean} turn
   */
  seat(data, side, turn) {
    const { players } = this.match.state;
    const [player, people] = [players[side] ?? HUMAN, players.filter((one) => one === HUMAN).length];
    const who = player !== HUMAN ? title(playerTitle(data, player)) : people === 1 ? "You" : data.names[side];
    const piece = { owner: side, name: data.pieces[side]?.[0] ?? "" };
    return html("span", { class: `seat ${turn ? "turn" : ""}` }, sample(data, piece), html("b", {}, who ?? ""));
  }

  /**
   * The sentence below the board.
   * @param {GameData} data
   * @param {Here} here
   */
  sentence(data, here) {
    const known = this.match.worth;
    if (this.match.state.hints && known && !here.over) return truth(data, this.match.ply?.side ?? 0, known);
    if (this.match.state.hints && this.match.looking) return "Analysing …";
    if (here.over) return "";
    if (data.note) return data.note;
    if (data.solved) return "";
    return data.solvable
      ? "No full solution yet; hints come from a search."
      : "Too big to solve here. You can still play it.";
  }

  /** Whether a click on a square does something. @param {Here} here @param {number} square */
  reacts(here, square) {
    return this.meant(square).length > 0 || movesFrom(here.moves, square).length > 0;
  }

  /** The moves that a click on a square means now. @param {number} square */
  meant(square) {
    const { data, here } = this.match;
    if (!data || !here) return [];
    const [there, chosen] = [movesTo(data, here.moves, square), this.chosen];
    return chosen === null ? there : there.filter((move) => move.from.includes(chosen));
  }

  /** The squares that a click on one would change. @param {number | null} square */
  aimed(square) {
    if (square === null || this.setUp || !this.match.mine) return [];
    const found = this.meant(square);
    return found.length === 1 ? (found[0]?.to ?? []) : [];
  }

  /** The value of the best move to each square, or of the piece on it. @param {Here} here */
  hints(here) {
    /** @type {Map<number, Worth>} */
    const found = new Map();
    if (!this.match.state.hints) return found;
    const moves = new Map(here.moves.map((move) => [move.move, move]));
    for (const worth of this.match.worth?.moves ?? []) {
      if (worth.value === null && here.moves.length > CROWDED) continue;
      const move = moves.get(worth.move);
      if (!move || (this.chosen !== null && !move.from.includes(this.chosen))) continue;
      const origins = move.from.filter((square) => movesFrom(here.moves, square).length);
      const shown = this.chosen === null && origins.length ? origins : move.to;
      for (const square of shown) if (!found.has(square)) found.set(square, worth);
    }
    return found;
  }

  /** A click on a square. @param {number} square */
  clicked(square) {
    const { match, setUp } = this;
    const { here } = match;
    if (setUp) {
      const [at, piece] = [setUp.squares[square], setUp.piece];
      const same = at && piece && at.name === piece.name && at.owner === piece.owner;
      setUp.squares[square] = same ? null : piece;
      this.setUp = { ...setUp };
      return this.render();
    }
    if (!here || !match.mine) return undefined;
    const found = this.meant(square);
    const origins = [...new Set(found.flatMap((move) => move.from))].filter(
      (from) => movesFrom(here.moves, from).length,
    );
    match.fault = "";
    if (this.chosen === square) this.chosen = null;
    else if (movesFrom(here.moves, square).length) this.chosen = square;
    else if (this.chosen === null && origins.length === 1)
      this.chosen = origins[0] ?? null; // a second click plays
    else if (found.length === 1) return void match.play(found[0]?.move ?? "");
    else if (origins.length > 1) match.fault = "Several pieces can go there: choose one first.";
    else if (found.length > 1) this.several = found;
    else this.chosen = null;
    return this.render();
  }

  /**
   * The buttons below the board.
   * @param {GameData} data
   * @param {Here} here
   * @param {Ply} ply
   */
  controls(data, here, ply) {
    const { match } = this;
    const person = match.mover === HUMAN;
    const people = match.state.players.includes(HUMAN);
    let more = null;
    if (this.setUp) more = null;
    else if (!here.over && !person && (!match.running || !match.atEnd)) {
      more = { text: people ? `Let ${data.sides[ply.side]} move` : "Play on", act: () => match.playOn() };
    } else if (!here.over && !people) more = { text: "Pause", act: () => match.pause() };
    this.buttons.show({
      undo: () => match.next(-1),
      redo: () => match.next(1),
      hints: match.state.hints,
      playable: !here.over && (data.solved || data.solvable) && !match.planning && !this.setUp,
      busy: match.planning || this.setUp !== null,
      more,
      jump: (to) => void match.jump(to),
      fresh: () => this.away(() => match.begin(match.state.game)),
      hint: (hints) => match.tell({ hints }),
      playOut: () => void match.playOut(),
    });
  }

  /** Loads the panels. */
  async furnish() {
    this.panels = await import("./panels.js");
    this.render();
  }

  /**
   * The list of moves.
   * @param {typeof import("./panels.js")} panels
   * @param {GameData} data
   * @param {Ply} ply
   */
  list({ showMoves }, data, ply) {
    const { match, several } = this;
    const told = match.state.hints && !match.here?.over;
    byId("moves-panel").hidden = (!told && several.length === 0) || this.setUp !== null;
    byId("moves-title").textContent = several.length ? "Which move?" : "Moves, best first";
    const known = match.prospect ?? match.worth;
    const waiting = match.looking && (!known || known.more || (match.state.chance !== "" && data.solved && !match.prospect));
    this.redraw("moves", [data, ply, known, waiting, match.state.chance, several], () =>
      showMoves(
        byId("moves"),
        {
          known,
          waiting,
          who: data.sides[ply.side] ?? "",
          chance: match.state.chance,
          models: catalogue.models,
          solved: data.solved,
          choose: several,
        },
        (move) => void match.play(move),
        (move) => this.board?.mark(match.here?.moves.find((one) => one.move === move)?.to ?? []),
        (chance) => match.tell({ chance }),
      ),
    );
  }

  /**
   * What is said and offered at the end of a game.
   * @param {typeof import("./panels.js")} panels
   * @param {GameData} data
   * @param {Here} here
   */
  finish({ showEnding }, data, here) {
    const { match } = this;
    const shown = here.over && match.atEnd && !this.setUp && match.plies.length > 1;
    byId("ending").hidden = !shown;
    if (!shown) return;
    const ending = { players: match.state.players, moves: match.plies.length - 1, mistakes: 0 };
    this.redraw("ending", [data, here, ...match.state.players], () =>
      showEnding(byId("ending"), data, here, ending, {
        again: () => this.away(() => match.begin(match.state.game)),
        other: (players) => this.away(() => match.begin(match.state.game, players)),
        review: () => {
          match.tell({ hints: true });
          void match.jump(0);
        },
      }),
    );
  }

  /**
   * The bar beside the board.
   * @param {typeof import("./panels.js")} panels
   * @param {GameData} data
   * @param {Ply} ply
   */
  evaluate({ longestOf, showBar }, data, ply) {
    const { match } = this;
    const shown = match.tells && !this.setUp;
    byId("bar").hidden = !shown;
    if (!shown) return;
    const far = longestOf(match.plies.map((one) => match.known.get(one.position)));
    this.redraw("bar", [data, match.worth, ply.side, far], () => showBar(byId("bar"), data, match.worth, ply.side, far));
  }

  /** The moves so far. @param {typeof import("./panels.js")} panels @param {GameData} data */
  history({ showHistory }, data) {
    const { plies, state, tells, known } = this.match;
    const worth = plies.map((ply) => (tells ? known.get(ply.position) : undefined));
    this.redraw("history", [data, plies, state.ply, tells, worth.filter(Boolean).length], () => {
      const mistakes = plies.map((ply, i) => {
        const before = plies[i - 1];
        return before ? mistake(data, worth[i - 1], before.side, ply.move ?? "") : null;
      });
      const jump = (/** @type {number} */ ply) => this.away(() => this.match.jump(ply));
      showHistory(byId("history"), data, { plies, ply: state.ply, worth, mistakes }, jump);
    });
  }

  /**
   * Position, record, link.
   * @param {typeof import("./panels.js")} panels
   * @param {GameData} data
   * @param {Here} here
   * @param {Ply} ply
   */
  position({ showPosition, showSetting }, data, here, ply) {
    const { match, setUp } = this;
    const shown = setUp ? writeBoard(data, setUp.squares, setUp.side) : ply.position;
    const ending = here.over && match.atEnd ? standing(data, here, ply.side) : "";
    /** @param {import("./position.js").SetUp | null} next */
    const set = (next) => {
      this.setUp = next;
      match.held = next !== null;
      this.render();
      if (!next) match.show();
    };
    /** @param {Partial<import("./types.js").State>} change */
    const place = async (change) => {
      if (!(await match.place(change))) return;
      if (change.position) this.shown.set("text", change.position); // nobody is typing any more
      set(null);
    };
    /** @type {import("./position.js").Deeds} */
    const deeds = {
      go: (text) => void place({ position: text.trim() }),
      begin: () => {
        match.pause();
        set({
          squares: readBoard(data, ply.position),
          side: ply.side,
          piece: { owner: 0, name: data.pieces[0][0] ?? "" },
        });
      },
      turn: (side) => setUp && set({ ...setUp, side }),
      take: (piece) => setUp && set({ ...setUp, piece }),
      clear: () => setUp && set({ ...setUp, squares: setUp.squares.map(() => null) }),
      use: () => void place({ position: shown }),
      cancel: () => set(null),
      open: (record) => {
        const { games, ...said } = record;
        if (record.moves.length === 0) return this.refuse("This file has no moves; the game is unchanged.");
        if (record.moves.length > MOST_MOVES)
          return this.refuse(`A record has at most ${MOST_MOVES} moves, not ${record.moves.length}.`);
        return void place(said).then(
          () => games > 1 && !match.fault && this.refuse(`This is the first of ${games} games in the file.`),
        );
      },
    };
    this.redraw("setting", [data, setUp], () => showSetting(byId("setting"), data, setUp, deeds));
    const at = document.activeElement;
    const typed = at instanceof HTMLInputElement && at.id === "position-text" ? at.value : shown;
    if (typed !== shown && typed !== this.shown.get("text")) return; // somebody is typing
    this.shown.set("text", shown);
    this.redraw("position", [data, match.state, setUp], () =>
      showPosition(byId("position"), match.state, shown, ending, data.solved, setUp, deeds),
    );
  }

  /** Arrow keys step through the game, Ctrl-Z undoes. @param {KeyboardEvent} event */
  pressed(event) {
    const { match } = this;
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
    const onBoard = event.target instanceof Element && event.target.closest("[role=grid]");
    const control = event.ctrlKey || event.metaKey;
    const named = match.here?.moves.find((one) => one.move === event.key);
    if (named && /^[0-9]$/.test(event.key) && !control && !event.altKey && !typing && match.mine && !this.setUp) {
      event.preventDefault();
      return void match.play(named.move);
    }
    /** @type {number | null} */
    let to = null;
    if (event.key === "Escape" && this.chosen !== null) {
      this.chosen = null;
      return this.render();
    }
    if (control && event.key.toLowerCase() === "z") to = match.next(event.shiftKey ? 1 : -1);
    else if (control && event.key.toLowerCase() === "y") to = match.next(1);
    else if (control || event.altKey || typing || onBoard) return undefined;
    else if (event.key === "ArrowLeft") to = (match.going ?? match.state.ply) - 1;
    else if (event.key === "ArrowRight") to = (match.going ?? match.state.ply) + 1;
    else if (event.key === "Home") to = 0;
    else if (event.key === "End") to = match.plies.length - 1;
    if (to === null || this.setUp) return undefined;
    event.preventDefault();
    return void match.jump(to);
  }
}

const page = new Page();
addEventListener("popstate", () => {
  page.away(() => page.match.open(catalogue.opens));
});
document.querySelector(".skip")?.addEventListener("click", (event) => {
  event.preventDefault();
  focusBoard();
});
addEventListener("keydown", (event) => page.pressed(event));
showTheme();
showSound();
void page.match.open(catalogue.opens, first);
void page.furnish();
