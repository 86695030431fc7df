// Puzzles: a board to solve them on, by difficulty, the one of the day, a streak, and a link to share.

import { Refusal, ask } from "./api.js";
import { Board } from "./board.js";
import { button, html, refill } from "./dom.js";
import { done, failed, ofTheDay, remembered, today } from "./puzzle_record.js";
import { Solving } from "./puzzle_solving.js";
import { movesFrom, movesTo, readBoard, squareName } from "./squares.js";
import { numberOf } from "./words.js";

/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").LegalMove} LegalMove */
/** @typedef {import("./types.js").Puzzle} Puzzle */

/** Milliseconds before the other side answers, so that one sees both moves. */
const PAUSE = 450;
const NOTHING = { going: [], hints: new Map(), tapped: null };

export class Puzzles {
  /**
   * @param {HTMLElement} before the element that the view takes the place of
   * @param {(position: string) => void} moved keeps which puzzle is on the board
   * @param {(() => void) | null} leave goes back to the game; null if there is nothing to go back to
   */
  constructor(before, moved, leave) {
    this.before = before;
    this.moved = moved;
    this.leave = leave;
    /** @type {GameData | null} */
    this.data = null;
    /** @type {Puzzle[]} */
    this.all = [];
    /** @type {Solving | null} */
    this.solving = null;
    /** @type {number | null} the piece that is about to move */
    this.chosen = null;
    /** @type {number | null} */
    this.tapped = null;
    this.busy = false;
    this.helped = false;
    this.hints = 0;
    /** 0: any. */
    this.difficulty = 0;
    this.turn = 0;
    this.parts = this.built();
  }

  /** The elements of the view. */
  built() {
    const title = html("h1", { id: "puzzle-title", tabindex: -1 }, "Puzzles");
    const task = html("h2", { id: "puzzle-task" });
    const board = html("div", { id: "puzzle-board", class: "board" });
    const said = html("p", { id: "puzzle-said", class: "verdict", role: "status" });
    const which = html("div", { id: "puzzle-moves", class: "row wrap", role: "group", "aria-label": "Which move?", hidden: true });
    const controls = html("div", { class: "controls", role: "group", "aria-label": "The puzzle" });
    const choice = html("div", { id: "puzzle-choice" });
    const progress = html("div", { id: "puzzle-progress" });
    const share = html("div", { id: "puzzle-share", class: "row wrap" });
    const shared = html("p", { class: "quiet told", role: "status" });
    const table = html("section", { class: "table", "aria-labelledby": "puzzle-title" }, title, task, board, said, which, controls);
    const aside = html(
      "aside",
      { class: "panels", "aria-label": "More puzzles" },
      panel("choose-puzzle", "Choose a puzzle", choice),
      panel("puzzle-record", "Your progress", progress),
      panel("share-puzzle", "Share this puzzle", share, shared),
    );
    const whole = html("main", { class: "room puzzling", hidden: true }, table, aside);
    this.before.after(whole);
    return { whole, title, task, board, said, which, controls, choice, progress, share, shared };
  }

  /**
   * Opens the view on a position, or on the puzzle of the day.
   * @param {GameData} data
   * @param {string} position
   */
  async open(data, position) {
    const shown = this.parts.whole.hidden;
    this.before.hidden = true;
    this.parts.whole.hidden = false;
    if (this.data !== data) await this.load(data);
    if (this.solving?.puzzle.position !== position || position === "") await this.start(await this.wanted(position));
    if (shown) this.parts.title.focus();
  }

  /** Shows the game again. */
  close() {
    this.turn++;
    this.parts.whole.hidden = true;
    this.before.hidden = false;
  }

  /** Loads the puzzles of a game. @param {GameData} data */
  async load(data) {
    this.data = data;
    this.solving = null;
    this.difficulty = 0;
    this.parts.title.textContent = `Puzzles: ${data.title}`;
    this.say("Looking for puzzles …");
    const act = (/** @type {number} */ square) => void this.clicked(square);
    this.board = new Board(this.parts.board, data, act, (square) => this.aimed(square), (square) => {
      this.tapped = square;
      this.show();
    });
    try {
      this.all = (await ask("puzzles", { game: data.game })).puzzles;
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      this.all = [];
      this.say(`No puzzles: ${fault.message}.`);
    }
  }

