// What takes a claim away without its holder's word: a lease that lapsed (B4), a member who is no longer here (B2).
import type { WriteCall } from "../action.ts";
import type { Awake } from "../awake.ts";
import { reopen } from "./claim.ts";
import { lapsesAt } from "./lease.ts";
import * as leases from "./lease-rows.ts";
import { leadOf } from "./people.ts";
import { tell } from "./ripple.ts";
import * as rows from "./rows.ts";

/** How soon to look again while it is made up for a standstill (ms). */
const soon = 1000;

/** Lapses the claims whose holder was not heard of in time; answers the next moment to look (ms) or null. */
export const settleBoard =
  (awake: Awake) =>
  async (call: WriteCall): Promise<number | null> => {
    // Nobody could call: whatever lapsed meanwhile did so for want of a server, and is moved on first (`standStill`).
    if (awake.stillSince(call.now) !== null) return call.now + soon;
    for (const task of await leases.overdue(call.db, call.room, call.now)) {
      const holder = await leases.holder(call.db, task.assignee ?? "", call.now);
      const at = lapsesAt(task, holder, call.now);
      if (at !== null && at > call.now) {
        await leases.renew(call.db, task, at);
        continue;
      }
      const next = reopen(task, call.now);
      await rows.put(call.db, next);
      tell(call, "task.lapsed", next, {
        member: null,
        to: await leadOf(call.db, task),
        data: { assignee: task.assignee },
      });
    }
    return leases.nextLapse(call.db, call.room);
  };

/** The member left, was kicked, or may work no more: its claims and assignments go back, reviews wait for others. */
export async function boardGone(call: WriteCall, member: string): Promise<void> {
  for (const task of await rows.tiedTo(call.db, call.room, member)) {
    const to = await leadOf(call.db, task, member);
    let next = { ...task, updated_at: call.now };
    if (task.reviewer === member) {
      next = { ...next, reviewer: null };
      tell(call, "task.updated", next, { to, data: { reviewer: null, gone: member } });
    }
    if (task.assignee === member && task.status !== "submitted") {
      next = reopen(next, call.now);
      tell(call, "task.released", next, { to, data: { assignee: member, gone: member } });
    }
    await rows.put(call.db, next);
  }
}
