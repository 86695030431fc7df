// The report of a tournament: the list of games, the replay, and on a server what is new.

import { byId } from "./dom.js";
import { showTheme } from "./theme.js";
import { follow } from "./tournament_live.js";
import { GameList } from "./tournament_list.js";
import { Replay } from "./tournament_replay.js";

/** @type {import("./types.js").TournamentData} */
const data = JSON.parse(byId("data").textContent ?? "");
const list = new GameList(data);
const replay = new Replay(data, list);

/** Opens the game that the address names, or closes the one that is open. */
function route() {
  const asked = new URLSearchParams(location.hash.slice(1));
  const number = asked.get("game");
  if (number === null) replay.close();
  else replay.open(Number(number), Number(asked.get("move") ?? 0));
}

document.addEventListener("click", (event) => {
  const link = event.target instanceof Element ? event.target.closest("[data-pair]") : null;
  if (!link) return;
  const [mine = "", theirs = ""] = (link.getAttribute("data-pair") ?? "").split(" ");
  list.pick(mine, theirs);
});
addEventListener("hashchange", route);
showTheme();
if (data.live) follow(data, list, route);
else {
  list.show();
  route();
}
