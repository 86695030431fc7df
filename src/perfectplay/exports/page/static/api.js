// Requests to the server.

/** What the address of a position begins with. */
export const MARK = "?";

const SHORTEST = 500;
const LONGEST = 4000;

/** An error message of the server. */
export class Refusal extends Error {
  /**
   * @param {string} text
   * @param {number} [status] of the response, if there was one
   */
  constructor(text, status = 0) {
    super(text);
    this.status = status;
  }
}

/**
 * The answer to a question.
 * @param {string} task
 * @param {Record<string, string>} values
 * @param {AbortSignal} [signal]
 * @param {(gone: boolean) => void} [tell] hears that the server does not answer, which is then asked again, and that it does
 * @returns {Promise<any>}
 */
export async function ask(task, values, signal, tell) {
  const query = new URLSearchParams(Object.entries(values).filter(([, value]) => value !== ""));
  const response = await insisting(() => fetch(`/api/${task}?${query}`, { signal }), signal, tell);
  if (!response.ok) throw new Refusal(await reason(response), response.status);
  return response.json();
}

/**
 * The response, asked for again and again while the server is gone, until the signal is aborted.
 * @param {() => Promise<Response>} request
 * @param {AbortSignal} [signal]
 * @param {(gone: boolean) => void} [tell]
 */
async function insisting(request, signal, tell) {
  for (let wait = SHORTEST; tell; wait = Math.min(LONGEST, 2 * wait)) {
    try {
      const response = await request();
      tell(false);
      return response;
    } catch (fault) {
      if (fault instanceof DOMException) throw fault;
      tell(true);
      await new Promise((done) => setTimeout(done, wait));
      signal?.throwIfAborted();
    }
  }
  return reached(request());
}

/**
 * The address of an answer.
 * @param {string} task
 * @param {Record<string, string>} values
 */
export function link(task, values) {
  return `/api/${task}?${new URLSearchParams(values)}`;
}

/**
 * A file that the server writes; raises Refusal.
 * @param {string} address
 */
export async function fetched(address) {
  const response = await reached(fetch(address));
  if (!response.ok) throw new Refusal(await reason(response));
  return response.blob();
}

/**
 * Solves a game and reports progress; abort the signal to cancel.
 * @param {string} game
 * @param {(step: {phase: string, done: number, total: number | null}) => void} tell
 * @param {AbortSignal} signal
 */
export async function solve(game, tell, signal) {
  await follow("solve", game, (kind, data) => kind === "step" && tell(data.step), signal);
}

/**
 * Starts a task and passes on what it tells; resolves to its answer. Abort the signal to cancel.
 * @param {"solve" | "check"} task
 * @param {string} game
 * @param {(kind: string, data: any) => void} tell
 * @param {AbortSignal} signal
 * @returns {Promise<any>}
 */
export async function follow(task, game, tell, signal) {
  const headers = { "content-type": "application/json" };
  const response = await reached(
    fetch(`/api/${task}`, { method: "POST", headers, body: JSON.stringify({ game }), signal }),
  );
  if (!response.ok || !response.body) throw new Refusal(await reason(response), response.status);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { value, done } = await reader.read();
    if (done) throw new Refusal(`the ${task} was interrupted`);
    text += value;
    const events = text.split("\n\n");
    text = events.pop() ?? "";
    for (const event of events) {
      const kind = /^event: (.*)$/m.exec(event)?.[1];
      const data = JSON.parse(/^data: (.*)$/m.exec(event)?.[1] ?? "{}");
      if (kind === "refused") throw new Refusal(data.error);
      if (kind === "solved" || kind === "checked") return data.answer;
      if (kind) tell(kind, data);
    }
  }
}

/**
 * The response; throws if the server is gone.
 * @param {Promise<Response>} response
 */
async function reached(response) {
  try {
    return await response;
  } catch (fault) {
    if (fault instanceof DOMException) throw fault;
    throw new Refusal("the server does not answer; is it still running?");
  }
}

/**
 * The server's error message.
 * @param {Response} response
 * @returns {Promise<string>}
 */
async function reason(response) {
  try {
    return (await response.json()).error;
  } catch {
    return `the server answered ${response.status}`;
  }
}
