// A machine that sleeps, a process that is stopped, a clock that is set on: claims lose nothing by it (M4).
import { expect, it, onTestFinished } from "vitest";
import { keepTime } from "../../src/clockwork.ts";
import { openStore } from "../../src/store/open.ts";
import { eachStore } from "../setup/stores.ts";
import { stage } from "../stage.ts";
import { type Play, play, settled } from "../table.ts";
import { taskOf } from "./desk.ts";

const minutes = (n: number) => n * 60_000;

/** Turns time on by seconds until `done`: a process whose last look was still under way looks again a second later. */
async function pass(p: Play, done: () => boolean | Promise<boolean>): Promise<void> {
  for (let seconds = 0; seconds < 60; seconds++) {
    await p.clock.tick(1000);
    for (let look = 0; look < 100; look++) {
      if (await done()) return;
      await settled();
    }
  }
  throw new Error("it did not come to be in a minute");
}

eachStore(({ make, shared }) => {
  it("M4: a claim outlives two hours in which nobody could call, and nobody who waits is given it meanwhile", async () => {
    const p = await stage(make);
    const [lead, ada, bob] = [await p.guest("lena", { role: "lead" }), await p.guest("ada"), await p.guest("bob")];
    const lease = async () => Date.parse(String(taskOf(await lead.does("get_task", { task_id: 1 })).lease_until));
    onTestFinished(keepTime(p.table));
    await lead.does("create_task", { title: "Something" });
    await ada.does("claim_task", { task_id: 1 });
    const before = await lease();
    await p.clock.tick(1000);
    const waits = bob.does("next_task", { wait_seconds: 30 });
    await settled();
    p.clock.jump(minutes(120));
    // The claim's time is over by the wall clock; a call comes before the service clock has noticed.
    expect(await bob.refused("claim_task", { task_id: 1 })).toMatchObject({ code: "ALREADY_CLAIMED" });
    await pass(p, async () => (await lease()) > before);
    const moved = (await lease()) - before;
    expect(moved).toBeGreaterThanOrEqual(minutes(120));
    expect(moved).toBeLessThanOrEqual(minutes(122));
    for (let n = 0; n < 30; n++) await pass(p, () => true);
    expect(await waits).toMatchObject({ task: null });
    expect(await ada.does("submit_result", { task_id: 1, result: "done" })).toMatchObject({
      task: { assignee: "ada" },
    });
  });

  if (shared)
    it("M4: several processes that slept together move a claim on once", async () => {
      const p = await stage(make);
      const other = play(await openStore(p.fresh.where), p.clock);
      onTestFinished(() => other.table.close());
      const [lead, ada] = [await p.guest("lena", { role: "lead" }), await p.guest("ada")];
      const lease = async () => Date.parse(String(taskOf(await lead.does("get_task", { task_id: 1 })).lease_until));
      const stops = [keepTime(p.table), keepTime(other.table)];
      await lead.does("create_task", { title: "Something" });
      await ada.does("claim_task", { task_id: 1 });
      await p.clock.tick(1000);
      const before = await lease();
      p.clock.jump(minutes(120));
      await pass(p, () => [p.table, other.table].every(({ awake }) => awake.stillSince(p.clock.now()) === null));
      await Promise.all(stops.map((stop) => stop()));
      const moved = (await lease()) - before;
      expect(moved).toBeGreaterThanOrEqual(minutes(120));
      // Moved on twice it would be by four hours.
      expect(moved).toBeLessThanOrEqual(minutes(122));
    });
});
