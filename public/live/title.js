// @ts-check
// The tab's title and the app's badge say how much waits, in all rooms.
import { useEffect } from "preact/hooks";
import { useApp } from "./store.js";

export function useTitle() {
  const waits = useApp((app) => app.rooms.reduce((sum, one) => sum + one.approvals + one.blockers, 0));
  const room = useApp((app) => app.room);
  useEffect(() => {
    document.title = `${waits ? `(${waits}) ` : ""}${room ? `${room} · ` : ""}Parley`;
    const app = /** @type {any} */ (navigator);
    if (waits) app.setAppBadge?.(waits).catch(() => {});
    else app.clearAppBadge?.().catch(() => {});
  }, [waits, room]);
}
