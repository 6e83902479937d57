import { describe, expect, it } from "vitest";
import type { Result } from "../../src/action.ts";
import { Refusal } from "../../src/refusal.ts";
import { eachStore } from "../setup/stores.ts";
import { type Guest, settled } from "../table.ts";
import { desk, handIn, type Task, taskOf } from "./desk.ts";

eachStore((maker) => {
  it("B2: of twenty claimants exactly one wins, and the others learn who", async () => {
    const d = await desk(maker);
    const { id } = await d.task();
    const guests: Guest[] = [];
    for (let i = 0; i < 20; i++) guests.push(await d.guest(`worker-${i}`));
    const outcomes = await Promise.allSettled(guests.map((guest) => guest.does("claim_task", { task_id: id })));
    const won = outcomes.flatMap((o) => (o.status === "fulfilled" ? [taskOf(o.value)] : []));
    const lost = outcomes.flatMap((o) => (o.status === "rejected" ? [o.reason] : []));
    expect(won).toHaveLength(1);
    for (const refusal of lost) {
      expect(refusal).toBeInstanceOf(Refusal);
      expect(refusal).toMatchObject({ code: "ALREADY_CLAIMED", facts: { assignee: won[0]?.assignee } });
    }
    expect(await d.history(id)).toEqual(["task.created", "task.claimed"]);
  });

  it("B3: ten members who ask for the next of five tasks get five different ones", async () => {
    const d = await desk(maker);
    for (let i = 0; i < 5; i++) await d.task();
    const guests: Guest[] = [];
    for (let i = 0; i < 10; i++) guests.push(await d.guest(`worker-${i}`));
    const got = await Promise.all(guests.map((guest) => guest.does("next_task")));
    const ids = got.flatMap(({ task }) => (task === null ? [] : [(task as Task).id]));
    expect(ids.sort()).toEqual([1, 2, 3, 4, 5]);
  });

  it("B3: persons' requests first, then priority, then the oldest; claimable_by_me shows the same order", async () => {
    const d = await desk(maker);
    const of = async (by: Guest, priority: string, parent_id?: number) =>
      (await d.task({ priority, ...(parent_id && { parent_id }) }, by)).id;
    const [agentHigh, agentLow] = [await of(d.lead, "high"), await of(d.lead, "low")];
    const [personLow, personHigh] = [await of(d.zoe, "low"), await of(d.zoe, "high")];
    // A part counts as the person's too, whoever made it.
    const part = await of(d.lead, "medium", personLow);
    const agentHighToo = await of(d.lead, "high");
    const order = [personHigh, part, agentHigh, agentHighToo, agentLow];
    const listed = async (args = {}) => {
      const { tasks, next_cursor } = await d.ada.does("list_tasks", { claimable_by_me: true, ...args });
      return { ids: (tasks as Task[]).map(({ id }) => id), next_cursor };
    };
    expect(await listed()).toEqual({ ids: order, next_cursor: undefined });
    const page = await listed({ limit: 2 });
    expect(page.ids).toEqual(order.slice(0, 2));
    expect((await listed({ limit: 2, cursor: page.next_cursor })).ids).toEqual(order.slice(2, 4));
    const given = [];
    for (;;) {
      const { task } = await d.ada.does("next_task");
      if (!task) break;
      given.push((task as Task).id);
    }
    // The person's own low one waits for its part.
    expect(given).toEqual(order);
  });
});

