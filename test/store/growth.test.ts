// A call reads as many rows in a small and new store as in a large and old one. SQLite does not say how many rows it has
// looked at, so this counts what it answered; that it looks at no others is what plans.test.ts holds.
import { expect, it } from "vitest";
import { publicStatus } from "../../src/edges/status.ts";
import { roomsFor, snapshotOf } from "../../src/stream/snapshot.ts";
import { inMemory } from "../setup/stores.ts";
import { ask, head, stage } from "../stage.ts";
import { moreTasks, oldFloors, oldGates } from "./growth/old.ts";
import { cast } from "./growth/scenario.ts";
import { spy } from "./growth/spy.ts";

const small = { gates: 100, channels: 30, tasks: 1000 };
const large = { gates: 50_000, channels: 2000, tasks: 200_000 };

it("W1: a call reads the same number of rows however many gates, channels and tasks there are", async () => {
  const heard = spy();
  const p = await stage(inMemory.make);
  const { store } = p.table;
  const { lea, ada, bob, zoe } = await cast(p);
  const asked = await ask(ada, "request_approval", { title: "Deploy", key: "k" });
  await zoe.does("decide_gate", { gate_id: asked.id, decision: "approve" });
  await ada.does("whoami");
  await ada.does("whoami");
  await lea.does("open_floor", { channel: "side", seats: ["ada", "bob"] });
  await ada.does("say", { channel: "side", text: "Something", then: "pass" });
  await lea.does("close_floor", { channel: "side" });
  await lea.does("open_floor", { seats: ["ada", "bob"] });
  for (const title of ["First", "Second", "Third"]) await lea.does("create_task", { title });
  await bob.does("claim_task", { task_id: 1 });

  async function rowsOf(work: () => Promise<unknown>): Promise<number> {
    heard.take();
    await work();
    return heard.take().reduce((sum, { rows }) => sum + rows, 0);
  }
  const look = (task: number) => ({
    whoami: () => ada.does("whoami"),
    say: () => ada.does("say", { text: "Words", then: "nobody" }),
    list_gates: () => ada.does("list_gates", { status: "pending" }),
    report_blocker: () => ada.does("report_blocker", { title: "Stuck", wait_seconds: 0 }),
    list_members: () => ada.does("list_members"),
    get_task: () => ada.does("get_task", { task_id: 1 }),
    list_tasks: () => ada.does("list_tasks", { assignee: "bob" }),
    text: () => ada.does("list_tasks", { text: "third" }),
    claim_task: () => ada.does("claim_task", { task_id: task }),
    update_task: () => lea.does("update_task", { task_id: task, title: "Another" }),
    release_task: () => ada.does("release_task", { task_id: task }),
    create_task: () => lea.does("create_task", { title: "New" }),
    snapshot: () => store.read((db) => snapshotOf(db, "main", zoe.caller, p.clock.now())),
    rooms: () => store.read((db) => roomsFor(db, zoe.caller, p.clock.now())),
    status: () => publicStatus(p.table),
    stop_all: () => zoe.does("stop_all"),
    resume_all: () => zoe.does("resume_all"),
  });
  async function measured(task: number): Promise<Record<string, number>> {
    // Warm: what is asked the first time only, as a sign of life.
    await ada.does("whoami");
    await lea.does("whoami");
    const seen: Record<string, number> = {};
    for (const [name, work] of Object.entries(look(task))) seen[name] = await rowsOf(work);
    const gates = (await ada.does("list_gates", { mine: true, status: "pending" })).gates as Array<{ id: string }>;
    for (const { id } of gates) await ada.does("withdraw_gate", { gate_id: id });
    for (let n = 0; n < 3; n++) await ada.does("whoami");
    return seen;
  }
  const grow = async (from: typeof small, to: typeof small, after: number) => {
    const old = { acknowledged_at: 1, decided_at: 1, asked_at: 1 };
    await oldGates(store, asked.id, to.gates - from.gates, old, from.gates);
    await oldFloors(store, "side", "ada", to.channels - from.channels, from.channels);
    await moreTasks(store, 3, after, to.tasks - from.tasks);
  };
  await grow({ gates: 0, channels: 0, tasks: 0 }, small, 1000);
  // Until the newest facts and gates that a dashboard gets are as many as they ever are.
  while ((await head(p)) < 300) await measured(2);
  const before = await measured(2);
  await grow(small, large, 10_000);
  const now = await measured(2);
  expect(now).toEqual(before);
  const total = Object.values(now).reduce((sum, rows) => sum + rows, 0);
  expect(total, "rows of all these calls together").toBeLessThan(4000);
}, 60_000);
