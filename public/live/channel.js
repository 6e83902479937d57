// @ts-check
// Which floor of a room is shown, and the way to its field where one speaks. The choice lasts as long as
// the tab; what was heard is not told again in this browser.
/** @import { Call } from "../words/calls.js" */
import { heardKey } from "../words/calls.js";
import { kept } from "./base.js";
import { sayDraft, writeDraft } from "./drafts.js";
import { go } from "./place.js";
import { change, showRoom, state } from "./store.js";

const keys = { channels: kept("channels"), heard: kept("heard") };

/** @param {() => Storage} where @param {string} key */
function read(where, key) {
  try {
    return JSON.parse(where().getItem(key) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {() => Storage} where @param {string} key @param {object} value */
function keep(where, key, value) {
  try {
    where().setItem(key, JSON.stringify(value));
  } catch {
    // it lasts as long as the page
  }
}

/**
 * What was chosen in this tab and put away in this browser, before the page was loaded.
 * @returns {{channels: Record<string, string>, heard: Record<string, number>}}
 */
export const before = () => ({
  channels: read(() => sessionStorage, keys.channels),
  heard: read(() => localStorage, keys.heard),
});

/** @param {string} room @param {string} channel */
export function showChannel(room, channel) {
  const channels = { ...state().channels, [room]: channel };
  change((app) => ({ ...app, channels }));
  keep(() => sessionStorage, keys.channels, channels);
}

/** The field where one speaks, once it is drawn. @param {number} [tries] */
function focusSay(tries = 20) {
  const field = [...document.querySelectorAll("#say-floor, #say-stream")].find((one) => one.getClientRects().length);
  if (field) return /** @type {HTMLElement} */ (field).focus();
  if (tries) setTimeout(() => focusSay(tries - 1), 50);
}

/** To the floor where somebody's word is waited for; who asked is who is answered. @param {Call} call */
export function answerCall({ room, channel, by }) {
  if (by) writeDraft(sayDraft(room, channel), { to: by });
  showChannel(room, channel);
  showRoom(room);
  go({ room, view: "floor", gate: null, task: null, sheet: false });
  setTimeout(focusSay, 0);
}

/** What was said needs no reply. @param {Call} call */
export function putCallAway({ room, channel, seq }) {
  const heard = { ...state().heard, [heardKey(room, channel)]: seq };
  change((app) => ({ ...app, heard }));
  keep(() => localStorage, keys.heard, heard);
}
