import { expect, it } from "vitest";
import { best } from "../../src/board/next.ts";
import { arranged, missing, roomFor } from "../../src/board/order.ts";
import { isFinal, isReady, type Task, type Who } from "../../src/board/task.ts";
import { Refusal } from "../../src/refusal.ts";
import type { Guest } from "../table.ts";
import { type Desk, desk } from "./desk.ts";

/** Mulberry32: the same walk for the same seed. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) % sides;
  };
}

interface Board {
  tasks: Task[];
  dependencies: Array<{ task_id: number; depends_on: number }>;
}

const boardOf = (d: Desk): Promise<Board> =>
  d.table.store.read(async (db) => ({
    tasks: await db.selectFrom("tasks").selectAll().orderBy("id").execute(),
    dependencies: await db.selectFrom("task_dependencies").select(["task_id", "depends_on"]).execute(),
  }));

function checkCounts({ tasks, dependencies }: Board): void {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  for (const task of tasks) {
    const children = tasks.filter(({ parent_id }) => parent_id === task.id);
    const on = dependencies.filter(({ task_id }) => task_id === task.id).map(({ depends_on }) => byId.get(depends_on));
    expect(task).toEqual(arranged(task));
    if (task.status === "claimed" || task.status === "submitted") expect(task.assignee).not.toBeNull();
    if (task.status !== "claimed") expect(task.lease_until).toBeNull();
    if (task.status === "submitted" || task.status === "done") expect(task.rounds.length).toBeGreaterThan(0);
    if (task.reviewer !== null) expect(task.reviewer).not.toBe(task.assignee);
    if (isFinal(task)) {
      expect(children.filter((child) => !isFinal(child))).toEqual([]);
      continue;
    }
    expect(task.open_children).toBe(children.filter((child) => !isFinal(child)).length);
    expect(task.open_dependencies).toBe(on.filter((other) => other?.status !== "done").length);
  }
}

function checkNoCircle({ tasks, dependencies }: Board): void {
  const unfinished = new Set(tasks.filter((task) => !isFinal(task)).map(({ id }) => id));
  const waitsFor = (id: number) =>
    [
      ...dependencies.filter(({ task_id }) => task_id === id).map(({ depends_on }) => depends_on),
      ...tasks.filter(({ parent_id }) => parent_id === id).map((child) => child.id),
    ].filter((other) => unfinished.has(other));
  const free = new Set<number>();
  for (let before = -1; before !== free.size; ) {
    before = free.size;
    for (const id of unfinished) if (waitsFor(id).every((other) => free.has(other))) free.add(id);
  }
  expect(free.size).toBe(unfinished.size);
}

function checkBudgets({ tasks }: Board): void {
  for (const root of tasks.filter(({ parent_id }) => parent_id === null)) {
    const under = tasks.filter(({ root_id, id }) => root_id === root.id && id !== root.id);
    expect(root.made).toBe(under.length);
    const unspent = under.filter(({ status, last_assignee }) => status === "cancelled" && last_assignee === null);
    expect(root.given_back).toBe(unspent.length);
    expect(root.made - root.given_back).toBeLessThanOrEqual(root.budget_tasks ?? 40);
  }
}

/** What `next_task` must give, found the slow way. */
const bestOf = ({ tasks }: Board, who: Who): Task | undefined =>
  tasks
    .filter(
      (task) =>
        task.status === "open" &&
        isReady(task) &&
        (task.assignee === null || task.assignee === who.name) &&
        task.reviewer !== who.name &&
        missing(task.skills, who.skills).length === 0 &&
        task.size <= (roomFor(who) ?? Number.POSITIVE_INFINITY),
    )
    .sort((a, b) => a.rank - b.rank || a.id - b.id)[0];

