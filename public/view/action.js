// @ts-check
// The action of a gate, whole: never cut, wrapped between words, a wrapped line hangs so that it cannot pass for a new
// one, hidden characters are marked. It can be copied, and edited before it is approved.
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { toast } from "../live/store.js";
import { describe, editable, withEdit } from "../words/action.js";
import { marked } from "../words/marks.js";
import { Diff } from "./diff.js";
import { Icon } from "./icons.js";

/** @param {{text: string, label?: string}} props */
function Code({ text, label = "The action, whole" }) {
  const words = text.length < 20_000;
  return html`<pre dir="ltr" tabindex="0" role="group" aria-label=${label}>${text
    .split("\n")
    .map(
      (line) =>
        html`<span class="ln">${
          words
            ? line
                .split(/( +)/)
                .map((part) => (part.trim() ? html`<span class="tok">${marked(part, { code: true })}</span>` : part))
            : marked(line, { code: true })
        }</span>`,
    )}</pre>`;
}

/** @param {string} text */
async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // no clipboard without HTTPS: the old way
    const field = document.createElement("textarea");
    field.value = text;
    document.body.append(field);
    field.select();
    document.execCommand("copy");
    field.remove();
  }
  toast("Copied.");
}

/** @param {{text: string, label?: string}} props */
const CopyButton = ({ text, label = "Copy" }) =>
  html`<button class="icon-btn" aria-label=${label} title=${label} onClick=${() => copy(text)}><${Icon} name="i-copy" /></button>`;

/** A block of code with a head and a copy button. @param {{head: any, text: string, label?: string}} props */
export const CodeBlock = ({ head, text, label = "To copy" }) => html`<div class="action">
  <div class="action-head"><span>${head}</span><span class="push"></span><${CopyButton} text=${text} /></div>
  <${Code} text=${text} label=${label} />
</div>`;

/**
 * @param {{action: unknown, edited?: string | undefined, onEdit?: ((edited: string | undefined) => void) | undefined}} props
 *   `edited`: the JSON of the action as the person would approve it
 */
export function ActionView({ action, edited, onEdit }) {
  const current = edited === undefined ? action : JSON.parse(edited);
  const [editing, setEditing] = useState(/** @type {string | null} */ (null));
  const [wrong, setWrong] = useState("");
  const shown = describe(current);

  const use = () => {
    try {
      const next = JSON.stringify(withEdit(current, editing ?? ""));
      onEdit?.(next === JSON.stringify(action) ? undefined : next);
      setEditing(null);
    } catch {
      setWrong("This is no JSON. Mend it, or leave the action as it is.");
    }
  };

  const head = html`<div class="action-head">
    <span>${shown.what}${shown.where ? html`${" "}<b>${marked(shown.where, { code: true })}</b>` : ""}</span>
    <span class="push"></span>
    ${
      onEdit &&
      editing === null &&
      html`<button class="icon-btn" aria-label="Edit before approving" title="Edit before approving" onClick=${() => {
        setWrong("");
        setEditing(editable(current));
      }}><${Icon} name="i-edit" /></button>`
    }
    <${CopyButton} text=${editable(current)} />
  </div>`;

  if (editing !== null) {
    return html`<div class="action editing">${head}
      <textarea class="field mono" aria-label="The action, edited" dir="ltr" spellcheck=${false} autocapitalize="off" autocomplete="off"
        rows=${Math.min(14, editing.split("\n").length + 1)} value=${editing}
        onInput=${(/** @type {any} */ e) => setEditing(e.target.value)}></textarea>
      ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
      <div class="action-foot">
        <button class="btn sm" onClick=${() => setEditing(null)}>Leave as it was</button>
        <button class="btn sm ink" onClick=${use}>Use this</button>
      </div>
    </div>`;
  }
  return html`<div class="action">${head}
    ${shown.code !== null && html`<${Code} text=${shown.code} />`}
    ${shown.diff && html`<${Diff} lines=${shown.diff} label="The action, whole" />`}
    ${shown.rest && html`<${Code} text=${JSON.stringify(shown.rest, null, 2)} label="The rest of the action" />`}
    ${
      edited !== undefined &&
      html`<p class="action-note"><span><b>Edited by you.</b> This is what would be approved.</span>
        ${onEdit && html`<button class="btn sm quiet push" onClick=${() => onEdit(undefined)}>Undo</button>`}</p>`
    }
  </div>`;
}
