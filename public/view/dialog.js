// @ts-check
// A dialog over the page: keeps the focus inside, closes with Escape or a tap beside it, gives the focus back.
import { html } from "htm/preact";
import { useEffect, useRef } from "preact/hooks";
import { Icon } from "./icons.js";

/** @param {{title: string, onClose: () => void, children?: any, class?: string, bare?: boolean}} props `bare`: without head */
export function Dialog({ title, onClose, children, class: css = "", bare = false }) {
  const box = useRef(/** @type {HTMLDialogElement | null} */ (null));
  useEffect(() => {
    const dialog = box.current;
    const before = /** @type {HTMLElement | null} */ (document.activeElement);
    dialog?.showModal();
    return () => {
      dialog?.close();
      before?.focus?.();
    };
  }, []);
  const cancel = (/** @type {Event} */ event) => {
    event.preventDefault();
    onClose();
  };
  return html`<dialog ref=${box} class=${`dialog ${css}`} aria-label=${title} onCancel=${cancel}
    onPointerDown=${(/** @type {PointerEvent} */ e) => e.target === box.current && onClose()}>
    <div class="dialog-box">${
      !bare &&
      html`<div class="dialog-head"><h2>${title}</h2><button class="icon-btn push" aria-label="Close dialog" onClick=${onClose}><${Icon} name="i-x" /></button></div>`
    }${children}</div>
  </dialog>`;
}
