// @ts-check
// The card of a gate: one row, or whole, read top to bottom and answered at the bottom. It says only what the server
// has committed; what is on its way says so.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { lookAt } from "../live/decide.js";
import { useDraft } from "../live/drafts.js";
import { loadWhole } from "../live/load.js";
import { opened } from "../live/opened.js";
import { useApp } from "../live/store.js";
import { isUnknown } from "../words/answer.js";
import { marked } from "../words/marks.js";
import { deciders, kindWord, mayDecide, stateOfGate } from "../words/needs.js";
import { questionsIn } from "../words/questions.js";
import { ActionView } from "./action.js";
import { Answer } from "./answer.js";
import { useArming } from "./arming.js";
import { Change } from "./change.js";
import { Countdown } from "./countdown.js";
import { Details } from "./details.js";
import { Drift } from "./drift.js";
import { GateFacts, Waits } from "./gate-facts.js";
import { Icon, RiskMark } from "./icons.js";
import { Delivery, Outcome } from "./outcome.js";
import { Steps } from "./steps.js";
import { Pick } from "./together.js";

/** Too long to be asked for again every now and then. @param {Gate} gate */
const isLong = (gate) => (JSON.stringify(gate.action)?.length ?? 0) > 50_000;

/**
 * @param {{gate: Gate, open: boolean, byPerson?: boolean, alone?: boolean, together?: boolean, onOpen?: () => void, onDismiss?: () => void}} props
 *   `byPerson`: a person opened it, so its title takes the focus; a card that comes by itself takes none.
 *   `together`: it may be answered with others
 */
export function GateCard({ gate, open, byPerson = false, alone = false, together = false, onOpen, onDismiss }) {
  const card = useRef(/** @type {HTMLElement | null} */ (null));
  const title = useRef(/** @type {HTMLElement | null} */ (null));
  const me = useApp((app) => app.me);
  const answer = useApp((app) => app.answers[gate.id]);
  const data = useApp((app) => app.data[gate.room]);
  const may = useApp((app) => mayDecide(app, data, gate));
  // what is too large for the stream comes once the card is open; nothing is approved before it is here
  const loading = Boolean(gate.left_out);
  const { armed, live } = useArming(card, open, loading ? null : gate.digest, gate.status !== "pending");
  const [kept, write] = useDraft(gate.id);
  // what the first of two has approved is not edited any more
  const draft = gate.approvals?.length ? { ...kept, edited: undefined, editing: undefined, answers: undefined } : kept;
  const pending = gate.status === "pending";
  const mark = html`<span class=${`is-${stateOfGate(gate)}`}><${Icon} name=${`k-${gate.kind}`} class="lg" /></span>`;

  useEffect(() => {
    if (open && byPerson) title.current?.focus({ preventScroll: true });
  }, [open, byPerson]);
  useEffect(() => {
    if (!open || !loading) return;
    void loadWhole(gate.id);
    const again = setInterval(() => loadWhole(gate.id), 3000);
    return () => clearInterval(again);
  }, [open, loading, gate.id]);
  useEffect(() => {
    if (!open || !pending || loading) return;
    const look = () => {
      if (document.visibilityState === "visible") void opened(gate);
    };
    const timer = setTimeout(look, 300);
    // whether somebody waits in a call is no fact: the open card asks
    const again = setInterval(() => document.visibilityState === "visible" && !isLong(gate) && lookAt(gate.id), 15_000);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearTimeout(timer);
      clearInterval(again);
      document.removeEventListener("visibilitychange", look);
    };
  }, [open, pending, loading, gate.digest]);

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
            <${Delivery} gate=${gate} />
            ${pending && html`<${Countdown} gate=${gate} until push />`}
          </div>
          <h3 class="gate-title" dir="auto" tabindex="-1" ref=${title}>${marked(gate.title)}</h3>
          <div class="gate-asker small"><span>Asked by <b>${gate.asked_by}</b><${Waits} gate=${gate} /></span>${together && html`<${Pick} gate=${gate} word />`}</div>
          ${
            gate.action !== undefined &&
            html`<${ActionView} action=${gate.action} draft=${pending ? draft : {}} write=${pending && may && !isUnknown(answer) && !gate.approvals?.length ? write : undefined} />`
          }
          ${
            gate.edited &&
            !loading &&
            questionsIn(gate.asked_action).length === 0 &&
            html`<${Change} before=${gate.asked_action} after=${gate.action} label="What was edited"
              head=${html`<b>${pending ? gate.approvals?.[0]?.by : (gate.approvals?.[0]?.by ?? gate.decided_by)} edited it:</b> what was asked, and what ${gate.status === "approved" ? "was" : "would be"} approved.`} />`
          }
          ${loading ? html`<p class="muted small" role="status"><${Icon} name="i-spin" class="spin" /> Loading the whole card …</p>` : null}
          <${Drift} gate=${gate} me=${me?.member} />
          ${critical && html`<${Steps} gate=${gate} me=${me?.member} confirmFrom=${confirmFrom} others=${others} />`}
          ${gate.details && html`<${Details} text=${gate.details} />`}
          <${GateFacts} gate=${gate} others=${others} may=${may} />
          ${pending && may ? html`<${Answer} gate=${gate} draft=${draft} write=${write} armed=${armed} live=${live} confirmFrom=${confirmFrom} whole=${!loading} />` : null}
          ${pending && !may ? html`<p class="outcome"><span>You can look at this and not answer it${gate.asked_by === me?.member ? ": nobody decides what they asked themselves" : ""}.</span></p>` : null}
          ${!pending && html`<${Outcome} gate=${gate} draft=${draft} write=${write} armed=${armed} live=${live} onDismiss=${onDismiss} />`}
        </div>`
        : pending
          ? html`<div class="gate-line">${together && html`<${Pick} gate=${gate} />`}<button class="gate-row" onClick=${onOpen}>${mark}
            <span class="what" dir="auto">${marked(gate.title)}</span><${Countdown} gate=${gate} />
            <span class="who">${gate.asked_by} ${gate.risk && gate.kind === "approval" && html`<${RiskMark} risk=${gate.risk} />`}</span></button></div>`
          : html`<div class="gate-settled"><button class="gate-row" onClick=${onOpen}>${mark}<span class="what" dir="auto">${marked(gate.title)}</span></button>
            <${Outcome} gate=${gate} draft=${draft} write=${write} armed=${false} live=${live} onDismiss=${alone ? undefined : onDismiss} brief /></div>`
    }
  </article>`;
}
