// @ts-check
// What an agent ran that was not what was approved: said plainly, with what differs where something does.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { driftOf } from "../words/outcome.js";
import { WhenTime } from "../words/time.js";
import { Change } from "./change.js";
import { Icon } from "./icons.js";

/** @param {{gate: Gate, me: string | undefined}} props */
export function Drift({ gate, me }) {
  const { ran } = gate;
  if (!ran?.drift) return null;
  const { last, times = 1 } = ran;
  const runs = [ran, ...(last?.drift && last.digest !== ran.digest ? [last] : [])];
  return runs.map((run, i) => {
    const differs = "action" in run && run.digest !== gate.digest;
    const head = html`<span class="is-blocked"><${Icon} name="i-warn" /></span><span><b>${driftOf(gate, me, run)},</b> at <${WhenTime} at=${run.at} />${
      differs ? `: what was ${gate.status === "approved" ? "approved" : "asked"}, and what it says it ran` : ""
    }.${i === 0 && times > 1 ? ` It has reported ${times} runs.` : ""}</span>`;
    return differs
      ? html`<${Change} before=${gate.action} after=${run.action} label=${i === 0 ? "What was run" : "What was run last"} tone="bad" head=${head} />`
      : html`<div class="action change bad"><p class="change-head">${head}</p></div>`;
  });
}