/** A call that often makes sense: mostly about what is unfinished, mostly by who may. */
async function step(d: Desk, roll: (sides: number) => number): Promise<[Guest, string, Record<string, unknown>]> {
  const pick = <T>(list: readonly T[]): T => list[roll(list.length)] as T;
  const { tasks } = await boardOf(d);
  const alive = tasks.filter((task) => !isFinal(task));
  const some = (status: Task["status"]) => tasks.filter((task) => task.status === status);
  const of = (list: readonly Task[]) => pick(list.length > 0 && roll(8) > 0 ? list : tasks);
  const maybe = <T>(sides: number, value: () => T) => (roll(sides) === 0 ? value() : undefined);
  const fields = () => ({
    title: "x".repeat(1 + roll(60)),
    priority: pick(["low", "medium", "high"]),
    skills: maybe(3, () => [pick(["go", "Rust", "SQL"])]),
    assignee: maybe(5, () => pick(["ada", "bob", "lena", "rita"])),
    reviewer: maybe(5, () => pick(["ada", "rita", "zoe"])),
    depends_on: tasks.length > 0 ? maybe(4, () => [of(alive).id, of(some("open")).id]) : undefined,
  });
  const guests = [d.lead, d.ada, d.bob, d.rita, d.zoe];
  const steering = [d.lead, d.zoe];
  if (tasks.length < 5 || roll(12) === 0)
    return [pick(steering), "create_task", { ...fields(), budget_tasks: maybe(2, () => roll(6)) }];
  const holder = (task: Task) => guests.find(({ name }) => name === task.assignee) ?? pick(guests);
  const [open, claimed, submitted] = [of(some("open")), of(some("claimed")), of(some("submitted"))];
  const verdict = { verdict: pick(["approve", "approve", "reject"]), note: "n", keep_assignee: roll(2) === 0 };
  return pick<[Guest, string, Record<string, unknown>]>([
    [pick(steering), "create_task", { ...fields(), parent_id: open.id }],
    [holder(claimed), "create_task", { ...fields(), parent_id: claimed.id }],
    [pick(guests), "next_task", {}],
    [pick([d.ada, d.bob]), "claim_task", { task_id: open.id }],
    [pick([d.ada, d.bob]), "claim_task", { task_id: open.id }],
    [holder(claimed), "release_task", { task_id: claimed.id }],
    [holder(claimed), "submit_result", { task_id: claimed.id, result: "r" }],
    [holder(claimed), "submit_result", { task_id: claimed.id, result: "r" }],
    [d.ada, "submit_result", { task_id: open.id, result: "late" }],
    [pick([d.lead, d.rita, d.zoe]), "review_task", { task_id: submitted.id, ...verdict }],
    [pick([d.lead, d.rita, d.zoe]), "review_task", { task_id: submitted.id, ...verdict }],
    [pick(steering), "update_task", { task_id: of(alive).id, ...fields() }],
    [pick(guests), "cancel_task", { task_id: of(roll(2) === 0 ? alive : tasks).id }],
  ]);
}

const seeds = [1, 2, 3, 4];
it.each(seeds)(
  "B2, B3, B6, B7, B9: whatever is done in whatever order, the board stays sound (seed %i)",
  async (seed) => {
    const d = await desk();
    const workers: Who[] = [];
    for (const [name, skills, context_tokens] of [
      ["gina", ["go", "sql"], null],
      ["rob", ["RUST"], 250],
    ] as const) {
      await d.guest(name, { skills: [...skills], ...(context_tokens && { context_tokens }) });
      workers.push({ name, kind: "agent", role: "worker", skills, context_tokens });
    }
    const roll = dice(seed);
    for (let i = 0; i < 120; i++) {
      const [guest, action, args] = await step(d, roll);
      try {
        await guest.does(action, args);
      } catch (error) {
        if (!(error instanceof Refusal))
          throw new Error(`${guest.name} ${action} ${JSON.stringify(args)}`, { cause: error });
      }
      if (roll(10) === 0) await d.clock.tick(roll(12) * 60_000);
      const board = await boardOf(d);
      checkCounts(board);
      checkBudgets(board);
      if (i % 10 === 0) checkNoCircle(board);
      for (const who of workers) {
        const found = await d.table.store.read((db) => best(db, "main", who));
        expect(found?.id).toBe(bestOf(board, who)?.id);
      }
    }
  },
);
