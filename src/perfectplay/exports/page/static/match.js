// A game in progress: its moves, players and analyses. It knows the server and the address, and draws nothing.

import { HUMAN, address, readAddress, writeAddress } from "./address.js";
import { Refusal, ask } from "./api.js";
import { inTurn, notPlayed, numberOf, playerTitle, title, turnsOf } from "./words.js";

/** @typedef {import("./types.js").Analysis} Analysis */
/** @typedef {import("./types.js").GameData} GameData */
/** @typedef {import("./types.js").Here} Here */
/** @typedef {import("./types.js").Line} Line */
/** @typedef {import("./types.js").Ply} Ply */
/** @typedef {import("./types.js").State} State */
/** @typedef {{game: GameData | null, line: Line | null}} First what came with the page */

const BREATH = 400;
const WATCHED = 800;
const SOON = 2500;
const NAMED = ["level", "streetwise", "perfect", "threats", "mcts"];
const SECONDS = { here: "1", past: "0.4" };
/** Characters of the moves in a request, at most. */
const LONGEST_MOVES = 4096;

export class Match {
  /**
   * @param {State} state
   * @param {() => void} changed called when there is something new to show
   */
  constructor(state, changed) {
    this.state = state;
    this.changed = changed;
    /** @type {GameData | null} */
    this.data = null;
    /** @type {Ply[]} */
    this.plies = [];
    /** @type {Here | null} */
    this.here = null;
    /** @type {Map<string, Analysis>} analyses by position */
    this.known = new Map();
    /** @type {Map<string, Analysis>} with probabilities, by model and position */
    this.chances = new Map();
    /** Whether computer players move. */
    this.running = state.moves.length === 0 && state.position === "";
    /** Whether they moved in the game that was left. */
    this.ran = false;
    this.thinking = false;
    this.looking = false;
    this.planning = false;
    this.moving = false;
    /** The move that is being played. */
    this.made = "";
    /** Whether a position is being set up, so that nobody moves. */
    this.held = false;
    /** @type {number | null} the ply that a jump under way goes to */
    this.going = null;
    /** @type {Set<string>} positions that were searched briefly */
    this.rough = new Set();
    /** The turn at which an analysis failed. */
    this.unknown = -1;
    /** Whether the game was played to its end. */
    this.ended = false;
    this.fault = "";
    this.note = "";
    /** Whether the server does not answer. */
    this.gone = false;
    /** Whether the engine is being prepared for this game. */
    this.preparing = false;
    /** @type {Set<string>} the games for which it is */
    this.prepared = new Set();
    this.spoken = "";
    /** The review of the game: whether it is open, shows a mistake, and waits for a better move. */
    this.reviewed = { open: false, there: false, trying: false };
    this.asked = new AbortController();
    this.turn = 0;
  }

  /** The position on the board. */
  get ply() {
    return this.plies[this.state.ply];
  }

  /** Its analysis. */
  get worth() {
    return this.known.get(this.ply?.position ?? "");
  }

  /** Its analysis with probabilities. */
  get prospect() {
    return this.chances.get(`${this.state.chance} ${this.ply?.position}`);
  }

  /** Whether both sides are the user's, apart from the game. */
  get exploring() {
    return this.state.left !== null;
  }

  /** The player to move. */
  get mover() {
    return this.exploring ? HUMAN : (this.state.players[this.ply?.side ?? 0] ?? HUMAN);
  }

  /** Whether the last position is on the board. */
  get atEnd() {
    return this.state.ply === this.plies.length - 1;
  }

  /** Whether the user may move now. */
  get mine() {
    return Boolean(this.here && !this.here.over && (this.mover === HUMAN || this.reviewed.there) && !this.planning && !this.moving);
  }

  /** Whether the values of moves are shown. */
  get told() {
    return (this.state.hints || this.exploring) && !this.reviewed.trying;
  }

  /** Whether analyses may be shown. */
  get tells() {
    return this.told || this.ended || this.reviewed.open;
  }

  /** Leaves the position and cancels its requests. */
  leave() {
    this.asked.abort();
    this.asked = new AbortController();
    this.thinking = this.looking = this.planning = this.moving = this.gone = false;
    this.going = null;
    this.fault = this.note = this.made = "";
    this.turn += 1;
    return this.turn;
  }

