// Two clocks: the wall clock may be set at any moment; how long a call holds is counted by one that nobody sets.
import { describe, expect, it, onTestFinished } from "vitest";
import { ask } from "../../src/client/wait.ts";
import { type Clock, sleepUntil, wallClock } from "../../src/clock.ts";
import { keepTime } from "../../src/clockwork.ts";
import { openTable, type Table } from "../../src/table.ts";
import { inMemory } from "../setup/stores.ts";
import { found, gateOf, listening, ask as question, stage } from "../stage.ts";
import { handClock, play, report, settings, settled } from "../table.ts";

const hour = 3_600_000;

/** Real timers, and a wall clock that can be set. */
function settable(): Clock & { set(by: number): void } {
  let off = 0;
  return {
    ...wallClock,
    now: () => Date.now() + off,
    set(by) {
      off += by;
    },
  };
}

async function real() {
  const { store, remove } = await inMemory.make();
  onTestFinished(remove);
  const clock = settable();
  const p = play(store, { ...clock, tick: async () => {}, jump: clock.set });
  return { ...p, ada: await p.guest("ada"), zoe: await p.guest("zoe", { role: "approver" }) };
}

describe("with real timers", () => {
  it.each([-hour, hour])("G5: a wait of 1 s ends after 1 s though the wall clock is set by %i ms", async (by) => {
    const { ada, clock } = await real();
    const began = performance.now();
    const waits = [
      ada.does("wait_for_feedback", { question: "Which?", timeout_seconds: 7200, wait_seconds: 1 }),
      ada.does("next_task", { wait_seconds: 1 }),
      ada.does("wait_for_message", { wait_seconds: 1 }),
    ];
    await new Promise((resolve) => wallClock.after(300, () => resolve(null)));
    clock.jump(by);
    const [asked, task, message] = await Promise.all(waits);
    expect(performance.now() - began).toBeLessThan(5000);
    expect(gateOf(asked ?? {})).toMatchObject({ status: "pending" });
    expect(task).toMatchObject({ task: null });
    expect(message).toMatchObject({ waiting: true });
  });

  it("G5: a command that waits for an approval gives up in its time though the wall clock goes back", async () => {
    const clock = settable();
    const away = { url: "http://127.0.0.1:9", call: async () => ({ unreachable: "it is down" }) };
    const began = performance.now();
    const asking = ask(
      away as unknown as Parameters<typeof ask>[0],
      clock,
      { title: "Deploy", action: {}, key: "k", timeout_seconds: 60 },
      { knock: 700, patience: 700, signal: new AbortController().signal, leaving: "" },
    );
    clock.set(-hour);
    expect(await asking).toEqual({ unreachable: "it is down" });
    expect(performance.now() - began).toBeLessThan(5000);
  });
});

it("G5: a sleep until a time of the wall clock looks at it again within a minute", () => {
  const clock = handClock();
  expect(sleepUntil(clock, null)).toBeNull();
  expect(sleepUntil(clock, clock.now() + 1000)).toBe(1000);
  expect(sleepUntil(clock, clock.now() - 1000)).toBe(0);
  expect(sleepUntil(clock, clock.now() + hour)).toBe(60_000);
});

describe("on a clock turned by hand", () => {
  it("G3: a gate whose time is over after the wall clock was set on ends its wait within a second", async () => {
    const p = await stage(inMemory.make);
    const ada = await p.guest("ada");
    onTestFinished(keepTime(p.table));
    const waits = ada.does("wait_for_feedback", { question: "Which?", timeout_seconds: 1800, wait_seconds: 45 });
    await listening(p, 2);
    p.clock.jump(hour);
    await p.clock.tick(1000);
    expect(gateOf(await waits)).toMatchObject({ status: "expired" });
  });

  it("M4: a wait that ended or whose process died keeps nobody present", async () => {
    const p = await stage(inMemory.make);
    const ada = await p.guest("ada");
    const lead = await p.guest("lena", { role: "lead" });
    const gate = await question(ada, "request_approval", { title: "Deploy" });
    const state = async () => {
      const { members } = await lead.does("list_members");
      return (members as Array<{ name: string; last_seen?: string }>).find(({ name }) => name === "ada");
    };
    const ahead = async () => {
      const [row] = await p.table.store.read((db) =>
        db.selectFrom("members").select("waits_until").where("name", "=", "ada").execute(),
      );
      return (row?.waits_until ?? 0) - p.clock.now();
    };
    const gone = new AbortController();
    const waits = ada.does(
      "wait_for_gate",
      { gate_id: gate.id, wait_seconds: 600 },
      { longest: 600, signal: gone.signal },
    );
    await listening(p, 2);
    // As long as it lasts it is announced again and again, never further ahead than 45 s.
    for (let n = 0; n < 30; n++) {
      await p.clock.tick(10_000);
      const left = await found(async () => ((await ahead()) > 0 ? ahead() : undefined));
      expect(left).toBeLessThanOrEqual(45_000);
    }
    gone.abort();
    await waits;
    expect(await ahead()).toBeLessThanOrEqual(0);
    expect(await state()).toBeDefined();
    await settled();
  });

  it("T1: a room that cannot be settled is reported once, and holds up no other", async () => {
    const p = await stage(inMemory.make);
    const heard: string[] = [];
    for (const room of ["aaa", "bbb"]) await p.operator.does("create_room", { room, title: room });
    const broken: Table["write"] = (caller, room, ...rest) =>
      room === "aaa" ? Promise.reject(new Error("broken")) : p.table.write(caller, room, ...rest);
    for (const room of ["aaa", "bbb"]) {
      const asker = await p.guest(`asker-${room}`, { room });
      await question(asker, "wait_for_feedback", { question: "Which?", timeout_seconds: 2, wait_seconds: 0, room });
    }
    const stop = keepTime({ ...p.table, write: broken, report: (error, what) => void heard.push(`${what} ${error}`) });
    onTestFinished(stop);
    const status = async (room: string) =>
      (await p.table.store.read((db) => db.selectFrom("gates").select("status").where("room", "=", room).execute()))[0]
        ?.status;
    for (let n = 0; n < 6; n++) await p.clock.tick(1000);
    await found(async () => ((await status("bbb")) === "expired" ? true : undefined));
    expect(await status("aaa")).toBe("pending");
    expect(heard).toEqual([expect.stringContaining("Settling what is due in aaa failed")]);
  });
});

it("T1: a store that cannot be read is reported once for each outage", async () => {
  const { store, remove } = await inMemory.make();
  onTestFinished(remove);
  const heard: string[] = [];
  let hint = () => {};
  const table = openTable(
    {
      ...store,
      read: () => Promise.reject(new Error("no disk")),
      onHint(listener) {
        hint = listener;
        return () => {};
      },
    },
    handClock(),
    settings,
    (error, what) => {
      heard.push(`${what} ${error}`);
      report(error, "as meant:");
    },
  );
  hint();
  await found(() => (heard.length > 0 ? true : undefined));
  hint();
  await settled();
  expect(heard).toEqual([expect.stringContaining("no disk")]);
  await table.ring.close();
});