describe("claiming", () => {
  it("B2: every required skill must be held, whatever its case", async () => {
    const d = await desk();
    const rust = await d.guest("rust", { skills: ["Rust", "ＳＱＬ"] });
    const { id } = await d.task({ skills: ["RUST", "sql"] });
    expect(await d.ada.refused("claim_task", { task_id: id })).toMatchObject({
      code: "FORBIDDEN",
      facts: { missing: ["RUST", "sql"] },
    });
    expect((await d.ada.does("next_task")).task).toBeNull();
    expect(taskOf(await rust.does("next_task")).id).toBe(id);
  });

  it("B2: a task that is meant for one goes to that one only", async () => {
    const d = await desk();
    const { id } = await d.task({ assignee: "bob" });
    expect(await d.ada.refused("claim_task", { task_id: id })).toMatchObject({
      code: "NOT_ASSIGNEE",
      facts: { assignee: "bob" },
    });
    expect((await d.ada.does("next_task")).task).toBeNull();
    expect(taskOf(await d.bob.does("next_task"))).toMatchObject({ id, assignee: "bob", status: "claimed" });
  });

  it("B2: the named reviewer neither claims it nor gets it as its next", async () => {
    const d = await desk();
    const { id } = await d.task({ reviewer: "ada" });
    expect(await d.ada.refused("claim_task", { task_id: id })).toMatchObject({ code: "FORBIDDEN" });
    expect((await d.ada.does("next_task")).task).toBeNull();
    expect(taskOf(await d.bob.does("next_task")).id).toBe(id);
    expect(await d.lead.refused("update_task", { task_id: id, reviewer: "bob" })).toMatchObject({
      code: "INVALID_TARGET",
    });
  });

  it("B2: what is not ready cannot be claimed: a parent with open children, unfinished dependencies", async () => {
    const d = await desk();
    const first = await d.task();
    const parent = await d.task();
    const child = await d.task({ parent_id: parent.id });
    const later = await d.task({ depends_on: [first.id, parent.id] });
    expect(await d.ada.refused("claim_task", { task_id: parent.id })).toMatchObject({
      code: "NOT_READY",
      facts: { open_children: [child.id] },
    });
    expect(await d.ada.refused("claim_task", { task_id: later.id })).toMatchObject({
      code: "NOT_READY",
      facts: { open_dependencies: [first.id, parent.id] },
    });
    const approve = async (id: number) => {
      await handIn(d.ada, id);
      await d.rita.does("review_task", { task_id: id, verdict: "approve" });
    };
    await approve(first.id);
    expect(await d.get(later.id)).toMatchObject({ ready: false });
    await approve(child.id);
    expect(await d.get(parent.id)).toMatchObject({ ready: true });
    await approve(parent.id);
    expect(await d.get(later.id)).toMatchObject({ ready: true });
    expect(taskOf(await d.bob.does("next_task")).id).toBe(later.id);
  });

  it("B2: a cancelled child holds its parent up no more", async () => {
    const d = await desk();
    const parent = await d.task();
    const child = await d.task({ parent_id: parent.id });
    await d.lead.does("cancel_task", { task_id: child.id });
    expect(await d.get(parent.id)).toMatchObject({ ready: true });
  });

  it("B2: claiming one's own again changes nothing; submitted and final ones cannot be claimed", async () => {
    const d = await desk();
    const { id } = await d.task();
    await d.ada.does("claim_task", { task_id: id });
    expect(taskOf(await d.ada.does("claim_task", { task_id: id }))).toMatchObject({ assignee: "ada" });
    await d.ada.does("submit_result", { task_id: id, result: "r" });
    expect(await d.bob.refused("claim_task", { task_id: id })).toMatchObject({ code: "ALREADY_CLAIMED" });
    await d.rita.does("review_task", { task_id: id, verdict: "approve" });
    expect(await d.bob.refused("claim_task", { task_id: id })).toMatchObject({ code: "CONFLICT" });
    expect(await d.bob.refused("claim_task", { task_id: 99 })).toMatchObject({ code: "NOT_FOUND" });
    expect(await d.history(id)).toEqual(["task.created", "task.claimed", "task.submitted", "task.approved"]);
  });

  it("B2: released, it is open to all again and the lead is told", async () => {
    const d = await desk();
    const { id } = await d.task({ assignee: "ada" });
    expect(await d.bob.refused("release_task", { task_id: id })).toMatchObject({ code: "NOT_ASSIGNEE" });
    await d.ada.does("claim_task", { task_id: id });
    const open = taskOf(await d.ada.does("release_task", { task_id: id, note: "The parser half stands." }));
    expect(open).toMatchObject({
      status: "open",
      assignee: null,
      notes: [{ by: "ada", note: "The parser half stands." }],
    });
    const { history } = await d.bob.does("get_task", { task_id: id });
    expect(history).toContainEqual(expect.objectContaining({ action: "task.released", member: "ada", to: "lena" }));
    expect(JSON.stringify(history)).not.toContain("parser half");
    expect(taskOf(await d.bob.does("next_task")).id).toBe(id);
  });

  it("B2: who leaves or is kicked gives everything back; reviews wait for others", async () => {
    const d = await desk();
    const claimed = await d.task();
    const meant = await d.task({ assignee: "ada" });
    const reviewed = await d.task({ reviewer: "ada" });
    const handed = await d.task();
    await handIn(d.ada, handed.id);
    await d.ada.does("claim_task", { task_id: claimed.id });
    await d.zoe.does("kick", { member: "ada" });
    expect(await d.get(claimed.id)).toMatchObject({ status: "open", assignee: null });
    expect(await d.get(meant.id)).toMatchObject({ status: "open", assignee: null });
    expect(await d.get(reviewed.id)).toMatchObject({ reviewer: null });
    expect(await d.get(handed.id)).toMatchObject({ status: "submitted", assignee: "ada" });
    await d.lead.does("review_task", { task_id: handed.id, verdict: "reject", note: "no", keep_assignee: true });
    expect(await d.get(handed.id)).toMatchObject({ status: "open", assignee: null });
    expect(await d.history(claimed.id)).toContain("task.released");
    await d.bob.does("claim_task", { task_id: claimed.id });
    await d.bob.does("leave_room", { room: "main" });
    expect(await d.get(claimed.id)).toMatchObject({ status: "open", assignee: null });
  });

  it("B2: leads and people may reassign at any time; the former holder's claim ends", async () => {
    const d = await desk();
    const { id } = await d.task();
    await d.ada.does("claim_task", { task_id: id });
    const moved = taskOf(await d.zoe.does("update_task", { task_id: id, assignee: "bob" }));
    expect(moved).toMatchObject({ status: "open", assignee: "bob" });
    expect(moved).not.toHaveProperty("lease_until");
    expect(await d.ada.refused("submit_result", { task_id: id, result: "r" })).toMatchObject({ code: "NOT_ASSIGNEE" });
    expect(taskOf(await d.bob.does("claim_task", { task_id: id }))).toMatchObject({ assignee: "bob" });
    expect(taskOf(await d.lead.does("update_task", { task_id: id, assignee: null }))).toMatchObject({
      status: "open",
      assignee: null,
    });
    const { history } = await d.lead.does("get_task", { task_id: id });
    expect(history).toContainEqual(expect.objectContaining({ action: "task.released", to: "ada" }));
  });

  it("G17: in a stopped room nobody claims", async () => {
    const d = await desk();
    const { id } = await d.task();
    const other = await d.task();
    await d.ada.does("claim_task", { task_id: other.id });
    await d.zoe.does("stop_all", { room: "main" });
    for (const [name, args] of [
      ["claim_task", { task_id: id }],
      ["next_task", {}],
    ] as const)
      expect(await d.ada.refused(name, args)).toMatchObject({ code: "STOPPED" });
    await d.ada.does("submit_result", { task_id: other.id, result: "what there was" });
    await d.zoe.does("resume_all", { room: "main" });
    expect(taskOf(await d.ada.does("next_task")).id).toBe(id);
  });
});

