// @ts-check
// A text of somebody in three lines, and whole when asked for; never cut without saying so.
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** @param {{children?: any, class?: string}} props */
export function Clamp({ children, class: css = "" }) {
  const [all, setAll] = useState(false);
  const [more, setMore] = useState(false);
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  useLayoutEffect(() => {
    const text = box.current;
    if (!text || all) return;
    const look = () => setMore(text.scrollHeight > text.clientHeight + 1);
    look();
    const watch = new ResizeObserver(look);
    watch.observe(text);
    return () => watch.disconnect();
  }, [all, children]);
  return html`<div class=${css}><div class=${all ? "" : "clamp"} ref=${box} dir="auto">${children}</div>${
    (more || all) &&
    html`<button class="show-all" aria-expanded=${all} onClick=${() => setAll(!all)}>${all ? "Show less" : "Show all"}</button>`
  }</div>`;
}
