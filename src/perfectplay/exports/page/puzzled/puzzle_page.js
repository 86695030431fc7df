// A page of puzzles in one file.

import { ask } from "./api.js";
import { byId } from "../static/dom.js";
import { remembered } from "../static/puzzle_record.js";
import { Puzzles } from "../static/puzzles.js";
import { showTheme } from "../static/theme.js";

const { game } = JSON.parse(byId("first").textContent ?? "");
const keep = (/** @type {string} */ position) => history.replaceState(null, "", position ? `#puzzle=${position}` : location.pathname);
const asked = new URLSearchParams(location.hash.slice(1)).get("puzzle");

/** Begins with the puzzle in the address, or with the first that is not solved. */
async function begin() {
  /** @type {import("../static/types.js").Puzzle[]} */
  const puzzles = (await ask("puzzles", {})).puzzles;
  const solved = remembered(game.game).solved;
  const next = puzzles.find((one) => !solved.includes(one.position)) ?? puzzles[0];
  await new Puzzles(byId("room"), keep, null).open(game, asked || (next?.position ?? ""));
}

showTheme();
void begin();
