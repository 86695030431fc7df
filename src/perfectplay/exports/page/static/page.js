// The page: shows a match and passes on what the user does.

import { HUMAN, address, readAddress } from "./address.js";
import { Board, token } from "./board.js";
import { MARK } from "./api.js";
import { clickOn, hintsOn, meant, reacts } from "./clicks.js";
import { Controls } from "./controls.js";
import { byId, focusBoard, html } from "./dom.js";
import { Match } from "./match.js";
import { showSound, sound } from "./sound.js";
import { keep, kept, showTheme } from "./theme.js";
import { emptied, movesFrom, readBoard, standIn, writeBoard } from "./squares.js";
import { inMoves, mistake, playerTitle, standing, title, truth } from "./words.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Here} Here */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Ply} Ply */
/** @typedef {import("./types.js").Worth} Worth */

const MOST_MOVES = 1000;
const NOTHING = { last: [], left: [], going: [], rows: [], hints: new Map(), targets: [], legal: new Set(), chosen: null, tapped: null };
const RECENT = "perfectplay-recent";
const MOST_RECENT = 5;
const PREPARING = "Preparing the engine, first time only …";
const GONE = "The server does not answer. Trying again …";
const { games: catalogue, ...first } = JSON.parse(byId("first").textContent ?? "");

