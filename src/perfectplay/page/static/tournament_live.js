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

/** Milliseconds between questions: while games are played, when nothing changes any more, and at most after faults. */
const [SOON, LATE, LATEST] = [1500, 6000, 15000];

/**
 * Follows the tournament as long as the page is open.
 * @param {TournamentData} data
 * @param {GameList} list
 * @param {() => void} ready called when all games until now are here
 */
export async function follow(data, list, ready) {
  let [wait, opened] = [SOON, false];
  for (;;) {
    try {
      const news = await asked(data);
      if (news.record !== data.record) return location.reload(); // the file has appeared, or holds another tournament
      say(news.state, news.told);
      data.games.push(...news.games);
      if (news.games.length) list.show();
      const more = data.games.length < news.played;
      if (!more && byId("tables").dataset.played !== String(news.played)) await redraw();
      if (!opened && !more) ready();
      opened ||= !more;
      wait = more ? 0 : news.state === "running" ? SOON : LATE;
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

/** Shows the tables and plots as they are now; whoever is reading in them is not disturbed. */
async function redraw() {
  if (byId("tables").contains(document.activeElement)) return;
  const answer = await fetch("./tournament", { cache: "no-store" });
  if (!answer.ok) throw new Error(`status ${answer.status}`);
  const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("tables");
  const old = byId("tables");
  if (!fresh || old.contains(document.activeElement)) return;
  const places = [...old.querySelectorAll(".wide")].map((one) => one.scrollLeft);
  old.replaceWith(fresh);
  for (const [i, one] of [...fresh.querySelectorAll(".wide")].entries()) one.scrollLeft = places[i] ?? 0;
}

/** Says how it stands. @param {string} state @param {string} told */
function say(state, told) {
  byId("live").className = `live ${state}`;
  if (byId("state").textContent !== told) byId("state").textContent = told;
}
