import { describe, expect, it } from "vitest";
import type { Result } from "../../src/action.ts";
import { desk, handIn, taskOf } from "./desk.ts";

describe("handing in", () => {
  it("B5: only the assignee hands in, and the same result again returns the task", async () => {
    const d = await desk();
    const { id } = await d.task();
    expect(await d.ada.refused("submit_result", { task_id: id, result: "r" })).toMatchObject({ code: "NOT_ASSIGNEE" });
    await d.ada.does("claim_task", { task_id: id });
    expect(await d.bob.refused("submit_result", { task_id: id, result: "r" })).toMatchObject({
      code: "NOT_ASSIGNEE",
      facts: { assignee: "ada" },
    });
    const submitted = taskOf(await d.ada.does("submit_result", { task_id: id, result: "It works.", refs: ["a.ts"] }));
    expect(submitted).toMatchObject({ status: "submitted", assignee: "ada", result: "It works." });
    expect(submitted.rounds).toEqual([
      {
        by: "ada",
        result: "It works.",
        refs: ["a.ts"],
        at: "2026-01-05T09:00:00.000Z",
        verdict: null,
        reviewer: null,
        note: null,
      },
    ]);
    const again = taskOf(await d.ada.does("submit_result", { task_id: id, result: "It works." }));
    expect(again.rounds).toHaveLength(1);
    expect(await d.ada.refused("submit_result", { task_id: id, result: "Other" })).toMatchObject({ code: "CONFLICT" });
    await d.rita.does("review_task", { task_id: id, verdict: "approve" });
    expect(taskOf(await d.ada.does("submit_result", { task_id: id, result: "It works." })).status).toBe("done");
    expect(await d.ada.refused("submit_result", { task_id: id, result: "Other" })).toMatchObject({ code: "CONFLICT" });
  });

  it("M5: work that was sent back, and a task that was assigned, ride in the inbox until claimed", async () => {
    const d = await desk();
    const { id } = await d.task({ assignee: "ada" });
    const told = async () => ((await d.ada.does("list_members")).inbox as Result | undefined)?.tasks;
    expect(await told()).toMatchObject([{ task_id: id, assigned: true }]);
    await d.ada.does("claim_task", { task_id: id });
    expect(await told()).toBeUndefined();
    await d.ada.does("submit_result", { task_id: id, result: "r" });
    expect(((await d.rita.does("list_members")).inbox as Result).reviews).toMatchObject([{ task_id: id }]);
    await d.rita.does("review_task", { task_id: id, verdict: "reject", note: "the test is missing" });
    expect(await told()).toMatchObject([{ task_id: id, rejected: "the test is missing" }]);
    await d.bob.does("claim_task", { task_id: id });
    expect(await told()).toBeUndefined();
  });

  it("B5: nothing is handed in while children are open; the holder learns when they are finished", async () => {
    const d = await desk();
    const parent = await d.task();
    await d.ada.does("claim_task", { task_id: parent.id });
    const child = await d.task({ parent_id: parent.id }, d.ada);
    expect(await d.ada.refused("submit_result", { task_id: parent.id, result: "r" })).toMatchObject({
      code: "CHILDREN_OPEN",
      facts: { open_children: [child.id] },
    });
    await handIn(d.bob, child.id);
    await d.rita.does("review_task", { task_id: child.id, verdict: "approve" });
    const { history } = await d.ada.does("get_task", { task_id: parent.id });
    expect(history).toContainEqual(expect.objectContaining({ action: "task.updated", to: "ada" }));
    await d.ada.does("submit_result", { task_id: parent.id, result: "r" });
    expect((await d.get(parent.id)).status).toBe("submitted");
  });

  it("B5: only where nobody may review is a submission done at once", async () => {
    const d = await desk();
    await d.operator.does("create_room", { room: "lab" });
    const lena = await d.guest("lone", { role: "lead", room: "lab" });
    const una = await d.guest("una", { room: "lab" });
    const { id } = taskOf(await lena.does("create_task", { title: "Alone" }));
    const waits = taskOf(await lena.does("create_task", { title: "After", depends_on: [id] }));
    // The lead itself does it: no reviewer, no person is there.
    expect((await handIn(lena, id)).status).toBe("done");
    expect(taskOf(await una.does("next_task")).id).toBe(waits.id);
    const by = taskOf(await una.does("submit_result", { task_id: waits.id, result: "r" }));
    expect(by.status).toBe("submitted");
    // A server with an owner always has somebody.
    await d.guest("olga", { role: "owner" });
    const other = taskOf(await lena.does("create_task", { title: "Other" }));
    expect((await handIn(lena, other.id)).status).toBe("submitted");
  });
});

