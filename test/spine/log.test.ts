import { createHash } from "node:crypto";
import canonicalize from "canonicalize";
import { sql } from "kysely";
import { describe, expect, it } from "vitest";
import { verify } from "../../src/log.ts";
import type { Db } from "../../src/store/port.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, head, type Stage, stage } from "../stage.ts";

const columns = ["room", "seq", "at", "member", "action", "subject", "addressee", "outcome", "data", "prev"];

/** The hash of a fact, computed by who knows how. */
const hashOf = (row: Record<string, unknown>): string =>
  createHash("sha256")
    .update(canonicalize(columns.map((name) => row[name])) as string)
    .digest("hex");

const check = (p: Stage, room = "main") => p.table.store.read((db) => verify(db, room));

/** What somebody does who can write to the database itself: without the triggers. */
async function doctor(p: Stage, work: (db: Db) => Promise<unknown>): Promise<void> {
  await p.table.store.write("main", async ({ db }) => {
    if (p.table.store.kind === "postgres") await sql`alter table log disable trigger user`.execute(db);
    else for (const verb of ["update", "delete"]) await sql`drop trigger ${sql.raw(`log_no_${verb}`)}`.execute(db);
    await work(db);
  });
}

async function withFacts(make: Parameters<typeof stage>[0]): Promise<Stage> {
  const p = await stage(make);
  const ada = await p.guest("ada");
  for (let n = 1; n <= 4; n++) await ask(ada, "request_approval", { title: `Step ${n}`, action: { n, é: "😀" } });
  expect(await check(p)).toMatchObject({ sound: true, facts: 5 });
  return p;
}

eachStore(({ make }) => {
  it("A2: what is written is sound in every room, whatever the words", async () => {
    const p = await stage(make);
    await p.operator.does("create_room", { room: "Ärger 7", title: "…" });
    const ada = await p.guest("ada", { room: "Ärger 7" });
    const zoe = await p.guest("zoe", { role: "approver", room: "Ärger 7" });
    for (const title of ["\\u0000", "“quoted”", "😀🇨🇭", "<b>&amp;", "a\u0301"]) {
      const gate = await ask(ada, "wait_for_feedback", { question: title, options: [title] });
      await zoe.does("decide_gate", { gate_id: gate.id, decision: "answer", choice: title });
    }
    const rooms = await p.table.store.read((db) => db.selectFrom("rooms").select(["name", "facts", "head"]).execute());
    for (const { name, facts, head } of rooms) expect(await check(p, name), name).toEqual({ sound: true, facts, head });
    expect(rooms.map(({ name }) => name).sort()).toEqual(["_server", "main", "Ärger 7"].sort());
  });

  it("A2: the database itself refuses to change or delete a fact", async () => {
    const p = await withFacts(make);
    const tries: Array<(db: Db) => Promise<unknown>> = [
      (db) => db.updateTable("log").set({ action: "gate.approved" }).where("seq", "=", 2).execute(),
      (db) => db.updateTable("log").set({ at: 0 }).execute(),
      (db) => db.deleteFrom("log").where("seq", "=", 5).execute(),
      (db) => db.deleteFrom("log").execute(),
    ];
    for (const change of tries)
      await expect(p.table.store.write("main", ({ db }) => change(db))).rejects.toThrow("append-only");
    expect(await check(p)).toMatchObject({ sound: true, facts: 5 });
  });

  it("A2: an altered fact is found", async () => {
    const changes = {
      at: 1,
      member: "zoe",
      action: "gate.approved",
      subject: "gate:x",
      addressee: "bob",
      outcome: "no",
    };
    for (const [column, value] of Object.entries({ ...changes, data: '{"kind":"approval"}' })) {
      const p = await withFacts(make);
      await doctor(p, (db) =>
        db
          .updateTable("log")
          .set({ [column]: value })
          .where("seq", "=", 3)
          .execute(),
      );
      expect(await check(p), column).toEqual({ sound: false, at: 3, why: "it was altered" });
    }
  });

  it("A2: a fact with its hash computed anew is found by the one after it, the last one by the head", async () => {
    for (const [seq, found] of [
      [3, 4],
      [5, 6],
    ] as const) {
      const p = await withFacts(make);
      await doctor(p, async (db) => {
        // As verify would want it, were it not for what follows.
        await db
          .updateTable("log")
          .set({ action: "gate.denied" })
          .where("room", "=", "main")
          .where("seq", "=", seq)
          .execute();
        const row = await db
          .selectFrom("log")
          .selectAll()
          .where("room", "=", "main")
          .where("seq", "=", seq)
          .executeTakeFirstOrThrow();
        await db
          .updateTable("log")
          .set({ hash: hashOf(row) })
          .where("room", "=", "main")
          .where("seq", "=", seq)
          .execute();
      });
      expect(await check(p)).toMatchObject({ sound: false, at: found });
    }
  });

  it("A2: a missing fact and a cut tail are found", async () => {
    for (const seq of [1, 3, 5]) {
      const p = await withFacts(make);
      await doctor(p, (db) => db.deleteFrom("log").where("room", "=", "main").where("seq", "=", seq).execute());
      expect(await check(p)).toMatchObject({ sound: false, at: seq });
    }
    const p = await withFacts(make);
    await doctor(p, (db) => db.deleteFrom("log").where("room", "=", "main").execute());
    expect(await check(p)).toMatchObject({ sound: false, at: 1 });
  });

  it("A2: an inserted fact is found, at the end too", async () => {
    for (const seq of [3, 6]) {
      const p = await withFacts(make);
      await doctor(p, async (db) => {
        for (let n = 5; n >= seq; n--)
          await db
            .updateTable("log")
            .set({ seq: n + 1 })
            .where("room", "=", "main")
            .where("seq", "=", n)
            .execute();
        const before = await db
          .selectFrom("log")
          .selectAll()
          .where("room", "=", "main")
          .where("seq", "=", seq - 1)
          .executeTakeFirstOrThrow();
        const row = { ...before, seq, prev: before.hash };
        await db
          .insertInto("log")
          .values({ ...row, data: JSON.stringify(row.data), hash: hashOf(row) })
          .execute();
      });
      expect(await check(p)).toMatchObject({ sound: false });
    }
  });

  it("A2: two facts that changed places are found", async () => {
    const p = await withFacts(make);
    await doctor(p, async (db) => {
      for (const [from, to] of [
        [2, 100],
        [3, 2],
        [100, 3],
      ] as const)
        await db.updateTable("log").set({ seq: to }).where("room", "=", "main").where("seq", "=", from).execute();
    });
    expect(await check(p)).toMatchObject({ sound: false, at: 2 });
  });

  it("A2: concurrent writers number facts without gap and keep one chain", async () => {
    const p = await stage(make);
    const guests = [];
    for (let n = 0; n < 5; n++) guests.push(await p.guest(`agent ${n}`));
    const before = await head(p);
    await Promise.all(guests.flatMap((who) => [1, 2, 3, 4].map((n) => ask(who, "report_blocker", { title: `${n}` }))));
    expect(await check(p)).toMatchObject({ sound: true, facts: before + 20 });
    expect(await check(p, "_server")).toMatchObject({ sound: true });
  });
});

