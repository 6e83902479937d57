// @ts-check
// “Always allow (or deny) this”: the narrowest rule that the server proposes, read before it is made, with what it
// would have touched, for a time. It answers the next ones; the card before you still waits for your answer.
/** @import { Gate, Rule } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask, sentence, toast } from "../live/store.js";
import { marked } from "../words/marks.js";
import { aimWord, effectWord, linesOf } from "../words/rule.js";
import { Dialog } from "./dialog.js";
import { Icon } from "./icons.js";
import { Matches } from "./rule-matches.js";

const day = 86_400;
const spans = [
  [3600, "for an hour"],
  [day, "for a day"],
  [7 * day, "for a week"],
  [0, "until it is revoked"],
];

/** @param {{pattern: Record<string, unknown>}} props */
export const Pattern = ({ pattern }) =>
  html`<dl class="gate-facts">${linesOf(pattern).map(
    ([name, value]) =>
      html`<dt>${name}</dt><dd><code class="mono-sm" dir="ltr">${marked(value, { code: true })}</code></dd>`,
  )}</dl>`;

/** @param {{gate: Gate, effect: "allow" | "deny", onClose: () => void}} props */
export function RuleDialog({ gate, effect, onClose }) {
  const [found, setFound] = useState(
    /** @type {(import("./rule-matches.js").Dry & {rule?: Rule, why_not?: string}) | null} */ (null),
  );
  const [seconds, setSeconds] = useState(day);
  const [everyone, setEveryone] = useState(false);
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    ask("propose_rule", { gate_id: gate.id, effect }).then(setFound, (why) => setWrong(sentence(why)));
  }, []);
  const rule = found?.rule;
  const make = async () => {
    if (!rule) return;
    setBusy(true);
    const { pattern, room } = rule;
    try {
      await ask("create_rule", {
        effect,
        pattern,
        ...(room && { room }),
        ...(!everyone && { member: gate.asked_by }),
        ...(seconds && { seconds }),
      });
      onClose();
      toast(`The rule stands. The card before you still waits for your answer.`);
    } catch (why) {
      setWrong(sentence(why));
      setBusy(false);
    }
  };
  return html`<${Dialog} title=${`${effectWord(effect)} this`} onClose=${onClose}>
    ${!found && !wrong && html`<p role="status"><${Icon} name="i-spin" class="spin" /> Looking for the narrowest rule</p>`}
    ${found?.why_not && html`<p>${found.why_not}</p>`}
    ${
      rule &&
      html`<${Pattern} pattern=${rule.pattern} />
      <${Matches} dry=${found} />
      <p class="small muted">A rule never answers what is critical.</p>
      <div class="form"><label class="tick"><input type="checkbox" checked=${everyone} onChange=${(/** @type {any} */ e) => setEveryone(e.target.checked)} />For ${aimWord({ room: rule.room ?? null })}, not only for ${gate.asked_by}</label>
      <label>How long<select class="field" value=${seconds} onChange=${(/** @type {any} */ e) => setSeconds(Number(e.target.value))}>${spans.map(
        ([value, words]) => html`<option value=${value}>${words}</option>`,
      )}</select></label></div>`
    }
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <div class="form-foot"><button class="btn" onClick=${onClose}>Leave it</button>${
      rule &&
      html`<button class=${`btn ${effect === "deny" ? "deny" : "ink"}`} disabled=${busy} onClick=${make}>Make the rule</button>`
    }</div>
  <//>`;
}
