// Reading messages and waiting for them (C2). Read is what was put into a result, and nothing else.
import { z } from "zod";
import { type AnyAction, action, everyone, type Result, type WaitCall } from "../action.ts";
import { fitting } from "../size.ts";
import { count, line, waitSeconds } from "../words.ts";
import * as rows from "./rows.ts";
import { kinds } from "./rules.ts";
import { view } from "./view.ts";

const task = count(1, 2 ** 31).optional();
const after = line(64).optional().describe("a message's id: only later ones");
const page = { messages: z.array(z.looseObject({})).optional(), next: z.string().nullable().optional() };
const quotes = ({ messages }: Result): boolean => Array.isArray(messages) && messages.length > 0;

/** One page, marked as read by being given. */
async function give(
  call: WaitCall,
  found: readonly rows.Found[],
  limit: number,
  goesOn: string | null = null,
): Promise<Result> {
  const shown = fitting(found.slice(0, limit));
  const unread = shown.filter((message) => message.unread).map(({ id }) => id);
  if (unread.length > 0) await call.write((write) => rows.markRead(write.db, write.actor.member, unread, write.now));
  return {
    messages: shown.map(({ unread: _, ...message }) => view(message)),
    next: found.length > shown.length ? shown.at(-1)?.id : goesOn,
  };
}

export const readActions: AnyAction[] = [
  action({
    name: "read_messages",
    toolset: "messages",
    about:
      "Read messages, oldest first; what is returned counts as read. unread: only what you have not read. next: pass it as after for the following page, also where this one has few or none; null at the end.",
    may: everyone,
    quiet: true,
    quotes,
    input: {
      after,
      unread: z.boolean().optional(),
      from: line(64).optional(),
      task_id: task,
      kind: z.enum(kinds).optional(),
      include_archived: z.boolean().optional(),
      limit: count(1, 100).optional().describe("default 50"),
    },
    output: page,
    wait: async (call, { unread, include_archived, limit = 50, ...filter }) => {
      const { found, goesOn } = await call.read((read) =>
        rows.visible(read.db, read.room, read.actor.member, {
          ...filter,
          ...(unread && { unread: {} }),
          archived: include_archived,
          limit: limit + 1,
        }),
      );
      return give(call, found, limit, goesOn);
    },
  }),
  action({
    name: "wait_for_message",
    toolset: "messages",
    about:
      "Wait for messages you have not read (with after: for any later than it), only mentions of you, or only about one task. waiting: true means none came; call again.",
    may: everyone,
    quiet: true,
    quotes,
    input: { after, mentions_only: z.boolean().optional(), task_id: task, wait_seconds: waitSeconds },
    output: { ...page, waiting: z.boolean().optional() },
    wait: async (call, input) => {
      // Who waits on a task gets all of it, whether or not it is in the inbox.
      const since = input.task_id === undefined ? undefined : call.now();
      // What was looked through in vain is not looked through again.
      let after = input.after;
      const found = await call.until<rows.Found[]>(["message"], call.hold(input.wait_seconds), async () => {
        for (;;) {
          const page = await call.read((read) =>
            rows.visible(read.db, read.room, read.actor.member, {
              ...(input.after === undefined && { unread: { since } }),
              after,
              task_id: input.task_id,
              mentions: input.mentions_only,
              others: true,
              limit: 51,
            }),
          );
          if (page.found.length > 0) return { done: page.found };
          if (page.goesOn === null) return { again: null };
          after = page.goesOn;
        }
      });
      return found ? give(call, found, 50) : { waiting: true };
    },
  }),
];
