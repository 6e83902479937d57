// A message as the public contract shows it, and what other parts of the house ask of messages.
import type { Result } from "../action.ts";
import { iso } from "../clock.ts";
import type { Db } from "../store/port.ts";
import * as rows from "./rows.ts";
import { type Message, maySee } from "./rules.ts";

export const view = (message: Message): Result => ({
  id: message.id,
  room: message.room,
  from: message.sender,
  from_kind: message.sender_kind,
  ...(message.sender_kind === "person" && { from_person: true }),
  ...(message.addressee !== null && { to: message.addressee }),
  ...(message.task_id !== null && { task_id: message.task_id }),
  kind: message.kind,
  text: message.text,
  ...(message.reply_to !== null && { reply_to: message.reply_to }),
  mentions: message.mentions,
  at: iso(message.at),
});

/** Records by id, oldest first; only those that the viewer may see (null: only what all may see). */
export async function messageRecords(
  db: Db,
  room: string,
  ids: readonly string[],
  viewer: string | null,
): Promise<Result[]> {
  return (await rows.byIds(db, room, ids)).filter((message) => maySee(message, viewer)).map(view);
}

/** The newest 100 of a task that the viewer may see, oldest first. */
export async function messagesOfTask(db: Db, room: string, task: number, viewer: string): Promise<Result[]> {
  return (await rows.ofTask(db, room, task, viewer, 100)).map(view);
}

/** M5: what is unread, and how much of it mentions the member. */
export const messageInbox = rows.unreadCounts;
