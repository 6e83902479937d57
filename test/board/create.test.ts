import { describe, expect, it } from "vitest";
import { desk, handIn, taskOf } from "./desk.ts";

describe("making tasks", () => {
  it("B1: a task made by the lead has all the fields of the contract", async () => {
    const d = await desk();
    const task = await d.task({
      title: "Write the parser",
      description: "With tests.",
      skills: ["TypeScript", "typescript", "parsing"],
      priority: "high",
      reviewer: "rita",
      refs: ["src/parse.ts"],
    });
    expect(task).toMatchObject({
      id: 1,
      title: "Write the parser",
      description: "With tests.",
      status: "open",
      ready: true,
      blocked: false,
      priority: "high",
      skills: ["TypeScript", "parsing"],
      assignee: null,
      creator: "lena",
      reviewer: "rita",
      parent_id: null,
      depends_on: [],
      refs: ["src/parse.ts"],
      rounds: [],
    });
    expect(task.created_at).toBe("2026-01-05T09:00:00.000Z");
    expect(task).not.toHaveProperty("lease_until");
    expect((await d.task()).id).toBe(2);
    expect(await d.history(1)).toEqual(["task.created"]);
  });

  it("B1: a worker makes tasks only under one that it has claimed", async () => {
    const d = await desk();
    const parent = await d.task();
    expect(await d.ada.refused("create_task", { title: "x" })).toMatchObject({ code: "FORBIDDEN" });
    expect(await d.ada.refused("create_task", { title: "x", parent_id: parent.id })).toMatchObject({
      code: "FORBIDDEN",
    });
    await d.ada.does("claim_task", { task_id: parent.id });
    const child = await d.task({ parent_id: parent.id, title: "A part" }, d.ada);
    expect(child).toMatchObject({ creator: "ada", parent_id: parent.id });
    expect(await d.bob.refused("create_task", { title: "x", parent_id: parent.id })).toMatchObject({
      code: "FORBIDDEN",
    });
    // The refused ones took no number.
    expect(child.id).toBe(parent.id + 1);
  });

  it("B1: a person makes tasks; a viewer, an observer and a reviewer do not", async () => {
    const d = await desk();
    expect((await d.task({}, d.zoe)).creator).toBe("zoe");
    for (const role of ["viewer", "observer", "reviewer"]) {
      const guest = await d.guest(`the ${role}`, { role });
      expect(await guest.refused("create_task", { title: "x" })).toMatchObject({ code: "FORBIDDEN" });
    }
  });

  it("B1: nothing is added under a submitted or final task", async () => {
    const d = await desk();
    const { id } = await d.task();
    await handIn(d.ada, id);
    expect(await d.lead.refused("create_task", { title: "x", parent_id: id })).toMatchObject({ code: "CONFLICT" });
    await d.rita.does("review_task", { task_id: id, verdict: "approve" });
    expect(await d.lead.refused("create_task", { title: "x", parent_id: id })).toMatchObject({ code: "CONFLICT" });
    const other = await d.task();
    await d.lead.does("cancel_task", { task_id: other.id });
    expect(await d.lead.refused("create_task", { title: "x", parent_id: other.id })).toMatchObject({
      code: "CONFLICT",
    });
    expect(await d.lead.refused("create_task", { title: "x", parent_id: 99 })).toMatchObject({ code: "NOT_FOUND" });
  });

  it("B1: the same key gives the same task as it stands now, another call with it is refused", async () => {
    const d = await desk();
    const first = await d.task({ title: "Once", key: "k" });
    await d.ada.does("claim_task", { task_id: first.id });
    const again = await d.task({ title: "Once", key: "k" });
    expect(again).toMatchObject({ id: first.id, status: "claimed", assignee: "ada" });
    expect(await d.lead.refused("create_task", { title: "Other", key: "k" })).toMatchObject({ code: "KEY_REUSED" });
    // Keys are a member's own.
    expect((await d.task({ title: "Other", key: "k" }, d.zoe)).id).toBe(first.id + 1);
    expect((await d.lead.does("list_tasks")).tasks).toHaveLength(2);
  });

  it("B2: nobody is made the assignee who could not claim it", async () => {
    const d = await desk();
    const give = (fields: Record<string, unknown>) => d.lead.refused("create_task", { title: "x", ...fields });
    expect(await give({ assignee: "nobody-here" })).toMatchObject({ code: "INVALID_TARGET" });
    expect(await give({ assignee: "rita" })).toMatchObject({ code: "INVALID_TARGET" });
    expect(await give({ assignee: "ada", reviewer: "ada" })).toMatchObject({ code: "INVALID_TARGET" });
    expect(await give({ assignee: "ada", skills: ["rust"] })).toMatchObject({
      code: "INVALID_TARGET",
      facts: { missing: ["rust"] },
    });
    const olga = await d.guest("olga", { role: "observer" });
    expect(await give({ reviewer: olga.name })).toMatchObject({ code: "INVALID_TARGET" });
    expect(await d.task({ assignee: "zoe" })).toMatchObject({ assignee: "zoe", status: "open" });
  });

  it("B9: dependencies exist, are not cancelled, and form no circle, children counted", async () => {
    const d = await desk();
    const a = await d.task();
    const b = await d.task({ depends_on: [a.id, a.id] });
    expect(b).toMatchObject({ depends_on: [a.id], ready: false });
    const circle = await d.lead.refused("update_task", { task_id: a.id, depends_on: [b.id] });
    expect(circle).toMatchObject({ code: "CONFLICT", facts: { circle: a.id } });
    expect(await d.lead.refused("update_task", { task_id: a.id, depends_on: [a.id] })).toMatchObject({
      code: "CONFLICT",
    });
    // A child cannot wait for its ancestor, nor for what waits for that.
    const child = { title: "child", parent_id: a.id };
    expect(await d.lead.refused("create_task", { ...child, depends_on: [a.id] })).toMatchObject({ code: "CONFLICT" });
    expect(await d.lead.refused("create_task", { ...child, depends_on: [b.id] })).toMatchObject({ code: "CONFLICT" });
    const c = await d.task({ parent_id: a.id });
    const grandchild = await d.task({ parent_id: c.id });
    for (const on of [a.id, b.id, c.id])
      expect(await d.lead.refused("update_task", { task_id: grandchild.id, depends_on: [on] })).toMatchObject({
        code: "CONFLICT",
      });
    // A parent may name its own child: it waits for it anyway.
    expect(taskOf(await d.lead.does("update_task", { task_id: a.id, depends_on: [c.id] }))).toMatchObject({
      depends_on: [c.id],
    });
    expect(await d.lead.refused("create_task", { title: "x", depends_on: [77] })).toMatchObject({
      code: "NOT_FOUND",
      facts: { unknown: [77] },
    });
    await d.lead.does("cancel_task", { task_id: b.id });
    expect(await d.lead.refused("create_task", { title: "x", depends_on: [b.id] })).toMatchObject({ code: "CONFLICT" });
  });

  it("B10: what is too long is refused and never cut; characters are code points", async () => {
    const d = await desk();
    const emoji = "😀";
    expect((await d.task({ title: emoji.repeat(200) })).title).toBe(emoji.repeat(200));
    for (const fields of [
      { title: "x".repeat(201) },
      { title: "two\nlines" },
      { title: " " },
      { description: "x".repeat(8001) },
      { skills: ["x".repeat(101)] },
      { skills: Array.from({ length: 11 }, (_, i) => `s${i}`) },
      { refs: ["x".repeat(301)] },
      { refs: Array.from({ length: 21 }, (_, i) => `r${i}`) },
      { priority: "urgent" },
      { parent: 1 },
      { budget_tasks: 501 },
      { budget_depth: 21 },
    ])
      expect(await d.lead.refused("create_task", { title: "x", ...fields })).toMatchObject({ code: "BAD_INPUT" });
    expect(await d.lead.refused("list_tasks", { limit: 101 })).toMatchObject({ code: "BAD_INPUT" });
    expect(await d.lead.refused("list_tasks", { limit: 0 })).toMatchObject({ code: "BAD_INPUT" });
  });
});

