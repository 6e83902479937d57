// @ts-check
// A long list of which only what is near the eye is drawn: heights are measured as rows come by and guessed until then.
// It stays where the reader is when rows come above or below, and follows the end when the reader is at the end.
import { html } from "htm/preact";
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";

const margin = 800;

/**
 * @template T
 * @param {{
 *   rows: readonly T[],
 *   keyOf: (row: T) => string,
 *   guess: (row: T) => number,
 *   draw: (row: T) => any,
 *   headOf: (row: T) => string,
 *   steady: (row: T) => boolean,
 *   onTop: () => void,
 *   below: (count: number) => string,
 *   top?: any,
 * }} props `steady`: stands where it is when others come above it; `headOf`: what stands pinned at the top while the row is there; `onTop`: the reader comes near the first row
 */
export function Log({ rows, keyOf, guess, draw, headOf, steady, onTop, below, top }) {
  const scroller = useRef(/** @type {HTMLElement | null} */ (null));
  const list = useRef(/** @type {HTMLElement | null} */ (null));
  const heights = useRef(/** @type {Map<string, number>} */ (new Map()));
  const anchor = useRef(/** @type {{key: string, from: number} | null} */ (null));
  const atEnd = useRef(true);
  const width = useRef(0);
  const lastSeen = useRef("");
  const measured = useRef(0);
  const [, again] = useState(0);
  const redraw = () => again((n) => n + 1);

  // where each row begins
  const keys = useMemo(() => rows.map(keyOf), [rows]);
  const starts = useMemo(() => {
    const sums = new Float64Array(rows.length + 1);
    rows.forEach((row, i) => {
      sums[i + 1] = (sums[i] ?? 0) + (heights.current.get(keys[i] ?? "") ?? guess(row));
    });
    return sums;
  }, [rows, measured.current]);
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
  // a node that is the same as before is not drawn again: scrolling only adds and takes away rows
  const nodes = useMemo(() => new Map(), [draw]);
  const drawn = rows.slice(first, last + 1).map((row, i) => {
    const key = keys[first + i] ?? "";
    const had = nodes.get(key);
    if (had?.row === row) return had.node;
    const node = html`<li key=${key} data-key=${key}>${draw(row)}</li>`;
    nodes.set(key, { row, node });
    return node;
  });

  const newest = keys.at(-1) ?? "";
  if (atEnd.current) lastSeen.current = newest;
  let missed = 0;
  for (let i = rows.length - 1; i >= 0 && !atEnd.current; i--) {
    if (keys[i] === lastSeen.current) break;
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
      const { height } = child.getBoundingClientRect();
      if (height && heights.current.get(key) !== height) {
        heights.current.set(key, height);
        changed = true;
      }
    }
    if (atEnd.current) box.scrollTop = box.scrollHeight;
    else if (anchor.current) {
      const at = keys.indexOf(anchor.current.key);
      const wanted = start(at) + list.current.offsetTop - anchor.current.from;
      if (at >= 0 && Math.abs(box.scrollTop - wanted) >= 1) box.scrollTop = wanted;
    }
    if (!changed) return;
    measured.current += 1;
    redraw();
  });

  useEffect(() => {
    const box = scroller.current;
    if (!box) return;
    const watch = new ResizeObserver(() => {
      if (width.current !== box.clientWidth) {
        heights.current.clear();
        measured.current += 1;
      }
      width.current = box.clientWidth;
      redraw();
    });
    watch.observe(box);
    return () => watch.disconnect();
  }, []);

  // a list too short to scroll asks for more too
  const near = y < 600;
  useEffect(() => {
    // asked of the page itself: what was just put above has moved the reader down
    if (near && (scroller.current?.scrollTop ?? 0) < 600) onTop();
  }, [near, rows.length, onTop]);

  const onScroll = () => {
    const box = scroller.current;
    if (!box || !list.current) return;
    atEnd.current = box.scrollHeight - box.scrollTop - box.clientHeight < 8;
    const at = box.scrollTop - list.current.offsetTop;
    let i = rowAt(Math.max(0, at));
    while (i < rows.length - 1 && !steady(/** @type {T} */ (rows[i]))) i += 1;
    const key = keys[i];
    anchor.current = key === undefined ? null : { key, from: start(i) - at };
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
        ${drawn}
        <li class="gap" aria-hidden="true" style=${{ height: `${Math.max(0, total - start(last + 1))}px` }}></li>
      </ol>
    </div>
    ${missed > 0 && html`<button class="chip below" onClick=${toEnd}>${below(missed)}</button>`}
  </div>`;
}
