import { describe, expect, it } from "vitest";
import type { Result } from "../../src/action.ts";
import { lapsesAt } from "../../src/board/lease.ts";
import { settled } from "../table.ts";
import { desk, taskOf } from "./desk.ts";

const minutes = (n: number) => n * 60_000;

describe("how long a claim lasts, purely", () => {
  const claim = { lease_until: minutes(30), lease_ms: minutes(30) };
  const silent = { status: "working" as const, seen_at: 0, waits_until: null, asks: false, answered_at: null };
  it("B4: as long as its lease, from the last sign of life", () => {
    expect(lapsesAt(claim, silent, minutes(31))).toBe(minutes(30));
    expect(lapsesAt(claim, { ...silent, seen_at: minutes(10) }, minutes(31))).toBe(minutes(40));
    expect(lapsesAt(claim, { ...silent, waits_until: minutes(50) }, minutes(31))).toBe(minutes(61));
    expect(lapsesAt({ lease_until: null, lease_ms: null }, silent, minutes(31))).toBeNull();
  });
  it("G12: a gate that waits shields it, until 30 minutes after its answer, at most a day after the last call", () => {
    expect(lapsesAt(claim, { ...silent, asks: true }, minutes(100))).toBe(minutes(130));
    expect(lapsesAt(claim, { ...silent, answered_at: minutes(90) }, minutes(100))).toBe(minutes(120));
    expect(lapsesAt(claim, { ...silent, asks: true }, minutes(24 * 60 + 5))).toBe(minutes(24 * 60));
  });
});

describe("leases", () => {
  it("B4: an agent's claim is a lease of 1,800 s; a person's never lapses", async () => {
    const d = await desk();
    const [first, second] = [await d.task(), await d.task()];
    expect(taskOf(await d.ada.does("claim_task", { task_id: first.id })).lease_until).toBe("2026-01-05T09:30:00.000Z");
    expect(taskOf(await d.zoe.does("claim_task", { task_id: second.id }))).not.toHaveProperty("lease_until");
    await d.clock.tick(1_799_000);
    expect(await d.get(first.id)).toMatchObject({ status: "claimed", assignee: "ada" });
    await d.clock.tick(1000);
    expect(await d.get(first.id)).toMatchObject({ status: "open", assignee: null });
    expect(await d.get(second.id)).toMatchObject({ status: "claimed", assignee: "zoe" });
    const { history } = await d.bob.does("get_task", { task_id: first.id });
    expect(history).toContainEqual(
      expect.objectContaining({
        action: "task.lapsed",
        member: null,
        to: "lena",
        data: { status: "open", assignee: "ada" },
      }),
    );
  });

  it("B4: anything that the holder does renews it", async () => {
    const d = await desk();
    const { id } = await d.task();
    await d.ada.does("claim_task", { task_id: id });
    await d.clock.tick(minutes(29));
    await d.ada.does("list_members");
    expect((await d.get(id)).lease_until).toBe("2026-01-05T09:59:00.000Z");
    await d.clock.tick(minutes(29));
    expect(await d.get(id)).toMatchObject({ status: "claimed", assignee: "ada" });
    await d.clock.tick(minutes(1));
    expect(await d.get(id)).toMatchObject({ status: "open", assignee: null });
  });

  it("B4: every reader sees the lapse, and who waits for a task gets it the moment it lapses", async () => {
    const d = await desk();
    const { id } = await d.task();
    await d.ada.does("claim_task", { task_id: id });
    await d.clock.tick(minutes(29));
    const waiting = d.bob.does("next_task", { wait_seconds: 600 }, { longest: 600 });
    await settled();
    await d.clock.tick(minutes(1));
    expect(taskOf(await waiting)).toMatchObject({ id, assignee: "bob" });
    expect(await d.history(id)).toEqual(["task.created", "task.claimed", "task.lapsed", "task.claimed"]);
    await d.clock.tick(minutes(31));
    expect((await d.lead.does("list_tasks", { status: "claimed" })).tasks).toEqual([]);
  });

  it("B4: what comes late is taken while nobody has claimed since", async () => {
    const d = await desk();
    const [first, second, third] = [await d.task(), await d.task(), await d.task()];
    for (const { id } of [first, second, third]) await d.ada.does("claim_task", { task_id: id });
    await d.clock.tick(minutes(31));
    expect((await d.get(first.id)).status).toBe("open");
    const late = taskOf(await d.ada.does("submit_result", { task_id: first.id, result: "late but whole" }));
    expect(late).toMatchObject({ status: "submitted", assignee: "ada", result: "late but whole" });
    expect(await d.history(first.id)).toEqual(
      ["created", "claimed", "lapsed", "claimed", "submitted"].map((did) => `task.${did}`),
    );
    await d.bob.does("claim_task", { task_id: second.id });
    const refused = await d.ada.refused("submit_result", { task_id: second.id, result: "too late" });
    expect(refused).toMatchObject({ code: "NOT_ASSIGNEE", facts: { assignee: "bob" } });
    await d.bob.does("release_task", { task_id: second.id });
    expect(await d.ada.refused("submit_result", { task_id: second.id, result: "too late" })).toMatchObject({
      code: "NOT_ASSIGNEE",
    });
    await d.lead.does("update_task", { task_id: third.id, assignee: "bob" });
    expect(await d.ada.refused("submit_result", { task_id: third.id, result: "too late" })).toMatchObject({
      code: "NOT_ASSIGNEE",
    });
  });

  it("G12: a gate that waits shields the claims of who asked, until 30 minutes after the answer", async () => {
    const d = await desk();
    const { id } = await d.task();
    await d.ada.does("claim_task", { task_id: id });
    const { gate } = await d.ada.does("request_approval", { title: "Deploy", wait_seconds: 0 });
    await d.clock.tick(minutes(180));
    expect(await d.get(id)).toMatchObject({ status: "claimed", assignee: "ada" });
    await d.zoe.does("decide_gate", { gate_id: (gate as Result).id, decision: "approve" });
    await d.clock.tick(minutes(29));
    expect(await d.get(id)).toMatchObject({ status: "claimed", assignee: "ada" });
    await d.clock.tick(minutes(1));
    expect(await d.get(id)).toMatchObject({ status: "open", assignee: null });
  });

  it("G12: no gate shields a claim for more than a day after the last call", async () => {
    const d = await desk();
    const { id } = await d.task();
    await d.ada.does("claim_task", { task_id: id });
    await d.ada.does("report_blocker", { title: "No access", wait_seconds: 0 });
    for (let hour = 1; hour < 24; hour++) {
      await d.clock.tick(minutes(60));
      expect(await d.get(id)).toMatchObject({ status: "claimed" });
    }
    await d.clock.tick(minutes(60));
    expect(await d.get(id)).toMatchObject({ status: "open" });
  });
});
