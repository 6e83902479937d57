// Many channels in one room: how many may be open, and what is shown of those that ended.
import { expect, it } from "vitest";
import { roomsFor, snapshotOf } from "../../src/stream/snapshot.ts";
import { inMemory } from "../setup/stores.ts";
import { stage } from "../stage.ts";

const { make } = inMemory;

it("R16: a room has at most 100 floors that are not closed, and one that is closed makes place", async () => {
  const p = await stage(make);
  const lea = await p.guest("lea", { role: "lead" });
  const open = (channel: string) => lea.does("open_floor", { channel, seats: ["lea"] });
  for (let n = 0; n < 100; n++) await open(`c${n}`);
  const refusal = await lea.refused("open_floor", { channel: "one more", seats: ["lea"] });
  expect(refusal).toMatchObject({ code: "CONFLICT", facts: { next: { call: "close_floor" } } });
  expect(refusal.message).toContain("100");
  // What is open already may be changed, and paused floors count.
  await open("c7");
  await lea.does("pause_floor", { channel: "c8" });
  expect((await lea.refused("open_floor", { channel: "one more", seats: ["lea"] })).code).toBe("CONFLICT");
  await lea.does("close_floor", { channel: "c9" });
  await open("one more");
  expect((await lea.refused("open_floor", { channel: "c9", seats: ["lea"] })).code).toBe("CONFLICT");
});

it("R16: a dashboard gets the floors that are not closed and the 20 closed last; any other is read when asked for", async () => {
  const p = await stage(make);
  const lea = await p.guest("lea", { role: "lead" });
  const zoe = await p.guest("zoe", { role: "approver" });
  const old = Array.from({ length: 30 }, (_, n) => `old-${String(n).padStart(2, "0")}`);
  for (const channel of old) {
    await lea.does("open_floor", { channel, seats: ["lea"] });
    await lea.does("say", { channel, text: "A question?", addressed_to: "zoe", expects_reply: true });
    await p.clock.tick(10);
    await lea.does("close_floor", { channel });
  }
  for (const channel of ["a", "b"]) {
    await lea.does("open_floor", { channel, seats: ["lea"] });
    await lea.does("say", { channel, text: `On ${channel}?`, addressed_to: "zoe", expects_reply: true });
  }
  const now = p.clock.now();
  const { snapshot } = await p.table.store.read((db) => snapshotOf(db, "main", zoe.caller, now));
  const floors = snapshot.floors as Array<Record<string, unknown>>;
  expect(floors.map(({ channel }) => channel)).toEqual(["a", "b", ...old.slice(10)]);
  // Each has its own questions and turn, as the action `floor` shows it alone.
  for (const { can_speak: _, why_not: __, ...alone } of [
    (await zoe.does("floor", { channel: "b" })).floor as Record<string, unknown>,
    (await zoe.does("floor", { channel: "old-12" })).floor as Record<string, unknown>,
  ])
    expect(JSON.parse(JSON.stringify(floors.find(({ channel }) => channel === alone.channel)))).toEqual(alone);
  expect((await zoe.does("floor", { channel: "old-03" })).floor).toMatchObject({ status: "closed" });
  // Only what is open waits for a person's reply.
  const [main] = await p.table.store.read((db) => roomsFor(db, zoe.caller, now));
  expect(main).toMatchObject({ floors: [{ channel: "a" }, { channel: "b" }] });
  expect((await lea.refused("floor", { channel: "none" })).facts.channels).toEqual(
    expect.arrayContaining(["a", "b", "old-29"]),
  );
});
