// @ts-check
// How an agent comes in: a name, then the exact words for its client. The token is shown here once and kept nowhere.
import { html } from "htm/preact";
import { useState } from "preact/hooks";
import { at } from "../live/base.js";
import { go } from "../live/place.js";
import { ask, sentence, useApp } from "../live/store.js";
import { clients } from "../words/connect.js";
import { CodeBlock } from "./action.js";
import { Icon } from "./icons.js";

const roles = [
  ["worker", "does tasks"],
  ["lead", "makes tasks, opens floors"],
  ["reviewer", "reviews results"],
  ["observer", "only looks"],
];

/** @param {{onMade: (made: {name: string, token: string}) => void}} props */
function NameForm({ onMade }) {
  const room = useApp((app) => app.room);
  const [name, setName] = useState("");
  const [role, setRole] = useState("worker");
  const [skills, setSkills] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  const save = async (/** @type {Event} */ event) => {
    event.preventDefault();
    setBusy(true);
    setWrong("");
    // the empty room's page is this one; it must stay when the room fills, or the token would be gone unseen
    go({ view: "connect" }, true);
    const list = skills
      .split(",")
      .map((one) => one.trim())
      .filter(Boolean);
    try {
      const { member, token } = await ask("add_member", {
        name: name.trim(),
        role,
        ...(room && { room }),
        ...(list.length && { skills: list }),
      });
      onMade({ name: typeof member === "string" ? member : (member?.name ?? name.trim()), token });
    } catch (why) {
      setWrong(sentence(why));
    }
    setBusy(false);
  };
  return html`<form class="form" onSubmit=${save}>
    <label>Name of the agent<input class="field" required maxlength="64" placeholder="api-builder" autocomplete="off" autocapitalize="off" spellcheck=${false} value=${name}
      onInput=${(/** @type {any} */ e) => setName(e.target.value)} /></label>
    <div class="form-two"><label>Role<select class="field" value=${role} onChange=${(/** @type {any} */ e) => setRole(e.target.value)}>${roles.map(
      ([value, what]) => html`<option value=${value}>${value}: ${what}</option>`,
    )}</select></label>
    <label>Skills, if any<input class="field" placeholder="sql, review" value=${skills} onInput=${(/** @type {any} */ e) => setSkills(e.target.value)} /></label></div>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <div class="form-foot"><button class="btn ink" disabled=${busy || !name.trim()}>${busy && html`<${Icon} name="i-spin" class="spin" />`}Make its token</button></div>
  </form>`;
}

/** @param {{name: string}} props */
function FirstCall({ name }) {
  const member = useApp((app) => (app.room ? app.data[app.room]?.members.find((one) => one.name === name) : undefined));
  const here = Boolean(member?.last_seen);
  return html`<p class="outcome" role="status">${here ? html`<span class="is-done"><${Icon} name="i-check" /></span>` : html`<${Icon} name="i-spin" class="spin" />`}<span>${
    here ? html`<b>${name}</b> is here.` : html`Waiting for the first call of <b>${name}</b>`
  }</span></p>`;
}

export function Connect() {
  const agents = useApp((app) =>
    app.room ? app.data[app.room]?.members.filter((one) => one.kind === "agent").length : undefined,
  );
  const [client, setClient] = useState("claude");
  const [made, setMade] = useState(/** @type {{name: string, token: string} | null} */ (null));
  const chosen = clients.find((one) => one.id === client);
  return html`<section class="pane empty" aria-labelledby="h-empty"><div class="scroll">
    <h2 id="h-empty">${agents ? "Connect an agent" : "No agent is here yet"}</h2>
    <p class="muted">Connect one and it appears by itself. Choose its client:</p>
    <div class="chips" role="group" aria-label="Client">${clients.map(
      (one) =>
        html`<button class="chip" aria-pressed=${client === one.id} onClick=${() => setClient(one.id)}>${one.name}</button>`,
    )}</div>
    ${
      made
        ? html`${chosen?.blocks(at("mcp"), made.token).map((block) => html`<${CodeBlock} key=${block.title} head=${block.title} text=${block.text} label=${block.title} />`)}
          <p class="small muted"><b>The token is shown this once.</b> ${chosen?.note} Who has it is ${made.name}.</p>
          <${FirstCall} name=${made.name} />
          <div class="form-foot"><button class="btn" onClick=${() => setMade(null)}>Another agent</button><button class="btn" onClick=${() => go({ view: "stream" })}>Done</button></div>`
        : html`<${NameForm} onMade=${setMade} />`
    }
  </div></section>`;
}