  /**
   * Asks the server; leaving the position cancels it.
   * @param {string} task
   * @param {Record<string, string>} values
   */
  async ask(task, values) {
    const { game } = this.state;
    const rules = task === "reply" || game.includes(".py") ? "" : (this.data?.rules ?? "");
    const first = task !== "line" && !this.data?.solved && !this.prepared.has(game);
    const waits = first ? setTimeout(() => this.tellPreparing(true), SOON) : 0;
    try {
      const found = await this.question(task, { game, ...values, rules });
      if (first) this.prepared.add(game);
      return found;
    } finally {
      clearTimeout(waits);
      this.tellPreparing(false);
    }
  }

  /** @param {boolean} preparing */
  tellPreparing(preparing) {
    if (this.preparing === preparing) return;
    this.preparing = preparing;
    this.changed();
  }

  /**
   * Asks, and again as long as the server does not answer.
   * @param {string} task
   * @param {Record<string, string>} values
   */
  question(task, values) {
    const turn = this.turn;
    return ask(task, values, this.asked.signal, (gone) => {
      if (turn !== this.turn || gone === this.gone) return;
      this.gone = gone;
      this.changed();
    });
  }

  /**
   * Does something and shows its errors, unless the position was left meanwhile.
   * @param {number} turn
   * @param {() => Promise<void>} work
   */
  async try(turn, work) {
    try {
      await work();
    } catch (fault) {
      if (turn !== this.turn) return;
      if (this.thinking) this.running = false;
      this.thinking = this.looking = this.planning = this.moving = this.gone = false;
      this.going = null;
      this.unknown = turn;
      const why = fault instanceof Refusal ? fault.message : `something went wrong: ${fault}`;
      this.fault = this.made ? `${this.made} is taken back: ${why}` : why;
      this.made = "";
      if (!(fault instanceof Refusal)) console.error(fault);
    }
    if (turn === this.turn) this.show();
  }

  /**
   * Changes the state and the address with it.
   * @param {Partial<State>} change
   * @param {boolean} [push] whether the browser can go back
   */
  set(change, push = true) {
    this.state = { ...this.state, ...change };
    const next = writeAddress(this.state);
    if (push && next !== address()) history.pushState(null, "", next);
    else history.replaceState(null, "", next);
  }

  /** Redraws, then lets players think and asks for analyses. */
  show() {
    this.changed();
    void this.think();
    void this.look();
  }

  /**
   * Loads a game, position or record; returns whether it worked, or null if something else was asked for meanwhile.
   * If it did not work, nothing changes.
   * @param {State} state
   * @param {boolean} running
   * @param {First} [first]
   * @param {boolean} [partial] whether moves up to the first that is not legal will do
   */
  async load(state, running, first, partial = false) {
    const turn = this.leave();
    let loaded = false;
    await this.try(turn, async () => {
      const { game, position, players } = state;
      const same = this.data?.game === game ? this.data : null;
      const data = same ?? first?.game ?? (await this.question("game", { game }));
      const seats = { first: players[0], second: players[1] };
      const wanted = { game, position, moves: state.moves.join(","), ...seats, partial: partial ? "1" : "" };
      /** @type {Line} */
      const line = first?.line ?? (await this.question("line", wanted));
      const moves = line.refused ? line.plies.slice(1).map((ply) => ply.move ?? "") : state.moves;
      const ply = Math.min(state.ply, moves.length);
      let here = line.here;
      if (ply < line.plies.length - 1) {
        const at = { game, position: line.plies[ply]?.position ?? "" };
        here = (await this.question("line", at)).here;
      }
      if (turn !== this.turn) return;
      if (!same) {
        this.known.clear();
        this.chances.clear();
        this.rough.clear();
      }
      this.data = data;
      const fit = seated(data, players);
      const left = players.find((one, i) => one !== fit[i]);
      this.state = { ...state, moves, ply, players: fit };
      this.note = line.refused ? notPlayed(line.refused.move, line.refused.number) : "";
      if (left && partial) this.note = `${title(playerTitle(data, left))} cannot play this game; another player takes the seat.`;
      this.plies = line.plies;
      this.here = here;
      this.running = running;
      this.ended = line.here.over;
      this.spoken = `${data.title}.`;
      loaded = true;
    });
    return turn === this.turn ? loaded : null;
  }

