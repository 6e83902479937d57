// Putting messages away (C3): for oneself, for everyone, for good.
import { z } from "zod";
import { type AnyAction, action, everyone } from "../action.ts";
import { Refusal } from "../refusal.ts";
import { line } from "../words.ts";
import { noMessage } from "./post.ts";
import * as rows from "./rows.ts";
import { maySee } from "./rules.ts";

const time = z
  .string()
  .refine(
    (words) => /^\d{4}-\d\d-\d\d/.test(words) && !Number.isNaN(Date.parse(words)),
    "must be a time, as 2026-01-31T12:00:00Z",
  );

export const tidyActions: AnyAction[] = [
  action({
    name: "archive_messages",
    toolset: "messages",
    about: "Put messages of your own inbox away: these ids, or all before a time, or all from a member.",
    may: everyone,
    idempotent: true,
    input: { ids: z.array(line(64)).min(1).max(100).optional(), before: time.optional(), from: line(64).optional() },
    output: { archived: z.number().optional() },
    write: async (call, { ids, before, from }) => {
      if (ids === undefined && before === undefined && from === undefined)
        throw new Refusal("BAD_INPUT", "archive_messages: say which: ids, before or from.");
      const which = { ids, before: before === undefined ? undefined : Date.parse(before), from };
      return { archived: await rows.archive(call.db, call.room, call.actor.member, which, call.now) };
    },
  }),
  action({
    name: "delete_message",
    toolset: "messages",
    about:
      "Take a message out of your own inbox; with for_everyone (your own messages only) its words are gone for all.",
    may: everyone,
    destructive: true,
    idempotent: true,
    input: { id: line(64), for_everyone: z.boolean().optional() },
    output: { deleted: z.string().optional() },
    write: async (call, input) => {
      const { member } = call.actor;
      const message = await rows.find(call.db, call.room, input.id);
      if (!message || !maySee(message, member)) throw noMessage();
      if (!input.for_everyone) {
        if (await rows.hide(call.db, member, message.id, call.now)) return { deleted: message.id };
        throw new Refusal("CONFLICT", "This message never came to your inbox, so there is nothing to take out of it.");
      }
      if (message.sender !== member && call.role !== "approver")
        throw new Refusal("FORBIDDEN", `Only ${message.sender} or an operator of the room removes it for everyone.`);
      await rows.remove(call.db, message.id, call.now);
      call.fact({ action: "message.removed", subject: `message:${message.id}`, to: message.addressee });
      return { deleted: message.id };
    },
  }),
  action({
    name: "purge_messages",
    toolset: "messages",
    about: "Deletes all messages of the room from before a time, for good. It is recorded.",
    may: ["approver"],
    destructive: true,
    idempotent: true,
    input: { before: time },
    output: { purged: z.number().optional() },
    write: async (call, input) => {
      const purged = await rows.purge(call.db, call.room, Date.parse(input.before));
      call.fact({ action: "message.purged", subject: `room:${call.room}`, data: { before: input.before, purged } });
      return { purged };
    },
  }),
];
