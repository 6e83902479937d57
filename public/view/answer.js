// @ts-check
// The lower part of a card: chips, reason or answer, and the bar with the buttons. Enter sends nothing.
/** @import { Draft, Gate } from "../types.d.ts" */
/** @import { Decision } from "../words/answer.js" */
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { useNow } from "../live/clock.js";
import { decide } from "../live/decide.js";
import { useApp } from "../live/store.js";
import { isReady, isUnknown, wordsOf, yesTo } from "../words/answer.js";
import { questionsIn } from "../words/questions.js";
import { spell } from "../words/time.js";
import { Words } from "./answer-words.js";
import { pauseAfterAnswer } from "./arming.js";
import { useLeft } from "./countdown.js";
import { HoldButton } from "./hold.js";
import { Icon } from "./icons.js";
import { RuleDialog } from "./rule-dialog.js";
import { Snooze } from "./snooze.js";
import { stepOf } from "./steps.js";
import { Told } from "./told.js";

/** @param {{gate: Gate}} props */
function More({ gate }) {
  const [open, setOpen] = useState(false);
  const [rule, setRule] = useState(/** @type {"allow" | "deny" | null} */ (null));
  // Deny comes in the place of the button that was tapped, or the other way round
  const turn = () => {
    pauseAfterAnswer();
    setOpen(!open);
  };
  if (!open) {
    return html`<button class="icon-btn" aria-label="More: snooze, rules" aria-expanded="false" onClick=${turn}><${Icon} name="i-more" class="lg" /></button>`;
  }
  return html`<div class="more">
    <${Snooze} gate=${gate} />
    ${
      gate.kind === "approval" &&
      gate.action !== undefined &&
      html`<button class="btn sm soft" onClick=${() => setRule("allow")}><${Icon} name="i-rule" />Always allow</button>
      <button class="btn sm soft" onClick=${() => setRule("deny")}>Always deny</button>`
    }
    ${rule && html`<${RuleDialog} gate=${gate} effect=${rule} onClose=${() => setRule(null)} />`}
    <button class="icon-btn" aria-label="Less" onClick=${turn}><${Icon} name="i-x" /></button>
  </div>`;
}

/**
 * @param {{gate: Gate, draft: Draft, write: (more: Draft) => void, armed: boolean, live: () => boolean, confirmFrom: string | undefined, whole: boolean}} props
 *   `whole`: all of the card is here; only then can it be approved
 */
export function Answer({ gate, draft, write, armed, live, confirmFrom, whole }) {
  const answer = useApp((app) => app.answers[gate.id]);
  const { over } = useLeft(gate);
  const dead = !armed || isUnknown(answer) || over;
  const editing = gate.kind === "approval" && draft.editing !== undefined;

  /** @param {Decision} decision @param {Record<string, unknown>} words */
  const send = (decision, words) => {
    if (!live()) return;
    pauseAfterAnswer();
    void decide(gate, decision, words);
  };

  const words = html`<div class="answer"><${Words} gate=${gate} draft=${draft} write=${write} /></div>`;
  const told = html`<${Told} gate=${gate} draft=${draft} answer=${answer} armed=${armed} live=${live} over=${over} />`;

  if (gate.kind === "approval") {
    const approve = () => send("approve", wordsOf(gate, draft, "approve"));
    const { edited_action: _, ...rest } = wordsOf(gate, draft, "approve");
    const unsure = dead || editing || !whole || !isReady(gate, draft);
    const asks = questionsIn(gate.action).length > 0;
    const word = asks ? "Send answer" : draft.edited === undefined ? "Approve" : "Approve edited";
    return html`${words}
    <div class="answer-bar">${told}<${More} gate=${gate} />
      <button class="btn deny" disabled=${dead} onClick=${() => send("deny", wordsOf(gate, draft, "deny"))}><${Icon} name="i-x" class="lg" />Deny</button>
      ${
        (gate.approvals_needed ?? 1) > 1
          ? html`<${CriticalButton} gate=${gate} dead=${unsure} live=${live} confirmFrom=${confirmFrom} approve=${approve}
              confirm=${() => send("approve", { ...rest, confirm: true })} />`
          : gate.risk === "high" || gate.risk === "critical"
            ? html`<${HoldButton} label=${word} disabled=${unsure} live=${live} onDone=${approve} />`
            : html`<button class="btn approve" disabled=${unsure} onClick=${approve}><${Icon} name="i-check" class="lg" />${word}</button>`
      }
    </div>`;
  }

  return html`${words}
  <div class="answer-bar">${told}<${More} gate=${gate} />
    <button class="btn ink" disabled=${dead || !whole || !isReady(gate, draft)} onClick=${() => send(yesTo(gate.kind), wordsOf(gate, draft, yesTo(gate.kind)))}
      ><${Icon} name="i-check" class="lg" />${gate.kind === "blocker" ? "Resolve" : "Send answer"}</button>
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
