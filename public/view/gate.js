// @ts-check
// The card of a gate: one row, or whole, read top to bottom and answered at the bottom. It says only what the server
// has committed; what is on its way says so.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { lookAt, see } from "../live/decide.js";
import { useDraft } from "../live/drafts.js";
import { useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { deciders, kindWord, mayDecide, stateOfGate } from "../words/needs.js";
import { ActionView } from "./action.js";
import { Answer } from "./answer.js";
import { useArming } from "./arming.js";
import { Countdown } from "./countdown.js";
import { Details } from "./details.js";
import { GateFacts, Waits } from "./gate-facts.js";
import { Icon, RiskMark } from "./icons.js";
import { Outcome } from "./outcome.js";
import { Steps } from "./steps.js";

/**
 * @param {{gate: Gate, open: boolean, byPerson?: boolean, alone?: boolean, onOpen?: () => void, onDismiss?: () => void}} props
 *   `byPerson`: a person opened it, so its title takes the focus; a card that comes by itself takes none
 */
export function GateCard({ gate, open, byPerson = false, alone = false, onOpen, onDismiss }) {
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  const me = useApp((app) => app.me);
  const answer = useApp((app) => app.answers[gate.id]);
  const data = useApp((app) => app.data[gate.room]);
  const may = useApp((app) => mayDecide(app, data, gate));
  const { armed, live } = useArming(card, open);
  const [draft, write] = useDraft(gate.id);
  const pending = gate.status === "pending";
  const mark = html`<span class=${`is-${stateOfGate(gate)}`}><${Icon} name=${`k-${gate.kind}`} class="lg" /></span>`;

  useEffect(() => {
    if (open && byPerson) title.current?.focus({ preventScroll: true });
  }, [open, byPerson]);
  useEffect(() => {
    if (!open || !pending) return;
    const look = () => {
      if (document.visibilityState === "visible") void see(gate);
    };
    const timer = setTimeout(look, 300);
    // whether somebody waits in a call is no fact: the open card asks
    const again = setInterval(() => document.visibilityState === "visible" && lookAt(gate.id), 15_000);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      clearInterval(again);
      document.removeEventListener("visibilitychange", look);
    };
  }, [open, pending]);

  const confirmFrom =
    answer?.state === "refused" ? /** @type {string | undefined} */ (answer.error.confirm_from) : gate.confirm_from;
  const critical = pending && (gate.approvals_needed ?? 1) > 1;
  const others = deciders(data?.members ?? [], gate)
    .map((one) => one.name)
    .filter((name) => name !== me?.member);

  return html`<article ref=${card} class="gate" data-gate=${gate.id} data-kind=${gate.kind} data-status=${gate.status}
    data-open=${open ? "" : undefined} data-arming=${open && !armed ? "" : undefined} aria-label=${`${kindWord(gate.kind)}: ${gate.title}`}>
    ${
      open
        ? html`<div class="gate-open">
          <div class="gate-meta">
            <span class="kind"><${Icon} name=${`k-${gate.kind}`} />${kindWord(gate.kind)}</span>
            ${gate.risk && gate.kind === "approval" && html`<${RiskMark} risk=${gate.risk} />`}
            ${pending && html`<${Countdown} gate=${gate} until push />`}
          </div>
          <h3 class="gate-title" dir="auto" tabindex="-1" ref=${title}>${marked(gate.title)}</h3>
          <p class="gate-asker small">Asked by <b>${gate.asked_by}</b><${Waits} gate=${gate} /></p>
          ${
            gate.action !== undefined &&
            html`<${ActionView} action=${gate.action} edited=${pending ? draft.edited : undefined}
              onEdit=${pending && may && armedFor(answer) && !gate.approvals?.length ? (/** @type {string | undefined} */ edited) => write({ edited }) : undefined} />`
          }
          ${gate.edited && html`<p class="small muted">A person edited the action before approving it.</p>`}
          ${critical && html`<${Steps} gate=${gate} me=${me?.member} confirmFrom=${confirmFrom} others=${others} />`}
          ${gate.details && html`<${Details} text=${gate.details} />`}
          <${GateFacts} gate=${gate} others=${others} may=${may} />
          ${pending && may ? html`<${Answer} gate=${gate} draft=${draft} write=${write} armed=${armed} live=${live} confirmFrom=${confirmFrom} />` : null}
          ${pending && !may ? html`<p class="outcome"><span>You can look at this and not answer it${gate.asked_by === me?.member ? ": nobody decides what they asked themselves" : ""}.</span></p>` : null}
          ${!pending && html`<${Outcome} gate=${gate} draft=${draft} write=${write} onDismiss=${onDismiss} />`}
        </div>`
        : pending
          ? html`<button class="gate-row" onClick=${onOpen}>${mark}
            <span class="what" dir="auto">${marked(gate.title)}</span><${Countdown} gate=${gate} />
            <span class="who">${gate.asked_by} ${gate.risk && gate.kind === "approval" && html`<${RiskMark} risk=${gate.risk} />`}</span></button>`
          : html`<div class="gate-settled"><button class="gate-row" onClick=${onOpen}>${mark}<span class="what" dir="auto">${marked(gate.title)}</span></button>
            <${Outcome} gate=${gate} draft=${draft} write=${write} onDismiss=${alone ? undefined : onDismiss} brief /></div>`
    }
  </article>`;
}

/** @param {{state: string} | undefined} answer */
const armedFor = (answer) => answer?.state !== "sending";
