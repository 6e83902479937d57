// @ts-check
// The lower part of a card: chips, reason or answer, and the bar with the buttons. Enter sends nothing.
/** @import { Draft, Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { useNow } from "../live/clock.js";
import { decide, retry, snooze } from "../live/decide.js";
import { useApp } from "../live/store.js";
import { lost, sending } from "../words/outcome.js";
import { spell } from "../words/time.js";
import { useLeft } from "./countdown.js";
import { HoldButton } from "./hold.js";
import { Icon } from "./icons.js";
import { RuleDialog } from "./rule-dialog.js";
import { stepOf } from "./steps.js";

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
    onClick=${() => onChoose(chosen === option ? undefined : option)} dir="auto">${option}</button>`,
  )}</div>`;

/** @param {{gate: Gate}} props */
function More({ gate }) {
  const [open, setOpen] = useState(false);
  const [rule, setRule] = useState(/** @type {"allow" | "deny" | null} */ (null));
  if (!open) {
    return html`<button class="icon-btn" aria-label="More: snooze, rules" aria-expanded="false" onClick=${() => setOpen(true)}><${Icon} name="i-more" class="lg" /></button>`;
  }
  return html`<div class="more">
    <button class="btn sm soft" onClick=${() => snooze(gate, 10)}><${Icon} name="i-snooze" />Hide for 10 min</button>
    <button class="btn sm soft" onClick=${() => snooze(gate, 60)}>1 hour</button>
    ${
      gate.kind === "approval" &&
      gate.action !== undefined &&
      html`<button class="btn sm soft" onClick=${() => setRule("allow")}><${Icon} name="i-rule" />Always allow</button>
      <button class="btn sm soft" onClick=${() => setRule("deny")}>Always deny</button>`
    }
    ${rule && html`<${RuleDialog} gate=${gate} effect=${rule} onClose=${() => setRule(null)} />`}
    <button class="icon-btn" aria-label="Less" onClick=${() => setOpen(false)}><${Icon} name="i-x" /></button>
  </div>`;
}

/**
 * @param {{gate: Gate, draft: Draft, write: (more: Draft) => void, armed: boolean, live: () => boolean, confirmFrom: string | undefined}} props
 */
