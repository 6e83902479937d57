// @ts-check
// No accident (D3): the buttons of a card are dead for 400 ms after it appears, moves, changes its size or its
// action, and when the page comes back to the front. Scrolling is the person's own act and doesn't count.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const dead = 400;

/**
 * @param {{current: HTMLElement | null}} card
 * @param {boolean} open
 * @param {string | null} [what] the digest of what would be answered: another is another card
 */
export function useArming(card, open, what) {
  const [moves, setMoves] = useState(0);
  const [stood, setStood] = useState(-1);
  const place = useRef("");
  const ready = useRef(Number.POSITIVE_INFINITY);

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
  // counted from the frame in which the dead buttons are seen
  useEffect(() => {
    if (!open) return;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    // a timer may fire a moment early, and then `live` would still refuse what `armed` allows
    const arm = () => {
      const left = ready.current - performance.now();
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
    const watch = new ResizeObserver(look);
    for (const one of [here, here.parentElement, here.closest(".needs-body")]) if (one) watch.observe(one);
    const back = () => {
      if (document.visibilityState === "visible") disarm();
    };
    document.addEventListener("visibilitychange", back);
    return () => {
      watch.disconnect();
      document.removeEventListener("visibilitychange", back);
      place.current = "";
    };
  }, [open]);

  return {
    armed: open && stood === moves,
    /** Asked again at the moment of the act: a card may have moved since it was drawn. */
    live: () => performance.now() >= ready.current,
  };
}
