// @ts-check
// What is done rarely, or cannot be undone: a list of words behind one button, closed by Escape or a tap beside it.
import { html } from "htm/preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "./icons.js";

/** @typedef {{word: string, icon: string, bad?: boolean, act: () => void}} Entry */

/** @param {{label: string, entries: Entry[]}} props */
export function Menu({ label, entries }) {
  const [open, setOpen] = useState(false);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const button = useRef(/** @type {HTMLElement | null} */ (null));
  useEffect(() => {
    if (!open) return;
    box.current?.querySelector("button")?.focus();
    const beside = (/** @type {Event} */ event) => {
      const at = /** @type {Node} */ (event.target);
      if (!box.current?.contains(at) && !button.current?.contains(at)) setOpen(false);
    };
    addEventListener("pointerdown", beside);
    return () => removeEventListener("pointerdown", beside);
  }, [open]);
  const leave = () => {
    setOpen(false);
    button.current?.focus();
  };
  const key = (/** @type {KeyboardEvent} */ event) => {
    const all = [...(box.current?.querySelectorAll("button") ?? [])];
    const at = all.indexOf(/** @type {HTMLButtonElement} */ (document.activeElement));
    const step = { ArrowDown: 1, ArrowUp: -1 }[/** @type {"ArrowUp"} */ (event.key)];
    if (step) all[(at + step + all.length) % all.length]?.focus();
    else if (event.key === "Escape") leave();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return html`<span class="menu"><button ref=${button} class="icon-btn" aria-label=${label} title=${label} aria-haspopup="menu" aria-expanded=${open}
      onClick=${() => setOpen(!open)}><${Icon} name="i-more" class="lg" /></button>${
        open &&
        html`<div class="menu-list" role="menu" aria-label=${label} ref=${box} onKeyDown=${key}>${entries.map(
          ({ word, icon, bad, act }) =>
            html`<button role="menuitem" key=${word} class=${bad ? "is-blocked" : ""} onClick=${() => {
              leave();
              act();
            }}><${Icon} name=${icon} />${word}</button>`,
        )}</div>`
      }</span>`;
}