describe("budgets", () => {
  const child = (parent_id: number) => ({ title: "child", parent_id });

  it("B7: a request may make as many tasks as its root says; the root is not counted", async () => {
    const d = await desk();
    const root = await d.task({ budget_tasks: 2 });
    await d.task(child(root.id));
    await d.task(child(root.id));
    const spent = await d.lead.refused("create_task", child(root.id));
    expect(spent).toMatchObject({ code: "BUDGET_SPENT", facts: { budget: { tasks: 2, used: 2, depth: 4 } } });
    expect((await d.lead.does("task_tree", { task_id: root.id })).budget).toEqual({ tasks: 2, used: 2, depth: 4 });
  });

  it("B7: forty tasks and four levels are usual", async () => {
    const d = await desk();
    const root = await d.task();
    let parent = root.id;
    for (let level = 1; level <= 4; level++) parent = (await d.task(child(parent))).id;
    expect(await d.lead.refused("create_task", child(parent))).toMatchObject({ code: "BUDGET_SPENT" });
    for (let made = 4; made < 40; made++) await d.task(child(root.id));
    expect(await d.lead.refused("create_task", child(root.id))).toMatchObject({ code: "BUDGET_SPENT" });
    expect(await d.lead.refused("create_task", { ...child(root.id), budget_tasks: 50 })).toMatchObject({
      code: "BAD_INPUT",
    });
  });

  it("B7: cancelled and never claimed gives the place back, at most three times the budget are ever made", async () => {
    const d = await desk();
    const root = await d.task({ budget_tasks: 1 });
    const claimed = await d.task(child(root.id));
    for (let made = 1; made < 3; made++) {
      const all = (await d.lead.does("list_tasks", { parent_id: root.id, status: "open" })).tasks as { id: number }[];
      for (const { id } of all) await d.lead.does("cancel_task", { task_id: id });
      await d.task(child(root.id));
    }
    const last = (await d.lead.does("list_tasks", { parent_id: root.id, status: "open" })).tasks as { id: number }[];
    await d.lead.does("cancel_task", { task_id: last[0]?.id });
    const spent = await d.lead.refused("create_task", child(root.id));
    expect(spent).toMatchObject({ code: "BUDGET_SPENT", facts: { budget: { used: 0, made: 3 } } });
    expect(claimed.id).toBe(root.id + 1);
  });

  it("B7: what was claimed and then cancelled stays spent", async () => {
    const d = await desk();
    const root = await d.task({ budget_tasks: 1 });
    const { id } = await d.task(child(root.id));
    await d.ada.does("claim_task", { task_id: id });
    await d.ada.does("release_task", { task_id: id });
    await d.lead.does("cancel_task", { task_id: id });
    expect(await d.lead.refused("create_task", child(root.id))).toMatchObject({ code: "BUDGET_SPENT" });
  });
});

