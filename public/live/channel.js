// @ts-check
// Which floor of a room is shown, and the way to its field where one speaks. The choice lasts as long as the tab.
/** @import { Call } from "../words/calls.js" */
import { heardKey } from "../words/calls.js";
import { sayDraft, writeDraft } from "./drafts.js";
import { go } from "./place.js";
import { change, showRoom } from "./store.js";

const kept = "parley:channels";

/** @returns {Record<string, string>} by room */
export function chosenBefore() {
  try {
    return JSON.parse(sessionStorage.getItem(kept) ?? "{}");
  } catch {
    return {};
  }
}

/** @param {string} room @param {string} channel */
export function showChannel(room, channel) {
  change((app) => ({ ...app, channels: { ...app.channels, [room]: channel } }));
  try {
    sessionStorage.setItem(kept, JSON.stringify({ ...chosenBefore(), [room]: channel }));
  } catch {
    // it lasts as long as the page
  }
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
export const putCallAway = ({ room, channel, seq }) =>
  change((app) => ({ ...app, heard: { ...app.heard, [heardKey(room, channel)]: seq } }));
