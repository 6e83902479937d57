// Leases stand still while nobody could call (M4): the server was down, its machine slept, or its clock was set on. What
// was left of each claim when the server was last heard of is left still.
import type { Store } from "../store/port.ts";
import { lapsesAt } from "./lease.ts";
import * as leases from "./lease-rows.ts";

/**
 * Moves every claim on by the time in which nobody could call. Several processes may notice the same standstill: each
 * room is moved on for it once.
 * @param now the end of the standstill (ms)
 * @param since its beginning (ms), as a process knows it that ran before; what another process lapsed meanwhile stays
 * lapsed. Without it, a server starts: the last sign of life counts, so a server where nothing happened counts as down.
 */
export async function standStill(store: Store, now: number, since?: number): Promise<void> {
  const began = since ?? (await store.read(leases.lastSign));
  if (began === null) return;
  for (const room of await store.read(leases.leasedRooms))
    await store.write(room, async ({ db }) => {
      const from = Math.max(began, await leases.stoodStillUntil(db, room));
      if (from >= now) return;
      for (const task of await leases.leased(db, room)) {
        const at = lapsesAt(task, await leases.holder(db, task.assignee ?? "", from), from);
        if (at !== null && at > from) await leases.renew(db, task, at + (now - from));
      }
      await leases.standUntil(db, room, now);
    });
}
