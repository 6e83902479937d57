// @ts-check
// What a person does with a floor at once: take it, pass it on, let it stand and go on. What ends somebody's turn, or
// the floor, asks once more; what is refused to somebody has a reason.
/** @import { Floor } from "../types.d.ts" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask, doIt, sentence, toast, useApp } from "../live/store.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icons.js";

const reasons = ["Not now", "Said already", "Another topic"];

/**
 * @param {{title: string, words: any, word: string, tone?: string, reason?: "must" | "may", act: (reason: string) => Promise<unknown>, onClose: () => void}} props
 */
function Sure({ title, words, word, tone = "deny", reason, act, onClose }) {
  const [why, setWhy] = useState("");
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setWrong("");
    try {
      await act(why.trim());
      onClose();
    } catch (refused) {
      setWrong(sentence(refused));
      setBusy(false);
    }
  };
  return html`<${Dialog} title=${title} onClose=${onClose}><form class="form" onSubmit=${send}>
    <p>${words}</p>
    ${
      reason &&
      html`<div class="chips">${reasons.map(
        (one) =>
          html`<button type="button" class="chip" aria-pressed=${why === one} onClick=${() => setWhy(why === one ? "" : one)}>${one}</button>`,
      )}</div>
      <label>${reason === "must" ? "Reason" : "Reason, if you like"}<input class="field" dir="auto" maxlength="500" autocomplete="off" value=${why}
        onInput=${(/** @type {any} */ e) => setWhy(e.target.value)} /></label>`
    }
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <div class="form-foot"><button type="button" class="btn" onClick=${onClose}>Leave it</button
      ><button class=${`btn ${tone}`} disabled=${busy || (reason === "must" && !why.trim())}>${busy && html`<${Icon} name="i-spin" class="spin" />`}${word}</button></div>
  </form><//>`;
}

/** @param {{floor: Floor, seat: string, onClose: () => void}} props */
export function DenyDialog({ floor, seat, onClose }) {
  const room = useApp((app) => app.room);
  return html`<${Sure} title=${`Deny ${seat} the floor?`} words=${html`Its request goes, and <b>${seat}</b> is told why. It may ask again.`} word="Deny" reason="must"
    act=${(/** @type {string} */ reason) => ask("deny_request", { room, channel: floor.channel, seat, reason })} onClose=${onClose} />`;
}

/** @param {{floor: Floor, onClose: () => void}} props */
export function RevokeDialog({ floor, onClose }) {
  const room = useApp((app) => app.room);
  return html`<${Sure} title=${`Take the floor from ${floor.holder}?`} words=${html`Its turn ends and the next one speaks. <b>${floor.holder}</b> may ask again.`} word="Revoke" reason="may"
    act=${(/** @type {string} */ reason) => ask("revoke_floor", { room, channel: floor.channel, ...(reason && { reason }) })} onClose=${onClose} />`;
}

/** @param {{floor: Floor, onClose: () => void}} props */
export function CloseDialog({ floor, onClose }) {
  const room = useApp((app) => app.room);
  const close = async () => {
    await ask("close_floor", { room, channel: floor.channel });
    toast("The floor is closed.");
  };
  return html`<${Sure} title="Close the floor?" words="The turn and all requests end. What was said stays, and it can be opened again." word="Close it"
    act=${close} onClose=${onClose} />`;
}

/** @param {{floor: Floor, me: string | undefined}} props */
export function FloorActs({ floor, me }) {
  const room = useApp((app) => app.room);
  const [busy, setBusy] = useState("");
  const now = (/** @type {string} */ action) => async () => {
    setBusy(action);
    await doIt(action, { room, channel: floor.channel });
    setBusy("");
  };
  const holds = floor.holder === me;
  const paused = floor.status === "paused";
  /** @type {[string, string, string, boolean][]} action, name, icon, shown */
  const all = [
    ["take_floor", "Take", "i-take", !holds && !paused],
    ["pass_floor", "Pass", "i-pass", holds],
    ["pause_floor", "Pause", "i-pause", !paused],
    ["resume_floor", "Resume", "i-play", paused],
  ];
  return html`<div class="ops">${all
    .filter(([, , , shown]) => shown)
    .map(
      ([action, name, icon]) =>
        html`<button class="btn sm" key=${action} disabled=${busy === action} onClick=${now(action)}><${Icon} name=${icon} />${name}</button>`,
    )}</div>`;
}
