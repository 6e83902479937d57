// @ts-check
// The action of a gate, whole: never cut, wrapped between words, a wrapped line hangs so that it cannot pass for a new
// one, hidden characters are marked. It can be copied, and edited before it is approved, with the change beside it.
/** @import { Draft } from "../types.d.ts" */
import { html } from "htm/preact";
import { useMemo } from "preact/hooks";
import { toast } from "../live/store.js";
import { describe, editable, sizeOf } from "../words/action.js";
import { compareActions } from "../words/compare.js";
import { Prose } from "../words/markdown.js";
import { marked } from "../words/marks.js";
import { Diff } from "./diff.js";
import { Editor } from "./editor.js";
import { Icon } from "./icons.js";
import { Questions } from "./questions.js";
import { Rows } from "./rows.js";

/** @param {{text: string, label?: string}} props */
function Code({ text, label = "The action, whole" }) {
  const words = text.length < 20_000;
  const draw = (/** @type {string} */ line) =>
    html`<span class="ln">${
      words
        ? line
            .split(/( +)/)
            .map((part) => (part.trim() ? html`<span class="tok">${marked(part, { code: true })}</span>` : part))
        : marked(line, { code: true })
    }</span>`;
  return html`<${Rows} label=${label} rows=${text.split("\n")} draw=${draw} />`;
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
 * @param {{action: unknown, draft?: Draft, write?: ((more: Draft) => void) | undefined}} props
 *   `draft.edited`: the JSON of the action as the person would approve it; `write`: it may be edited
 */
export function ActionView({ action, draft = {}, write }) {
  const { edited, editing } = draft;
  // read once for each action: a long one is not read anew with every letter of a reason
  const { current, shown, whole, size } = useMemo(() => {
    const current = edited === undefined ? action : JSON.parse(edited);
    const shown = describe(current);
    const whole = editable(current);
    return { current, shown, whole, size: sizeOf(shown, whole) };
  }, [action, edited]);
  const open = write && editing !== undefined;
  return html`<div class=${`action ${open ? "editing" : ""}`}>
    <div class="action-head">
      <span>${shown.what}${shown.where ? html`${" "}<b>${marked(shown.where, { code: true })}</b>` : ""}</span>
      <span class="size push">${size}</span>
      ${
        write &&
        !open &&
        html`<button class="icon-btn" aria-label="Edit before approving" title="Edit before approving"
          onClick=${() => write({ editing: whole })}><${Icon} name="i-edit" /></button>`
      }
      <${CopyButton} text=${whole} />
    </div>
    ${
      open
        ? html`<${Editor} action=${action} current=${current} text=${editing} write=${write} />`
        : html`${shown.code !== null && html`<${Code} text=${shown.code} />`}
          ${shown.prose !== undefined && html`<div class="plan" tabindex="0" role="group" aria-label="The plan, whole"><${Prose} text=${shown.prose} whole /></div>`}
          ${shown.questions && html`<${Questions} questions=${shown.questions} action=${current} draft=${draft} write=${write} />`}
          ${shown.diff && html`<${Diff} lines=${shown.diff} label="The action, whole" />`}
          ${shown.rest && html`<${Code} text=${JSON.stringify(shown.rest, null, 2)} label="The rest of the action" />`}
          ${
            edited !== undefined &&
            html`<p class="action-note"><span><b>Edited by you.</b> This is what would be approved.</span>
              ${write && html`<button class="btn sm quiet push" onClick=${() => write({ edited: undefined })}>Undo</button>`}</p>
              <${Diff} lines=${compareActions(action, current)} label="What you changed" />`
          }`
    }
  </div>`;
}
