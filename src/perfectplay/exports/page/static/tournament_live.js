// A tournament that is running: asks the server what is new, and shows it.

import { byId } from "./dom.js";

/** @typedef {import("./types.js").TournamentData} TournamentData */
/** @typedef {import("./tournament_list.js").GameList} GameList */
/**
 * @typedef {object} News
 * @property {string} record which file this is; another one begins anew
 * @property {"waiting" | "running" | "ended" | "gone" | "refused"} state
 * @property {string} told the state in a sentence
 * @property {number} played
 * @property {import("./types.js").TournamentRow[]} games
 */

/** Milliseconds between questions: while something may happen, when all games are played, and at most after faults. */
const [SOON, LATE, LATEST] = [1500, 6000, 15000];

/**
 * Follows the tournament as long as the page is open.
 * @param {TournamentData} data
 * @param {GameList} list
 * @param {() => void} ready called when all games until now are here
 */
export async function follow(data, list, ready) {
  let [wait, opened] = [SOON, false];
  /** @type {Document | null} */
  let drawn = null;
  for (;;) {
    try {
      const news = await asked(data);
      if (news.record !== data.record) return location.reload(); // the file has appeared, or holds another tournament
      say(news.state, news.told);
      data.games.push(...news.games);
      /** @type {Document | null} */
      const fresh = drawn;
      if (fresh) redraw(fresh, data);
      if (fresh || news.games.length) list.show();
      const more = data.games.length < news.played;
      drawn = more || fresh ? null : await newTables(news.played);
      if (!opened && !more) ready();
      opened ||= !more;
      wait = more || drawn ? 0 : news.state === "ended" ? LATE : SOON; // new tables come with the games that they have
    } catch {
      say("lost", "The server does not answer. Trying again …");
      wait = Math.min(LATEST, 2 * Math.max(SOON, wait));
    }
    await new Promise((resolve) => setTimeout(resolve, wait));
  }
}

/** The state and the games that are not here yet. @param {TournamentData} data @returns {Promise<News>} */
async function asked(data) {
  const answer = await fetch(`./api/tournament?since=${data.games.length}`, { cache: "no-store" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  return answer.json();
}

/** The page with tables and plots after so many games, if these here are older and nobody reads in them. @param {number} played */
async function newTables(played) {
  const { dataset } = byId("tables");
  if (dataset.played === String(played) || byId("tables").contains(document.activeElement)) return null;
  const answer = await fetch("./tournament", { cache: "no-store" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const drawn = new DOMParser().parseFromString(await answer.text(), "text/html");
  return drawn.getElementById("tables")?.dataset.played === dataset.played ? null : drawn;
}

/** Shows newer tables and plots, and which games count in them. @param {Document} drawn @param {TournamentData} data */
function redraw(drawn, data) {
  const [old, fresh] = [byId("tables"), drawn.getElementById("tables")];
  if (!fresh || old.contains(document.activeElement)) return;
  data.uncounted = JSON.parse(drawn.getElementById("data")?.textContent ?? "{}").uncounted ?? {};
  const places = [...old.querySelectorAll(".wide")].map((one) => one.scrollLeft);
  old.replaceWith(fresh);
  for (const [i, one] of [...fresh.querySelectorAll(".wide")].entries()) one.scrollLeft = places[i] ?? 0;
}

/** Says how it stands. @param {string} state @param {string} told */
function say(state, told) {
  byId("live").className = `live ${state}`;
  if (byId("state").textContent !== told) byId("state").textContent = told;
}
