// Doing a task: claim it or get the next, give it back, hand in the result (B2–B5).
import { type AnyAction, action, type WriteCall } from "../action.ts";
import { isStopped } from "../members/room-rows.ts";
import { Refusal } from "../refusal.ts";
import { text, waitSeconds } from "../words.ts";
import { claim, mayClaim, release } from "./claim.ts";
import { noTask } from "./create.ts";
import { best } from "./next.ts";
import { caller, isReviewable, leadOf } from "./people.ts";
import { finished, tell } from "./ripple.ts";
import * as rows from "./rows.ts";
import { isReady, type Task, type Who } from "./task.ts";
import { isLate, isResubmitted, mustHaveNoChildren, submit } from "./verdict.ts";
import { recordOf } from "./view.ts";
import { fields, note, quotesTask, taskId, taskOutput } from "./words.ts";

export interface BoardSettings {
  /** How long an agent's claim lasts without a sign of it, seconds. */
  lease: number;
}

const workers = ["lead", "worker", "approver"] as const;
const nobody = { children: [], dependencies: [] };

export async function standing(call: Pick<WriteCall, "db" | "room">, id: number): Promise<Task> {
  const task = await rows.find(call.db, call.room, id);
  if (!task) throw noTask(id, call.room);
  return task;
}

export function workActions(settings: BoardSettings): AnyAction[] {
  const leaseMs = settings.lease * 1000;

  async function mayStart(call: WriteCall, task: Task, who: Who): Promise<void> {
    if (await isStopped(call.db, call.room)) throw stopped();
    mayClaim(task, who, isReady(task) ? nobody : await rows.waitsFor(call.db, task));
  }

  async function start(call: WriteCall, was: Task, who: Who): Promise<Task> {
    const task = claim(was, who, call.now, leaseMs);
    await rows.put(call.db, task);
    call.due(task.lease_until);
    tell(call, "task.claimed", task, { data: { assignee: who.name } });
    return task;
  }

  return [
    action({
      name: "claim_task",
      toolset: "board",
      about:
        "Take a task that is open and ready. Exactly one claimant gets it; the others are told who has it. Your claim lasts while you are heard of.",
      may: workers,
      idempotent: true,
      quotes: quotesTask,
      input: { task_id: taskId },
      output: taskOutput,
      write: async (call, input) => {
        const was = await standing(call, input.task_id);
        const who = await caller(call);
        if (was.status === "claimed" && was.assignee === who.name)
          return { task: await recordOf(call.db, was, call.now) };
        await mayStart(call, was, who);
        return { task: await recordOf(call.db, await start(call, was, who), call.now) };
      },
    }),
    action({
      name: "next_task",
      toolset: "board",
      about:
        "Claim the best task that is ready for you: persons' requests first, then by priority, then the oldest. task is null when there is none; wait_seconds waits for one.",
      may: workers,
      always: true,
      quotes: quotesTask,
      input: { wait_seconds: waitSeconds.describe("default 0: returns at once") },
      output: taskOutput,
      wait: async (call, input) => {
        const taken = await call.until<Record<string, unknown>>(
          ["task", "gate", "room"],
          call.hold(input.wait_seconds ?? 0),
          async () => {
            const seen = await call.read(async (read) => ({
              stopped: await isStopped(read.db, read.room),
              due: await rows.roomDue(read.db, read.room),
              task: await best(read.db, read.room, await caller(read)),
            }));
            if (seen.stopped) throw stopped();
            // A claim that lapses now may be the one: only a writer settles it.
            if (!seen.task && (seen.due === null || seen.due > call.now())) return { again: seen.due };
            return call.write(async (write) => {
              const who = await caller(write);
              const was = await best(write.db, write.room, who);
              if (!was) return { again: await rows.roomDue(write.db, write.room) };
              await mayStart(write, was, who);
              return { done: await recordOf(write.db, await start(write, was, who), write.now) };
            });
          },
        );
        return { task: taken };
      },
    }),
    action({
      name: "release_task",
      toolset: "board",
      about:
        "Give a task back that you have claimed or were assigned, so that another can do it. Say in note where it stands.",
      may: ["lead", "worker", "reviewer", "approver"],
      quotes: quotesTask,
      input: { task_id: taskId, note },
      output: taskOutput,
      write: async (call, input) => {
        const who = await caller(call);
        const task = release(await standing(call, input.task_id), who, input.note, call.now);
        await rows.put(call.db, task);
        const lead = await leadOf(call.db, task, who.name);
        tell(call, "task.released", task, { to: lead, data: { assignee: who.name } });
        return { task: await recordOf(call.db, task, call.now) };
      },
    }),
    action({
      name: "submit_result",
      toolset: "board",
      always: true,
      about:
        "Hand in the result of a task that you have claimed. It goes to review; rejected, it is open again with the reviewer's note in rounds.",
      may: ["lead", "worker", "reviewer", "approver"],
      idempotent: true,
      quotes: quotesTask,
      input: { task_id: taskId, result: text(20_000).describe("what was done and how to check it"), refs: fields.refs },
      output: taskOutput,
      write: async (call, input) => {
        const who = await caller(call);
        let task = await standing(call, input.task_id);
        if (isResubmitted(task, who, input.result)) return { task: await recordOf(call.db, task, call.now) };
        const children = task.open_children > 0 ? (await rows.waitsFor(call.db, task)).children : [];
        if (isLate(task, who)) {
          mustHaveNoChildren(task, children);
          await mayStart(call, task, who);
          task = await start(call, task, who);
        }
        const reviewable = await isReviewable(call.db, task);
        task = submit(task, who, input, reviewable, children, call.now);
        await rows.put(call.db, task);
        const round = task.rounds.length;
        tell(call, "task.submitted", task, { to: task.reviewer, data: { assignee: who.name, round } });
        if (task.status === "done") {
          tell(call, "task.done", task, { data: { assignee: who.name, unreviewed: true } });
          await finished(call, task);
        }
        return { task: await recordOf(call.db, task, call.now) };
      },
    }),
  ];
}

const stopped = () =>
  new Refusal(
    "STOPPED",
    "A person has stopped all work in this room. Claim nothing; end your turn and wait to be told.",
  );
