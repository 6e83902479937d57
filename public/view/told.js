// @ts-check
// One line above the buttons of a card: what became of the answer so far, or why nothing can be answered yet. It stands
// in the bar, so that it is seen wherever the card is scrolled to.
/** @import { Answer, Draft, Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { retry } from "../live/decide.js";
import { useApp } from "../live/store.js";
import { isReady, mayRetry } from "../words/answer.js";
import { lost, sending, unconfirmed } from "../words/outcome.js";
import { questionsIn } from "../words/questions.js";
import { Icon } from "./icons.js";

/**
 * @param {Gate} gate @param {Draft} draft @param {Answer | undefined} answer @param {boolean} over
 * @param {string | undefined} me
 * @returns {{icon?: string, tone?: string, bold: string, rest: string} | null}
 */
function told(gate, draft, answer, over, me) {
  switch (answer?.state) {
    case "sending":
      return {
        icon: "i-spin",
        bold: `Sending your ${sending(answer.decision)}.`,
        rest: " Nothing is decided until the server says so.",
      };
    case "unsent":
      return {
        icon: "i-cloud-off",
        tone: "is-waiting",
        bold: "Not sent.",
        rest: " There is no connection to the server. What you wrote is kept.",
      };
    case "unconfirmed":
      return { icon: "i-cloud-off", tone: "is-waiting", ...unconfirmed(answer) };
    case "refused":
      return { icon: "i-x", tone: "is-blocked", ...lost(gate, answer, me) };
  }
  if (over) return { icon: "i-spin", bold: "Its time is over.", rest: " Asking the server." };
  if (gate.kind !== "approval") return null;
  if (draft.editing !== undefined)
    return { icon: "i-edit", bold: "You are editing the action.", rest: " Use the change or leave it, then approve." };
  if (isReady(gate, draft)) return null;
  return questionsIn(gate.action).length > 0
    ? { bold: "Answer each question to send it.", rest: " Denying needs no answer." }
    : { bold: "Choose one to approve.", rest: " Denying needs no choice." };
}

/** @param {{gate: Gate, draft: Draft, answer: Answer | undefined, armed: boolean, live: () => boolean, over: boolean}} props */
export function Told({ gate, draft, answer, armed, live, over }) {
  const me = useApp((app) => app.me?.member);
  const now = told(gate, draft, answer, over, me);
  if (!now) return null;
  const { icon, tone = "", bold, rest } = now;
  return html`<p class="outcome so-far" role="status">${
    icon && html`<span class=${tone}><${Icon} name=${icon} class=${icon === "i-spin" ? "spin" : ""} /></span>`
  }<span><b>${bold}</b>${rest}</span>${
    mayRetry(answer) &&
    html`<button class="btn push" disabled=${!armed} onClick=${() => live() && retry(answer)}>Retry</button>`
  }</p>`;
}
