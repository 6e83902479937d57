// @ts-check
// The door: a one-time link is redeemed only when a person taps. The first one here is asked for a name.
import { html } from "htm/preact";
import { useEffect, useState } from "preact/hooks";
import { codeIn, codeOfLink, forgetCode, onCode } from "../live/code.js";
import { signIn } from "../live/session.js";
import { useApp } from "../live/store.js";
import { Icon } from "./icons.js";

/** @param {{onIn: () => void}} props */
export function SignIn({ onIn }) {
  const why = useApp((app) => app.why);
  const [code, setCode] = useState(codeOfLink);
  const [pasted, setPasted] = useState("");
  const [needName, setNeedName] = useState(false);
  const [name, setName] = useState("");
  const [wrong, setWrong] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    const arrived = () => {
      setCode(codeOfLink());
      setWrong("");
    };
    // one that came before this was drawn
    if (codeOfLink()) setCode(codeOfLink());
    return onCode(arrived);
  }, []);

  const enter = async (/** @type {Event} */ event) => {
    event.preventDefault();
    const its = code ?? codeIn(pasted);
    if (!its || busy) return;
    setBusy(true);
    setWrong("");
    const answer = await signIn(its, needName ? name.trim() : undefined);
    setBusy(false);
    if (answer.ok) {
      forgetCode();
      onIn();
      return;
    }
    if (answer.need === "name") {
      setCode(its);
      setWrong(needName ? answer.message : "");
      setNeedName(true);
      return;
    }
    setWrong(answer.message);
  };

  const again = () => {
    forgetCode();
    setCode(null);
    setWrong("");
  };

  return html`<main class="door"><div class="door-box">
    <p class="door-brand"><${Icon} name="i-logo" class="lg" />Parley</p>
    ${
      code
        ? html`<h1>${needName ? "What is your name?" : "Sign in on this device"}</h1>
          <p class="muted">${needName ? "You are the first person here. The agents and other people see this name." : "The link works once. This device stays signed in until you sign it out."}</p>`
        : html`<h1>Sign in with a link</h1>
          ${why && html`<p><b>${why}</b></p>`}
          <p class="muted">Open a sign-in link on this device, or paste it here. It comes from Settings of a device that is signed in, or from the server:</p>
          <pre class="code" dir="ltr" tabindex="0">parley link</pre>`
    }
    <form class="form" onSubmit=${enter}>
      ${needName && html`<label>Your name<input class="field" required maxlength="64" autocomplete="nickname" value=${name} onInput=${(/** @type {any} */ e) => setName(e.target.value)} /></label>`}
      ${
        !code &&
        html`<label>Sign-in link<input class="field" autocomplete="off" autocapitalize="off" spellcheck=${false} value=${pasted} onInput=${(/** @type {any} */ e) => setPasted(e.target.value)} /></label>`
      }
      ${wrong && html`<p class="small is-blocked" role="alert">${wrong}</p>`}
      <button class="btn ink door-go" disabled=${busy || (needName && !name.trim()) || (!code && !pasted.trim())}>${busy && html`<${Icon} name="i-spin" class="spin" />`}Sign in</button>
      ${code && wrong && html`<button type="button" class="btn quiet" onClick=${again}>Use another link</button>`}
    </form>
  </div></main>`;
}
