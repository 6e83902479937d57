// @ts-check
// The rules that answer or raise gates beforehand: what they match, how often they did, revoked in one tap.
/** @import { Rule } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask, doIt, sentence, useApp } from "../live/store.js";
import { aimWord, effectWord } from "../words/rule.js";
import { WhenTime } from "../words/time.js";
import { Pattern } from "./rule-dialog.js";
import { Matches } from "./rule-matches.js";

export function Rules() {
  const live = useApp((app) => app.link.state === "live");
  const [rules, setRules] = useState(/** @type {Rule[] | null} */ (null));
  const [wrong, setWrong] = useState("");
  const load = () =>
    ask("list_rules").then(
      (found) => {
        setRules(found.rules);
        setWrong("");
      },
      (why) => setWrong(sentence(why)),
    );
  useEffect(() => {
    if (live) void load();
  }, [live]);
  const revoke = async (/** @type {Rule} */ rule) => {
    if (await doIt("revoke_rule", { rule_id: rule.id })) await load();
  };
  const confirm = async (/** @type {Rule} */ rule) => {
    if (await doIt("confirm_rule", { rule_id: rule.id })) await load();
  };
  return html`<section class="block"><h3>Rules</h3>
    <p class="muted small">What they match is answered without you. Make one from a card: the three dots, then “Always allow” or “Always deny”.</p>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    ${rules?.length === 0 && html`<p class="muted">No rule stands.</p>`}
    <ul class="devices">${rules?.map((rule) => html`<${Row} key=${rule.id} rule=${rule} onRevoke=${() => revoke(rule)} onConfirm=${() => confirm(rule)} />`)}</ul></section>`;
}

/** One rule, with its end and, once asked for, a dry run over what is past. @param {{rule: Rule, onRevoke: () => void, onConfirm: () => void}} props */
function Row({ rule, onRevoke, onConfirm }) {
  const [dry, setDry] = useState(/** @type {import("./rule-matches.js").Dry | null} */ (null));
  const [wrong, setWrong] = useState("");
  const dryRun = () => {
    const { effect, kind, member, room, pattern, risk } = rule;
    const aim = Object.entries({ kind, member, room, risk }).filter(
      ([, value]) => value !== undefined && value !== null,
    );
    ask("try_rule", { effect, pattern, ...Object.fromEntries(aim) }).then(
      (found) => {
        setDry(found);
        setWrong("");
      },
      (why) => setWrong(sentence(why)),
    );
  };
  return html`<li class="rule"><div><b>${effectWord(rule.effect, rule.risk)}</b> for ${aimWord(rule)}<${Pattern} pattern=${rule.pattern} />
      <span class="small muted">of ${rule.made_by}; ${rule.hits === 1 ? "used once" : `used ${rule.hits} times`}${rule.last_used ? html`, last <${WhenTime} at=${rule.last_used} />` : ""}; ${
        rule.expires_at ? html`until <${WhenTime} at=${rule.expires_at} />, ` : ""
      }ends if unused by <${WhenTime} at=${rule.unused_at} /></span>
      ${rule.too_wide && html`<p class="small is-blocked"><b>Too wide.</b> ${rule.too_wide}</p>`}
      ${rule.never_matches && html`<p class="small is-blocked"><b>Never matches.</b> ${rule.never_matches}</p>`}
      ${dry && html`<${Matches} dry=${dry} />`}${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}</div>
    <div class="push rule-acts"><button class="btn sm" aria-label=${`Try the rule on what is past: ${effectWord(rule.effect)}`} onClick=${dryRun}>Dry run</button>
    ${rule.too_wide && html`<button class="btn sm" aria-label=${`Confirm the rule as wide as it is: ${effectWord(rule.effect)}`} onClick=${onConfirm}>Confirm</button>`}
    <button class="btn sm" aria-label=${`Revoke the rule: ${effectWord(rule.effect)}`} onClick=${onRevoke}>Revoke</button></div></li>`;
}
