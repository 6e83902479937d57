// @ts-check
// Short words about what was just done or refused; they go by themselves.
import { html } from "htm/preact";
import { dismissToast, useApp } from "../live/store.js";
import { Icon } from "./icons.js";

export function Toasts() {
  const toasts = useApp((app) => app.toasts);
  return html`<div class="toasts" role="status">${toasts.map(
    (one) =>
      html`<div class="toast" key=${one.id}><span>${one.text}</span>${
        one.act &&
        html`<button class="btn sm push" onClick=${() => {
          dismissToast(one.id);
          one.act?.();
        }}>${one.label}</button>`
      }<button class=${`icon-btn ${one.act ? "" : "push"}`} aria-label="Dismiss" onClick=${() => dismissToast(one.id)}><${Icon} name="i-x" /></button></div>`,
  )}</div>`;
}
