// @ts-check
// What became of an action: the one it was against the one it is, as a diff under a line that says so.
import { html } from "htm/preact";
import { compareActions } from "../words/compare.js";
import { Diff } from "./diff.js";

/**
 * @param {{head: any, before: unknown, after: unknown, label: string, tone?: string}} props
 *   `tone`: `bad` where nobody should overlook it
 */
export function Change({ head, before, after, label, tone = "" }) {
  const lines = compareActions(before, after);
  return html`<div class=${`action change ${tone}`}>
    <p class="change-head">${head}</p>
    ${lines.length > 0 ? html`<${Diff} lines=${lines} label=${label} />` : html`<p class="change-none">Nothing differs in what is shown.</p>`}
  </div>`;
}
