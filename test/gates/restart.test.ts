// A client that dies right after it had its answer: the next process of the same member learns it (G6, G16).
import { expect, it } from "vitest";
import { eachStore } from "../setup/stores.ts";
import { ask, gateOf, type Stage, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

const deploy = { title: "Deploy", action: { command: ["make", "deploy"], cwd: "/srv" } };

eachStore(({ make }) => {
  async function answered(): Promise<{ p: Stage; ada: Guest; zoe: Guest; id: string }> {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const first = gateOf(await ada.does("request_approval", { ...deploy, wait_seconds: 0 }, { session: "one" }));
    await zoe.does("decide_gate", { gate_id: first.id, decision: "approve", note: "go" });
    // The last thing that the first process ever had.
    const had = gateOf(await ada.does("wait_for_gate", { gate_id: first.id }, { session: "one" }));
    expect(had).toMatchObject({ status: "approved" });
    return { p, ada, zoe, id: first.id };
  }
  const again = async (ada: Guest, session: string) =>
    gateOf(await ada.does("request_approval", { ...deploy, wait_seconds: 0 }, { session }));
  const inbox = async (ada: Guest, session: string) => {
    const { inbox } = await ada.does("whoami", {}, { session });
    return ((inbox ?? {}) as { answered_gates?: Array<{ id: string }> }).answered_gates;
  };

  it("G6 G16: a new session is told the answer that only a dead one had, and asking again finds it", async () => {
    const { ada, id } = await answered();
    expect(await inbox(ada, "two")).toMatchObject([{ id, status: "approved", note: "go" }]);
    expect(await again(ada, "two")).toMatchObject({ id, status: "approved", note: "go" });
    // Found once: a third question is a question of its own, and nothing is told any more.
    const anew = await again(ada, "two");
    expect(anew).toMatchObject({ status: "pending" });
    expect(anew.id).not.toBe(id);
    expect(await inbox(ada, "two")).toBeUndefined();
  });

  it("G6 G16: so is one whose process died while it waited", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const { id } = gateOf(await ada.does("request_approval", { ...deploy, wait_seconds: 0 }, { session: "one" }));
    await zoe.does("decide_gate", { gate_id: id, decision: "approve" });
    expect(await inbox(ada, "two")).toMatchObject([{ id, status: "approved" }]);
    expect(await again(ada, "two")).toMatchObject({ id, status: "approved" });
    expect((await again(ada, "two")).id).not.toBe(id);
  });

  it("G6 G16: asking again is the first call of the new session", async () => {
    const { ada, id } = await answered();
    expect(await again(ada, "two")).toMatchObject({ id, status: "approved" });
    expect((await again(ada, "two")).id).not.toBe(id);
  });

  it("G5: one yes is not used twice: not by the session that had it, nor late, nor after something was run", async () => {
    const same = await answered();
    expect((await again(same.ada, "one")).id).not.toBe(same.id);
    const heard = await stage(make);
    const [bob, max] = [await heard.guest("bob"), await heard.guest("max", { role: "approver" })];
    const first = await again(bob, "one");
    await max.does("decide_gate", { gate_id: first.id, decision: "approve" });
    expect(await inbox(bob, "one")).toHaveLength(1);
    expect((await again(bob, "one")).id).not.toBe(first.id);
    const late = await answered();
    await inbox(late.ada, "two");
    await late.p.clock.tick(10 * 60_000);
    expect((await again(late.ada, "two")).id).not.toBe(late.id);
    const ran = await answered();
    await ran.ada.does("gate_result", { gate_id: ran.id, action: deploy.action }, { session: "two" });
    expect((await again(ran.ada, "two")).id).not.toBe(ran.id);
    const alive = await answered();
    // The first session goes on: it has the answer, and no other session finds it.
    await alive.ada.does("whoami", {}, { session: "one" });
    expect(await inbox(alive.ada, "two")).toBeUndefined();
    expect((await again(alive.ada, "two")).id).not.toBe(alive.id);
  });

  it("G6: a client that begins a session for each call is told the answer twice at most", async () => {
    const { ada } = await answered();
    expect(await inbox(ada, "two")).toHaveLength(1);
    expect(await inbox(ada, "three")).toBeUndefined();
    expect(await inbox(ada, "four")).toBeUndefined();
  });

  it("G5 G6: sessions that take turns, or one for each call, are given one yes twice at most", async () => {
    for (const sessions of [
      ["two", "one", "two"],
      ["two", "three", "four"],
    ] as const) {
      const { ada, id } = await answered();
      const [second, third, fourth] = sessions;
      expect(await again(ada, second)).toMatchObject({ id, status: "approved" });
      const anew = await again(ada, third);
      expect(anew).toMatchObject({ status: "pending" });
      expect(await again(ada, fourth)).toMatchObject({ id: anew.id, status: "pending" });
    }
  });

  it("G6: without sessions any later call acknowledges", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", deploy);
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    await ada.does("wait_for_gate", { gate_id: gate.id });
    expect(await ada.does("whoami")).not.toHaveProperty("inbox");
  });
});
