// @ts-check
// Several opened cards answered together (G15): which are chosen, the bar that answers them, and what came of each.
// What is of high risk is never approved along with others.
/** @import { App, Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useRef } from "preact/hooks";
import { decideTogether, forgetAnswer, retry, wasHere } from "../live/decide.js";
import { readDraft } from "../live/drafts.js";
import { pick, wasOpened } from "../live/opened.js";
import { change, useApp } from "../live/store.js";
import { isReady, isUnknown, mayRetry } from "../words/answer.js";
import { marked } from "../words/marks.js";
import { mayDecide, standsAlone } from "../words/needs.js";
import { lost, outcome, sending, unconfirmed } from "../words/outcome.js";
import { pauseAfterAnswer, useArming } from "./arming.js";
import { Icon } from "./icons.js";

/** @param {App} app @param {Gate} gate */
const canJoin = (app, gate) =>
  gate.kind === "approval" &&
  gate.status === "pending" &&
  !isUnknown(app.answers[gate.id]) &&
  mayDecide(app, app.data[gate.room], gate);

/** Whether there is more than one that could be answered with another. @param {Gate[]} gates */
export const useTogether = (gates) => useApp((app) => gates.filter((gate) => canJoin(app, gate)).length > 1);

/** The box that chooses a card. @param {{gate: Gate, word?: boolean}} props */
export function Pick({ gate, word = false }) {
  const may = useApp((app) => canJoin(app, gate));
  const open = useApp((app) => wasOpened(app, gate));
  const chosen = useApp((app) => app.picked.includes(gate.id));
  if (!may) return null;
  return html`<label class=${`pick ${word ? "push" : ""}`} title=${open ? "Answer it together with others" : "Open it first: what was not read is not answered together"}>
    <input type="checkbox" checked=${chosen && open} disabled=${!open} onChange=${(/** @type {any} */ e) => pick(gate.id, e.target.checked)} />
    <span class=${word ? "" : "vh"}>${word ? "Select" : open ? `Select: ${gate.title}` : `Not opened yet: ${gate.title}`}</span></label>`;
}

/** @param {number} n @param {string} word */
const count = (n, word) => `${n} ${word}${n === 1 ? "" : "s"}`;

/** Why some of those chosen are not approved with the others. @param {Gate[]} alone @param {Gate[]} editing @param {Gate[]} choosing */
function whyNot(alone, editing, choosing) {
  const words = [
    alone.length &&
      `${count(alone.length, "card")} of high risk: approved alone, on ${alone.length === 1 ? "its" : "their"} own card.`,
    editing.length && `${count(editing.length, "card")} being edited: use or leave the change first.`,
    choosing.length && `${count(choosing.length, "card")} with choices: choose one there first.`,
  ];
  return words.filter(Boolean).join(" ");
}

const clear = () => change((app) => ({ ...app, picked: [] }));

/** On the phone, while one card is read: its own buttons are the only ones. @param {{count: number, onAll: () => void}} props */
const Chosen = ({ count, onAll }) =>
  html`<div class="together" role="group" aria-label="Selected"><p class="small"><span><b>${count} selected.</b></span>
    <button class="btn sm quiet" onClick=${clear}>Clear</button><button class="btn sm" onClick=${onAll}>Answer together</button></p></div>`;

/** @param {{gates: Gate[]}} props those chosen */
function Bar({ gates }) {
  const bar = useRef(/** @type {HTMLElement | null} */ (null));
  const { armed, live } = useArming(bar, true);
  const alone = gates.filter(standsAlone);
  const editing = gates.filter((gate) => !standsAlone(gate) && readDraft(gate.id).editing !== undefined);
  const choosing = gates.filter((gate) => !alone.includes(gate) && !isReady(gate, readDraft(gate.id)));
  const approvable = gates.filter((gate) => ![alone, editing, choosing].some((some) => some.includes(gate)));
  const send = (/** @type {"approve" | "deny"} */ decision, /** @type {Gate[]} */ which) => () => {
    if (!live()) return;
    pauseAfterAnswer();
    void decideTogether(which, decision);
  };
  const why = whyNot(alone, editing, choosing);
  return html`<div class="together" ref=${bar} role="group" aria-label="Answer together" data-arming=${armed ? undefined : ""}>
    <p class="small"><span><b>${gates.length} selected.</b> ${why}</span><button class="btn sm quiet" onClick=${clear}>Clear</button></p>
    <div class="together-acts">
      <button class="btn deny" disabled=${!armed} onClick=${send("deny", gates)}><${Icon} name="i-x" class="lg" />Deny ${gates.length}</button>
      <button class="btn approve" disabled=${!armed || !approvable.length} onClick=${send("approve", approvable)}><${Icon} name="i-check" class="lg" />Approve ${approvable.length}</button>
    </div></div>`;
}