describe("reviewing", () => {
  it("B5: a rejection needs a note and opens it to all again; all rounds are kept", async () => {
    const d = await desk();
    const { id } = await d.task();
    await handIn(d.ada, id, "first");
    expect(await d.rita.refused("review_task", { task_id: id, verdict: "reject" })).toMatchObject({
      code: "BAD_INPUT",
    });
    const open = taskOf(await d.rita.does("review_task", { task_id: id, verdict: "reject", note: "Tests?" }));
    expect(open).toMatchObject({ status: "open", assignee: null });
    expect(open).not.toHaveProperty("result");
    await handIn(d.bob, id, "second");
    await d.clock.tick(1000);
    await d.zoe.does("review_task", { task_id: id, verdict: "approve", note: "Fine." });
    const done = await d.get(id);
    expect(done).toMatchObject({ status: "done", result: "second", assignee: "bob" });
    expect(done.rounds).toMatchObject([
      { by: "ada", result: "first", verdict: "reject", reviewer: "rita", note: "Tests?" },
      { by: "bob", result: "second", verdict: "approve", reviewer: "zoe", note: "Fine." },
    ]);
    expect(await d.history(id)).toEqual(
      ["created", "claimed", "submitted", "rejected", "claimed", "submitted", "approved"].map((did) => `task.${did}`),
    );
  });

  it("B5: with keep_assignee it stays with who handed it in, who may hand in again at once", async () => {
    const d = await desk();
    const { id } = await d.task();
    await handIn(d.ada, id);
    const kept = taskOf(
      await d.rita.does("review_task", { task_id: id, verdict: "reject", note: "more", keep_assignee: true }),
    );
    expect(kept).toMatchObject({ status: "open", assignee: "ada" });
    expect(await d.bob.refused("claim_task", { task_id: id })).toMatchObject({ code: "NOT_ASSIGNEE" });
    expect(taskOf(await d.ada.does("submit_result", { task_id: id, result: "better" })).status).toBe("submitted");
  });

  it("B5: the named reviewer judges, a worker too; others do not, but leads and people always may; never the assignee", async () => {
    const d = await desk();
    const named = async () => {
      const { id } = await d.task({ reviewer: "bob" });
      await handIn(d.ada, id);
      return id;
    };
    const judge = { verdict: "approve" };
    const id = await named();
    for (const guest of [d.ada, d.rita])
      expect(await guest.refused("review_task", { task_id: id, ...judge })).toMatchObject({ code: "FORBIDDEN" });
    expect(taskOf(await d.bob.does("review_task", { task_id: id, ...judge })).status).toBe("done");
    for (const guest of [d.lead, d.zoe])
      expect(taskOf(await guest.does("review_task", { task_id: await named(), ...judge })).status).toBe("done");
    // Nobody is named: any reviewer, but no worker.
    const free = await d.task();
    await handIn(d.ada, free.id);
    expect(await d.bob.refused("review_task", { task_id: free.id, ...judge })).toMatchObject({ code: "FORBIDDEN" });
    expect(taskOf(await d.rita.does("review_task", { task_id: free.id, ...judge })).status).toBe("done");
    // A lead's own work is judged by somebody else.
    const own = await d.task();
    await handIn(d.lead, own.id);
    expect(await d.lead.refused("review_task", { task_id: own.id, ...judge })).toMatchObject({ code: "FORBIDDEN" });
  });

  it("B5: the same verdict again is a replay; another is told what was decided", async () => {
    const d = await desk();
    const { id } = await d.task();
    expect(await d.rita.refused("review_task", { task_id: id, verdict: "approve" })).toMatchObject({
      code: "CONFLICT",
    });
    await handIn(d.ada, id);
    await d.rita.does("review_task", { task_id: id, verdict: "approve" });
    expect(taskOf(await d.rita.does("review_task", { task_id: id, verdict: "approve" })).status).toBe("done");
    const late = await d.zoe.refused("review_task", { task_id: id, verdict: "reject", note: "no" });
    expect(late).toMatchObject({ code: "CONFLICT" });
    expect(late.message).toContain("rita approved it last");
    expect(await d.history(id)).toHaveLength(4);
  });

  it("M5: reviews by name ride in the inbox, claimed tasks in whoami", async () => {
    const d = await desk();
    const { id } = await d.task({ reviewer: "bob" });
    await d.ada.does("claim_task", { task_id: id });
    expect((await d.ada.does("whoami")).tasks).toEqual([
      expect.objectContaining({ room: "main", id, title: "Something", status: "claimed" }),
    ]);
    await d.ada.does("submit_result", { task_id: id, result: "r" });
    expect((await d.ada.does("whoami")).tasks).toEqual([]);
    expect((await d.bob.does("whoami")).inbox).toMatchObject({ reviews: [{ room: "main", task_id: id }] });
  });
});

