// Saying something (C1, C4): to one member, about a task, or to the room.
import { z } from "zod";
import { type AnyAction, action, type ReadCall, type WriteCall } from "../action.ts";
import { find as findTask } from "../board/rows.ts";
import { digestOf } from "../gates/digest.ts";
import { once } from "../keys.ts";
import { membership, membersIn, persons } from "../members/rows.ts";
import { reachabilityOf } from "../members/view.ts";
import { Refusal } from "../refusal.ts";
import { count, key, line, text } from "../words.ts";
import * as rows from "./rows.ts";
import { type Kind, kinds, type Message, maySee, mentionsIn, recipients } from "./rules.ts";
import { view } from "./view.ts";

interface Asked {
  text: string;
  to?: string | undefined;
  task_id?: number | undefined;
  kind?: string | undefined;
  reply_to?: string | undefined;
}

/** Blocker is no kind: it would look like a gate and stop nobody. */
const kind = z
  .string()
  .refine((word) => word !== "blocker", "must not be blocker: call report_blocker, so that a person is told")
  .refine((word) => word === "blocker" || (kinds as readonly string[]).includes(word), `must be ${kinds.join(", ")}`)
  .meta({ enum: [...kinds] })
  .optional();

/** Who can be written to in this room: its members, and the server's owners, who act everywhere. */
async function addressable(call: Pick<ReadCall, "db" | "room">): Promise<{ members: string[]; owners: string[] }> {
  const members = (await membersIn(call.db, call.room)).map(({ name }) => name);
  const owners = (await persons(call.db)).filter((person) => person.server_role === "owner").map(({ name }) => name);
  return { members, owners: owners.filter((name) => !members.includes(name)) };
}

export function noMessage(): Refusal {
  return new Refusal("NOT_FOUND", "There is no message with this id for you here; read_messages shows yours.");
}

async function post(call: WriteCall, asked: Asked): Promise<Message> {
  const { members, owners } = await addressable(call);
  const all = [...members, ...owners];
  const { member: sender, kind: senderKind } = call.actor;
  const answers = asked.reply_to === undefined ? undefined : await rows.find(call.db, call.room, asked.reply_to);
  if (asked.reply_to !== undefined && !(answers && maySee(answers, sender))) throw noMessage();
  // An answer goes where its question was said, so that a direct word never becomes a public one by oversight.
  const back = answers?.sender === sender ? answers.addressee : answers?.sender;
  const to = asked.to ?? (answers && answers.addressee !== null ? back : undefined) ?? null;
  const taskId = asked.task_id ?? (to === null ? answers?.task_id : undefined) ?? null;
  if (to === sender) throw new Refusal("INVALID_TARGET", "You cannot write to yourself; leave to out for the room.");
  if (to !== null && !all.includes(to) && !(await membership(call.db, call.room, to)))
    throw new Refusal(
      "INVALID_TARGET",
      `There is no ${to} here to write to; members: ${all.slice(0, 30).join(", ")}.`,
      {
        members: all,
      },
    );
  const task = taskId === null ? undefined : await findTask(call.db, call.room, taskId);
  if (taskId !== null && !task)
    throw new Refusal("NOT_FOUND", `There is no task ${taskId} in ${call.room}; leave task_id out or name another.`);

  const message: Message = {
    id: call.id(),
    room: call.room,
    sender,
    sender_kind: senderKind === "person" ? "person" : "agent",
    addressee: to,
    task_id: taskId,
    kind: (asked.kind as Kind | undefined) ?? (answers ? "reply" : "note"),
    text: asked.text,
    reply_to: answers?.id ?? null,
    mentions: mentionsIn(asked.text, all),
    at: call.now,
    removed_at: null,
  };
  const concerned = [task?.assignee, task?.creator, task?.reviewer, answers?.sender];
  await rows.insert(call.db, message, recipients(message, { members, concerned }));
  call.fact({
    action: "message.posted",
    subject: `message:${message.id}`,
    to,
    data: { kind: message.kind, ...(taskId !== null && { task_id: taskId }), mentions: message.mentions },
  });
  return message;
}

export const postMessage: AnyAction = action({
  name: "post_message",
  toolset: "messages",
  about:
    "Write to a member (to), about a task (task_id: its assignee, creator and reviewer), or to the whole room. @name mentions; code is left alone. To stop for a person use report_blocker. reachability says whether the addressee is there, mentioned the same of those that you mention.",
  may: ["lead", "worker", "reviewer", "approver"],
  input: {
    text: text(4000),
    to: line(64).optional(),
    task_id: count(1, 2 ** 31).optional(),
    kind,
    reply_to: line(64).optional().describe("a message's id"),
    key,
  },
  output: {
    message: z.looseObject({}).optional(),
    reachability: z.looseObject({}).optional(),
    mentioned: z.array(z.looseObject({})).optional(),
  },
  write: async (call, { key: again, ...asked }) => {
    const posted = await once(call, "post_message", again, digestOf(asked), async () => ({
      message_id: (await post(call, asked)).id,
    }));
    const message = await rows.find(call.db, call.room, posted.message_id as string);
    if (!message) throw noMessage();
    const { addressee, mentions, sender } = message;
    const [reachability] = await reachabilityOf(call, [addressee]);
    const mentioned = await reachabilityOf(
      call,
      mentions.filter((name) => name !== addressee && name !== sender),
    );
    return {
      message: view(message),
      ...(reachability && { reachability }),
      ...(mentioned.length > 0 && { mentioned }),
    };
  },
});
