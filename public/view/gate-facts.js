// @ts-check
// About which task, whose claim the risk is, who else may decide.
/** @import { Gate } from "../types.d.ts" */
import { html } from "htm/preact";
import { useNow } from "../live/clock.js";
import { follow, linkTo } from "../live/place.js";
import { useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { whoDecides } from "../words/needs.js";
import { dayOf, WhenTime } from "../words/time.js";

/** @param {{gate: Gate}} props */
export function Waits({ gate }) {
  if (gate.status !== "pending" || gate.asked_by === "parley") return null;
  if (gate.waiting_now) return ", waits in the call";
  return gate.nobody_waits_since ? html`, nobody waits since <${WhenTime} at=${gate.nobody_waits_since} />` : null;
}

/** @param {{gate: Gate, others: string[], may: boolean}} props */
export function GateFacts({ gate, others, may }) {
  const task = useApp((app) => (gate.task_id ? app.data[gate.room]?.tasks[gate.task_id] : undefined));
  const pending = gate.status === "pending";
  const today = dayOf(gate.expires_at) === dayOf(useNow());
  return html`<dl class="gate-facts">
    ${
      gate.task_id
        ? html`<dt>Task</dt><dd><a href=${linkTo({ room: gate.room, task: gate.task_id })} onClick=${follow({ room: gate.room, task: gate.task_id })}
          ><bdi>#${gate.task_id}${task ? html`${" "}${marked(task.title)}` : ""}</bdi></a></dd>`
        : null
    }
    ${
      gate.kind === "approval" && (gate.raised_by || gate.risk === "high" || gate.risk === "critical")
        ? html`<dt>Risk</dt><dd>${gate.risk}${
            gate.raised_by
              ? html`: raised by a rule; ${gate.asked_by} says ${gate.claimed_risk}`
              : `, as ${gate.asked_by} says`
          }</dd>`
        : null
    }
    ${gate.reopens ? html`<dt>Asked again</dt><dd>after it had ended once; ${gate.asked_by} is told that the answer is late</dd>` : null}
    ${
      (gate.approvals_needed ?? 1) > 1 && gate.digest
        ? html`<dt>Digest</dt><dd><span class="num" title=${gate.digest}>${digest(gate.digest)}</span>, the same for both</dd>`
        : null
    }
    ${
      !pending
        ? null
        : gate.kind === "blocker"
          ? html`<dt>Expires</dt><dd>never; stays until resolved or withdrawn</dd>`
          : gate.kind === "feedback"
            ? html`<dt>If unanswered</dt><dd>${
                gate.expires_at
                  ? html`goes on without you ${today ? "at " : ""}<${WhenTime} at=${gate.expires_at} />`
                  : "it waits until somebody answers"
              }</dd>`
            : (gate.approvals_needed ?? 1) > 1
              ? null
              : html`<dt>Decides</dt><dd>${whoDecides(others, may)}</dd>`
    }
  </dl>`;
}

/** Enough of a digest for two people to compare. @param {string} text */
const digest = (text) =>
  `${(
    text
      .replace(/^sha256:/, "")
      .slice(0, 16)
      .match(/.{4}/g) ?? []
  ).join(" ")} …`;