describe("changing", () => {
  it("B2: a task is changed by its creator, leads and people only, and no more once it is final", async () => {
    const d = await desk();
    const { id } = await d.task();
    expect(await d.ada.refused("update_task", { task_id: id, title: "Mine" })).toMatchObject({ code: "FORBIDDEN" });
    const changed = taskOf(
      await d.zoe.does("update_task", {
        task_id: id,
        title: "Better",
        priority: "low",
        skills: ["go"],
        reviewer: "bob",
      }),
    );
    expect(changed).toMatchObject({ title: "Better", priority: "low", skills: ["go"], reviewer: "bob" });
    expect(taskOf(await d.lead.does("update_task", { task_id: id, reviewer: null })).reviewer).toBeNull();
    expect(await d.lead.refused("update_task", { task_id: id })).toMatchObject({ code: "BAD_INPUT" });
    await d.lead.does("update_task", { task_id: id, skills: [] });
    await handIn(d.ada, id);
    expect(await d.lead.refused("update_task", { task_id: id, assignee: "bob" })).toMatchObject({ code: "CONFLICT" });
    await d.lead.does("update_task", { task_id: id, priority: "high" });
    await d.lead.does("review_task", { task_id: id, verdict: "approve" });
    expect(await d.lead.refused("update_task", { task_id: id, title: "Late" })).toMatchObject({ code: "CONFLICT" });
  });

  it("B4: a worker that made a task does not take the claim of another away", async () => {
    const d = await desk();
    const parent = await d.task();
    await d.ada.does("claim_task", { task_id: parent.id });
    const child = await d.task({ parent_id: parent.id }, d.ada);
    await d.ada.does("update_task", { task_id: child.id, assignee: "bob" });
    await d.bob.does("claim_task", { task_id: child.id });
    expect(await d.ada.refused("update_task", { task_id: child.id, assignee: "ada" })).toMatchObject({
      code: "FORBIDDEN",
    });
    await d.ada.does("update_task", { task_id: child.id, title: "Clearer" });
    expect(await d.get(child.id)).toMatchObject({ title: "Clearer", assignee: "bob", status: "claimed" });
  });

  it("B3: a new priority or skill moves it in the order at once", async () => {
    const d = await desk();
    const [first, second] = [await d.task(), await d.task()];
    await d.lead.does("update_task", { task_id: second.id, priority: "high" });
    await d.lead.does("update_task", { task_id: first.id, skills: ["go"] });
    expect(taskOf(await d.ada.does("next_task")).id).toBe(second.id);
    expect((await d.ada.does("next_task")).task).toBeNull();
    await d.lead.does("update_task", { task_id: first.id, skills: [] });
    expect(taskOf(await d.ada.does("next_task")).id).toBe(first.id);
  });

  it("B9: dependencies that are all done make it ready", async () => {
    const d = await desk();
    const [first, second] = [await d.task(), await d.task()];
    await d.lead.does("update_task", { task_id: second.id, depends_on: [first.id] });
    expect(await d.get(second.id)).toMatchObject({ depends_on: [first.id], ready: false });
    await d.lead.does("update_task", { task_id: second.id, depends_on: [] });
    expect(await d.get(second.id)).toMatchObject({ depends_on: [], ready: true });
    await handIn(d.ada, first.id);
    await d.rita.does("review_task", { task_id: first.id, verdict: "approve" });
    await d.lead.does("update_task", { task_id: second.id, depends_on: [first.id] });
    expect(await d.get(second.id)).toMatchObject({ depends_on: [first.id], ready: true });
  });
});