class Page {
  constructor() {
    this.match = new Match(readAddress(address(), catalogue.opens), () => this.render());
    this.buttons = new Controls(byId("controls"));
    /** @type {Board | null} */
    this.board = null;
    /** @type {typeof import("./panels.js") | null} the panels beside the board, loaded after it */
    this.panels = null;
    /** @type {import("./explore.js").Explorer | null} */
    this.explorer = null;
    /** @type {import("./teacher.js").Teacher | null} */
    this.teacher = null;
    /** @type {import("./classroom.js").Classroom | null} */
    this.classroom = null;
    /** @type {import("./puzzles.js").Puzzles | null} */
    this.puzzles = null;
    this.match.held = this.match.state.lesson !== null;
    /** Whether the board shows a position deeper in the tree. */
    this.peeking = false;
    /** @type {number | null} the piece that is about to move */
    this.chosen = null;
    /** @type {number | null} a square that was tapped on a board too fine for fingers */
    this.tapped = null;
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
    byId("note").textContent = match.gone ? GONE : inMoves(match.note);
    byId("note").hidden = byId("note").textContent === "";
    this.redraw("games", [this.panels, state.game, match.fault, data], () =>
      this.panels?.showGames(byId("games"), catalogue, state.game, (name) => this.away(() => match.begin(name))),
    );
    this.redraw("own", [this.panels, state.game], () =>
      this.panels?.showOwn(byId("own-panel"), byId("own"), byId("own-said"), match, catalogue, (act) => this.away(act)),
    );
    if (!data && match.fault) byId("turn").textContent = "This game cannot be shown.";
    if (!data || !here || !ply) return;
    if (match.turn !== this.turn) {
      this.turn = match.turn;
      this.chosen = this.tapped = null;
      this.several = [];
    }
    this.redraw("board", [data], () => {
      document.title = `${data.title} · perfectplay`;
      byId("title").textContent = data.title;
      byId("variant").hidden = catalogue.games.length === 0;
      const [click, aim] = [this.clicked.bind(this), this.aimed.bind(this)];
      this.board = new Board(byId("board"), data, click, aim, (square) => {
        this.tapped = square;
        this.render();
      });
    });
    this.draw(data, here, ply);
    this.redraw("heard", [match.plies.length, match.state.ply], () => this.hear(data, here));
    this.controls(data, here, ply);
    if (this.panels) {
      const { showPlayers, showSolve } = this.panels;
      this.redraw("players", [data, ...state.players], () =>
        showPlayers(byId("players"), data, state.players, (players) => match.seat(players)),
      );
      this.redraw("solve", [data], () => {
        const told = "Solved. Switch on Hints to see the exact result of every move.";
        const done = () => void match.reload().then(() => this.remark(told));
        showSolve(byId("solve-panel"), byId("solve"), data, done);
      });
      this.teacher?.show(data, here, ply, this.board, this.setUp !== null, this.redraw.bind(this));
      this.explore(data, here, ply);
      this.list(this.panels, data, ply);
      this.evaluate(this.panels, data, ply);
      this.finish(this.panels, data, here);
      this.redraw("about", [data], () => this.panels?.showAbout(byId("about-panel"), byId("about"), data));
      this.history(this.panels, data);
      this.position(this.panels, data, here, ply);
      this.share(this.panels, data, here);
      this.redraw("puzzles", [data, match.state.puzzle], () => void this.showPuzzles(data));
      this.redraw("classroom", [data, match.state.lesson && ply.position], () => void this.teach(data, ply));
    }
    const verdict = match.told && match.worth && !here.over ? truth(data, ply.side, match.worth) : "";
    const said = `${match.spoken} ${standing(data, here, ply.side, match.again)}. ${verdict}`.trim();
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
    const link = `./${location.pathname.split("/").pop()}${address()}`;
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

  /** Shows a remark. @param {string} text */
  remark(text) {
    this.match.note = text;
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
    const stands = setUp ? "Setting up a position" : standing(data, here, ply.side, match.again);
    const [people, who] = [match.state.players.filter((one) => one === HUMAN).length, playerTitle(data, match.mover)];
    const busy = match.preparing ? PREPARING : `${title(who)} (${data.names[ply.side]}) is thinking …`;
    const yours = people === 1 && match.mover === HUMAN && !here.over && !setUp && !match.exploring;
    byId("turn").textContent = match.thinking && !here.over ? busy : yours ? (match.again ? "You move again" : "Your move") : stands;
    this.redraw("seats", [data, ...match.state.players, here.over ? -1 : ply.side, match.exploring], () =>
      byId("seats").replaceChildren(...data.names.map((_, side) => this.seat(data, side, !here.over && side === ply.side))),
    );
    byId("verdict").textContent = setUp ? "" : this.sentence(data, here);
    byId("verdict").classList.toggle("aside", !match.told);
    const made = here.moves.find((one) => one.move === match.made);
    const squares = setUp ? setUp.squares : after(data, here, ply, made);
    const all = data.text.rows.flat();
    const seen = {
      last: made?.to ?? ply.to ?? [],
      left: made?.from ?? ply.from ?? [],
      going: here.going,
      rows: here.rows,
      hints: made || !match.told || !match.worth ? new Map() : hintsOn(here.moves, this.chosen, match.worth),
      targets: this.chosen === null ? [] : all.filter((square) => this.meant(square).length > 0),
    };
    this.board?.show({
      squares,
      side: ply.side,
      ...(setUp ? NOTHING : seen),
      legal: new Set(setUp ? all : match.mine ? all.filter((square) => reacts(data, here.moves, this.chosen, square)) : []),
      chosen: this.chosen,
      tapped: setUp ? null : this.tapped,
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
    const { exploring } = this.match;
    const players = exploring ? [HUMAN, HUMAN] : this.match.state.players;
    const [player, people] = [players[side] ?? HUMAN, players.filter((one) => one === HUMAN).length];
    const who = player !== HUMAN ? title(playerTitle(data, player)) : people === 1 ? "You" : data.names[side];
    return html("span", { class: `seat ${turn ? "turn" : ""}` }, token(data, side), html("b", {}, who ?? ""));
  }

  /**
   * The sentence below the board.
   * @param {GameData} data
   * @param {Here} here
   */
  sentence(data, here) {
    const known = this.match.worth;
    if (here.over) return "";
    if (this.match.told && known) return truth(data, this.match.ply?.side ?? 0, known);
    if (this.match.told && this.match.looking) return this.match.preparing && !this.match.thinking ? PREPARING : "Analysing …";
    if (data.note) return data.note;
    if (data.solved) return "";
    return data.solvable
      ? "No full solution yet; hints come from a search."
      : "Too big to solve here. You can still play it.";
  }

  /** The moves that a click on a square means now. @param {number} square */
  meant(square) {
    const { data, here } = this.match;
    return data && here ? meant(data, here.moves, this.chosen, square) : [];
  }

  /** The squares that a click on one would change. @param {number | null} square */
  aimed(square) {
    const pointed = square === null ? [] : this.meant(square);
    this.teacher?.aim(pointed.length === 1 ? (pointed[0]?.move ?? "") : "");
    if (square === null || this.setUp || !this.match.mine) return [];
    const found = this.meant(square);
    return found.length === 1 ? (found[0]?.to ?? []) : [];
  }

  /** A click on a square. @param {number} square */
  clicked(square) {
    const { match, setUp } = this;
    const { here } = match;
    if (setUp) {
      const [at, piece] = [setUp.squares[square], setUp.piece];
      const fit = match.data && piece ? standIn(match.data, setUp.side, square, piece) : null;
      const same = at && fit && at.kind === fit.kind && at.owner === fit.owner;
      setUp.squares[square] = same ? null : fit;
      this.setUp = { ...setUp };
      return this.render();
    }
    if (!here || !match.data || !match.mine) return undefined;
    const { play, chosen, several, note } = clickOn(match.data, here.moves, this.chosen, square);
    match.fault = "";
    match.note = note;
    this.tapped = null;
    if (play !== undefined) return this.play(play);
    this.chosen = chosen;
    this.several = several;
    return this.render();
  }

  /** Plays a move, or in a review tries it. @param {string} move */
  play(move) {
    this.several = [];
    this.chosen = null;
    if (!this.teacher?.guided.take(move)) void this.match.play(move);
  }

  /** Explains the position, or no longer. */
  explain() {
    this.match.tell({ why: !this.match.state.why });
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
    /** @type {{text: string, act: () => void} | null} */
    let more = null;
    const aimed = this.tapped === null || this.setUp ? [] : this.meant(this.tapped);
    const [tapped, square] = [aimed[0], this.tapped];
    if (this.setUp) more = null;
    else if (tapped && square !== null) more = { text: `Play ${tapped.move}`, act: () => this.clicked(square) };
    else if (!here.over && !person && (!match.running || !match.atEnd)) {
      more = { text: people ? `Let ${data.names[ply.side]} move` : "Play on", act: () => match.playOn() };
    } else if (!here.over && !people) more = { text: "Pause", act: () => match.pause() };
    this.buttons.show({
      undo: () => match.next(-1),
      redo: () => match.next(1),
      hints: match.state.hints,
      possible: data.solved || data.solvable,
      playable: !here.over && (data.solved || data.solvable) && !match.planning && !this.setUp,
      busy: match.planning || this.setUp !== null,
      more,
      jump: (to) => void match.jump(to),
      fresh: () => this.away(() => match.begin(match.state.game)),
      hint: (hints) => match.tell({ hints }),
      playOut: () => void match.playOut(),
      exploring: match.exploring,
      why: match.state.why,
      explainable: !here.over && !this.setUp && !match.reviewed.trying,
      explain: () => this.explain(),
      explore: () => (match.exploring ? void match.resume() : match.explore()),
    });
  }

  /** Loads the panels. */
  async furnish() {
    this.panels = await import("./panels.js");
    const peek = this.peek.bind(this);
    this.explorer = new this.panels.Explorer(this.match, () => this.render(), peek);
    this.teacher = new this.panels.Teacher(this.match, () => this.render());
    byId("teach").addEventListener("click", () => this.lesson(true));
    byId("solve-puzzles").addEventListener("click", () => this.puzzle(""));
    this.render();
  }

  /** Shows a puzzle, or the game again. @param {string | null} puzzle */
  puzzle(puzzle) {
    this.match.pause();
    this.match.set({ puzzle });
    this.match.show();
    if (puzzle === null) byId("solve-puzzles").focus();
  }

  /** Shows the puzzles as the address asks for them. @param {GameData} data */
  async showPuzzles(data) {
    const { match } = this;
    byId("solve-puzzles").hidden = !(MARK === "?" ? data.solved : first.puzzles?.length);
    match.held = match.state.puzzle !== null || match.state.lesson !== null;
    if (match.state.puzzle === null) return this.puzzles?.close();
    const { Puzzles } = await import("./puzzles.js");
    const keep = (/** @type {string} */ puzzle) => {
      match.set({ puzzle }, false);
      this.shown.set("puzzles", [data, puzzle]);
    };
    const room = /** @type {HTMLElement} */ (document.querySelector("main.room"));
    this.puzzles ??= new Puzzles(room, keep, () => this.puzzle(null));
    await this.puzzles.open(data, match.state.puzzle);
  }

  /** Enters the classroom, or leaves it. @param {boolean} enter */
  lesson(enter) {
    const { match } = this;
    if (enter) match.pause();
    match.set({ lesson: enter ? { algorithm: "", step: 0, depth: null, small: false } : null });
    match.show();
    if (!enter) byId("teach").focus();
  }

  /**
   * Shows the classroom as the address asks for it, on the position of the board, or at the start on a small one.
   * @param {GameData} data
   * @param {Ply} ply
   */
  async teach(data, ply) {
    const { match } = this;
    byId("teach").hidden = false;
    match.held = match.state.lesson !== null || match.state.puzzle !== null;
    if (!match.state.lesson) return this.classroom?.close();
    const { Classroom } = await import("./classroom.js");
    this.classroom ??= new Classroom(
      (lesson) => match.set({ lesson }, false),
      () => this.lesson(false),
    );
    const { lesson, position, ply: at } = match.state;
    const small = lesson?.small || (position === "" && at === 0);
    if (lesson) await this.classroom.open(data, small ? "" : ply.position, lesson);
  }

  /**
   * The tree of moves, in place of the game's panels.
   * @param {GameData} data
   * @param {Here} here
   * @param {Ply} ply
   */
  explore(data, here, ply) {
    const { match, explorer } = this;
    const shown = match.exploring && !this.setUp;
    byId("explore-panel").hidden = !shown;
    for (const id of ["history-panel", "players-panel"]) byId(id).hidden = shown;
    const on = [shown, data, here, ply, match.plies, match.state, match.worth, match.prospect, match.unknown, explorer?.version];
    this.redraw("explore", on, () => {
      if (shown) explorer?.show(byId("explored"), { data, here, ply, models: catalogue.models });
      else byId("explored").replaceChildren();
    });
  }

  /**
   * Shows a move of the tree on the board, in the position before it; none if the place is null.
   * @param {import("./tree.js").Place | null} place
   * @param {string} name
   */
  peek(place, name) {
    const { data, here, ply } = this.match;
    if (!data || !here || !ply) return;
    const move = place?.here.moves.find((one) => one.move === name);
    const other = place && place.position !== ply.position ? place : null;
    const seen = { squares: readBoard(data, other?.position ?? ""), side: other?.side ?? 0, about: other?.position ?? "" };
    if (other) this.board?.show({ ...NOTHING, ...seen });
    else if (this.peeking) this.draw(data, here, ply); // only then: a redrawn square loses a click under way
    if (other) this.board?.annotate([], new Map());
    else if (this.peeking) this.teacher?.draw();
    this.peeking = other !== null;
    this.teacher?.aim(other ? "" : name);
    this.board?.mark(move ? [...move.to, ...move.from] : []);
  }

  /**
   * The list of moves.
   * @param {typeof import("./panels.js")} panels
   * @param {GameData} data
   * @param {Ply} ply
   */
  list({ showMoves }, data, ply) {
    const { match, several } = this;
    const told = match.state.hints && !match.here?.over && !match.exploring && !match.reviewed.trying;
    byId("moves-panel").hidden = (!told && several.length === 0) || this.setUp !== null;
    if (match.exploring && several.length === 0) return this.redraw("moves", [null], () => byId("moves").replaceChildren());
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
        (move) => this.play(move),
        (move) => {
          this.board?.mark(match.here?.moves.find((one) => one.move === move)?.to ?? []);
          this.teacher?.aim(move ?? "");
        },
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
    const shown = here.over && match.atEnd && !this.setUp && match.plies.length > 1 && !match.exploring && !match.reviewed.open;
    byId("ending").hidden = !shown;
    document.querySelector(".table")?.classList.toggle("ended", shown || match.reviewed.open);
    if (!shown) return;
    const ending = { players: match.state.players, moves: match.plies.length - 1 };
    this.redraw("ending", [data, here, ...match.state.players], () =>
      showEnding(byId("ending"), data, here, ending, {
        again: () => this.away(() => match.begin(match.state.game).then(() => focusBoard())),
        other: (players) => this.away(() => match.begin(match.state.game, players).then(() => focusBoard())),
        review: () => void this.teacher?.guided.start(),
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
    const { looking } = this.match;
    const [review, secret] = [this.teacher?.guided.review, this.match.reviewed.open];
    const on = [data, plies, state.ply, tells, looking, review, secret, worth.filter(Boolean).length];
    this.redraw("history", on, () => {
      const mistakes = plies.map((ply, i) => {
        const before = plies[i - 1];
        return before ? mistake(data, worth[i - 1], before.side, ply.move ?? "") : null;
      });
      const jump = (/** @type {number} */ ply) => this.away(() => this.match.jump(ply));
      const start = () => this.away(() => this.teacher?.guided.start());
      const deeds = { jump, review: data.solved || data.solvable ? start : null };
      showHistory(byId("history"), data, { plies, ply: state.ply, worth, mistakes, looking, review, secret }, deeds);
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
          piece: { owner: 0, kind: 0 },
        });
      },
      turn: (side) => setUp && set({ ...setUp, side }),
      take: (piece) => setUp && set({ ...setUp, piece }),
      clear: () => setUp && set({ ...setUp, squares: emptied(data, setUp.side) }),
      use: () => void place({ position: shown }),
      cancel: () => set(null),
      open: (record) => {
        const { games, ...said } = record;
        if (record.moves.length === 0) return this.refuse("This file has no moves; the game is unchanged.");
        if (record.moves.length > MOST_MOVES)
          return this.refuse(`A record has at most ${MOST_MOVES} moves, not ${record.moves.length}.`);
        return void place(said).then(
          () => games > 1 && !match.fault && this.remark(`This is the first of ${games} games in the file.`),
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

  /** Links and pictures. @param {typeof import("./panels.js")} panels @param {GameData} data @param {Here} here */
  share({ showShare }, data, here) {
    const { plies, state } = this.match;
    byId("share-panel").hidden = this.setUp !== null;
    const shared = { plies, ply: state.ply, rows: here.rows };
    this.redraw("share", [data, plies, state.ply, here], () => showShare(byId("share"), data, shared));
  }

  /** Arrow keys step through the game, Ctrl-Z undoes. @param {KeyboardEvent} event */
  pressed(event) {
    const { match } = this;
    if (match.state.puzzle !== null) return undefined;
    const typing = event.target instanceof Element && event.target.closest("input, select, textarea");
    const onBoard = event.target instanceof Element && event.target.closest("[role=grid]");
    const control = event.ctrlKey || event.metaKey;
    const named = match.here?.moves.find((one) => one.move === event.key);
    if (named && /^[0-9]$/.test(event.key) && !control && !event.altKey && !typing && match.mine && !this.setUp) {
      event.preventDefault();
      return this.play(named.move);
    }
    if (event.key.toLowerCase() === "w" && !control && !event.altKey && !typing && !this.setUp && !match.here?.over) {
      event.preventDefault();
      return this.explain();
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

/**
 * The squares after a move that is being played, as far as they are certain before the server answers.
 * @param {GameData} data
 * @param {Here} here
 * @param {Ply} ply
 * @param {LegalMove | undefined} made
 */
function after(data, here, ply, made) {
  const squares = readBoard(data, ply.position);
  const [from] = made?.from ?? [];
  const moves = from !== undefined && movesFrom(here.moves, from).length > 0;
  const kinds = data.pieces[ply.side] ?? [];
  if (!made || (!moves && kinds.length > 1)) return squares;
  const piece = moves ? (squares[from] ?? null) : { owner: ply.side, kind: 0 };
  for (const square of made.from) squares[square] = null;
  for (const square of made.to) squares[square] = piece;
  return squares;
}

/** Closes the menu of variants, unless that is where somebody is. @param {EventTarget | null} at */
function closeMenu(at) {
  const menu = byId("variant");
  if (!menu.hasAttribute("open") || (at instanceof Node && menu.contains(at))) return;
  menu.removeAttribute("open");
  if (at === null) menu.querySelector("summary")?.focus();
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
addEventListener("pointerdown", (event) => closeMenu(event.target));
addEventListener("keydown", (event) => event.key === "Escape" && closeMenu(null));
showTheme();
showSound();
void page.match.open(catalogue.opens, first);
void page.furnish();