  /**
   * The puzzle of that position, also of one that is not in the set; without a position that of the day.
   * @param {string} position
   * @returns {Promise<Puzzle | undefined>}
   */
  async wanted(position) {
    const found = this.all.find((one) => one.position === position);
    if (found || position === "") return found ?? this.daily;
    try {
      const known = await ask("analysis", { game: this.data?.game ?? "", position });
      const kept = known.moves.filter((/** @type {{value: string}} */ one) => one.value === known.value);
      if (kept.length !== 1 || known.value === "loss") return this.daily;
      const { value, distance, margin } = known;
      return { position, value, distance, margin, solution: [kept[0].move], line: [], difficulty: 0 };
    } catch (fault) {
      if (!(fault instanceof Refusal)) throw fault;
      return this.daily;
    }
  }

  get daily() {
    return ofTheDay(this.all, today());
  }

  /** Puts a puzzle on the board. @param {Puzzle | undefined} puzzle */
  async start(puzzle) {
    const turn = ++this.turn;
    this.chosen = this.tapped = null;
    this.busy = this.helped = false;
    this.hints = 0;
    if (!puzzle || !this.data) {
      if (this.all.length === 0 && this.parts.said.textContent?.startsWith("Looking")) this.say("This game has no puzzles.");
      this.solving = null;
      return this.show();
    }
    const solving = new Solving(this.data.game, puzzle);
    await solving.begin();
    if (turn !== this.turn) return;
    this.solving = solving;
    this.moved(puzzle === this.daily ? "" : puzzle.position);
    this.say(this.taskOf(solving));
    this.show();
  }

  /** What to do. @param {Solving} solving */
  taskOf({ puzzle, solver }) {
    const who = this.data?.names[solver] ?? "";
    if (puzzle.value !== "win") return `${who} to move: save the draw.`;
    return puzzle.distance === null ? `${who} to move and win.` : `${who} to move: win in ${numberOf(puzzle.distance, "move")}.`;
  }

  /** Says something below the board. @param {string} text @param {string} [kind] */
  say(text, kind = "") {
    this.parts.said.textContent = text;
    this.parts.said.className = `verdict ${kind}`;
  }

  /** A click on a square. @param {number} square */
  async clicked(square) {
    const { solving } = this;
    if (!solving?.mine || this.busy) return;
    const { moves } = solving.here;
    const found = this.meant(square);
    const origins = [...new Set(found.flatMap((move) => move.from))].filter((from) => movesFrom(moves, from).length);
    this.tapped = null;
    this.parts.which.hidden = true;
    if (this.chosen === square) this.chosen = null;
    else if (movesFrom(moves, square).length) this.chosen = square;
    else if (this.chosen === null && origins.length === 1) this.chosen = origins[0] ?? null;
    else if (found.length === 1) return this.play(found[0]?.move ?? "");
    else if (origins.length > 1) this.say("Several pieces can go there: choose one first.");
    else if (found.length > 1) this.offer(found);
    else {
      if (this.chosen === null && this.data) this.say(`That cannot be played now: ${squareName(this.data, square)}.`);
      this.chosen = null;
    }
    this.show();
  }

  /** Lets one choose among moves by name. @param {LegalMove[]} moves */
  offer(moves) {
    this.parts.which.hidden = false;
    refill(this.parts.which, ...moves.map(({ move }) => button(move, () => void this.play(move))));
  }

  /** The moves that a click on a square means now. @param {number} square */
  meant(square) {
    if (!this.data || !this.solving) return [];
    const [there, chosen] = [movesTo(this.data, this.solving.here.moves, square), this.chosen];
    return chosen === null ? there : there.filter((move) => move.from.includes(chosen));
  }

  /** The squares that a click on one would change. @param {number | null} square */
  aimed(square) {
    if (square === null || !this.solving?.mine || this.busy) return [];
    const found = this.meant(square);
    return found.length === 1 ? (found[0]?.to ?? []) : [];
  }

  /** Judges a move of the person's, and answers it. @param {string} move */
  async play(move) {
    const { solving, data } = this;
    if (!solving || !data) return;
    const turn = this.turn;
    this.busy = true;
    this.chosen = this.tapped = null;
    this.parts.which.hidden = true;
    const { judgement, worth } = await solving.judged(move);
    if (judgement === "slow") this.say(`${move} wins too, but it takes longer. Find the quickest win.`);
    if (judgement === "wrong") {
      if (!this.helped) failed(data.game);
      this.helped = true;
      this.say(`Not this one. ${await this.reason(solving, move, worth)} Try again.`, "wrong");
    }
    if (judgement === "right") await this.answered(solving, move, turn);
    if (turn !== this.turn) return;
    this.busy = false;
    this.show();
  }