/** What came of one of them. @param {{gate: Gate, decision: "approve" | "deny"}} props */
function Result({ gate, decision }) {
  const answer = useApp((app) => app.answers[gate.id]);
  const me = useApp((app) => app.me?.member);
  const told =
    answer?.state === "sending"
      ? { icon: "i-spin", tone: "", bold: `Sending your ${sending(decision)}.`, rest: "" }
      : answer?.state === "unsent"
        ? { icon: "i-cloud-off", tone: "is-waiting", bold: "Not sent.", rest: "" }
        : answer?.state === "unconfirmed"
          ? { icon: "i-cloud-off", tone: "is-waiting", ...unconfirmed(answer) }
          : answer?.state === "refused"
            ? { icon: "i-x", tone: "is-blocked", ...lost(gate, answer, me) }
            : gate.status === "pending"
              ? { icon: "i-check", tone: "is-done", bold: "Approved by you, 1 of 2.", rest: "" }
              : { icon: outcome(gate, me, wasHere(gate.id)).mark, ...outcome(gate, me, wasHere(gate.id)) };
  return html`<li><span class=${told.tone}><${Icon} name=${told.icon} class=${answer?.state === "sending" ? "spin" : ""} /></span>
    <span><bdi>${marked(gate.title)}</bdi><br /><span class="small"><b>${told.bold}</b> ${told.rest.trim()}</span></span></li>`;
}

/** @param {{together: NonNullable<App["together"]>}} props */
function Results({ together: { decision, ids } }) {
  const gates = useApp((app) => (app.room ? app.data[app.room]?.gates : undefined)) ?? {};
  const answers = useApp((app) => app.answers);
  const unsent = ids.flatMap((id) => (mayRetry(answers[id]) ? [answers[id]] : []));
  const busy = ids.some((id) => isUnknown(answers[id]));
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const { armed, live } = useArming(box, true);
  const done = () => {
    if (!live()) return;
    pauseAfterAnswer();
    for (const id of ids) if (answers[id]?.state === "refused") forgetAnswer(id);
    change((app) => ({ ...app, together: null }));
  };
  return html`<section class="together" ref=${box} aria-label="Answered together" data-arming=${armed ? undefined : ""}>
    <h3 class="small">Answered together</h3>
    <ul class="together-results" role="status">${ids.flatMap((id) => (gates[id] ? [html`<${Result} key=${id} gate=${gates[id]} decision=${decision} />`] : []))}</ul>
    <div class="together-acts">${
      unsent.length > 0 &&
      html`<button class="btn" disabled=${!armed} onClick=${() => live() && Promise.all(unsent.map((one) => mayRetry(one) && retry(one)))}>Retry ${unsent.length}</button>`
    }<button class="btn" disabled=${busy || !armed} onClick=${done}>Done</button></div>
  </section>`;
}

/**
 * The foot of NEEDS YOU while cards are chosen, and until their results are read.
 * @param {{gates: Gate[], one: boolean, onAll: () => void}} props `one`: a single card fills the sheet
 */
export function Together({ gates, one, onAll }) {
  const app = useApp((a) => a);
  const { picked, together } = app;
  const chosen = gates.filter((gate) => picked.includes(gate.id) && canJoin(app, gate) && wasOpened(app, gate));
  if (chosen.length && one) return html`<${Chosen} count=${chosen.length} onAll=${onAll} />`;
  if (chosen.length)
    return html`<${Bar} key=${chosen.map((gate) => `${gate.id} ${gate.digest}`).join()} gates=${chosen} />`;
  return together ? html`<${Results} together=${together} />` : null;
}
