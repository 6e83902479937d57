// @ts-check
// What came of a gate: by whom, when, on which device; with what a person can still do about it.
/** @import { Draft, Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { forgetAnswer, recall, wasHere } from "../live/decide.js";
import { dropDraft } from "../live/drafts.js";
import { reopenAndShow } from "../live/late.js";
import { useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { mayDecide } from "../words/needs.js";
import { delivery, lost, outcome } from "../words/outcome.js";
import { Icon } from "./icons.js";
import { Late } from "./late.js";

/** Whether an answer has reached its asker, until that is settled. @param {{gate: Gate}} props */
export function Delivery({ gate }) {
  const told = delivery(gate);
  return told ? html`<span class=${`tag push ${told.tone}`}>${told.word}</span>` : null;
}

/**
 * @param {{gate: Gate, draft: Draft, write: (more: Draft) => void, armed: boolean, live: () => boolean, brief?: boolean, onDismiss?: (() => void) | undefined}} props
 */
export function Outcome({ gate, draft, write, armed, live, brief = false, onDismiss }) {
  const me = useApp((app) => app.me?.member);
  const answer = useApp((app) => app.answers[gate.id]);
  const may = useApp((app) => mayDecide(app, app.data[gate.room], gate));
  const told = outcome(gate, me, wasHere(gate.id));
  // what counts as the answer is no draft that was left over
  const kept = [draft.text, draft.reason, gate.draft].find(
    (words) => words && ![gate.text, gate.note, gate.choice].includes(words.trim()),
  );
  // the row of a settled card is short and armed by nobody; a card says when it may be touched
  const touchable = brief || armed;
  const dismiss = () => {
    if (!brief && !live()) return;
    dropDraft(gate.id);
    forgetAnswer(gate.id);
    onDismiss?.();
  };
  // of a client's own card nobody would run what is approved now
  const late = gate.status === "expired" && may && !gate.reopened_as && gate.kind !== "blocker" && !gate.asked_through;
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const refused = answer?.state === "refused";
  // who was too late reads it without having to look for it
  useEffect(() => {
    if (refused && !brief) box.current?.scrollIntoView({ block: "nearest" });
  }, [refused]);
  return html`<div class=${brief ? "stack" : "stack settled"} ref=${box}>
    ${
      answer?.state === "refused" &&
      html`<p class="outcome" role="status"><span class="is-blocked"><${Icon} name="i-x" /></span><span><b>${lost(gate, answer, me).bold}</b>${
        lost(gate, answer, me).rest
      }</span></p>`
    }
    <p class="outcome" role="status"><span class=${told.tone}><${Icon} name=${told.mark} /></span><span><b>${told.bold}</b> ${told.rest.trim()}${
      !brief && said(gate)
    }</span>
      ${
        gate.status === "approved" && !gate.delivered_at && !gate.recalled && may && gate.decided_by === me
          ? html`<button class="btn sm push" disabled=${!touchable} onClick=${() => (brief || live()) && recall(gate)}>Take back</button>`
          : null
      }
      ${late && brief ? html`<button class="btn sm push" onClick=${() => reopenAndShow(gate)}>Reopen</button>` : null}
      ${brief && onDismiss && html`<button class="icon-btn push" aria-label="Dismiss" onClick=${dismiss}><${Icon} name="i-x" /></button>`}
    </p>
    ${
      !brief &&
      !late &&
      kept !== undefined &&
      html`<label class="kept"><span class="small muted">What you wrote, not used</span>
        <textarea class="field" rows="2" dir="auto" value=${kept}
          onInput=${(/** @type {any} */ e) => write(draft.text === undefined ? { reason: e.target.value } : { text: e.target.value })}></textarea></label>`
    }
    ${!brief && late && html`<${Late} gate=${gate} draft=${draft} write=${write} armed=${armed && !gate.left_out} live=${live} onDismiss=${onDismiss && dismiss} />`}
    ${!brief && !late && onDismiss && html`<div class="answer-bar"><button class="btn" disabled=${!touchable} onClick=${dismiss}>Done</button></div>`}
  </div>`;
}

/** What was said with it. @param {Gate} gate */
function said(gate) {
  const words = [gate.choice, gate.note, gate.text].filter(Boolean);
  return words.length
    ? html`<q dir="auto" tabindex="0">${words.map((one, i) => html`${i ? " · " : ""}${marked(one ?? "")}`)}</q>`
    : null;
}