  /** Opens the address. @param {string} opens @param {First} [first] */
  async open(opens, first) {
    const state = readAddress(address(), opens);
    const fresh = state.moves.length === 0 && state.position === "";
    let loaded = await this.load(state, fresh && first !== undefined, first, true);
    const fault = this.fault;
    const usual = readAddress("", opens);
    const seated = { ...state, players: usual.players };
    const start = { ...seated, moves: [], ply: 0 };
    const tried = new Set([writeAddress(state)]);
    for (const less of [seated, start, { ...start, position: "" }, usual]) {
      if (tried.has(writeAddress(less))) continue; // a second answer would not explain the first
      tried.add(writeAddress(less));
      const other = less.game !== state.game && (this.data || state.game.includes(".py")); // a file may be repaired
      if (loaded !== false || other) break;
      loaded = await this.load(less, false, undefined, true);
    }
    if (fault && loaded !== null) {
      this.fault = fault;
      this.changed();
    }
  }

  /**
   * Starts a new game, with the same players or others.
   * @param {string} game
   * @param {[string, string]} [players]
   */
  async begin(game, players = this.state.players) {
    const fresh = { position: "", moves: [], ply: 0, left: null };
    const loaded = await this.load({ ...this.state, players, game, ...fresh }, true);
    if (loaded) this.set({});
    this.changed();
  }

  /** Continues from a position or a record. @param {Partial<State>} change */
  async place(change) {
    const moves = change.moves ?? [];
    const loaded = await this.load({ ...this.state, ...change, moves, ply: moves.length, left: null }, false);
    if (loaded) this.set({});
    this.changed();
    return loaded;
  }

  /** Explores from here, apart from the game. */
  explore() {
    const { moves, ply } = this.state;
    this.leave();
    this.ran = this.running && this.atEnd;
    this.set({ left: { moves, ply } });
    this.spoken = "Explore: both sides are yours.";
    this.show();
  }

  /** Goes back to the game that was left; to its start if it cannot be replayed. */
  async resume() {
    const { left, position } = this.state;
    if (!left) return;
    const fresh = left.moves.length === 0 && position === "";
    const loaded = await this.load({ ...this.state, ...left, left: null }, this.ran || fresh);
    const fault = this.fault;
    if (loaded === false) await this.load({ ...this.state, moves: [], ply: 0, left: null }, false);
    if (loaded === null) return;
    this.fault = fault;
    this.set({});
    this.changed();
  }

  /** Reloads the game, which is solved now. */
  async reload() {
    this.data = null;
    await this.load(this.state, this.running);
  }

  /** Says what is wrong. @param {string} text */
  refuse(text) {
    this.fault = text;
    this.changed();
  }

  /**
   * Shows the game by new rules, as far as its moves are still legal.
   * @param {{game: GameData, line: Line, position: string, kept: number}} found
   */
  async renew({ game, line, position, kept }) {
    const [before, { moves, ply }] = [this.data, this.state];
    this.data = null;
    const state = { ...this.state, position, moves: moves.slice(0, kept), ply: Math.min(ply, kept) };
    await this.load(state, this.running, { game, line });
    this.data ??= before;
    this.set({}, false);
    this.changed();
  }

  /**
   * Plays a move and drops all later ones.
   * @param {string} move
   * @param {boolean} [push]
   */
  async play(move, push = true) {
    const [at, before, turn] = [this.state.ply, this.ply, this.leave()];
    if (!before) return;
    this.moving = true;
    this.made = move;
    this.changed();
    await this.try(turn, async () => {
      /** @type {Line} */
      const line = await this.ask("line", { position: before.position, moves: move });
      const made = line.plies[1];
      if (turn !== this.turn || !made) return;
      this.moving = false;
      this.made = "";
      this.plies = [...this.plies.slice(0, at + 1), made];
      this.here = line.here;
      this.ended = line.here.over;
      if (this.state.players[before.side] === HUMAN && !this.exploring) this.running = true;
      this.set({ moves: [...this.state.moves.slice(0, at), made.move ?? move], ply: at + 1 }, push);
      this.spoken = `${this.data?.names[before.side]} plays ${inTurn(this.turnSoFar())}.`;
    });
  }

