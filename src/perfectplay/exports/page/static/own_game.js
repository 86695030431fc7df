// A user's own game: its file is reloaded when it is saved, and its rules are checked.

import { Refusal, ask, follow } from "./api.js";
import { html, refill } from "./dom.js";
import { inMoves } from "./words.js";

/** @typedef {import("./match.js").Match} Match */
/** @typedef {import("./types.js").Catalogue} Catalogue */
/** @typedef {import("./types.js").Finding} Finding */
/** @typedef {import("./types.js").Reloaded} Reloaded */
/** @typedef {{done: number, total: number, findings: Finding[], games: string, fault: string}} Report */

const LOOK = 500;
const SHOWN = 8000;
const FORBIDDEN = 403;
const MARKS = { fault: "✗", note: "!", ok: "✓", skipped: "–" };

/** Ends the watch of the game that was shown before. */
let stop = new AbortController();

/**
 * Watches the file of the game, if it is a user's own.
 * @param {HTMLElement} panel
 * @param {HTMLElement} holder
 * @param {HTMLElement} said
 * @param {Match} match
 * @param {Catalogue} catalogue
 * @param {(act: () => unknown) => void} away does something and leaves the set-up of a position
 */
export function showOwn(panel, holder, said, match, catalogue, away) {
  stop.abort();
  stop = new AbortController();
  panel.hidden = said.hidden = true;
  const { game } = match.state;
  const file = game.split(":")[0] ?? "";
  if (file.endsWith(".py")) void new Watch(panel, holder, said, match, catalogue, away).run(game, file, stop.signal);
}

class Watch {
  /**
   * @param {HTMLElement} panel
   * @param {HTMLElement} holder
   * @param {HTMLElement} said
   * @param {Match} match
   * @param {Catalogue} catalogue
   * @param {(act: () => unknown) => void} away
   */
  constructor(panel, holder, said, match, catalogue, away) {
    this.panel = panel;
    this.holder = holder;
    this.said = said;
    this.match = match;
    this.catalogue = catalogue;
    this.away = away;
    this.checking = new AbortController();
    this.hiding = 0;
  }

  /**
   * Looks again and again whether the file was saved, as long as the page is seen.
   * @param {string} game
   * @param {string} file
   * @param {AbortSignal} signal
   */
  async run(game, file, signal) {
    signal.addEventListener("abort", () => this.checking.abort());
    let tried = "";
    while (!signal.aborted) {
      const saved = await this.look(game, signal);
      if (signal.aborted) return;
      const { data, fault } = this.match;
      const shown = data?.game === game ? data.own?.saved : "";
      if (saved && saved !== tried && (shown || fault)) {
        if (saved === shown && tried) this.tell(`${file} was saved: the rules are those on the board.`, false);
        if (saved === shown) void this.check(game, signal);
        else await this.reload(game, file, signal);
        tried = saved;
      }
      await pause(LOOK);
      await seenAgain();
    }
  }

  /**
   * The version of the file; empty if the server does not answer: it may come back.
   * @param {string} game
   * @param {AbortSignal} signal
   * @returns {Promise<string>}
   */
  async look(game, signal) {
    try {
      return (await ask("saved", { game }, signal)).saved;
    } catch {
      return "";
    }
  }

  /**
   * Shows the game by the rules as they are now, or says what is wrong with them.
   * @param {string} game
   * @param {string} file
   * @param {AbortSignal} signal
   */
  async reload(game, file, signal) {
    this.checking.abort();
    const { position, moves } = this.match.state;
    try {
      /** @type {Reloaded} */
      const found = await ask("reload", { game, position, moves: moves.join(",") }, signal);
      if (signal.aborted) return;
      const own = found.game.own;
      this.catalogue.games = this.catalogue.games.map((one) => (one.name === file && own ? own.family : one));
      this.away(() => this.match.renew(found));
      this.tell(`${file} was saved: reloaded${keptText(found, position, moves.length)}.`, false);
      void this.check(game, signal);
    } catch (fault) {
      if (signal.aborted) return;
      const what = fault instanceof Refusal ? fault.message : String(fault);
      if (this.match.data) this.tell(`${what}. The board still uses the last version that worked.`, true);
      else this.match.refuse(what);
      this.show({ done: 0, total: 0, findings: [], games: "", fault: what });
    }
  }

  /**
   * Says what happened; what is wrong stays until it is put right.
   * @param {string} text
   * @param {boolean} stays
   */
  tell(text, stays) {
    clearTimeout(this.hiding);
    this.said.textContent = inMoves(text);
    this.said.hidden = false;
    this.said.classList.toggle("wrong", stays);
    if (!stays) this.hiding = setTimeout(() => (this.said.hidden = true), SHOWN);
  }

