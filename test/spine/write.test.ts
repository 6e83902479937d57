import { describe, expect, it } from "vitest";
import { serverRoom } from "../../src/members/rules.ts";
import { Refusal } from "../../src/refusal.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, facts, head, look, type Stage, stage } from "../stage.ts";

const title = (p: Stage) =>
  p.table.store.read(
    async (db) => (await db.selectFrom("rooms").select("title").where("name", "=", "main").executeTakeFirst())?.title,
  );

eachStore(({ make }) => {
  it("A2: everything or nothing: what a refused or broken write did is gone, its facts with it", async () => {
    const p = await stage(make);
    const before = [await facts(p), await facts(p, serverRoom), await title(p)];
    for (const error of [new Refusal("CONFLICT", "No."), new Error("a bug")])
      await expect(
        p.table.write(p.operator.caller, "main", async (call) => {
          await call.db.updateTable("rooms").set({ title: "Changed" }).where("name", "=", "main").execute();
          call.fact({ action: "room.renamed", subject: "room:main" });
          call.serverFact({ action: "room.renamed", subject: "room:main" });
          throw error;
        }),
      ).rejects.toBe(error);
    expect([await facts(p), await facts(p, serverRoom), await title(p)]).toEqual(before);
  });

  it("A2: a write that changes something and records nothing is a bug, and changes nothing", async () => {
    const p = await stage(make);
    const before = await title(p);
    await expect(
      p.table.write(p.operator.caller, "main", async (call) => {
        await call.db.updateTable("rooms").set({ title: "Changed" }).where("name", "=", "main").execute();
      }),
    ).rejects.toThrow("recorded no fact");
    expect(await title(p)).toBe(before);
    // Presence is no fact.
    await p.guest("ada");
    const head0 = await head(p);
    await p.table.write(p.operator.caller, "main", async (call) => {
      await call.db.updateTable("members").set({ seen_at: 1, note: "here" }).where("name", "=", "ada").execute();
    });
    expect(await head(p)).toBe(head0);
    await expect(
      p.table.write(p.operator.caller, "main", async (call) => {
        await call.db.updateTable("members").set({ seen_at: 1, kind: "person" }).where("name", "=", "ada").execute();
      }),
    ).rejects.toThrow("recorded no fact");
  });

  it("A2: facts of a room and of the server are written together, each in its own numbering", async () => {
    const p = await stage(make);
    const before = [await head(p), await head(p, serverRoom)];
    await Promise.all(
      Array.from({ length: 6 }, (_, n) =>
        p.table.write(p.operator.caller, n % 2 ? "main" : serverRoom, async (call) => {
          call.fact({ action: "test.told", subject: `test:${n}` });
          call.serverFact({ action: "test.told", subject: `test:s${n}` });
        }),
      ),
    );
    expect([await head(p), await head(p, serverRoom)]).toEqual([(before[0] ?? 0) + 3, (before[1] ?? 0) + 9]);
  });

  it("A2: one `now` for a whole transaction, and who did it on every fact but the settled ones", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const gate = await ask(ada, "request_approval", { title: "Deploy", timeout_seconds: 5 });
    await p.clock.tick(5000);
    const at = p.clock.now();
    await p.table.write(ada.caller, "main", async (call) => {
      p.clock.jump(1000);
      expect(call.now).toBe(at);
      call.fact({ action: "test.told", subject: "test:1" });
      call.fact({ action: "test.told", subject: "test:2", member: null });
    });
    const rows = await p.table.store.read((db) =>
      db
        .selectFrom("log")
        .select(["action", "subject", "at", "member"])
        .where("at", "=", at)
        .where("room", "=", "main")
        .orderBy("seq")
        .execute(),
    );
    expect(rows).toEqual([
      { action: "gate.expired", subject: `gate:${gate.id}`, at, member: null },
      { action: "test.told", subject: "test:1", at, member: "ada" },
      { action: "test.told", subject: "test:2", at, member: null },
    ]);
  });

  it("S5: what has settled stays settled when the call itself is refused", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const gate = await ask(ada, "request_approval", { title: "Deploy", timeout_seconds: 5 });
    await p.clock.tick(5000);
    expect((await zoe.refused("kick", { member: "nobody here" })).code).toBe("NOT_FOUND");
    const after = await facts(p);
    expect(after.at(-1)).toEqual({ action: "gate.expired", subject: `gate:${gate.id}`, member: null });
    // A bug takes all back, and the next call settles it.
    const second = await ask(ada, "wait_for_feedback", { question: "Which?", timeout_seconds: 5 });
    await p.clock.tick(5000);
    const bug = new Error("a bug");
    await expect(
      p.table.write(ada.caller, "main", async () => {
        throw bug;
      }),
    ).rejects.toBe(bug);
    const expired = async () => (await facts(p)).filter(({ action }) => action === "gate.expired").length;
    expect(await expired()).toBe(1);
    await zoe.refused("kick", { member: "nobody here" });
    expect(await expired()).toBe(2);
    expect(await look(zoe, second)).toMatchObject({ status: "expired" });
  });

  it("S5: many deadlines of one room settle in one write, in their order", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const ids = [];
    for (const seconds of [30, 10, 20])
      ids.push((await ask(ada, "request_approval", { title: `${seconds}`, timeout_seconds: seconds })).id);
    await p.clock.tick(60_000);
    await ada.does("report_blocker", { title: "No key", wait_seconds: 0 });
    const expired = (await facts(p)).filter(({ action }) => action === "gate.expired").map(({ subject }) => subject);
    expect(expired).toEqual([ids[1], ids[2], ids[0]].map((id) => `gate:${id}`));
  });
});

describe("on one store", () => {
  const { make } = inMemory;

  it("A2: a write in a room that does not exist is refused", async () => {
    const p = await stage(make);
    await expect(p.table.write(p.operator.caller, "nowhere", async () => {})).rejects.toMatchObject({
      code: "NOT_FOUND",
    });
  });

  it("A2: a write inside a write is a bug that is told, not a silent wait", async () => {
    const p = await stage(make);
    await expect(
      p.table.write(p.operator.caller, "main", () => p.table.write(p.operator.caller, "main", async () => {})),
    ).rejects.toThrow("inside a transaction");
  });

  it("A2: no long text stands in the log", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const long = "long ".repeat(300).trim();
    const asked = { details: long, action: { command: long } };
    const one = await ask(ada, "request_approval", { title: "One", ...asked });
    const two = await ask(ada, "request_approval", { title: "Two", details: long });
    await zoe.does("decide_gate", { gate_id: one.id, decision: "approve", note: long });
    await ada.does("withdraw_gate", { gate_id: two.id, reason: long });
    await zoe.does("kick", { member: "ada", reason: long.slice(0, 500) });
    const rows = await p.table.store.read((db) => db.selectFrom("log").select(["action", "data"]).execute());
    expect(rows.filter(({ data }) => JSON.stringify(data).length > 600)).toEqual([]);
  });
});