  /**
   * Why a move is wrong, in a sentence.
   * @param {Solving} solving
   * @param {string} move
   * @param {import("./types.js").Worth | undefined} worth
   */
  async reason(solving, move, worth) {
    const [other, best] = [this.data?.names[1 - solving.solver] ?? "", await solving.refutation(move)];
    const what = worth?.value === "loss" ? `${move} loses` : `${move} gives the win away`;
    return `${what}${best.length ? `: ${other} answers ${best.slice(0, 3).join(", ")}` : ""}.`;
  }

  /**
   * Makes a right move and the answers to it.
   * @param {Solving} solving
   * @param {string} move
   * @param {number} turn
   */
  async answered(solving, move, turn) {
    await solving.play(move);
    this.say(`${move} is right.`, "right");
    while (!solving.solved && !solving.mine && turn === this.turn) {
      this.show();
      await new Promise((resolve) => setTimeout(resolve, PAUSE));
      const reply = await solving.reply();
      if (turn !== this.turn) return;
      await solving.play(reply);
      this.say(`${move} is right. ${this.data?.names[1 - solving.solver]} answers ${reply}.`, "right");
    }
    if (!solving.solved || turn !== this.turn || !this.data) return;
    done(this.data.game, solving.puzzle.position, !this.helped, solving.puzzle === this.daily);
    this.say(solving.timed || solving.puzzle.value === "win" ? "Solved!" : "Solved: you kept the draw.", "solved");
  }

  /** First a wrong move that holds out longest, then the right one. */
  async hint() {
    const { solving, data } = this;
    if (!solving?.mine || this.busy || !data) return;
    if (!this.helped) failed(data.game);
    this.helped = true;
    const known = await solving.known();
    const tempting = known.moves.find((one) => one.value !== known.value);
    if (this.hints++ === 0 && tempting) return this.say(`A hint: ${await this.reason(solving, tempting.move, tempting)}`);
    const [move] = await solving.good();
    const to = solving.here.moves.find((one) => one.move === move);
    this.say(`Play ${move}.`);
    const from = (to?.from ?? []).filter((square) => movesFrom(solving.here.moves, square).length);
    this.board?.mark([...from, ...(to?.to ?? [])]);
  }

  /** Shows the solution and ends the puzzle. */
  give() {
    const { solving, data } = this;
    if (!solving || !data) return;
    if (!this.helped) failed(data.game);
    this.turn++;
    solving.solved = true;
    this.busy = false;
    this.say(`The solution: ${(solving.puzzle.line.length ? solving.puzzle.line : solving.puzzle.solution).join(" ")}`);
    this.show();
  }

  /** The puzzles of the chosen difficulty. */
  get fitting() {
    return this.all.filter((one) => this.difficulty === 0 || one.difficulty === this.difficulty);
  }

  /** Goes on to the next puzzle that is not solved yet, or else to the next one. */
  next() {
    const { fitting, solving, data } = this;
    const solved = new Set(remembered(data?.game ?? "").solved);
    const at = fitting.findIndex((one) => one.position === solving?.puzzle.position);
    const order = [...fitting.slice(at + 1), ...fitting.slice(0, Math.max(0, at))];
    void this.start(order.find((one) => !solved.has(one.position)) ?? order[0] ?? solving?.puzzle);
    this.parts.title.focus();
  }

  /** Draws everything. */
  show() {
    const { solving, data, parts } = this;
    if (!data) return;
    const over = !solving || solving.solved;
    const daily = solving !== null && solving.puzzle === this.daily;
    const grade = solving?.puzzle.difficulty ? `difficulty ${solving.puzzle.difficulty}` : "";
    const kind = [daily ? "Puzzle of the day" : "", grade].filter(Boolean).join(", ");
    parts.task.textContent = solving ? `${this.taskOf(solving)}${kind ? ` (${kind})` : ""}` : "";
    const all = data.text.rows.flat();
    const reacts = (/** @type {number} */ square) =>
      this.meant(square).length > 0 || movesFrom(solving?.here.moves ?? [], square).length > 0;
    this.board?.show({
      ...NOTHING,
      squares: readBoard(data, solving?.ply.position ?? data.start),
      side: solving?.ply.side ?? 0,
      last: solving?.ply.to ?? [],
      left: solving?.ply.from ?? [],
      going: solving?.here.going ?? [],
      rows: solving?.here.rows ?? [],
      legal: new Set(solving?.mine && !this.busy ? all.filter(reacts) : []),
      chosen: this.chosen,
      targets: this.chosen === null ? [] : all.filter((square) => this.meant(square).length > 0),
      tapped: this.tapped,
      about: `Board of ${data.title}. ${solving ? this.taskOf(solving) : ""}`,
    });
    this.showControls(over);
    this.showChoice(data);
    this.showProgress(data);
    this.showShare();
  }