describe("on one store", () => {
  it("A2: the log of a room with more facts than a page is read to its end", async () => {
    const p = await stage(inMemory.make);
    await p.table.write(p.operator.caller, "main", async (call) => {
      for (let n = 0; n < 2500; n++) call.fact({ action: "test.told", subject: `test:${n}`, data: { n } });
    });
    expect(await check(p)).toMatchObject({ sound: true, facts: 2500 });
    await doctor(p, (db) => db.updateTable("log").set({ member: "zoe" }).where("seq", "=", 2400).execute());
    expect(await check(p)).toEqual({ sound: false, at: 2400, why: "it was altered" });
  });

  it("A3: leads and approvers read the log in pages and by filter; others do not", async () => {
    const p = await stage(inMemory.make);
    const lea = await p.guest("lea", { role: "lead" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const ada = await p.guest("ada");
    const vic = await p.guest("vic", { role: "viewer" });
    for (let n = 0; n < 3; n++) await ask(ada, "report_blocker", { title: `${n}` });
    for (const who of [ada, vic]) expect((await who.refused("get_audit_log")).code).toBe("FORBIDDEN");
    for (const who of [lea, zoe]) {
      const entries = (await who.does("get_audit_log", { action: "gate.asked", member: "ada" })).entries;
      expect(entries).toHaveLength(3);
      expect(entries).toMatchObject([{ action: "gate.asked", member: "ada", at: expect.stringMatching(/Z$/) }, {}, {}]);
    }
    const first = await lea.does("get_audit_log", { limit: 4 });
    expect((first.entries as Array<{ seq: number }>).map(({ seq }) => seq)).toEqual([1, 2, 3, 4]);
    const rest = await lea.does("get_audit_log", { limit: 4, after: first.next });
    expect((rest.entries as Array<{ seq: number }>).map(({ seq }) => seq)).toEqual([5, 6, 7]);
    expect(rest).not.toHaveProperty("next");
  });
});
