// Looking at the board. What is due is settled first, so that no reader sees a claim that has lapsed.
import { z } from "zod";
import { type AnyAction, action, everyone, type ReadCall, type Result, type WaitCall } from "../action.ts";
import { iso } from "../clock.ts";
import * as gates from "../gates/rows.ts";
import { view as gateView } from "../gates/view.ts";
import { brief } from "../gates/view-brief.ts";
import { factsOf } from "../log.ts";
import { messagesOfTask } from "../messages/view.ts";
import { Refusal } from "../refusal.ts";
import { fitting } from "../size.ts";
import { count, line } from "../words.ts";
import { budgetOf } from "./budget.ts";
import { claimableBy } from "./next.ts";
import { caller } from "./people.ts";
import * as rows from "./rows.ts";
import type { Found } from "./search.ts";
import { statuses, type Task } from "./task.ts";
import { recordOf, recordsOf } from "./view.ts";
import { member, records, taskId, taskOutput } from "./words.ts";
import { standing } from "./work.ts";

/** Reads the board as it is now. */
async function fresh<T>(call: WaitCall, look: (read: ReadCall) => Promise<T>): Promise<T> {
  const due = await call.read((read) => rows.roomDue(read.db, read.room));
  if (due !== null && due <= call.now()) await call.write(async () => {});
  return call.read(look);
}

/** Where a page ended: a task's number, and in the order of `next_task` its rank before it. */
function cursorOf(cursor: string | undefined): { rank: number; id: number } | undefined {
  if (cursor === undefined) return undefined;
  const [, rank = "0", id] = /^(?:(\d{1,2})\.)?(\d{1,10})$/.exec(cursor) ?? [];
  if (id === undefined) throw new Refusal("BAD_INPUT", "list_tasks: cursor must be a next_cursor of this list.");
  return { rank: Number(rank), id: Number(id) };
}

/** A tree of the little that shows where it stands; `get_task` has the rest. */
function treeOf(top: Task, all: readonly Task[], views: ReadonlyMap<number, Result>): Result {
  const { id, title, status, ready, blocked, priority, assignee } = views.get(top.id) as Result;
  const children = all.filter((task) => task.parent_id === top.id);
  return {
    ...{ id, title, status, ready, blocked, priority, assignee },
    children: children.map((child) => treeOf(child, all, views)),
  };
}

export const findActions: AnyAction[] = [
  action({
    name: "list_tasks",
    toolset: "board",
    about:
      "List tasks, oldest first, whole. claimable_by_me: those that you could claim now, in the order in which next_task gives them.",
    may: everyone,
    quiet: true,
    quotes: ({ tasks }) => (tasks as unknown[]).length > 0,
    input: {
      status: z.enum(statuses).optional(),
      assignee: member.optional(),
      claimable_by_me: z.boolean().optional(),
      parent_id: taskId.optional(),
      text: line(200).optional().describe("in title or description"),
      limit: count(1, 100).optional().describe("default 50"),
      cursor: line(64).optional(),
    },
    output: { tasks: records, next_cursor: z.string().optional() },
    wait: async (call, { claimable_by_me, cursor, limit = 50, ...filter }) =>
      fresh(call, async (read) => {
        const after = cursorOf(cursor);
        if (claimable_by_me && Object.values(filter).some((value) => value !== undefined))
          throw new Refusal("BAD_INPUT", "list_tasks: claimable_by_me goes with limit and cursor only.");
        const { tasks: page, goesOn }: Found = claimable_by_me
          ? { tasks: await claimableBy(read.db, read.room, await caller(read), { after, limit: limit + 1 }) }
          : await rows.list(read.db, read.room, { ...filter, after: after?.id, limit: limit + 1 });
        const tasks = fitting(await recordsOf(read.db, read.room, page.slice(0, limit), read.now));
        const last = page[tasks.length - 1];
        const cut = page.length > tasks.length && last;
        const next = cut ? (claimable_by_me ? `${last.rank}.${last.id}` : String(last.id)) : goesOn?.toString();
        return { tasks, ...(next !== undefined && { next_cursor: next }) };
      }),
  }),
  action({
    name: "get_task",
    toolset: "board",
    about: "One task whole: all rounds of its review, its messages, history and gates.",
    may: everyone,
    quiet: true,
    quotes: () => true,
    input: { task_id: taskId },
    output: { ...taskOutput, messages: records, history: records, gates: records },
    wait: async (call, input) =>
      fresh(call, async (read) => {
        const task = await standing(read, input.task_id);
        const history = await factsOf(read.db, read.room, `task:${task.id}`);
        const messages = await messagesOfTask(read.db, read.room, task.id, read.actor.member);
        // The newest of them; read_messages pages through all.
        const newest = fitting([...messages].reverse()).reverse();
        return {
          task: await recordOf(read.db, task, read.now),
          messages: newest,
          ...(newest.length < messages.length && { older_messages: messages.length - newest.length }),
          history: history.map(({ seq, at, member, action, addressee, data }) => ({
            ...{ seq, at: iso(at), member, action },
            ...(addressee !== null && { to: addressee }),
            data,
          })),
          gates: (await gates.ofTask(read.db, read.room, task.id)).map((gate) => brief(gateView(gate, read.now))),
        };
      }),
  }),
  action({
    name: "task_tree",
    toolset: "board",
    about: "A task with all under it, and what is left of the budget of its root.",
    may: everyone,
    quiet: true,
    quotes: () => true,
    input: { task_id: taskId },
    output: { tree: z.looseObject({}).optional(), budget: z.looseObject({}).optional() },
    wait: async (call, input) =>
      fresh(call, async (read) => {
        const top = await standing(read, input.task_id);
        const all = await rows.ofRoot(read.db, read.room, top.root_id);
        const views = await recordsOf(read.db, read.room, all, read.now);
        const root = all.find(({ id }) => id === top.root_id) ?? top;
        return {
          tree: treeOf(top, all, new Map(views.map((record) => [record.id as number, record]))),
          root_id: root.id,
          budget: budgetOf(root),
        };
      }),
  }),
];
