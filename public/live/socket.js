// @ts-check
// The one connection to the server: says hello with what this page has, pings, notices a socket that only looks alive,
// and comes back by itself. It knows nothing of what the messages mean.
/** @import { Link, Refused } from "../types.d.ts" */
import { serverNow, setClock } from "./clock.js";

const pingEvery = 4500;
const deadAfter = 9000;
const openWithin = 5000;
const giveUpAnswer = 10_000;
const offlineAfter = 8000;
const pauses = [200, 500, 1000, 2000, 4000, 5000];

/** No answer came: the question may be asked again. */
export class Unsent extends Error {}

/** The question left and no answer came: only the server knows whether it was done. */
export class Unconfirmed extends Unsent {}

/** The server said no, in one sentence. */
export class Refusal extends Error {
  /** @param {Refused} error */
  constructor(error) {
    super(error.message);
    this.error = error;
  }
}

/**
 * @param {{
 *   url: string,
 *   hello: () => Record<string, unknown>,
 *   heard: (message: any) => void,
 *   link: (link: Link) => void,
 *   lost: () => void,
 * }} line `lost`: a socket could not be opened, so whoever knows may look whether the session still stands
 */
export function openLine({ url, hello, heard, link, lost }) {
  /** @type {WebSocket | null} */
  let socket = null;
  /** @type {Link["state"]} */
  let state = "connecting";
  /** @type {number | null} */
  let heardAt = null;
  let silentSince = performance.now();
  let downSince = performance.now();
  let tries = 0;
  let closed = false;
  let pinged = 0;
  let welcomed = false;
  /** What has come of a message that comes in pieces. @type {string[]} */
  let pieces = [];
  /** @type {ReturnType<typeof setTimeout> | undefined} */
  let again;
  /** @type {Map<string, {done: (result: any) => void, fail: (why: Error) => void, timer: ReturnType<typeof setTimeout>}>} */
  const asked = new Map();
  let count = 0;

  /** @param {Link["state"]} next */
  function be(next) {
    if (next === state && next !== "live") return;
    state = next;
    link({ state, heard: heardAt });
  }

  /** @param {unknown} message */
  function send(message) {
    if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
  }

  function ping() {
    pinged = performance.now();
    send({ type: "ping", t: pinged });
  }

  function drop() {
    const old = socket;
    socket = null;
    welcomed = false;
    if (old) {
      old.onopen = old.onmessage = old.onclose = old.onerror = null;
      old.close();
    }
    for (const [id, one] of asked) {
      clearTimeout(one.timer);
      asked.delete(id);
      one.fail(new Unconfirmed("The connection was lost before the server answered."));
    }
    if (closed) return;
    if (state === "live" || state === "connecting") downSince = performance.now();
    be(navigator.onLine === false || performance.now() - downSince > offlineAfter ? "offline" : "reconnecting");
    clearTimeout(again);
    const pause = pauses[Math.min(tries, pauses.length - 1)] ?? 5000;
    again = setTimeout(open, pause * (0.8 + Math.random() * 0.4));
    tries += 1;
  }

  function open() {
    clearTimeout(again);
    if (closed || socket) return;
    silentSince = performance.now();
    const mine = new WebSocket(url);
    socket = mine;
    let opened = false;
    mine.onopen = () => {
      opened = true;
      silentSince = performance.now();
      send({ type: "hello", ...hello() });
    };
    mine.onclose = mine.onerror = () => {
      if (socket !== mine) return;
      if (!opened) lost();
      drop();
    };
    pieces = [];
    mine.onmessage = ({ data }) => {
      // any frame is a sign of life, a piece of a long message too
      silentSince = performance.now();
      if (data[0] === ">") return void pieces.push(data.slice(1));
      const text = data[0] === "." ? [...pieces, data.slice(1)].join("") : data;
      pieces = [];
      take(JSON.parse(text));
    };
  }

  /** @param {any} message */
  function take(message) {
    if (message.type === "pong") setClock(message.now, performance.now() - Number(message.t));
    else if (message.now) setClock(message.now);
    heardAt = serverNow();
    if (message.type === "welcome") {
      tries = 0;
      welcomed = true;
      ping();
    }
    if (welcomed && state !== "live") be("live");
    if (message.type === "done" || message.type === "refused") {
      const one = asked.get(message.id);
      asked.delete(message.id);
      clearTimeout(one?.timer);
      if (message.type === "done") one?.done(message.result);
      else one?.fail(new Refusal(message.error));
      return;
    }
    if (message.type !== "pong") heard(message);
  }

  const beat = setInterval(() => {
    const now = performance.now();
    if (state === "reconnecting" && !welcomed && now - downSince > offlineAfter) be("offline");
    if (!socket) return;
    if (now - silentSince > (welcomed ? deadAfter : openWithin)) drop();
    else if (now - pinged > pingEvery) ping();
  }, 500);

  /** The page came back to somebody's eyes, or the network came back: look at once whether the socket lives. */
  function look() {
    if (closed) return;
    if (!socket) {
      tries = 0;
      open();
      return;
    }
    const mine = socket;
    const before = performance.now();
    ping();
    setTimeout(() => {
      if (socket === mine && silentSince < before) drop();
    }, 2500);
  }
  const shown = () => {
    if (document.visibilityState === "visible") look();
  };
  const gone = () => {
    if (state === "live") be("reconnecting");
    look();
  };
  addEventListener("pageshow", look);
  addEventListener("online", look);
  addEventListener("offline", gone);
  document.addEventListener("visibilitychange", shown);

  open();

  return {
    look,
    /** @param {string} room @param {number | undefined} since */
    watch(room, since) {
      send(since === undefined ? { type: "watch", room } : { type: "watch", room, since });
    },
    /**
     * Performs an action of the contract as this person.
     * @param {string} action @param {Record<string, unknown>} args
     * @returns {Promise<any>}
     */
    ask(action, args) {
      if (state !== "live" || socket?.readyState !== WebSocket.OPEN) {
        return Promise.reject(new Unsent("There is no connection to the server."));
      }
      count += 1;
      const id = `${count}`;
      return new Promise((done, fail) => {
        const giveUp = () => {
          const one = asked.get(id);
          // a long message is on its way, perhaps this answer, perhaps one before it
          if (one && pieces.length) one.timer = setTimeout(giveUp, giveUpAnswer);
          else if (asked.delete(id)) fail(new Unconfirmed("The server did not answer."));
        };
        asked.set(id, { done, fail, timer: setTimeout(giveUp, giveUpAnswer) });
        send({ type: "do", id, action, args });
      });
    },
    close() {
      closed = true;
      clearInterval(beat);
      clearTimeout(again);
      removeEventListener("pageshow", look);
      removeEventListener("online", look);
      removeEventListener("offline", gone);
      document.removeEventListener("visibilitychange", shown);
      drop();
    },
  };
}
