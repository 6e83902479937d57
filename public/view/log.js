// @ts-check
// A long list of which only what is near the eye is drawn: heights are measured as rows come by and guessed until then.
// It stays where the reader is when rows come above or below, and follows the end when the reader is at the end.
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const margin = 800;

/**
 * @template T
 * @param {{
 *   rows: readonly T[],
 *   keyOf: (row: T) => string,
 *   guess: (row: T) => number,
 *   draw: (row: T) => any,
 *   headOf: (row: T) => string,
 *   onTop: () => void,
 *   below: (count: number) => string,
 *   top?: any,
 * }} props `headOf`: what stands pinned at the top while the row is there; `onTop`: the reader comes near the first row
 */
export function Log({ rows, keyOf, guess, draw, headOf, onTop, below, top }) {
  const scroller = useRef(/** @type {HTMLElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const heights = useRef(/** @type {Map<string, number>} */ (new Map()));
  const anchor = useRef(/** @type {{key: string, from: number} | null} */ (null));
  const atEnd = useRef(true);
  const width = useRef(0);
  const lastSeen = useRef("");
  const [, again] = useState(0);
  const redraw = () => again((n) => n + 1);

  // where each row begins
  const starts = new Float64Array(rows.length + 1);
  rows.forEach((row, i) => {
    starts[i + 1] = (starts[i] ?? 0) + (heights.current.get(keyOf(row)) ?? guess(row));
  });
  const total = starts[rows.length] ?? 0;
  const start = (/** @type {number} */ i) => starts[i] ?? total;

  /** The row at this height. @param {number} y */
  const rowAt = (y) => {
    let low = 0;
    let high = rows.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (start(middle) <= y) low = middle;
      else high = middle - 1;
    }
    return low;
  };

  const here = scroller.current;
  const offset = here && list.current ? list.current.offsetTop : 0;
  const y = here ? (atEnd.current ? Math.max(0, total + offset - here.clientHeight) : here.scrollTop) - offset : total;
  const tall = here?.clientHeight ?? 900;
  const first = rows.length ? rowAt(Math.max(0, y - margin)) : 0;
  const last = rows.length ? rowAt(Math.max(0, y + tall + margin)) : -1;
  const head = rows[rowAt(Math.max(0, y))];
  const drawn = rows.slice(first, last + 1);

  const newest = rows.length ? keyOf(/** @type {T} */ (rows[rows.length - 1])) : "";
  if (atEnd.current) lastSeen.current = newest;
  let missed = 0;
  for (let i = rows.length - 1; i >= 0 && !atEnd.current; i--) {
    if (keyOf(/** @type {T} */ (rows[i])) === lastSeen.current) break;
    missed += 1;
  }
  if (missed === rows.length) missed = 0;

  // after drawing: measure, then keep the reader's place
  useLayoutEffect(() => {
    const box = scroller.current;
    if (!box || !list.current) return;
    let changed = false;
    for (const child of /** @type {HTMLCollectionOf<HTMLElement>} */ (list.current.children)) {
      const key = child.dataset.key;
      if (!key) continue;
      const height = child.offsetHeight;
      if (height && heights.current.get(key) !== height) {
        heights.current.set(key, height);
        changed = true;
      }
    }
    if (atEnd.current) box.scrollTop = box.scrollHeight;
    else if (anchor.current) {
      const stay = list.current.querySelector(`[data-key="${CSS.escape(anchor.current.key)}"]`);
      if (stay) {
        const moved = stay.getBoundingClientRect().top - box.getBoundingClientRect().top - anchor.current.from;
        if (Math.abs(moved) >= 1) box.scrollTop += moved;
      } else {
        const at = rows.findIndex((row) => keyOf(row) === anchor.current?.key);
        if (at >= 0) {
          box.scrollTop = start(at) - anchor.current.from + list.current.offsetTop;
          changed = true;
        }
      }
    }
    if (changed) redraw();
  });

  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const watch = new ResizeObserver(() => {
      if (width.current !== box.clientWidth) heights.current.clear();
      width.current = box.clientWidth;
      redraw();
    });
    watch.observe(box);
    return () => watch.disconnect();
  }, []);

  // a list too short to scroll asks for more too
  const near = y < 600;
  useEffect(() => {
    if (near) onTop();
  }, [near, rows.length, onTop]);

  const onScroll = () => {
    const box = scroller.current;
    if (!box || !list.current) return;
    atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 8;
    const edge = box.getBoundingClientRect().top;
    anchor.current = null;
    for (const child of /** @type {HTMLCollectionOf<HTMLElement>} */ (list.current.children)) {
      const at = child.getBoundingClientRect();
      if (child.dataset.key && at.bottom > edge) {
        anchor.current = { key: child.dataset.key, from: at.top - edge };
        break;
      }
    }
    redraw();
  };
  const toEnd = () => {
    atEnd.current = true;
    anchor.current = null;
    redraw();
  };

  return html`<div class="log-wrap">
    ${head !== undefined && html`<p class="day pinned" aria-hidden="true">${headOf(head)}</p>`}
    <div class="scroll" ref=${scroller} onScroll=${onScroll} tabindex="0" role="group" aria-label="Stream of what happened">
      ${top}
      <ol class="log" ref=${list}>
        <li class="gap" aria-hidden="true" style=${{ height: `${start(first)}px` }}></li>
        ${drawn.map((row) => html`<li key=${keyOf(row)} data-key=${keyOf(row)}>${draw(row)}</li>`)}
        <li class="gap" aria-hidden="true" style=${{ height: `${Math.max(0, total - start(last + 1))}px` }}></li>
      </ol>
    </div>
    ${missed > 0 && html`<button class="chip below" onClick=${toEnd}>${below(missed)}</button>`}
  </div>`;
}
