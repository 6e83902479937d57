// @ts-check
// Opens a floor, or changes an open one: who sits in which order, how long each may hold, in which mode.
/** @import { Floor, Member } from "../types.d.ts" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { ask, sentence, state } from "../live/store.js";
import { Dialog } from "./dialog.js";
import { Icon, StateMark } from "./icons.js";

/** @type {[Floor["mode"], string, string][]} */
const modes = [
  ["open", "Open", "who asks, speaks"],
  ["round_robin", "Round robin", "in the order of the seats"],
  ["moderated", "Moderated", "you grant each turn"],
];

/** @param {{floor: Floor | undefined, members: Member[], onClose: () => void}} props */
export function SeatsDialog({ floor, members, onClose }) {
  const may = members.filter((one) => one.role !== "observer" && one.role !== "viewer");
  const closed = !floor || floor.status === "closed";
  const [seats, setSeats] = useState(() =>
    floor?.seats.length
      ? floor.seats.map((one) => one.seat)
      : may.filter((one) => one.kind === "agent").map((one) => one.name),
  );
  const [hold, setHold] = useState(`${floor?.hold_seconds ?? 180}`);
  const [mode, setMode] = useState(floor?.mode ?? "open");
  const [channel, setChannel] = useState(floor?.channel ?? "main");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const others = may.filter((one) => !seats.includes(one.name));

  /** @param {number} at @param {number} by */
  const move = (at, by) => {
    const next = [...seats];
    const [one] = next.splice(at, 1);
    if (one !== undefined) next.splice(at + by, 0, one);
    setSeats(next);
  };
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    try {
      await ask("open_floor", {
        room: state().room,
        channel: channel.trim() || "main",
        seats,
        hold_seconds: Number(hold),
        mode,
      });
      onClose();
    } catch (why) {
      setWrong(sentence(why));
      setBusy(false);
    }
  };
  const stateOf = (/** @type {string} */ name) => members.find((one) => one.name === name)?.state ?? "offline";

  return html`<${Dialog} title=${closed ? "Open a floor" : "Seats and settings"} onClose=${onClose}><form class="form" onSubmit=${save}>
    ${closed && html`<label>Channel<input class="field" value=${channel} onInput=${(/** @type {any} */ e) => setChannel(e.target.value)} /></label>`}
    <fieldset><legend>Seats, in the order of speaking</legend>
      ${
        seats.length
          ? html`<ol class="order">${seats.map(
              (name, i) => html`<li key=${name}><${StateMark} state=${stateOf(name)} /><span class="cut">${name}</span>
                <button type="button" class="icon-btn" aria-label=${`${name} earlier`} disabled=${i === 0} onClick=${() => move(i, -1)}><${Icon} name="i-up" /></button
                ><button type="button" class="icon-btn" aria-label=${`${name} later`} disabled=${i === seats.length - 1} onClick=${() => move(i, 1)}><${Icon} name="i-down" /></button
                ><button type="button" class="icon-btn" aria-label=${`Remove ${name}`} onClick=${() => setSeats(seats.filter((one) => one !== name))}><${Icon} name="i-x" /></button></li>`,
            )}</ol>`
          : html`<p class="muted small">Nobody yet: take a seat for each who speaks.</p>`
      }
      ${
        others.length > 0 &&
        html`<div class="chips">${others.map(
          (one) =>
            html`<button type="button" class="chip" key=${one.name} onClick=${() => setSeats([...seats, one.name])}><${Icon} name="i-plus" />${one.name}</button>`,
        )}</div>`
      }
    </fieldset>
    <fieldset><legend>Who speaks next</legend><div class="stack" role="radiogroup" aria-label="Mode">${modes.map(
      ([
        value,
        name,
        what,
      ]) => html`<button type="button" class="choice" role="radio" aria-checked=${mode === value} onClick=${() => setMode(value)}
        ><span>${name} <span class="muted small">${what}</span></span></button>`,
    )}</div></fieldset>
    <label>A turn lapses after so many seconds of silence<input class="field" type="number" inputmode="numeric" min="1" max="86400" required value=${hold}
      onInput=${(/** @type {any} */ e) => setHold(e.target.value)} /></label>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <div class="form-foot"><button type="button" class="btn" onClick=${onClose}>Leave it</button
      ><button class="btn ink" disabled=${busy || !seats.length}>${closed ? "Open the floor" : "Save"}</button></div>
  </form><//>`;
}