describe("size", () => {
  it("B8: a task is at most 5 % of the context of who is to do it, looked at when made, assigned and claimed", async () => {
    const d = await desk();
    // 1,000 tokens of context: 50 of them are 150 characters.
    const tim = await d.guest("tim", { context_tokens: 1000 });
    const words = (n: number) => ({ title: "Title", description: "x".repeat(n - 5 - 4), refs: ["refs"] });
    const big = await d.task(words(151));
    expect(await tim.refused("claim_task", { task_id: big.id })).toMatchObject({
      code: "TOO_BIG_FOR_ASSIGNEE",
      facts: { at_most: 50, tokens: 51 },
    });
    expect(await d.lead.refused("create_task", { ...words(151), assignee: "tim" })).toMatchObject({
      code: "TOO_BIG_FOR_ASSIGNEE",
    });
    expect(await d.lead.refused("update_task", { task_id: big.id, assignee: "tim" })).toMatchObject({
      code: "TOO_BIG_FOR_ASSIGNEE",
    });
    expect((await tim.does("next_task")).task).toBeNull();
    expect((await tim.does("list_tasks", { claimable_by_me: true })).tasks).toEqual([]);
    const fits = await d.task({ ...words(150), assignee: "tim" });
    expect(taskOf(await tim.does("next_task")).id).toBe(fits.id);
    expect(await d.lead.refused("update_task", { task_id: fits.id, description: "x".repeat(500) })).toMatchObject({
      code: "TOO_BIG_FOR_ASSIGNEE",
    });
    expect(taskOf(await d.ada.does("claim_task", { task_id: big.id })).assignee).toBe("ada");
  });
});
