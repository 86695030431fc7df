// The theme: the system's, light, dark or high contrast; remembered by the browser.

import { byId } from "./dom.js";

const THEMES = /** @type {const} */ ({ system: "Theme: system", light: "Theme: light", dark: "Theme: dark", contrast: "Theme: high contrast" });
const KEPT = "perfectplay-theme";

/**
 * What the browser has kept under a name; empty where it keeps nothing.
 * @param {string} name
 */
export function kept(name) {
  try {
    return localStorage.getItem(name) ?? "";
  } catch {
    return "";
  }
}

/**
 * Keeps a text, if the browser does.
 * @param {string} name
 * @param {string} text
 */
export function keep(name, text) {
  try {
    localStorage.setItem(name, text);
  } catch {
    // private windows and files may keep nothing
  }
}

/** Shows the button that changes the theme, and the theme that was chosen last. */
export function showTheme() {
  const names = /** @type {(keyof typeof THEMES)[]} */ (Object.keys(THEMES));
  let now = names.find((name) => name === kept(KEPT)) ?? "system";
  const button = byId("theme");
  const show = () => {
    if (now === "system") document.documentElement.removeAttribute("data-theme");
    else document.documentElement.setAttribute("data-theme", now);
    button.textContent = { system: "◐", light: "☀", dark: "☾", contrast: "◑" }[now];
    button.title = THEMES[now];
    button.setAttribute("aria-label", THEMES[now]);
  };
  button.addEventListener("click", () => {
    now = names[(names.indexOf(now) + 1) % names.length] ?? "system";
    keep(KEPT, now);
    show();
  });
  button.hidden = false;
  show();
}
