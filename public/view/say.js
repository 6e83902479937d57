// @ts-check
// A person speaks: out of turn on the floor, to all or to one who is asked for a reply; or sends a message, to one
// member with @name first, to all where no floor is open.
/** @import { Floor } from "../types.d.ts" */
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { dropDraft, sayDraft, useDraft } from "../live/drafts.js";
import { Refusal } from "../live/socket.js";
import { ask, sentence, useApp } from "../live/store.js";
import { openFloor } from "../words/floor.js";
import { Icon } from "./icons.js";

/**
 * @param {string} text @param {string[]} names
 * @returns {{to?: string, text: string}}
 */
function addressed(text, names) {
  const name = [...names]
    .sort((a, b) => b.length - a.length)
    .find((one) => text.toLowerCase().startsWith(`@${one.toLowerCase()}`));
  const rest = name ? text.slice(name.length + 1).replace(/^[\s:,]+/, "") : "";
  return name && rest ? { to: name, text: rest } : { text };
}

/** Who can be spoken to on a floor. @param {Floor} floor @param {string | undefined} me */
const hearers = (floor, me) =>
  [...new Set([...floor.seats.map(({ seat }) => seat), ...(floor.operators ?? [])])].filter((name) => name !== me);

/** @param {{id: string, class?: string}} props */
export function Say({ id, class: css = "" }) {
  const room = useApp((app) => app.room) ?? "";
  const data = useApp((app) => app.data[room]);
  const me = useApp((app) => app.me?.member);
  const viewer = useApp((app) => app.rooms.find((one) => one.room === room)?.role === "viewer");
  const floor = useApp(openFloor);
  const draftOf = sayDraft(room, floor?.channel ?? "");
  const [draft, write] = useDraft(draftOf);
  const { text = "", reply = false } = draft;
  const to = floor && draft.to && hearers(floor, me).includes(draft.to) ? draft.to : "";
  const [busy, setBusy] = useState(false);
  const [wrong, setWrong] = useState("");
  useEffect(() => setWrong(""), [draftOf]);
  const holds = floor?.holder === me;
  if (viewer) return null;

  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const words = text.trim();
    if (!words || busy) return;
    const names = (data?.members ?? []).map((one) => one.name).filter((name) => name !== me);
    const told = addressed(words, names);
    const speak = floor && !told.to;
    // the same words sent again after a lost answer are one utterance
    const key = draft.key ?? crypto.randomUUID?.() ?? `${Math.random()}`;
    write({ key });
    setBusy(true);
    setWrong("");
    try {
      if (speak)
        await ask("say", {
          room,
          channel: floor.channel,
          text: words,
          key,
          ...(holds && { turn: floor.turn }),
          ...(to && { addressed_to: to }),
          ...(reply && { expects_reply: true }),
        });
      else await ask("post_message", { room, text: told.text, key, ...(told.to && { to: told.to }) });
      dropDraft(draftOf);
    } catch (why) {
      setWrong(sentence(why));
      if (why instanceof Refusal) write({ key: undefined });
    } finally {
      setBusy(false);
    }
  };

  const hint = !floor
    ? "Write to everyone; @name for one"
    : holds
      ? "Speak: you have the floor"
      : "Speak now, out of turn; @name for a message";
  return html`<form class=${`say ${css}`} onSubmit=${send}>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    ${
      floor &&
      text.trim() &&
      html`<div class="say-how"><label>On ${floor.channel} to <select class="field" value=${to} onChange=${(/** @type {any} */ e) => write({ to: e.target.value, key: undefined })}>
        <option value="">everybody</option>${hearers(floor, me).map((name) => html`<option value=${name}>${name}</option>`)}</select></label>
        <label class="tick"><input type="checkbox" checked=${reply} onChange=${(/** @type {any} */ e) => write({ reply: e.target.checked, key: undefined })} />Expects a reply</label></div>`
    }
    <label class="vh" for=${id}>Speak</label>
    <input class="field" id=${id} dir="auto" placeholder=${hint} autocomplete="off" value=${text} maxlength="4000"
      onInput=${(/** @type {any} */ e) => write({ text: e.target.value, key: undefined })} />
    <button class="btn ink" disabled=${busy}>${busy ? html`<${Icon} name="i-spin" class="spin" label="Sending" />` : "Say"}</button>
  </form>`;
}
