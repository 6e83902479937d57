// @ts-check
// The tab's title and the app's badge say how much waits, in all rooms, and whether it is this person's turn.
import { useEffect } from "preact/hooks";
import { callsOn, callWords } from "../words/calls.js";
import { useApp } from "./store.js";

export function useTitle() {
  const waits = useApp((app) => app.rooms.reduce((sum, one) => sum + one.approvals + one.blockers, 0));
  const room = useApp((app) => app.room);
  const call = useApp((app) => {
    const [first] = callsOn(app);
    return first ? `${callWords(first)} · ` : "";
  });
  useEffect(() => {
    document.title = `${call}${waits ? `(${waits}) ` : ""}${room ? `${room} · ` : ""}Parley`;
    const app = /** @type {any} */ (navigator);
    if (waits) app.setAppBadge?.(waits).catch(() => {});
    else app.clearAppBadge?.().catch(() => {});
  }, [waits, room, call]);
}