export function Answer({ gate, draft, write, armed, live, confirmFrom }) {
  const me = useApp((app) => app.me?.member);
  const answer = useApp((app) => app.answers[gate.id]);
  const { over } = useLeft(gate);
  const busy = answer?.state === "sending";
  const dead = !armed || busy || over;
  const options = gate.options ?? [];

  /** @param {"approve" | "deny" | "answer" | "resolve"} decision @param {Record<string, unknown>} words */
  const send = (decision, words) => {
    if (live()) void decide(gate, decision, words);
  };
  const note = draft.reason?.trim() ? { note: draft.reason.trim() } : {};
  const choice = draft.choice !== undefined && options.includes(draft.choice) ? { choice: draft.choice } : {};
  const text = draft.text?.trim() ? { text: draft.text.trim() } : {};

  const told =
    answer?.state === "sending"
      ? html`<p class="outcome" role="status"><${Icon} name="i-spin" class="spin" /><span><b>Sending your ${sending(answer.decision)}.</b> Nothing is decided until the server says so.</span></p>`
      : answer?.state === "unsent"
        ? html`<p class="outcome" role="status"><span class="is-waiting"><${Icon} name="i-cloud-off" /></span><span><b>Not sent.</b> The server did not answer. What you wrote is kept.</span>
          <button class="btn sm push" disabled=${!armed} onClick=${() => live() && retry(gate, answer)}>Retry</button></p>`
        : answer?.state === "refused"
          ? html`<p class="outcome" role="status"><span class="is-blocked"><${Icon} name="i-x" /></span><span><b>${lost(gate, answer, me).bold}</b>${lost(gate, answer, me).rest}</span></p>`
          : over
            ? html`<p class="outcome" role="status"><${Icon} name="i-spin" class="spin" /><span><b>Its time is over.</b> Asking the server.</span></p>`
            : null;

  if (gate.kind === "approval") {
    const edited = draft.edited === undefined ? {} : { edited_action: JSON.parse(draft.edited) };
    const approve = () => send("approve", { ...note, ...choice, ...edited });
    return html`<div class="answer">
      ${options.length > 0 && html`<${Choices} options=${options} chosen=${draft.choice} onChoose=${(/** @type {string | undefined} */ one) => write({ choice: one })} />`}
      <div class="chips">${chips.approval.map(
        (chip) =>
          html`<button class="chip" aria-pressed=${draft.reason === chip} onClick=${() => write({ reason: withChip(draft.reason ?? "", chip) })}>${chip}</button>`,
      )}</div>
      <label class="vh" for=${`reason-${gate.id}`}>Reason</label>
      <input class="field" id=${`reason-${gate.id}`} dir="auto" placeholder="Reason, if you like" autocomplete="off" value=${draft.reason ?? ""}
        onInput=${(/** @type {any} */ e) => write({ reason: e.target.value })} />
      ${told}
    </div>
    <div class="answer-bar"><${More} gate=${gate} />
      <button class="btn deny" disabled=${dead} onClick=${() => send("deny", note)}><${Icon} name="i-x" class="lg" />Deny</button>
      ${
        (gate.approvals_needed ?? 1) > 1
          ? html`<${CriticalButton} gate=${gate} dead=${dead} live=${live} confirmFrom=${confirmFrom} approve=${approve}
              confirm=${() => send("approve", { ...note, ...choice, confirm: true })} />`
          : gate.risk === "high" || gate.risk === "critical"
            ? html`<${HoldButton} label="Approve" disabled=${dead} live=${live} onDone=${approve} />`
            : html`<button class="btn approve" disabled=${dead} onClick=${approve}><${Icon} name="i-check" class="lg" />Approve</button>`
      }
    </div>`;
  }

  const blocker = gate.kind === "blocker";
  const ready = blocker ? text.text !== undefined : text.text !== undefined || choice.choice !== undefined;
  return html`<div class="answer">
    ${
      options.length > 0
        ? html`<${Choices} options=${options} chosen=${draft.choice} onChoose=${(/** @type {string | undefined} */ one) => write({ choice: one })} />`
        : html`<div class="chips">${chips[blocker ? "blocker" : "feedback"].map(
            (chip) =>
              html`<button class="chip" aria-pressed=${draft.text === chip} onClick=${() => write({ text: withChip(draft.text ?? "", chip) })}>${chip}</button>`,
          )}</div>`
    }
    <label class="vh" for=${`text-${gate.id}`}>${blocker ? "What resolves it" : "Your own words"}</label>
    <textarea class="field" id=${`text-${gate.id}`} rows="2" dir="auto" value=${draft.text ?? ""}
      placeholder=${blocker ? "What resolves it" : options.length ? "Or in your own words" : "In your own words"}
      onInput=${(/** @type {any} */ e) => write({ text: e.target.value })}></textarea>
    ${told}
  </div>
  <div class="answer-bar"><${More} gate=${gate} />
    <button class="btn ink" disabled=${dead || !ready} onClick=${() => send(blocker ? "resolve" : "answer", { ...text, ...choice })}
      ><${Icon} name="i-check" class="lg" />${blocker ? "Resolve" : "Send answer"}</button>
  </div>`;
}

/**
 * @param {{gate: Gate, dead: boolean, live: () => boolean, confirmFrom: string | undefined, approve: () => void, confirm: () => void}} props
 */
function CriticalButton({ gate, dead, live, confirmFrom, approve, confirm }) {
  const me = useApp((app) => app.me?.member);
  const now = useNow();
  const { first, again, blocked, from } = stepOf(gate, me, confirmFrom);
  if (!first)
    return html`<${HoldButton} label="Approve" small="press and hold · 1 of 2" disabled=${dead} live=${live} onDone=${approve} />`;
  if (blocked) {
    return html`<button class="btn hold" disabled><span>You approved<small>a second person is needed</small></span></button>`;
  }
  if (again) {
    const left = from - now;
    return left > 0
      ? html`<button class="btn hold" disabled><span>Confirm again<small>possible in ${spell(left)}</small></span></button>`
      : html`<${HoldButton} label="Confirm again" small="press and hold · 2 of 2" disabled=${dead} live=${live} onDone=${confirm} />`;
  }
  return html`<${HoldButton} label="Approve" small="press and hold · 2 of 2" disabled=${dead} live=${live} onDone=${approve} />`;
}
