// @ts-check
// A person edits an action before approving it: what they change stands under the field as they write. Text that is no
// JSON where JSON is needed is told in place and cannot be used.
/** @import { Draft } from "../types.d.ts" */
import { html } from "htm/preact";
import { describe, withEdit } from "../words/action.js";
import { compareActions } from "../words/compare.js";
import { Diff } from "./diff.js";

/** @param {unknown} action @param {string} text @returns {{to: unknown} | {wrong: string}} */
function read(action, text) {
  if (!text.trim()) return { wrong: "Nothing is left of it. Deny it instead, or leave it as it was." };
  try {
    return { to: withEdit(action, text) };
  } catch (why) {
    const where = why instanceof Error ? /line \d+ column \d+/.exec(why.message)?.[0] : undefined;
    return { wrong: `This is no JSON${where ? ` (${where})` : ""}. Mend it, or leave the action as it was.` };
  }
}

/**
 * @param {{action: unknown, current: unknown, text: string, write: (more: Draft) => void}} props
 *   `action`: as it was asked; `current`: as the person has it so far
 */
export function Editor({ action, current, text, write }) {
  const found = read(current, text);
  const lines = "to" in found ? compareActions(action, found.to) : [];
  const use = () => {
    if ("to" in found) write({ editing: undefined, edited: lines.length ? JSON.stringify(found.to) : undefined });
  };
  return html`<textarea class="field mono" aria-label="The action, edited" dir="ltr" spellcheck=${false} autocapitalize="off" autocomplete="off"
      rows=${Math.min(10, text.split("\n").length + 1)} value=${text}
      onInput=${(/** @type {any} */ e) => write({ editing: e.target.value })}></textarea>
    ${
      "wrong" in found
        ? html`<p class="small is-blocked" role="alert">${found.wrong}</p>`
        : lines.length
          ? html`<p class="change-head">What you change</p><${Diff} lines=${lines} label="What you change" />`
          : html`<p class="small muted">${describe(current).edit === "json" ? "JSON, as it was asked." : "As it was asked."}</p>`
    }
    <div class="action-foot">
      <button class="btn sm" onClick=${() => write({ editing: undefined })}>Leave as it was</button>
      <button class="btn sm ink" disabled=${"wrong" in found} onClick=${use}>Use this</button>
    </div>`;
}
