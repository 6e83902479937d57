import { expect, it } from "vitest";
import { standStill } from "../../src/board/downtime.ts";
import {
  boardSnapshot,
  dependentsOf,
  reviewsFor,
  taskCounts,
  taskRecords,
  tasksOfMember,
  tasksOfRoom,
} from "../../src/board/view.ts";
import { eachStore } from "../setup/stores.ts";
import { desk, handIn } from "./desk.ts";

const minutes = (n: number) => n * 60_000;

eachStore((maker) => {
  it("B10: lists whole records in pages, filtered by state, assignee, parent and words", async () => {
    const d = await desk(maker);
    const parent = await d.task({ title: "100% of the Parser" });
    for (let i = 0; i < 4; i++) await d.task({ parent_id: parent.id, description: "Über_fluss" });
    await d.ada.does("claim_task", { task_id: 2 });
    const ids = async (args: Record<string, unknown>) => {
      const { tasks, next_cursor } = await d.bob.does("list_tasks", args);
      return [(tasks as Array<{ id: number }>).map(({ id }) => id), next_cursor];
    };
    expect(await ids({})).toEqual([[1, 2, 3, 4, 5], undefined]);
    expect(await ids({ limit: 2 })).toEqual([[1, 2], "2"]);
    expect(await ids({ limit: 3, cursor: "2" })).toEqual([[3, 4, 5], undefined]);
    expect(await ids({ status: "claimed" })).toEqual([[2], undefined]);
    expect(await ids({ assignee: "ada" })).toEqual([[2], undefined]);
    expect(await ids({ parent_id: 1, status: "open" })).toEqual([[3, 4, 5], undefined]);
    expect(await ids({ text: "PARSER" })).toEqual([[1], undefined]);
    expect(await ids({ text: "100%" })).toEqual([[1], undefined]);
    expect(await ids({ text: "0_ of" })).toEqual([[], undefined]);
    expect(await ids({ text: "Über_" })).toEqual([[2, 3, 4, 5], undefined]);
    expect(await d.bob.refused("list_tasks", { cursor: "page two" })).toMatchObject({ code: "BAD_INPUT" });
    expect(await d.bob.refused("list_tasks", { claimable_by_me: true, status: "open" })).toMatchObject({
      code: "BAD_INPUT",
    });
  });

  it("M4: leases stand still while the server is down", async () => {
    const d = await desk(maker);
    const [first, second] = [await d.task(), await d.task()];
    await d.ada.does("claim_task", { task_id: first.id });
    await d.clock.tick(minutes(10));
    await d.bob.does("claim_task", { task_id: second.id });
    d.clock.jump(minutes(600));
    await standStill(d.table.store, d.clock.now());
    expect(await d.get(first.id)).toMatchObject({ status: "claimed", lease_until: "2026-01-05T19:30:00.000Z" });
    await d.clock.tick(minutes(20));
    expect(await d.get(first.id)).toMatchObject({ status: "open" });
    await d.clock.tick(minutes(9));
    expect(await d.get(second.id)).toMatchObject({ status: "claimed" });
    await d.clock.tick(minutes(1));
    expect(await d.get(second.id)).toMatchObject({ status: "open" });
  });

  it("M5: what the rest of the house sees of the board", async () => {
    const d = await desk(maker);
    const parent = await d.task();
    const child = await d.task({ parent_id: parent.id, reviewer: "bob" });
    const later = await d.task({ depends_on: [child.id] });
    const gone = await d.task();
    await d.lead.does("cancel_task", { task_id: gone.id });
    await handIn(d.ada, child.id);
    const other = await d.task();
    await d.ada.does("claim_task", { task_id: other.id });
    await d.ada.does("report_blocker", { title: "Stuck", task_id: other.id, wait_seconds: 0 });
    const now = d.clock.now();
    const seen = await d.table.store.read(async (db) => ({
      ids: (await boardSnapshot(db, "main", now)).map(({ id }) => id),
      counts: await taskCounts(db, "main"),
      around: (await dependentsOf(db, "main", [child.id])).sort(),
      claimed: await tasksOfRoom(db, "main"),
      mine: await tasksOfMember(db, "ada"),
      reviews: await reviewsFor(db, "bob"),
      records: await taskRecords(db, "main", [other.id, 99], now),
      none: await taskRecords(db, "main", [], now),
    }));
    expect(seen.ids).toEqual([parent.id, child.id, later.id, other.id, gone.id]);
    expect(seen.counts).toEqual({ open: 2, claimed: 1, submitted: 1, done: 0, cancelled: 1 });
    expect(seen.around).toEqual([parent.id, later.id]);
    expect(seen.claimed).toEqual([{ id: other.id, title: "Something", status: "claimed", assignee: "ada" }]);
    expect(seen.mine).toEqual([{ room: "main", id: other.id, title: "Something", status: "claimed", from: "lena" }]);
    expect(seen.reviews).toEqual([{ room: "main", task_id: child.id }]);
    expect(seen.records).toMatchObject([{ id: other.id, blocked: true, lease_until: "2026-01-05T09:30:00.000Z" }]);
    expect(seen.none).toEqual([]);
  });
});
