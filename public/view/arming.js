// @ts-check
// No accident on a card (D3, D18): its buttons are dead for 400 ms after it appears, moves, changes its size or its
// action, and when the page comes back to the front. They are dead for longer where the card, or what it says, comes
// in the place of what a person has just answered or put away, and each tap meanwhile starts that time again. Scrolling
// is the person's own act and doesn't count.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { dead } from "./press.js";

/** What follows an answer is dead for this long (ms): long enough to see that it is something else. */
const pause = 1200;

/** Until then everything that is armed by `useArming` is dead. */
let paused = 0;
/** Disarms one of those. @type {Set<() => void>} */
const standing = new Set();

/** A person has answered, or put a card away: what comes next was not what they tapped. */
export function pauseAfterAnswer() {
  paused = performance.now() + pause;
  for (const disarm of standing) disarm();
}

// whoever taps again so soon has not read what is there now
addEventListener("pointerdown", () => performance.now() < paused && pauseAfterAnswer(), {
  capture: true,
  passive: true,
});

/**
 * @param {{current: HTMLElement | null}} card
 * @param {boolean} open
 * @param {string | null} [what] the digest of what would be answered: another is another card
 * @param {boolean} [settled] it has been answered: when it comes to that, its other buttons come in the place of Approve
 */
export function useArming(card, open, what, settled = false) {
  const [moves, setMoves] = useState(0);
  const [stood, setStood] = useState(-1);
  const place = useRef("");
  const ready = useRef(Number.POSITIVE_INFINITY);
  const was = useRef(settled);

  const disarm = () => {
    ready.current = Number.POSITIVE_INFINITY;
    setMoves((n) => n + 1);
  };
  const look = () => {
    const here = card.current;
    if (!here) return;
    const around = here.closest(".needs-body, .alone")?.getBoundingClientRect();
    const next = [
      what,
      here.offsetTop,
      here.offsetWidth,
      here.offsetHeight,
      around?.top,
      around?.left,
      around?.height,
    ].join();
    if (next === place.current) return;
    place.current = next;
    disarm();
  };

  useLayoutEffect(() => {
    if (open) look();
  });
  useLayoutEffect(() => {
    if (open && settled && !was.current) pauseAfterAnswer();
    was.current = settled;
  }, [open, settled]);
  // counted from the frame in which the dead buttons are seen
  useEffect(() => {
    if (!open) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    // a timer may fire a moment early, and then `live` would still refuse what `armed` allows
    const arm = () => {
      const left = Math.max(ready.current, paused) - performance.now();
      if (left > 0) timer = setTimeout(arm, left);
      else setStood(moves);
    };
    const frame = requestAnimationFrame(() => {
      ready.current = performance.now() + dead;
      arm();
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
      ready.current = Number.POSITIVE_INFINITY;
    };
  }, [open, moves]);
  useEffect(() => {
    const here = card.current;
    if (!open || !here) return;
    disarm();
    standing.add(disarm);
    const watch = new ResizeObserver(look);
    for (const one of [here, here.parentElement, here.closest(".needs-body")]) if (one) watch.observe(one);
    const back = () => {
      if (document.visibilityState === "visible") disarm();
    };
    document.addEventListener("visibilitychange", back);
    return () => {
      standing.delete(disarm);
      watch.disconnect();
      document.removeEventListener("visibilitychange", back);
      place.current = "";
    };
  }, [open]);

  return {
    armed: open && stood === moves,
    /** Asked again at the moment of the act: a card may have moved since it was drawn. */
    live: () => performance.now() >= Math.max(ready.current, paused),
  };
}
