// @ts-check
// This person's devices, where they are told, a link for another one, and signing out here or everywhere.
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { base } from "../live/base.js";
import { ms, useNow } from "../live/clock.js";
import { go } from "../live/place.js";
import { signOut } from "../live/session.js";
import { ask, doIt, leave, sentence, toast, useApp } from "../live/store.js";
import { marked } from "../words/marks.js";
import { spell, WhenTime } from "../words/time.js";
import { CodeBlock } from "./action.js";
import { Channels } from "./channels.js";
import { Icon } from "./icons.js";
import { Rules } from "./rules.js";
import { ViewTabs } from "./tabs.js";

/** @typedef {{id: string, device: string, created_at: string, last_seen: string, current?: boolean}} Device */

function Devices() {
  const live = useApp((app) => app.link.state === "live");
  const [devices, setDevices] = useState(/** @type {Device[] | null} */ (null));
  const [wrong, setWrong] = useState("");
  const load = () =>
    ask("list_devices").then(
      (found) => {
        setDevices(found.devices);
        setWrong("");
      },
      (why) => setWrong(sentence(why)),
    );
  useEffect(() => {
    if (live) void load();
  }, [live]);
  const revoke = async (/** @type {Device} */ device) => {
    if (await doIt("revoke_device", { id: device.id })) await load();
  };
  return html`<section class="block"><h3>Devices</h3>
    ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
    <ul class="devices">${devices?.map(
      (
        one,
      ) => html`<li key=${one.id}><span><b>${marked(one.device)}</b>${one.current ? html` <span class="tag">this one</span>` : ""}<br /><span class="small muted">since <${WhenTime} at=${one.created_at} />, last seen <${WhenTime} at=${one.last_seen} /></span></span>
        ${!one.current && html`<button class="btn sm push" aria-label=${`Revoke ${one.device}`} onClick=${() => revoke(one)}>Revoke</button>`}</li>`,
    )}</ul></section>`;
}

/** @param {{url: string, until: string}} props */
function LinkView({ url, until }) {
  const left = ms(until) - useNow();
  if (left <= 0) return html`<p class="muted small">The link is too old now. Make a new one.</p>`;
  return html`<${CodeBlock} head=${`Open this on the other device, once, within ${spell(left)}`} text=${url} label="Sign-in link" />`;
}

function AnotherDevice() {
  const [link, setLink] = useState(/** @type {{url: string, expires_at: string} | null} */ (null));
  const make = async () => {
    const made = await doIt("make_link");
    if (made) setLink({ url: `${base.href}#link=${made.code}`, expires_at: made.expires_at });
  };
  return html`<section class="block"><h3>Another device</h3>
    <p class="muted small">A link signs in one more device as you. It works once, for ten minutes.</p>
    ${link && html`<${LinkView} url=${link.url} until=${link.expires_at} />`}
    <button class="btn" onClick=${make}><${Icon} name="i-key" />${link ? "Make a new link" : "Make a link"}</button></section>`;
}

function Leave() {
  const [sure, setSure] = useState(false);
  const out = async (/** @type {boolean} */ everywhere) => {
    try {
      await signOut({ everywhere });
      leave(everywhere ? "You are signed out on all devices." : "You are signed out on this device.");
    } catch (why) {
      toast(`Not signed out. ${why instanceof Error ? why.message : ""}`);
    }
  };
  return html`<section class="block"><h3>Sign out</h3>
    <div class="row"><button class="btn" onClick=${() => out(false)}>Sign out here</button>
    ${
      sure
        ? html`<button class="btn deny" onClick=${() => out(true)}>Yes, on all my devices</button><button class="btn quiet" onClick=${() => setSure(false)}>Leave it</button>`
        : html`<button class="btn" onClick=${() => setSure(true)}>Sign out everywhere</button>`
    }</div></section>`;
}

export function Settings() {
  const me = useApp((app) => app.me);
  const server = useApp((app) => app.server);
  return html`<section class="pane settings" aria-labelledby="h-settings">
    <div class="view-head"><${ViewTabs} /><button class="btn quiet sm not-wide" onClick=${() => go({ view: "people" })}><${Icon} name="i-back" />People</button></div>
    <div class="scroll"><div class="sheet-page">
      <h2 id="h-settings" class="page-title">Settings</h2>
      <p class="muted">You are <b>${me?.member}</b>${me?.server_role === "owner" ? ", the owner of this server" : ""}, on ${me?.device}.</p>
      <${Devices} /><${Channels} />${me && html`<${Rules} />`}<${AnotherDevice} /><${Leave} />
      <p class="muted small">${server ? `${server.name} ${server.version}` : ""}</p>
    </div></div>
  </section>`;
}