  /**
   * Checks the rules and shows what is found.
   * @param {string} game
   * @param {AbortSignal} signal
   */
  async check(game, signal) {
    const mine = (this.checking = new AbortController());
    /** @type {Report} */
    let report = { done: 0, total: 0, findings: [], games: "", fault: "" };
    const show = (/** @type {Partial<Report>} */ more) => {
      report = { ...report, ...more };
      if (!mine.signal.aborted && !signal.aborted) this.show(report);
    };
    show({});
    try {
      const last = await follow(
        "check",
        game,
        (_, { finding, done, total }) =>
          show({ done, total, findings: finding ? [...report.findings, finding] : report.findings }),
        mine.signal,
      );
      show({ done: report.total, games: last.games ?? "" });
    } catch (fault) {
      if (fault instanceof Refusal && fault.status === FORBIDDEN) this.panel.hidden = true;
      else show({ fault: fault instanceof Refusal ? fault.message : String(fault) });
    }
  }

  /** Shows the report: what is wrong first, what is right folded. @param {Report} report */
  show({ done, total, findings, games, fault }) {
    this.panel.hidden = false;
    const of = (/** @type {Finding["status"]} */ status) => findings.filter((one) => one.status === status);
    const wrong = [...of("fault"), ...of("note")];
    const passed = of("ok");
    /** @type {HTMLElement[]} */
    const parts = [];
    if (fault) parts.push(html("p", { class: "finding" }, mark("fault"), html("span", {}, sentence(fault))));
    if (wrong.length) parts.push(html("ul", {}, ...wrong.map(line)));
    if (!fault && (total === 0 || done < total)) parts.push(...progress(done, total));
    else if (!fault && !wrong.length) parts.push(html("p", {}, "No problems found."));
    if (passed.length) parts.push(folded(passed, of("skipped")));
    if (games) parts.push(html("p", { class: "quiet" }, sentence(games)));
    const open = this.holder.querySelector("details")?.open ?? false;
    refill(this.holder, ...parts);
    const details = this.holder.querySelector("details");
    if (details) details.open = open;
  }
}

/**
 * How much of the game is left, if not all of it.
 * @param {Reloaded} found
 * @param {string} position
 * @param {number} made
 */
function keptText(found, position, made) {
  if (found.kept === made && found.position === position) return "";
  return found.kept ? `; the game was kept up to move ${found.kept}` : "; the game begins anew";
}

/** A finding as one line, and what is checked. @param {Finding} finding */
function line({ check, status, line: what }) {
  return html("li", { class: "finding" }, mark(status), html("span", {}, sentence(what), html("small", { class: "quiet" }, plain(check))));
}

/** The sign of a status, for those who do not see it in words. @param {Finding["status"]} status */
function mark(status) {
  const words = { fault: "Fault: ", note: "Note: ", ok: "", skipped: "" }[status];
  return html("b", { class: `mark on-${status}` }, html("span", { "aria-hidden": "true" }, MARKS[status]), html("span", { class: "unseen" }, words));
}

/**
 * @param {number} done
 * @param {number} total
 */
function progress(done, total) {
  const bar = html("progress", { "aria-label": "Checking the rules", value: total ? done : null, max: total || null });
  return [bar, html("p", { class: "quiet" }, total ? `Checking the rules: ${done} of ${total}` : "Checking the rules")];
}

/**
 * @param {Finding[]} passed
 * @param {Finding[]} skipped
 */
function folded(passed, skipped) {
  const none = skipped.length ? `, ${skipped.length} not needed` : "";
  const items = [...passed, ...skipped].map((one) => html("li", { class: "finding" }, mark(one.status), html("span", {}, plain(one.check))));
  const checks = passed.length === 1 ? "check" : "checks";
  return html("details", {}, html("summary", {}, `${passed.length} ${checks} passed${none}`), html("ul", {}, ...items));
}

/** A sentence of the check without code marks. @param {string} text */
function plain(text) {
  return inMoves(text.replaceAll("`", ""));
}

/** A text as a sentence. @param {string} text */
function sentence(text) {
  const whole = /[.!?]$/.test(text) ? text : `${text}.`;
  const named = /^\S+\.py/.test(whole);
  return inMoves(named ? whole : whole.charAt(0).toUpperCase() + whole.slice(1));
}

/** Resolves when the page is seen. */
function seenAgain() {
  if (!document.hidden) return Promise.resolve(undefined);
  return new Promise((done) => document.addEventListener("visibilitychange", done, { once: true }));
}

/** @param {number} milliseconds */
function pause(milliseconds) {
  return new Promise((done) => setTimeout(done, milliseconds));
}
