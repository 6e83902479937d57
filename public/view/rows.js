// @ts-check
// The lines of a long text, of which only those near the eye are drawn: a patch of 20,000 lines would otherwise hold
// back the whole card with its buttons. Every line is reached by scrolling; the copy button takes all of them.
import { html } from "htm/preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** Lines are drawn and measured in blocks of so many. */
const size = 40;
/** Up to so many lines all are drawn, so that the browser's own search finds them. */
const few = 160;
/** How far beyond its edges the scroller is drawn (px). */
const margin = 400;
/** Guess for a block that was not measured yet (px). */
const guess = size * 20;

/**
 * A scroller of lines.
 * @template T
 * @param {{rows: readonly T[], draw: (row: T) => any, label: string, class?: string}} props
 */
export function Rows({ rows, draw, label, class: css = "" }) {
  const box = useRef(/** @type {HTMLElement | null} */ (null));
  const heights = useRef(/** @type {Map<number, number>} */ (new Map()));
  const [seen, setSeen] = useState([0, 1]);
  const blocks = rows.length > few ? Math.ceil(rows.length / size) : 1;
  const heightOf = (/** @type {number} */ block) => heights.current.get(block) ?? guess;
  const look = () => {
    const here = box.current;
    if (!here || blocks === 1) return;
    let [first, last, y] = [0, 0, 0];
    for (let block = 0; block < blocks && y < here.scrollTop + here.clientHeight + margin; block++) {
      if (y + heightOf(block) < here.scrollTop - margin) first = block + 1;
      last = block;
      y += heightOf(block);
    }
    if (first !== seen[0] || last !== seen[1]) setSeen([Math.min(first, last), last]);
  };
  useLayoutEffect(() => {
    for (const one of /** @type {NodeListOf<HTMLElement>} */ (box.current?.querySelectorAll("[data-block]") ?? []))
      heights.current.set(Number(one.dataset.block), one.getBoundingClientRect().height);
    look();
  });
  const pre = (/** @type {any} */ lines) =>
    html`<pre class=${css} dir="ltr" tabindex="0" role="group" aria-label=${label} ref=${box} onScroll=${look}>${lines}</pre>`;
  if (blocks === 1) return pre(rows.map(draw));
  const last = Math.min(seen[1] ?? 0, blocks - 1);
  const first = Math.min(seen[0] ?? 0, last);
  const gap = (/** @type {number} */ from, /** @type {number} */ to) => {
    let height = 0;
    for (let block = from; block < to; block++) height += heightOf(block);
    return html`<span class="rows" aria-hidden="true" style=${{ height: `${height}px` }}></span>`;
  };
  const drawn = Array.from({ length: last - first + 1 }, (_, i) => first + i).map(
    (block) =>
      html`<span class="rows" key=${block} data-block=${block}>${rows.slice(block * size, (block + 1) * size).map(draw)}</span>`,
  );
  return pre([gap(0, first), ...drawn, gap(last + 1, blocks)]);
}