  /** The moves that the last mover has made in a row, up to the position on the board. */
  turnSoFar() {
    const [turn = []] = turnsOf(this.plies.slice(0, this.state.ply + 1)).slice(-1);
    return turn.map((ply) => this.plies[ply]?.move ?? "");
  }

  /** Whether the side to move has also made the last move. */
  get again() {
    return this.state.ply > 0 && this.plies[this.state.ply - 1]?.side === this.ply?.side;
  }

  /**
   * Plays several moves and drops all later ones.
   * @param {string[]} moves
   */
  async follow(moves) {
    const [at, before, turn] = [this.state.ply, this.ply, this.leave()];
    this.moving = true;
    await this.try(turn, async () => {
      /** @type {Line} */
      const line = await this.ask("line", { position: before?.position ?? "", moves: moves.join(",") });
      if (turn !== this.turn) return;
      this.moving = false;
      this.plies = [...this.plies.slice(0, at + 1), ...line.plies.slice(1)];
      this.here = line.here;
      this.ended = line.here.over;
      this.set({ moves: [...this.state.moves.slice(0, at), ...moves], ply: at + moves.length });
      this.spoken = `After ${moves.join(", ")}.`;
    });
  }

  /**
   * Shows an earlier or later position of the game.
   * @param {number} ply
   */
  async jump(ply) {
    if (ply < 0 || ply >= this.plies.length) return;
    const turn = this.leave();
    this.going = ply;
    await this.try(turn, async () => {
      /** @type {Line} */
      const line = await this.ask("line", { position: this.plies[ply]?.position ?? "" });
      if (turn !== this.turn) return;
      this.going = null;
      this.here = line.here;
      this.running = false;
      this.set({ ply });
      this.spoken = ply === 0 ? "The start." : `After ${this.plies[ply]?.move}.`;
    });
  }

  /**
   * The next ply in a direction at which a person moves; any ply if there are none.
   * @param {number} way
   */
  next(way) {
    const people = this.state.players.includes(HUMAN) && !this.exploring;
    const at = this.going ?? this.state.ply;
    for (let ply = at + way; ply >= 0 && ply < this.plies.length; ply += way) {
      const person = this.state.players[this.plies[ply]?.side ?? 0] === HUMAN;
      if (!people || person || (way > 0 && ply === this.plies.length - 1)) return ply;
    }
    return way < 0 && at > 0 ? 0 : null;
  }

  /** Lets players go on from here. */
  playOn() {
    const at = this.state.ply;
    this.leave();
    this.running = true;
    if (!this.atEnd) {
      this.plies = this.plies.slice(0, at + 1);
      this.ended = false;
      this.set({ moves: this.state.moves.slice(0, at) });
    }
    this.show();
  }

  /** Stops computer players. */
  pause() {
    this.leave();
    this.running = false;
    this.show();
  }

  /** Changes the players. @param {[string, string]} players */
  seat(players) {
    this.leave();
    this.set({ players }, false);
    if (this.state.ply === 0) this.running = true;
    this.show();
  }

  /** Changes what is shown. @param {Partial<State>} change */
  tell(change) {
    this.set(change, false);
    this.fault = "";
    this.unknown = -1;
    this.show();
  }

  /** Plays best moves to the end, step by step, until interrupted. */
  async playOut() {
    const [at, here] = [this.state.ply, this.ply];
    let turn = this.leave();
    let unfinished = "";
    if (!here) return;
    this.running = false;
    this.planning = true;
    this.changed();
    await this.try(turn, async () => {
      const best = await this.ask("best-line", { position: here.position });
      if (best.moves.length === 0) throw new Refusal("no best move was proven in time");
      /** @type {Line} */
      const line = await this.ask("line", { position: here.position, moves: best.moves.join(",") });
      if (turn !== this.turn) return;
      this.plies = [...this.plies.slice(0, at + 1), ...line.plies.slice(1)];
      this.set({ moves: [...this.state.moves.slice(0, at), ...best.moves] });
      this.ended = line.here.over;
      this.planning = false;
      if (!best.ends) unfinished = `Best play goes on; ${numberOf(best.moves.length, "move")} ${best.moves.length === 1 ? "is" : "are"} shown.`;
    });
    while (turn === this.turn && !this.fault && !this.atEnd) {
      await pause(WATCHED);
      if (turn !== this.turn) return;
      const stepped = this.jump(this.state.ply + 1);
      turn = this.turn;
      await stepped;
    }
    if (turn === this.turn && !this.fault && this.atEnd && unfinished) {
      this.note = unfinished;
      this.changed();
    }
  }