describe("trees", () => {
  it("B6: cancelling takes all unfinished ones below along, counts itself, and leaves what is done", async () => {
    const d = await desk();
    const root = await d.task({ reviewer: "bob" });
    const kept = await d.task({ parent_id: root.id });
    const open = await d.task({ parent_id: root.id });
    const below = await d.task({ parent_id: open.id });
    await handIn(d.ada, kept.id);
    await d.rita.does("review_task", { task_id: kept.id, verdict: "approve" });
    await d.ada.does("claim_task", { task_id: below.id });
    const asked = await d.ada.does("request_approval", { title: "Deploy", task_id: below.id, wait_seconds: 0 });
    expect(await d.lead.does("cancel_task", { task_id: root.id, reason: "No longer wanted." })).toEqual({
      cancelled: 3,
    });
    for (const { id } of [root, open, below]) expect((await d.get(id)).status).toBe("cancelled");
    expect((await d.get(kept.id)).status).toBe("done");
    expect((await d.get(root.id)).notes).toMatchObject([{ by: "lena", on: "cancel", note: "No longer wanted." }]);
    const { gate } = await d.ada.does("get_gate", { gate_id: (asked.gate as Result).id });
    expect(gate).toMatchObject({ status: "withdrawn", reason: `task ${below.id} was cancelled` });
    expect(await d.lead.does("cancel_task", { task_id: root.id })).toEqual({ cancelled: 0 });
    expect(await d.lead.refused("cancel_task", { task_id: kept.id })).toMatchObject({ code: "CONFLICT" });
  });

  it("B6: its creator, its root's creator, leads and people cancel; nobody else", async () => {
    const d = await desk();
    const parent = await d.task();
    await d.ada.does("claim_task", { task_id: parent.id });
    const children = [];
    for (let i = 0; i < 4; i++) children.push((await d.task({ parent_id: parent.id }, d.ada)).id);
    const [a, b, c] = children;
    expect(await d.bob.refused("cancel_task", { task_id: a })).toMatchObject({ code: "FORBIDDEN" });
    await d.ada.does("cancel_task", { task_id: a });
    await d.lead.does("cancel_task", { task_id: b });
    await d.zoe.does("cancel_task", { task_id: c });
    expect(await d.ada.refused("cancel_task", { task_id: parent.id })).toMatchObject({ code: "FORBIDDEN" });
    expect(await d.get(parent.id)).toMatchObject({ open_children: 1 });
  });

  it("B6: the gates of a finished task are withdrawn", async () => {
    const d = await desk();
    const { id } = await d.task();
    await d.ada.does("claim_task", { task_id: id });
    const asked = await d.ada.does("wait_for_feedback", { question: "Blue?", task_id: id, wait_seconds: 0 });
    await d.ada.does("submit_result", { task_id: id, result: "r" });
    const gate_id = (asked.gate as Result).id;
    expect((await d.ada.does("get_gate", { gate_id })).gate).toMatchObject({ status: "pending" });
    await d.rita.does("review_task", { task_id: id, verdict: "approve" });
    expect((await d.ada.does("get_gate", { gate_id })).gate).toMatchObject({ status: "withdrawn" });
  });

  it("B9: a task whose dependency was cancelled says so, and the lead is asked", async () => {
    const d = await desk();
    const first = await d.task();
    const later = await d.task({ depends_on: [first.id] });
    await d.lead.does("cancel_task", { task_id: first.id });
    const { task, history } = await d.lead.does("get_task", { task_id: later.id });
    expect(task).toMatchObject({ ready: false, cancelled_dependencies: [first.id] });
    expect((task as Result).advice).toContain("ask a lead");
    expect(history).toContainEqual(
      expect.objectContaining({
        action: "task.updated",
        to: "lena",
        data: { status: "open", cancelled_dependencies: [first.id] },
      }),
    );
    expect(await d.ada.refused("claim_task", { task_id: later.id })).toMatchObject({ code: "NOT_READY" });
    expect(taskOf(await d.lead.does("update_task", { task_id: later.id, depends_on: [] }))).toMatchObject({
      ready: true,
    });
  });

  it("B6: task_tree shows a task with all under it, and its root's budget", async () => {
    const d = await desk();
    const root = await d.task({ budget_tasks: 7, budget_depth: 3 });
    const child = await d.task({ parent_id: root.id });
    const below = await d.task({ parent_id: child.id });
    const { tree, budget } = await d.ada.does("task_tree", { task_id: root.id });
    expect(tree).toMatchObject({
      id: root.id,
      ready: false,
      children: [{ id: child.id, children: [{ id: below.id, ready: true, children: [] }] }],
    });
    expect(budget).toEqual({ tasks: 7, used: 2, depth: 3 });
    expect((await d.ada.does("task_tree", { task_id: child.id })).tree).toMatchObject({
      id: child.id,
      children: [{ id: below.id }],
    });
  });
});

describe("listing", () => {
  it("M6: words of others are marked as data", async () => {
    const d = await desk();
    await d.task();
    for (const [name, args] of [
      ["list_tasks", {}],
      ["get_task", { task_id: 1 }],
      ["task_tree", { task_id: 1 }],
      ["next_task", {}],
    ] as const)
      expect(await d.ada.does(name, args)).toHaveProperty("untrusted_content_warning");
    expect(await d.bob.does("next_task")).not.toHaveProperty("untrusted_content_warning");
  });
});
