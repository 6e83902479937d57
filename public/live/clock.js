// @ts-check
// The server's time, whatever this device's clock says: every message with `now` sets it, the quickest answer to a
// ping best. Runs on performance.now(), so that a clock set anew here moves no countdown.
import { useEffect, useState } from "preact/hooks";

let offset = Date.now() - performance.now();
let doubt = Number.POSITIVE_INFINITY;
let doubted = 0;

/** @param {string | number | null | undefined} time ISO 8601 or ms */
export const ms = (time) => (typeof time === "number" ? time : time ? Date.parse(time) : Number.NaN);

/**
 * @param {string | number} now what the server's clock said
 * @param {number} [trip] how long that answer took, both ways (ms)
 */
export function setClock(now, trip = 1000) {
  const said = ms(now);
  if (Number.isNaN(said)) return;
  const here = performance.now();
  const next = said + trip / 2 - here;
  // a better or newer reading counts, and so does one that is far off: the device slept or the server's clock was set
  if (trip > doubt && here - doubted < 60_000 && Math.abs(next - offset) < 2000) return;
  offset = next;
  doubt = trip;
  doubted = here;
}

/** Now, by the server's clock (ms). */
export const serverNow = () => performance.now() + offset;

/** @type {Set<() => void>} */
const ticking = new Set();
/** @type {ReturnType<typeof setInterval> | undefined} */
let beat;

/** The server's time, told anew every second. */
export function useNow() {
  const [now, tell] = useState(serverNow);
  useEffect(() => {
    const tick = () => tell(serverNow());
    ticking.add(tick);
    beat ??= setInterval(() => {
      for (const one of ticking) one();
    }, 1000);
    return () => {
      ticking.delete(tick);
      if (ticking.size) return;
      clearInterval(beat);
      beat = undefined;
    };
  }, []);
  return now;
}
