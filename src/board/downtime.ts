// Leases stand still while the server is down (M4): what was left of them when it was last heard of is left still.
import type { Store } from "../store/port.ts";
import { lapsesAt } from "./lease.ts";
import * as leases from "./lease-rows.ts";

/** To be called when a server starts, before it takes calls. A server where nothing happens counts as down. */
export async function standStill(store: Store, now: number): Promise<void> {
  const since = await store.read(leases.lastSign);
  if (since === null || since >= now) return;
  for (const room of await store.read(leases.leasedRooms))
    await store.write(room, async ({ db }) => {
      for (const task of await leases.leased(db, room)) {
        const at = lapsesAt(task, await leases.holder(db, task.assignee ?? "", since), since);
        if (at !== null && at > since) await leases.renew(db, task, at + (now - since));
      }
    });
}
