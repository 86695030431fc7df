// The choice of a game with its sizes, and of a player for each side.

import { HUMAN } from "./address.js";
import { token } from "./board.js";
import { button, html, refill } from "./dom.js";
import { title } from "./words.js";

/** @typedef {import("./types.js").Catalogue} Catalogue */
/** @typedef {import("./types.js").Family} Family */
/** @typedef {import("./types.js").GameData} GameData */

/**
 * The family of a game and the sizes in its name.
 * @param {Catalogue} catalogue
 * @param {string} name
 * @returns {{family: Family | undefined, sizes: string}}
 */
function familyOf(catalogue, name) {
  for (const family of catalogue.games) {
    const known = family.known.find((one) => one.name === name);
    if (known) return { family, sizes: known.sizes };
    if (name === family.name) return { family, sizes: "" };
    if (name.startsWith(`${family.name}:`)) return { family, sizes: name.slice(family.name.length + 1) };
  }
  return { family: undefined, sizes: "" };
}

/**
 * The value of each size in a text such as 4,4,3,misere=true; where a game takes any number of sizes, they are one value.
 * @param {Family} family
 * @param {string} text
 */
function sizeValues(family, text) {
  const values = new Map(family.sizes.map((size) => [size.name, String(size.default ?? "")]));
  const many = family.sizes.findIndex((size) => size.kind === "numbers");
  const places = text.split(",").filter((part) => !part.includes("="));
  text.split(",").forEach((part, i) => {
    const own = i === many ? places.slice(many).join(",") : many >= 0 && i > many ? "" : part;
    const [name, value] = part.includes("=") ? part.split("=", 2) : [family.sizes[i]?.name, own];
    if (name && value) values.set(name.trim(), value.trim());
  });
  return values;
}

/**
 * The name of a family's game with these sizes: an alias if there is one.
 * @param {Family} family
 * @param {Map<string, string>} values
 */
function nameOf(family, values) {
  const sizes = family.sizes
    .filter((size) => size.kind !== "switch" || values.get(size.name) === "true")
    .map((size) => (size.kind === "switch" ? `${size.name}=true` : values.get(size.name)))
    .filter((size) => size)
    .join(",");
  return family.known.find((one) => one.sizes === sizes)?.name ?? (sizes ? `${family.name}:${sizes}` : family.name);
}

/**
 * @param {HTMLElement} holder
 * @param {Catalogue} catalogue
 * @param {string} name
 * @param {(name: string) => void} choose
 */
export function showGames(holder, catalogue, name, choose) {
  if (!catalogue.games.length) return refill(holder, title(name));
  const { family, sizes } = familyOf(catalogue, name);
  const select = html("select", { id: "game", change: () => choose(select.value) });
  const all = catalogue.games.flatMap((one) => [...one.known.map((known) => known.name), one.name]);
  const plain = all.filter((one) => one === name || !catalogue.opened.some((sized) => sized.startsWith(`${one}:`)));
  const names = [...new Set([...catalogue.opened, ...plain])];
  if (!names.includes(name)) select.append(html("option", { value: name, selected: true }, title(name)));
  for (const one of names) {
    const sized = catalogue.games.find((other) => other.name === one && other.known.length);
    const called = catalogue.games.flatMap((other) => other.known).find((other) => other.name === one)?.title ?? title(one);
    select.append(html("option", { value: one, selected: one === name }, sized ? `${called}, any size` : called));
  }
  /** @type {HTMLElement[]} */
  const parts = [html("label", { for: "game", class: "unseen" }, "Game"), select];
  if (family?.sizes.length) parts.push(sizeFields(catalogue, family, sizeValues(family, sizes), choose));
  return refill(holder, ...parts);
}

/**
 * A field for each size; a change starts another game.
 * @param {Catalogue} catalogue
 * @param {Family} family
 * @param {Map<string, string>} values
 * @param {(name: string) => void} choose
 */
