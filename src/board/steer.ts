// Steering a task: change it, judge what was handed in, cancel it with all under it (B4–B6).
import { z } from "zod";
import { type AnyAction, action, type WriteCall } from "../action.ts";
import { withdrawOfTask } from "../gates/endings.ts";
import { Refusal } from "../refusal.ts";
import { type Change, cancel, mayCancel, mayUpdate } from "./change.ts";
import { mayBeAssigned, mayBeReviewer, reopen } from "./claim.ts";
import { checkDependencies } from "./cycles.ts";
import { distinct } from "./order.ts";
import { caller, lookUp, named, reachabilityOfNamed } from "./people.ts";
import { finished, leftParent, orphaned, tell } from "./ripple.ts";
import * as rows from "./rows.ts";
import { putWords } from "./search.ts";
import { isFinal, type Task } from "./task.ts";
import { review } from "./verdict.ts";
import { recordOf } from "./view.ts";
import { fields, member, namingOutput, note, quotesTask, taskId, taskOutput } from "./words.ts";
import { standing } from "./work.ts";

/** The task with its change, as far as members and dependencies let it. */
async function changed(call: WriteCall, was: Task, change: Change): Promise<Task> {
  const { depends_on, ...words } = change;
  const given = Object.fromEntries(Object.entries(words).filter(([, value]) => value !== undefined)) as Partial<Task>;
  let task: Task = { ...was, ...given, skills: distinct(given.skills ?? was.skills), updated_at: call.now };
  if (task.assignee !== was.assignee && was.status === "claimed") task = reopen(task, call.now, task.assignee);
  if (task.reviewer !== null && task.reviewer !== was.reviewer)
    mayBeReviewer(task, await named(call.db, call.room, task.reviewer, "reviewer"));
  if (task.assignee !== null && task.status !== "submitted") {
    const fresh = task.assignee !== was.assignee;
    // Who has it already may have gone since; what it must hold is looked at all the same.
    const who = fresh
      ? await named(call.db, call.room, task.assignee, "assignee")
      : await lookUp(call.db, call.room, task.assignee);
    if (who) mayBeAssigned(task, who);
  }
  if (depends_on) {
    const { ids, open } = await checkDependencies(call.db, call.room, depends_on, was.id);
    await rows.putDependencies(call.db, call.room, was.id, ids);
    task = { ...task, open_dependencies: open };
  }
  return task;
}

/** The task and all unfinished ones under it. */
async function below(call: WriteCall, top: Task): Promise<Task[]> {
  const all = [top];
  let level = [top];
  while (level.length > 0) {
    level = await rows.openChildren(
      call.db,
      call.room,
      level.map(({ id }) => id),
    );
    all.push(...level);
  }
  return all;
}

/** B7: what was cancelled before anybody had claimed it gives its place back. */
async function giveBack(call: WriteCall, root: number, cancelled: readonly Task[]): Promise<void> {
  const unspent = cancelled.filter((task) => task.id !== root && task.last_assignee === null).length;
  const row = await rows.find(call.db, call.room, root);
  if (row && unspent > 0) await rows.put(call.db, { ...row, given_back: row.given_back + unspent });
}

const { refs: _, ...changing } = fields;
const changeable = { ...changing, title: fields.title.optional() };

export const steerActions: AnyAction[] = [
  action({
    name: "update_task",
    toolset: "board",
    about:
      "Change a task that you made, or as lead or person any. A new assignee takes a claim away; assignee null lets anybody claim it.",
    may: ["lead", "worker", "approver"],
    quotes: quotesTask,
    input: {
      task_id: taskId,
      ...changeable,
      assignee: member.nullable().optional(),
      reviewer: member.nullable().optional(),
    },
    output: namingOutput,
    write: async (call, { task_id, ...change }) => {
      if (Object.values(change).every((value) => value === undefined))
        throw new Refusal("BAD_INPUT", "update_task: say what to change, e.g. title, priority or assignee.");
      const was = await standing(call, task_id);
      mayUpdate(was, change, await caller(call));
      const task = await changed(call, was, change);
      await rows.put(call.db, task);
      if (task.title !== was.title || task.description !== was.description) await putWords(call.db, task);
      if (was.status === "claimed" && task.status === "open")
        tell(call, "task.released", task, { to: was.assignee, data: { assignee: was.assignee, reassigned: true } });
      tell(call, "task.updated", task, {
        to: task.assignee,
        data: { changed: Object.keys(change).sort(), assignee: task.assignee },
      });
      return {
        task: await recordOf(call.db, task, call.now),
        ...(await reachabilityOfNamed(call, [change.assignee, change.reviewer])),
      };
    },
  }),
  action({
    name: "review_task",
    toolset: "board",
    about:
      "Judge a submitted task: approve makes it done, reject (with a note that says what to change) opens it again.",
    may: ["lead", "worker", "reviewer", "approver"],
    quotes: quotesTask,
    input: {
      task_id: taskId,
      verdict: z.enum(["approve", "reject"]),
      note,
      keep_assignee: z.boolean().optional().describe("on reject: it stays assigned to who submitted it"),
    },
    output: taskOutput,
    write: async (call, { task_id, ...given }) => {
      const was = await standing(call, task_id);
      const keeps = given.keep_assignee && was.assignee !== null && (await lookUp(call.db, call.room, was.assignee));
      const task = review(was, await caller(call), { ...given, keep_assignee: Boolean(keeps) }, call.now);
      if (!task) return { task: await recordOf(call.db, was, call.now) };
      await rows.put(call.db, task);
      const done = task.status === "done";
      tell(call, done ? "task.approved" : "task.rejected", task, {
        to: was.assignee,
        data: { assignee: was.assignee, round: task.rounds.length },
      });
      if (done) await finished(call, task);
      return { task: await recordOf(call.db, task, call.now) };
    },
  }),
  action({
    name: "cancel_task",
    toolset: "board",
    about: "Cancel a task and all unfinished ones under it; what is done stays done. cancelled counts them.",
    may: ["lead", "worker", "approver"],
    destructive: true,
    idempotent: true,
    input: { task_id: taskId, reason: note },
    output: { cancelled: z.number().optional() },
    write: async (call, input) => {
      const top = await standing(call, input.task_id);
      const who = await caller(call);
      mayCancel(top, top.parent_id === null ? top : await standing(call, top.root_id), who);
      if (isFinal(top)) return { cancelled: 0 };
      const tree = await below(call, top);
      for (const was of tree) {
        const task = cancel(was, who.name, was === top ? input.reason : undefined, call.now);
        await rows.put(call.db, task);
        tell(call, "task.cancelled", task, {
          to: was.assignee,
          data: { assignee: was.assignee, ...(was !== top && { with: top.id }) },
        });
        await withdrawOfTask(call, task.id, `task ${task.id} was cancelled`);
      }
      await leftParent(call, top);
      await giveBack(call, top.root_id, tree);
      await orphaned(call, tree);
      return { cancelled: tree.length };
    },
  }),
];
