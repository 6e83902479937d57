// @ts-check
// Stop all: on every page, after one step of confirming; and how it goes on.
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask, sentence, useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icons.js";

export function StopButton() {
  const [asking, setAsking] = useState(false);
  return html`<button class="icon-btn stop" aria-label="Stop all" title="Stop all" onClick=${() => setAsking(true)}><${Icon} name="i-stop" class="lg" /></button>
    ${asking && html`<${StopDialog} onClose=${() => setAsking(false)} />`}`;
}

/** @param {{onClose: () => void}} props */
export function StopDialog({ onClose }) {
  const owner = useApp((app) => app.me?.server_role === "owner");
  const all = useApp((app) => app.rooms);
  const rooms = all.filter((one) => owner || one.role === "approver");
  const waiting = rooms.reduce((sum, one) => sum + one.approvals, 0);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const stop = async () => {
    setBusy(true);
    setWrong("");
    try {
      await ask("stop_all");
      onClose();
    } catch (why) {
      setWrong(sentence(why));
      setBusy(false);
    }
  };
  return html`<${Dialog} title="Stop all agents?" onClose=${onClose}>
    <p><b>${rooms.length === 1 ? "In the one room" : `In all ${rooms.length} rooms`} where you decide:</b> ${rooms.map(
      (one, i) => html`${i ? ", " : ""}<bdi>${marked(one.title || one.room)}</bdi>`,
    )}.</p>
    <p>Every open floor is paused. Claims and new approvals are refused. Approvals that wait are denied; questions stay (${waiting} ${
      waiting === 1 ? "card waits" : "cards wait"
    } there now). It lasts until you press “Resume all”; what was denied stays denied.</p>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <div class="form-foot"><button class="btn" onClick=${onClose}>Leave it</button
      ><button class="btn deny" disabled=${busy} onClick=${stop}>${busy && html`<${Icon} name="i-spin" class="spin" />`}Stop now</button></div>
  <//>`;
}

/** The banner while anything is stopped. */
export function Stopped() {
  const rooms = useApp((app) => app.rooms);
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const stopped = rooms.filter((one) => one.stopped);
  if (!stopped.length) return null;
  const resume = async () => {
    setBusy(true);
    setWrong("");
    try {
      await ask("resume_all");
    } catch (why) {
      setWrong(sentence(why));
    }
    setBusy(false);
  };
  const which = stopped.length === rooms.length ? "All agents" : stopped.map((one) => one.title || one.room).join(", ");
  return html`<div class="conn stopped" role="status"><${Icon} name="i-stop" /><span><b>STOPPED.</b> ${marked(which)}: floors are paused, claims and approvals refused. ${wrong && html`<b>${wrong}</b>`}</span>
    <button class="push" disabled=${busy} onClick=${resume}>Resume all</button></div>`;
}