  /**
   * What a player is told: the position, or if it is a user's own, the game so far, which its program may want.
   * @param {string} player
   * @param {string} position
   * @returns {Record<string, string>}
   */
  toldTo(player, position) {
    const own = this.data?.players.some((one) => one.name === player && one.own);
    const moves = this.state.moves.join(",");
    return own && moves.length <= LONGEST_MOVES ? { position: this.state.position, moves } : { position };
  }

  /** Lets a computer player move. */
  async think() {
    const [ply, player] = [this.ply, this.mover];
    if (!ply || !this.here || this.here.over || player === HUMAN || !this.running) return;
    if (!this.atEnd || this.thinking || this.held) return;
    const turn = this.turn;
    this.thinking = true;
    this.changed();
    /** @type {{move: string, note: string} | null} */
    let reply = null;
    await this.try(turn, async () => {
      const breath = pause(this.state.players.includes(HUMAN) ? BREATH : WATCHED);
      const found = await this.ask("reply", { ...this.toldTo(player, ply.position), player });
      await breath;
      reply = found;
    });
    if (turn !== this.turn || reply === null) return;
    const { move, note } = /** @type {{move: string, note: string}} */ (reply);
    await this.play(move, false);
    if (note && this.turn === turn + 1) {
      this.note = note;
      this.changed();
    }
  }

  /** Asks for missing analyses: this position first, then the game so far. */
  async look() {
    if (this.looking || !this.tells || !this.data || this.held || this.unknown === this.turn) return;
    const { chance } = this.state;
    const solved = this.data.solved;
    const here = this.ply?.position ?? "";
    /** @type {{position: string, chance: string}[]} */
    const wanted = [{ position: here, chance: "" }];
    wanted.push(...this.plies.map((ply) => ({ position: ply.position, chance: "" })));
    if (chance && solved && this.told) wanted.push({ position: here, chance });
    const missing = wanted.filter(({ position, chance: model }, i) => {
      if (model) return !this.chances.has(`${chance} ${position}`) && !this.here?.over;
      const known = this.known.get(position);
      return !known || known.more || (i === 0 && this.rough.has(position));
    });
    if (!missing.length) return;
    const lastPast = missing.findLast((one) => !one.chance);
    const turn = this.turn;
    this.looking = true;
    this.changed();
    await this.try(turn, async () => {
      for (const one of missing) {
        const rough = !solved && one.position !== here;
        const known = one.chance ? undefined : this.known.get(one.position);
        if (known && !known.more && rough === this.rough.has(one.position)) continue;
        const seconds = solved ? "" : rough ? SECONDS.past : SECONDS.here;
        let found = null;
        do {
          found = await this.ask("analysis", { ...one, seconds });
          if (turn !== this.turn) return;
          if (rough && !found.exact) this.rough.add(one.position);
          else this.rough.delete(one.position);
          if (one.chance) this.chances.set(`${chance} ${one.position}`, found);
          else this.known.set(one.position, found);
          if (one.position === here || !solved || one === lastPast) this.changed();
        } while (found.more);
      }
      this.looking = false;
    });
  }
}

/**
 * The players, others in place of those who cannot play this game.
 * @param {GameData} data
 * @param {[string, string]} players
 * @returns {[string, string]}
 */
function seated(data, players) {
  const there = new Set(data.players.map((player) => player.name));
  const best = data.players.find((player) => player.best)?.name ?? "random";
  /** @param {string} name */
  const fit = (name) => {
    const kind = name.startsWith("level:") ? "level" : name;
    return NAMED.includes(kind) && !there.has(kind) ? (there.has("level") ? "level:5" : best) : name;
  };
  return [fit(players[0]), fit(players[1])];
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
