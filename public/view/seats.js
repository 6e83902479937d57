// @ts-check
// Opens a floor, or changes an open one: who sits in which order, who speaks next, how long each may.
/** @import { Floor, Member } from "../types.d.ts" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { showChannel } from "../live/channel.js";
import { ask, sentence, state } from "../live/store.js";
import { Dialog } from "./dialog.js";
import { Order } from "./order.js";

/** @type {[Floor["mode"], string, string][]} */
const modes = [
  ["open", "Open", "who asks, speaks"],
  ["round_robin", "Round robin", "in the order of the seats"],
  ["moderated", "Moderated", "you grant each turn"],
];

/** @typedef {"hold_seconds" | "max_turn_seconds" | "ack_seconds" | "max_agent_turns"} Limit */

/** No limit may be longer than a day, or more turns than that. */
const most = 86_400;

/** @type {[Limit, string, string, number, number][]} name, label, what it means, default, least */
const limits = [
  ["hold_seconds", "Silence, seconds", "then the turn lapses", 180, 1],
  ["max_turn_seconds", "Turn, seconds", "at most; 0: no limit", 600, 0],
  ["ack_seconds", "Answer, seconds", "to take an offered turn up", 60, 1],
  ["max_agent_turns", "Agent turns", "without a person, then it asks you; 0: never", 60, 0],
];

/** What is wrong with what stands in a limit's field, in words; "" where nothing is. @param {string} typed @param {number} least */
function wrongLimit(typed, least) {
  const fits = /^\d{1,6}$/.test(typed.trim()) && Number(typed) >= least && Number(typed) <= most;
  return fits ? "" : `A whole number from ${least} to ${most.toLocaleString("en-GB")}.`;
}

/**
 * @param {{limit: (typeof limits)[number], typed: string, wrong: string, onType: (typed: string) => void}} props
 */
function LimitField({ limit: [name, label, what], typed, wrong, onType }) {
  return html`<label>${label}<input class="field" inputmode="numeric" name=${name} autocomplete="off" value=${typed}
    aria-invalid=${wrong ? "true" : undefined} aria-describedby=${`about-${name}`} onInput=${(/** @type {any} */ e) => onType(e.target.value)} />
    <span id=${`about-${name}`} class=${wrong ? "is-blocked" : "muted"} role=${wrong ? "alert" : undefined}>${wrong || what}</span></label>`;
}

/** @param {{floor: Floor | undefined, fresh?: boolean, members: Member[], onClose: () => void}} props `fresh`: one more channel */
export function SeatsDialog({ floor: shown, fresh = false, members, onClose }) {
  const floor = fresh ? undefined : shown;
  const may = members.filter((one) => one.role !== "observer" && one.role !== "viewer");
  const closed = !floor || floor.status === "closed";
  const [seats, setSeats] = useState(() =>
    floor?.seats.length
      ? floor.seats.map((one) => one.seat)
      : may.filter((one) => one.kind === "agent").map((one) => one.name),
  );
  const [mode, setMode] = useState(floor?.mode ?? "open");
  const [channel, setChannel] = useState(floor?.channel ?? (fresh ? "" : "main"));
  // what is typed stays, whatever comes of the floor meanwhile
  const [typed, setTyped] = useState(
    () =>
      /** @type {Record<Limit, string>} */ (
        Object.fromEntries(limits.map(([name, , , usual]) => [name, `${floor?.[name] ?? usual}`]))
      ),
  );
  const [tried, setTried] = useState(false);
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const wrongs = limits.map(([name, , , , least]) => (tried ? wrongLimit(typed[name], least) : ""));

  const save = async (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    const room = state().room ?? "";
    const named = channel.trim();
    setTried(true);
    if (!named) return setWrong("Give the channel a name, as “planning”.");
    const bad = limits.find(([name, , , , least]) => wrongLimit(typed[name], least));
    if (bad) {
      setWrong("");
      /** @type {HTMLElement | null} */ (event.currentTarget.querySelector(`[name=${bad[0]}]`))?.focus();
      return;
    }
    setBusy(true);
    try {
      await ask("open_floor", {
        room,
        channel: named,
        seats,
        mode,
        ...Object.fromEntries(limits.map(([name]) => [name, Number(typed[name])])),
      });
      showChannel(room, named);
      onClose();
    } catch (why) {
      setWrong(sentence(why));
      setBusy(false);
    }
  };

  return html`<${Dialog} title=${closed ? "Open a floor" : "Seats and settings"} onClose=${onClose}><form class="form" noValidate onSubmit=${save}>
    ${
      closed &&
      html`<label>Channel<input class="field" maxlength="64" autocomplete="off" autocapitalize="off" placeholder="planning" value=${channel}
        onInput=${(/** @type {any} */ e) => setChannel(e.target.value)} /></label>`
    }
    <${Order} seats=${seats} members=${members} others=${may.filter((one) => !seats.includes(one.name))} set=${setSeats} />
    <fieldset><legend>Who speaks next</legend><div class="stack" role="radiogroup" aria-label="Mode">${modes.map(
      ([
        value,
        name,
        what,
      ]) => html`<button type="button" class="choice" role="radio" aria-checked=${mode === value} onClick=${() => setMode(value)}
        ><span>${name} <span class="muted small">${what}</span></span></button>`,
    )}</div></fieldset>
    <fieldset><legend>Limits; people have five times as long</legend><div class="limits">${limits.map(
      (limit, i) =>
        html`<${LimitField} key=${limit[0]} limit=${limit} typed=${typed[limit[0]]} wrong=${wrongs[i] ?? ""}
          onType=${(/** @type {string} */ text) => setTyped((was) => ({ ...was, [limit[0]]: text }))} />`,
    )}</div></fieldset>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <div class="form-foot"><button type="button" class="btn" onClick=${onClose}>Leave it</button
      ><button class="btn ink" disabled=${busy || !seats.length}>${closed ? "Open the floor" : "Save"}</button></div>
  </form><//>`;
}
