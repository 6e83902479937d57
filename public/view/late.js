// @ts-check
// The foot of a card that expired unanswered: asked again, or asked again and answered in one gesture. Its asker is
// told that the answer is late. What needs two approvals is only asked again.
/** @import { Draft, Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { reopenAnd, reopenAndShow } from "../live/late.js";
import { isReady, wordsOf, yesTo } from "../words/answer.js";
import { Words } from "./answer-words.js";
import { pauseAfterAnswer } from "./arming.js";
import { HoldButton } from "./hold.js";
import { Icon } from "./icons.js";

/** @param {{gate: Gate, draft: Draft, write: (more: Draft) => void, armed: boolean, live: () => boolean, onDismiss: (() => void) | undefined}} props */
export function Late({ gate, draft: mine, write, armed, live, onDismiss }) {
  const [busy, setBusy] = useState(false);
  // somebody's words that came too late are there to be used
  const draft = {
    ...mine,
    ...(gate.draft &&
      (gate.kind === "approval" ? { reason: mine.reason ?? gate.draft } : { text: mine.text ?? gate.draft })),
  };
  const two = (gate.approvals_needed ?? 1) > 1;
  const question = gate.kind === "feedback";
  const dead = !armed || busy;
  const during = (/** @type {() => Promise<unknown>} */ act) => async () => {
    if (!live() || busy) return;
    pauseAfterAnswer();
    setBusy(true);
    await act();
    setBusy(false);
  };
  const decision = yesTo(gate.kind);
  const both = during(() => reopenAnd(gate, decision, wordsOf(gate, draft, decision)));
  const word = question ? "Reopen and answer" : "Reopen and approve";
  return html`${!two && html`<${Words} gate=${gate} draft=${draft} write=${write} />`}
    <p class="small muted">${
      two
        ? "It needs two approvals, so it is only asked again; answer the new card."
        : `${gate.asked_by} is told that the answer is late, and to check first whether it still applies.`
    }</p>
    <div class="answer-bar late">${onDismiss && html`<button class="icon-btn" aria-label="Dismiss" title="Dismiss" onClick=${onDismiss}><${Icon} name="i-x" class="lg" /></button>`}
      <button class="btn" disabled=${dead} onClick=${during(() => reopenAndShow(gate))}>${busy && html`<${Icon} name="i-spin" class="spin" />`}Reopen</button>
      ${
        two
          ? null
          : gate.risk === "high" && !question
            ? html`<${HoldButton} label=${word} disabled=${dead || !isReady(gate, draft)} live=${live} onDone=${both} />`
            : html`<button class=${`btn ${question ? "ink" : "approve"}`} disabled=${dead || !isReady(gate, draft)} onClick=${both}>${word}</button>`
      }
    </div>`;
}
