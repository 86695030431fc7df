// Quiet sounds for a move and for the end of a game, off until somebody wants them.

import { byId } from "./dom.js";
import { keep, kept } from "./theme.js";

const KEPT = "perfectplay-sound";
const NOTES = { move: [[330, 0, 0.07]], end: [[392, 0, 0.12], [523, 0.12, 0.12], [659, 0.24, 0.25]] };
const LOUD = 0.06;

let on = kept(KEPT) === "on";
/** @type {AudioContext | null} */
let output = null;

/** Plays a sound, if sounds are on. @param {keyof typeof NOTES} name */
export function sound(name) {
  if (!on || typeof AudioContext === "undefined") return;
  output ??= new AudioContext();
  const begin = output.currentTime;
  for (const [pitch = 0, after = 0, long = 0] of NOTES[name]) {
    const [tone, volume] = [output.createOscillator(), output.createGain()];
    tone.frequency.value = pitch;
    tone.type = "triangle";
    volume.gain.setValueAtTime(LOUD, begin + after);
    volume.gain.exponentialRampToValueAtTime(0.001, begin + after + long);
    tone.connect(volume).connect(output.destination);
    tone.start(begin + after);
    tone.stop(begin + after + long);
  }
}

/** Shows the button that turns sounds on and off. */
export function showSound() {
  const button = byId("sound");
  const show = () => {
    button.textContent = on ? "♪" : "♪̸";
    button.title = on ? "Sounds: on" : "Sounds: off";
    button.setAttribute("aria-label", button.title);
  };
  button.addEventListener("click", () => {
    on = !on;
    keep(KEPT, on ? "on" : "off");
    show();
    sound("move");
  });
  button.hidden = false;
  show();
}