function sizeFields(catalogue, family, values, choose) {
  const fields = html("div", { class: "sizes", role: "group", "aria-label": "Sizes" });
  const wrong = html("p", { class: "wrong", role: "alert" });
  for (const size of family.sizes) {
    const [id, called] = [`size-${size.name}`, size.name === "k" ? "In a row" : title(size.name)];
    const value = values.get(size.name) ?? "";
    const input = sizeInput(size.kind, id, value, catalogue.longest_side);
    input.addEventListener("change", () => {
      if (size.kind !== "switch" && (input.value === "" || !input.checkValidity())) {
        input.setAttribute("aria-invalid", "true");
        const what = size.kind === "number" ? "a whole number" : "whole numbers with commas between them,";
        wrong.textContent = `${called} must be ${what} from 1 to ${catalogue.longest_side}.`;
        return;
      }
      const set = size.kind === "switch" ? String(input.checked) : input.value.replace(/\s/g, "");
      choose(nameOf(family, values.set(size.name, set)));
    });
    fields.append(html("label", { for: id }, called), input);
  }
  fields.append(wrong);
  return fields;
}

/**
 * A field for a number, for numbers with commas between them, or for a switch.
 * @param {string} kind
 * @param {string} id
 * @param {string} value
 * @param {number} most
 */
function sizeInput(kind, id, value, most) {
  if (kind === "switch") return html("input", { id, type: "checkbox", checked: value === "true" });
  if (kind === "number") return html("input", { id, type: "number", min: 1, max: most, value, inputmode: "numeric" });
  const pattern = "\\s*[1-9]\\d?(\\s*,\\s*[1-9]\\d?)*\\s*";
  return html("input", { id, type: "text", pattern, value, placeholder: "as 1,3,5", size: 10 });
}

/**
 * @param {HTMLElement} holder
 * @param {GameData} data
 * @param {[string, string]} players
 * @param {(players: [string, string]) => void} choose
 */
export function showPlayers(holder, data, players, choose) {
  const rows = data.names.map((side, i) => {
    /** @param {string} name */
    const set = (name) => choose(i === 0 ? [name, players[1]] : [players[0], name]);
    return playerRow(data, side, i, players[i] ?? HUMAN, set);
  });
  const swap = button("Swap sides", () => choose([players[1], players[0]]), { id: "swap" });
  refill(holder, ...rows, swap);
}

const LEVELS = [
  ["Random", "plays any move"],
  ["Newcomer", "mostly random, sees very little"],
  ["Easy", "sees a win now and then"],
  ["Casual", "takes wins, misses threats"],
  ["Steady", "sees most threats"],
  ["Medium", "looks further, still careless"],
  ["Skilled", "careful, with lapses"],
  ["Strong", "sees everything, slips often"],
  ["Hard", "sees everything, slips rarely"],
  ["Best", "as good as it gets"],
];

/** A level in words. @param {string} level */
function levelText(level) {
  const [name, about] = LEVELS[Number(level) - 1] ?? ["", ""];
  return `${name}: ${about}`;
}

/**
 * @param {GameData} data
 * @param {string} side
 * @param {number} number
 * @param {string} name
 * @param {(name: string) => void} set
 */
function playerRow(data, side, number, name, set) {
  const level = /^level:(\d+)$/.exec(name)?.[1];
  const kind = level ? "level" : name;
  const id = `player-${number}`;
  const select = html("select", { id, change: () => set(select.value === "level" ? "level:5" : select.value) });
  select.append(html("option", { value: HUMAN, selected: kind === HUMAN }, "Human"));
  const there = kind === HUMAN || data.players.some((player) => player.name === kind);
  const more = there ? [] : [{ name: kind, label: name, about: "" }];
  let about = "";
  for (const player of [...data.players, ...more]) {
    const selected = player.name === kind;
    select.append(html("option", { value: player.name, selected, title: player.about }, player.label));
    if (selected && !level) about = player.about;
  }
  const row = html("div", { class: "player" }, html("label", { for: id }, token(data, number), side), select);
  if (about) row.append(html("p", { class: "quiet" }, about));
  if (level) {
    const slider = html("input", { id: `level-${number}`, type: "range", min: 1, max: 10, value: level });
    const shown = html("output", { for: slider.id }, level);
    const told = html("p", { class: "quiet" }, levelText(level));
    slider.setAttribute("aria-label", `Level of ${side}`);
    slider.addEventListener("input", () => {
      shown.value = slider.value;
      told.textContent = levelText(slider.value);
    });
    slider.addEventListener("change", () => set(`level:${slider.value}`));
    row.append(html("span", { class: "level" }, slider, shown), told);
  }
  return row;
}