describe("waiting for the next", () => {
  it("B3: returns at once when it is not asked to wait", async () => {
    const d = await desk();
    expect((await d.ada.does("next_task")).task).toBeNull();
  });

  it("B3: wakes for a task that comes, and for one that becomes ready", async () => {
    const d = await desk();
    const first = await d.task({ assignee: "bob" });
    const later = await d.task({ depends_on: [first.id] });
    const waiting = d.ada.does("next_task", { wait_seconds: 45 });
    await settled();
    await handIn(d.bob, first.id);
    await d.rita.does("review_task", { task_id: first.id, verdict: "approve" });
    expect(taskOf(await waiting).id).toBe(later.id);
    const again = d.ada.does("next_task", { wait_seconds: 45 });
    await settled();
    const fresh = await d.task();
    expect(taskOf(await again).id).toBe(fresh.id);
  });

  it("B3: null when time is over", async () => {
    const d = await desk();
    const waiting = d.ada.does("next_task", { wait_seconds: 10 });
    await settled();
    await d.clock.tick(10_000);
    expect((await waiting).task).toBeNull();
  });

  it("B3: many who wait for one task: one gets it, the others wait on", async () => {
    const d = await desk();
    const waiting = [d.ada, d.bob].map((guest) => guest.does("next_task", { wait_seconds: 10 }));
    await settled();
    const { id } = await d.task();
    await settled();
    await d.clock.tick(10_000);
    const got = (await Promise.all(waiting)).map(({ task }) => (task as Result | null)?.id ?? null);
    expect(got.sort()).toEqual([id, null].sort());
  });

  it("B3: a blocked task is not given out, and is again once the blocker is resolved", async () => {
    const d = await desk();
    const { id } = await d.task();
    await d.bob.does("claim_task", { task_id: id });
    const { gate } = await d.bob.does("report_blocker", { title: "No access", task_id: id, wait_seconds: 0 });
    await d.bob.does("release_task", { task_id: id });
    expect(await d.get(id)).toMatchObject({ blocked: true, ready: true, status: "open" });
    const waiting = d.ada.does("next_task", { wait_seconds: 45 });
    await settled();
    expect((await d.ada.does("list_tasks", { claimable_by_me: true })).tasks).toEqual([]);
    await d.zoe.does("decide_gate", { gate_id: (gate as Result).id, decision: "resolve", text: "You have it now." });
    expect(taskOf(await waiting)).toMatchObject({ id, blocked: false });
  });
});
