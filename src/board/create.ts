// Making a task (B1, B7–B10): a request, a part of one, or a hand-off.
import { type AnyAction, action, type WriteCall } from "../action.ts";
import { digestOf } from "../gates/digest.ts";
import { once } from "../keys.ts";
import { Refusal } from "../refusal.ts";
import { count, key } from "../words.ts";
import { largestBudget, mayAdd } from "./budget.ts";
import { mayCreate } from "./change.ts";
import { mayBeAssigned, mayBeReviewer } from "./claim.ts";
import { checkDependencies } from "./cycles.ts";
import { distinct, isForPerson, poolOf, rankOf, sizeOf } from "./order.ts";
import { caller, named, reachabilityOfNamed } from "./people.ts";
import { tell } from "./ripple.ts";
import * as rows from "./rows.ts";
import type { Priority, Task, Who } from "./task.ts";
import { recordOf } from "./view.ts";
import { fields, member, namingOutput, taskId } from "./words.ts";

interface Asked {
  title: string;
  description?: string | undefined;
  assignee?: string | undefined;
  skills?: string[] | undefined;
  priority?: Priority | undefined;
  parent_id?: number | undefined;
  depends_on?: number[] | undefined;
  reviewer?: string | undefined;
  refs?: string[] | undefined;
  budget_tasks?: number | undefined;
  budget_depth?: number | undefined;
}

export function noTask(id: number, room: string): Refusal {
  return new Refusal("NOT_FOUND", `There is no task ${id} in ${room}; list_tasks shows those there are.`, {
    task_id: id,
  });
}

async function make(call: WriteCall, asked: Asked): Promise<Task> {
  const who = await caller(call);
  const parent =
    asked.parent_id === undefined ? null : ((await rows.find(call.db, call.room, asked.parent_id)) ?? null);
  if (asked.parent_id !== undefined && !parent) throw noTask(asked.parent_id, call.room);
  mayCreate(parent, who);
  if (parent && (asked.budget_tasks ?? asked.budget_depth) !== undefined)
    throw new Refusal(
      "BAD_INPUT",
      "Only a task without parent_id has a budget; leave budget_tasks and budget_depth out.",
    );
  const root = parent && (await rows.find(call.db, call.room, parent.root_id));
  if (parent && root) mayAdd(root, parent.depth + 1);
  const { ids, open } = await checkDependencies(call.db, call.room, asked.depends_on ?? [], parent?.id ?? null);
  const task = await draft(call, asked, who, parent, open);

  await rows.insert(call.db, task);
  await rows.putDependencies(call.db, call.room, task.id, ids);
  if (parent && root) {
    // The parent may be the root itself.
    const grown = { ...root, made: root.made + 1 };
    const waits = { open_children: parent.open_children + 1, updated_at: call.now };
    if (root.id === parent.id) await rows.put(call.db, { ...grown, ...waits });
    else {
      await rows.put(call.db, grown);
      await rows.put(call.db, { ...parent, ...waits });
    }
  }
  tell(call, "task.created", task, {
    to: task.assignee,
    data: { title: task.title, parent_id: task.parent_id, assignee: task.assignee, priority: task.priority },
  });
  return task;
}

async function draft(call: WriteCall, asked: Asked, who: Who, parent: Task | null, open: number): Promise<Task> {
  const fresh = {
    title: asked.title,
    description: asked.description ?? "",
    priority: asked.priority ?? "medium",
    skills: distinct(asked.skills ?? []),
    refs: asked.refs ?? [],
    assignee: asked.assignee ?? null,
    reviewer: asked.reviewer ?? null,
  };
  const { assignee, reviewer } = fresh;
  if (reviewer !== null) mayBeReviewer(fresh, await named(call.db, call.room, reviewer, "reviewer"));
  if (assignee !== null) mayBeAssigned(fresh, await named(call.db, call.room, assignee, "assignee"));
  const forPerson = parent ? isForPerson(parent.rank) : who.kind === "person";
  const id = await rows.takeNumber(call.db, call.room);
  return {
    ...fresh,
    rank: rankOf(forPerson, fresh.priority),
    pool: poolOf(fresh),
    size: sizeOf(fresh),
    room: call.room,
    id,
    status: "open",
    last_assignee: null,
    creator: who.name,
    parent_id: parent?.id ?? null,
    root_id: parent?.root_id ?? id,
    depth: parent ? parent.depth + 1 : 0,
    open_children: 0,
    open_dependencies: open,
    rounds: [],
    notes: [],
    lease_until: null,
    lease_ms: null,
    budget_tasks: asked.budget_tasks ?? null,
    budget_depth: asked.budget_depth ?? null,
    made: 0,
    given_back: 0,
    created_at: call.now,
    updated_at: call.now,
  };
}

export const createTask: AnyAction = action({
  name: "create_task",
  toolset: "board",
  about:
    "Add a task to the board. A worker hands off part of a task that it has claimed (parent_id); that task waits until its children are finished.",
  may: ["lead", "worker", "approver"],
  input: {
    ...fields,
    assignee: member.optional().describe("who alone may claim it"),
    parent_id: taskId.optional(),
    reviewer: member.optional(),
    budget_tasks: count(0, largestBudget.tasks).optional().describe("how many tasks may be made under it; default 40"),
    budget_depth: count(0, largestBudget.depth).optional().describe("levels; default 4"),
    key,
  },
  output: namingOutput,
  write: async (call, { key: again, ...asked }) => {
    const made = await once(call, "create_task", again, digestOf(asked), async () => ({
      task_id: (await make(call, asked)).id,
    }));
    const task = await rows.find(call.db, call.room, made.task_id as number);
    if (!task) throw noTask(made.task_id as number, call.room);
    return {
      task: await recordOf(call.db, task, call.now),
      ...(await reachabilityOfNamed(call, [asked.assignee, asked.reviewer])),
    };
  },
});
