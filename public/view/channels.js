// @ts-check
// Where this person is told that a gate waits: each place with its state, tried, removed, or one more.
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { ask, doIt, sentence, toast, useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { WhenTime } from "../words/time.js";
import { CodeBlock } from "./action.js";
import { Icon } from "./icons.js";

/**
 * @typedef {{id: string, kind: "ntfy" | "webhook", url: string, state: "untried" | "working" | "failing",
 *   last_at?: string, last_error?: string, quiet_from?: string, quiet_to?: string, zone?: string, min_risk: string}} Channel
 */

const stateWord = { untried: "not tried yet", working: "works", failing: "fails" };

/** @param {{one: Channel, reload: () => Promise<void>}} props */
function Row({ one, reload }) {
  const [sure, setSure] = useState(false);
  const [busy, setBusy] = useState(false);
  const test = async () => {
    setBusy(true);
    const done = await doIt("test_channel", { id: one.id });
    if (done)
      toast(
        done.accepted
          ? "The test was accepted. Look whether it is shown there."
          : `The test failed: ${done.error ?? done.status}.`,
      );
    await reload();
    setBusy(false);
  };
  const remove = async () => {
    if (await doIt("remove_channel", { id: one.id })) await reload();
  };
  return html`<li class="rule"><div><b>${one.kind}</b> <bdi class="mono-sm">${marked(one.url)}</bdi>
    <span class="small muted">${stateWord[one.state] ?? one.state}${one.last_at ? html`, <${WhenTime} at=${one.last_at} />` : ""}; ${
      one.min_risk === "low" ? "all cards" : `from ${one.min_risk} risk`
    }${one.quiet_from ? `; quiet ${one.quiet_from}–${one.quiet_to}, ${one.zone}` : ""}</span>
    ${one.last_error && html`<span class="small is-blocked">${marked(one.last_error)}</span>`}
    <div class="row">${
      sure
        ? html`<button class="btn sm deny" onClick=${remove}>Yes, remove it</button><button class="btn sm quiet" onClick=${() => setSure(false)}>Leave it</button>`
        : html`<button class="btn sm" disabled=${busy} aria-label=${`Test ${one.url}`} onClick=${test}>${busy && html`<${Icon} name="i-spin" class="spin" />`}Test</button
          ><button class="btn sm" aria-label=${`Remove ${one.url}`} onClick=${() => setSure(true)}>Remove</button>`
    }</div></div></li>`;
}

/** @param {{onAdded: (secret: string | undefined) => void, onClose: () => void}} props */
function Add({ onAdded, onClose }) {
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  const add = async (/** @type {SubmitEvent & {currentTarget: HTMLFormElement}} */ event) => {
    event.preventDefault();
    if (busy) return;
    const form = new FormData(event.currentTarget);
    const said = (/** @type {string} */ name) => `${form.get(name) ?? ""}`.trim() || undefined;
    const [from, to] = [said("from"), said("to")];
    setBusy(true);
    setWrong("");
    try {
      const made = await ask("add_channel", {
        kind: said("kind"),
        url: said("url"),
        secret: said("secret"),
        min_risk: said("min_risk"),
        ...((from || to) && {
          quiet_from: from,
          quiet_to: to,
          zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
        }),
      });
      onAdded(made.secret);
    } catch (why) {
      setWrong(sentence(why));
      setBusy(false);
    }
  };
  return html`<form class="form add-channel" onSubmit=${add}>
    <div class="form-two"><label>Kind<select class="field" name="kind"><option value="ntfy">ntfy</option><option value="webhook">webhook</option></select></label>
    <label>From which risk<select class="field" name="min_risk"><option>low</option><option>medium</option><option>high</option><option>critical</option></select></label></div>
    <label>Address<input class="field" name="url" type="url" required maxlength="2000" placeholder="https://ntfy.sh/a-name-that-nobody-guesses" autocomplete="off" /></label>
    <label>Secret, if it needs one<input class="field" name="secret" maxlength="500" autocomplete="off" autocapitalize="off" spellcheck=${false} /></label>
    <div class="form-two"><label>Quiet from<input class="field" name="from" type="time" /></label><label>Quiet to<input class="field" name="to" type="time" /></label></div>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <div class="form-foot"><button type="button" class="btn" onClick=${onClose}>Leave it</button><button class="btn ink" disabled=${busy}>${busy && html`<${Icon} name="i-spin" class="spin" />`}Add</button></div>
  </form>`;
}

export function Channels() {
  const live = useApp((app) => app.link.state === "live");
  const [channels, setChannels] = useState(/** @type {Channel[] | null} */ (null));
  const [wrong, setWrong] = useState("");
  const [adding, setAdding] = useState(false);
  const [secret, setSecret] = useState(/** @type {string | undefined} */ (undefined));
  const load = () =>
    ask("list_channels").then(
      (found) => {
        setChannels(found.channels);
        setWrong("");
      },
      (why) => setWrong(sentence(why)),
    );
  useEffect(() => {
    if (live) void load();
  }, [live]);
  const added = (/** @type {string | undefined} */ made) => {
    setAdding(false);
    setSecret(made);
    void load();
  };
  return html`<section class="block"><h3>Being told</h3>
    <p class="muted small">Where you hear of a card that waits while this page is closed.</p>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    ${channels?.length === 0 && html`<p class="muted">Nowhere yet.</p>`}
    <ul class="devices">${channels?.map((one) => html`<${Row} key=${one.id} one=${one} reload=${load} />`)}</ul>
    ${secret && html`<${CodeBlock} head="The secret that signs it, shown this once" text=${secret} label="Secret" />`}
    ${
      adding
        ? html`<${Add} onAdded=${added} onClose=${() => setAdding(false)} />`
        : html`<button class="btn" onClick=${() => setAdding(true)}><${Icon} name="i-plus" />Add a place</button>`
    }</section>`;
}
