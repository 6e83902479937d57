// The line on every result of an agent (M5): what it should know though it did not ask.
import type { ReadCall, Result } from "./action.ts";
import { quotesAgents, reviewsFor, tasksFor } from "./board/view.ts";
import { floorInbox } from "./floor/inbox.ts";
import { answered, type WriteIn } from "./gates/delivery.ts";
import { unacknowledged } from "./gates/delivery-rows.ts";
import { messageInbox } from "./messages/view.ts";
import type { Same } from "./same.ts";

export interface Inbox {
  /** `{unread, mentions, answered_gates, floor, reviews, tasks}`, only what is not empty. */
  line: Result;
  /** Whether words of others stand in it (M6): titles by other agents, a reviewer's or an operator's reason. */
  quotes: boolean;
}

/** Null when there is nothing to tell. */
export async function inboxOf(
  same: Same,
  member: string,
  now: number,
  write: WriteIn,
  written: ReadCall["written"],
  session: string | null,
): Promise<Inbox | null> {
  const seen = await same(`inbox ${member}`, async (db) => ({
    messages: await messageInbox(db, member),
    gates: await unacknowledged(db, member, now),
    floor: await floorInbox(db, member, now),
    reviews: await reviewsFor(db, member),
    tasks: await tasksFor(db, member),
  }));
  const { unread, mentions } = seen.messages;
  const line: Result = {
    ...(unread > 0 && { unread }),
    ...(mentions > 0 && { mentions }),
    ...(seen.gates.length > 0 && { answered_gates: await answered(member, seen.gates, write, written, session) }),
    ...(seen.floor.length > 0 && { floor: seen.floor }),
    ...(seen.reviews.length > 0 && { reviews: seen.reviews }),
    ...(seen.tasks.length > 0 && { tasks: seen.tasks }),
  };
  if (Object.keys(line).length === 0) return null;
  const reasons =
    seen.tasks.some(({ rejected }) => typeof rejected === "string") || seen.floor.some(({ denied }) => denied);
  return { line, quotes: reasons || quotesAgents(seen.tasks, member) };
}
