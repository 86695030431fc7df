// The buttons beside the board in a notebook. The elements stay, so that redrawing never loses a click or the focus.

import { button, html } from "../../exports/page/static/dom.js";
import { playerTitle, title } from "../../exports/page/static/words.js";

/** @typedef {import("./widget_types.js").Message} Message */
/** @typedef {import("./widget_types.js").Shown} Shown */
/** @typedef {import("../../exports/page/static/types.js").GameData} GameData */

const LEVELS = 10;

export class WidgetControls {
  /**
   * @param {GameData} data
   * @param {(message: Message) => void} send
   * @param {() => void} more what the last button does
   */
  constructor(data, send, more) {
    this.data = data;
    /** @type {Shown | null} */
    this.shown = null;
    /** @param {number | null | undefined} ply */
    const go = (ply) => typeof ply === "number" && send({ do: "go", ply });
    this.fresh = button("New game", () => send({ do: "new" }));
    this.undo = button("Undo", () => go(this.shown?.undo));
    this.redo = button("Redo", () => go(this.shown?.redo));
    this.more = button("", more, { class: "strong", hidden: true });
    const hints = html("input", { type: "checkbox", role: "switch", change: () => send({ do: "hints", on: hints.checked }) });
    const side = html("select", { change: () => send({ do: "side", side: Number(side.value) }) });
    const opponent = html("select", { change: () => send({ do: "opponent", name: opponent.value }) });
    side.append(...data.names.map((name, i) => html("option", { value: i }, name)));
    this.hints = hints;
    this.side = side;
    this.opponent = opponent;
    this.sides = html("label", { class: "choice" }, "You play", side);
    const rivals = html("label", { class: "choice" }, "Opponent", opponent);
    const told = html("label", { class: "switch" }, hints, "Hints");
    this.all = html("div", { class: "controls" }, this.fresh, this.undo, this.redo, told, rivals, this.sides, this.more);
  }

  /**
   * @param {Shown} shown
   * @param {string} more what the last button does, empty if there is nothing to do
   */
  show(shown, more) {
    this.shown = shown;
    const rival = shown.players.find(Boolean) ?? "";
    this.undo.setAttribute("aria-disabled", String(shown.undo === null));
    this.redo.setAttribute("aria-disabled", String(shown.redo === null));
    this.hints.checked = shown.hints;
    this.list(rival);
    this.opponent.value = rival;
    this.side.value = String(shown.side);
    this.sides.hidden = rival === "";
    this.more.textContent = more;
    this.more.hidden = more === "";
  }

  /** The opponents to choose from: nobody, the levels, and the one that plays. @param {string} now */
  list(now) {
    const names = ["", ...Array.from({ length: LEVELS }, (_, i) => `level:${i + 1}`)];
    if (!names.includes(now)) names.push(now);
    const listed = [...this.opponent.options].map((one) => one.value);
    if (listed.join() === names.join()) return;
    const texts = names.map((name) => (name ? title(playerTitle(this.data, name)) : "None: two people"));
    this.opponent.replaceChildren(...names.map((value, i) => html("option", { value }, texts[i] ?? "")));
  }
}
