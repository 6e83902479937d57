// @ts-check
// No accident (D3): the buttons of a card are dead for 400 ms after it appears, moves or changes its size, and when the
// page comes back to the front. Scrolling is the person's own act and doesn't count.
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";

const dead = 400;

/**
 * @param {{current: HTMLElement | null}} card
 * @param {boolean} open
 */
export function useArming(card, open) {
  const [armed, setArmed] = useState(false);
  const place = useRef("");
  const ready = useRef(Number.POSITIVE_INFINITY);
  const timer = useRef(/** @type {ReturnType<typeof setTimeout> | undefined} */ (undefined));

  const disarm = () => {
    ready.current = performance.now() + dead;
    setArmed(false);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => setArmed(true), dead);
  };
  const look = () => {
    const here = card.current;
    if (!here) return;
    const around = here.closest(".needs-body, .alone")?.getBoundingClientRect();
    const next = [
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
      clearTimeout(timer.current);
      place.current = "";
    };
  }, [open]);

  return {
    armed: armed && open,
    /** Asked again at the moment of the act: a card may have moved since it was drawn. */
    live: () => performance.now() >= ready.current,
  };
}