  /** @param {boolean} over */
  showControls(over) {
    const [square, { solving }] = [this.tapped, this];
    const aimed = square === null ? [] : this.meant(square);
    /** @type {[boolean, Node][]} */
    const found = [
      [aimed.length === 1, button(`Play ${aimed[0]?.move}`, () => void this.clicked(square ?? 0), { class: "strong" })],
      [over && this.all.length > 1, button("Next puzzle", () => this.next(), { id: "puzzle-next", class: "strong" })],
      [!over, button("Hint", () => void this.hint(), { id: "puzzle-hint" })],
      [!over, button("Show the solution", () => this.give(), { id: "puzzle-give" })],
      [!over && this.all.length > 1, button("Skip", () => this.next(), { id: "puzzle-next" })],
      [over && solving !== null, button("Again", () => void this.start(solving?.puzzle), { id: "puzzle-again" })],
      [this.leave !== null, button("Back to the game", () => this.leave?.(), { id: "puzzle-leave" })],
    ];
    refill(this.parts.controls, ...found.flatMap(([shown, one]) => (shown ? [one] : [])));
  }

  /** Choosing by difficulty, and the puzzle of the day. @param {GameData} data */
  showChoice(data) {
    const solved = new Set(remembered(data.game).solved);
    const grades = [...new Set(this.all.map((one) => one.difficulty))].sort((a, b) => a - b);
    const select = html("select", { id: "puzzle-difficulty" });
    for (const grade of [0, ...grades]) {
      const those = this.all.filter((one) => grade === 0 || one.difficulty === grade);
      const left = those.filter((one) => !solved.has(one.position)).length;
      const text = `${grade === 0 ? "Any" : grade}: ${left} of ${those.length} left`;
      select.append(html("option", { value: grade, selected: grade === this.difficulty }, text));
    }
    select.addEventListener("change", () => {
      this.difficulty = Number(select.value);
      this.next();
    });
    const field = html("div", { class: "field" }, html("label", { for: "puzzle-difficulty" }, "Difficulty, 1 to 10"), select);
    const day = button("Puzzle of the day", () => void this.start(this.daily), { id: "puzzle-daily", disabled: !this.daily });
    refill(this.parts.choice, field, day);
  }

  /** @param {GameData} data */
  showProgress(data) {
    const { solved, streak, day, days } = remembered(data.game);
    const here = this.all.filter((one) => solved.includes(one.position)).length;
    const running = day >= today() - 1 ? days : 0;
    refill(
      this.parts.progress,
      html("p", {}, `Solved: ${here} of ${this.all.length}`),
      html("p", { id: "puzzle-streak" }, `In a row without a mistake: ${streak}`),
      html("p", { id: "puzzle-days" }, `Days in a row: ${running}`),
    );
  }

  /** The link to the puzzle, or where a link leads nowhere, its position. */
  showShare() {
    const online = location.protocol !== "file:";
    const puzzle = this.solving?.puzzle;
    if (!puzzle) return refill(this.parts.share);
    const copy = async () => {
      if (online && puzzle === this.daily) this.moved(puzzle.position);
      const text = online ? location.href : puzzle.position;
      try {
        await navigator.clipboard.writeText(text);
        this.parts.shared.textContent = online ? "The link is copied." : "The position is copied.";
      } catch {
        this.parts.shared.textContent = text;
      }
    };
    return refill(this.parts.share, button(online ? "Copy link" : "Copy position", () => void copy(), { id: "puzzle-copy" }));
  }
}

/**
 * A panel with a headline.
 * @param {string} id
 * @param {string} text
 * @param {...Node} children
 */
function panel(id, text, ...children) {
  return html("section", { class: "panel", "aria-labelledby": id }, html("h2", { id }, text), ...children);
}
