// @ts-check
// The page's one state and everything that changes it from outside: the line to the server, and what a person does.
/** @import { App, Gate, Toast } from "../types.d.ts" */
import { useEffect, useRef, useState } from "preact/hooks";
import { at as address, gateOfPage } from "./base.js";
import { loadRest } from "./rest.js";
import { dropSecret, readSecret } from "./secret.js";
import { whoIsThis } from "./session.js";
import { openLine, Refusal, Unconfirmed, Unsent } from "./socket.js";
import { merge, mergeGate, nothing } from "./state.js";

let app = nothing;
/** @type {Set<() => void>} */
const watching = new Set();

export const state = () => app;

/** @param {(app: App) => App} next */
export function change(next) {
  const before = app;
  app = next(app);
  if (app === before) return;
  for (const tell of watching) tell();
}

/** @param {() => void} tell */
function onChange(tell) {
  watching.add(tell);
  return () => {
    watching.delete(tell);
  };
}

/**
 * A part of the state; the component renders anew when that part is another.
 * @template T
 * @param {(app: App) => T} part
 * @returns {T}
 */
export function useApp(part) {
  const [, again] = useState(0);
  const last = useRef(/** @type {{part: typeof part, value: T} | null} */ (null));
  const value = part(app);
  last.current = { part, value };
  useEffect(() => {
    const look = () => {
      if (last.current && last.current.part(app) !== last.current.value) again((n) => n + 1);
    };
    look();
    return onChange(look);
  }, []);
  return value;
}

/** @type {ReturnType<typeof openLine> | null} */
let line = null;

/** Performs an action of the contract as this person. @param {string} action @param {Record<string, unknown>} [args] */
export const ask = (action, args = {}) =>
  line ? line.ask(action, args) : Promise.reject(new Unsent("There is no connection to the server."));

/** Looks again at once whether the server is there. */
export const lookAgain = () => line?.look();

/** The sentence a person reads when something failed. @param {unknown} why */
export function sentence(why) {
  if (why instanceof Refusal) return why.message;
  if (why instanceof Unconfirmed) return `Not confirmed: it may have arrived. ${why.message}`;
  if (why instanceof Unsent) return `Not sent. ${why.message}`;
  throw why;
}

let toasts = 0;

/** @param {string} text @param {{label: string, act: () => void}} [then] */
export function toast(text, then) {
  toasts += 1;
  /** @type {Toast} */
  const one = { id: toasts, text, ...then };
  change((a) => ({ ...a, toasts: [...a.toasts.slice(-2), one] }));
  setTimeout(() => dismissToast(one.id), then ? 9000 : 6000);
}

/** @param {number} id */
export function dismissToast(id) {
  change((a) => ({ ...a, toasts: a.toasts.filter((one) => one.id !== id) }));
}

/**
 * Performs an action and says in a toast why it was refused. True when it was done.
 * @param {string} action @param {Record<string, unknown>} [args]
 * @returns {Promise<any>} the result, or null
 */
export async function doIt(action, args = {}) {
  try {
    return await ask(action, args);
  } catch (why) {
    toast(sentence(why));
    return null;
  }
}

/** @param {string} words read out to a screen reader */
export const say = (words) => change((a) => ({ ...a, said: words }));

/** @param {string} room */
const missing = (room) => toast(`There is no room “${room}” here, or it is not yours.`);

/** @param {string} room */
export function showRoom(room) {
  if (app.room === room) return;
  if (app.rooms.length && !app.rooms.some((one) => one.room === room)) return missing(room);
  change((a) => ({ ...a, room }));
  line?.watch(room, app.data[room]?.seq);
}

/** @param {string | null} why */
export function leave(why) {
  line?.close();
  line = null;
  change(() => ({ ...nothing, phase: "out", why }));
}

/** A gate's record as the server just told it. @param {Gate} gate */
export const tookGate = (gate) => change((a) => mergeGate(a, gate, Date.now()));

/** A gate that is not in the room shown: which room is it in? @param {string} id */
async function followGate(id) {
  try {
    const { gate } = await ask("get_gate", { gate_id: id });
    showRoom(gate.room);
    tookGate(gate);
  } catch (why) {
    const none = why instanceof Refusal && why.error.code === "NOT_FOUND";
    change((a) => ({ ...a, why: none ? "There is no such card in your rooms." : sentence(why) }));
  }
}

/** @type {(message: any) => void} */
function heard(message) {
  if (message.type === "ended") {
    // any other reason is the server's trouble: the line comes back by itself
    if (!/^sign/.test(message.reason)) return;
    void dropSecret();
    leave("This device was signed out.");
    return;
  }
  change((a) => merge(a, message, Date.now()));
  if (message.type === "part" && message.left) void loadRest(message.room, message.left, { ask, change });
  // the first room of who had none
  if (message.type === "rooms" && !app.room && app.rooms[0]) showRoom(app.rooms[0].room);
  if (message.type !== "welcome") return;
  // the server shows the first room where none was asked for, or none of that name is this person's
  const asked = app.room;
  const [first] = app.rooms;
  if (!app.rooms.some((one) => one.room === asked)) {
    change((a) => ({ ...a, room: first?.room ?? null }));
    if (asked) missing(asked);
  }
  const alone = gateOfPage();
  if (alone && !asked) void followGate(alone);
}

/** @param {string | null} room the room that the address asks for @param {Pick<App, "channels" | "heard">} before what the browser kept */
export async function start(room, before) {
  const secret = await readSecret();
  if (!secret) {
    return leave((await whoIsThis()) ? "This browser has lost its key. Sign in with a new link." : null);
  }
  change((a) => ({ ...a, phase: "in", room, ...before }));
  line = openLine({
    url: address("ws").replace(/^http/, "ws"),
    hello: () => ({
      secret,
      ...(app.room ? { watch: app.room } : {}),
      since: Object.fromEntries(Object.entries(app.data).map(([name, one]) => [name, one.seq])),
    }),
    heard,
    link: (link) => change((a) => ({ ...a, link })),
    async lost() {
      if ((await whoIsThis()) === null) leave("This device was signed out.");
    },
  });
}
