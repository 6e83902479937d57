// @ts-check
// What a person says with an answer: one of the choices offered, their own words, or words ready made. Never required
// to say no.
/** @import { Draft, Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { marked } from "../words/marks.js";

const chips = {
  approval: ["Dry run first", "Not now", "Smaller steps"],
  feedback: ["You choose", "Neither, wait for me", "Go on without"],
  blocker: ["I have set it", "Go round it", "Skip it, note it on the task"],
};

/** @param {string} had @param {string} chip */
function withChip(had, chip) {
  if (had.trim() === chip) return "";
  return had.trim() ? `${had.trim()}; ${chip}` : chip;
}

/** @param {{options: string[], chosen: string | undefined, onChoose: (choice: string | undefined) => void}} props */
const Choices = ({ options, chosen, onChoose }) =>
  html`<div class="stack" role="radiogroup" aria-label="Choices">${options.map(
    (option) => html`<button class="choice" role="radio" aria-checked=${chosen === option}
    onClick=${() => onChoose(chosen === option ? undefined : option)} dir="auto"><span>${marked(option)}</span></button>`,
  )}</div>`;

/** @param {{gate: Gate, draft: Draft, write: (more: Draft) => void}} props */
export function Words({ gate, draft, write }) {
  const options = gate.options ?? [];
  const approval = gate.kind === "approval";
  const key = approval ? "reason" : "text";
  const said = draft[key] ?? "";
  const set = (/** @type {string} */ text) => write({ [key]: text });
  const choices =
    options.length > 0 &&
    html`<${Choices} options=${options} chosen=${draft.choice} onChoose=${(/** @type {string | undefined} */ choice) => write({ choice })} />`;
  const ready = html`<div class="chips">${chips[gate.kind].map(
    (chip) =>
      html`<button class="chip" aria-pressed=${said === chip} onClick=${() => set(withChip(said, chip))}>${chip}</button>`,
  )}</div>`;
  if (approval) {
    return html`${choices}${gate.status === "pending" && ready}
      <label class="vh" for=${`reason-${gate.id}`}>Reason</label>
      <input class="field" id=${`reason-${gate.id}`} dir="auto" placeholder="Reason, if you like" autocomplete="off" value=${said}
        onInput=${(/** @type {any} */ e) => set(e.target.value)} />`;
  }
  const blocker = gate.kind === "blocker";
  return html`${choices || ready}
    <label class="vh" for=${`text-${gate.id}`}>${blocker ? "What resolves it" : "Your own words"}</label>
    <textarea class="field" id=${`text-${gate.id}`} rows="2" dir="auto" value=${said}
      placeholder=${blocker ? "What resolves it" : options.length ? "Or in your own words" : "In your own words"}
      onInput=${(/** @type {any} */ e) => set(e.target.value)}></textarea>`;
}
