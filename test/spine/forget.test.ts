import { expect, it } from "vitest";
import { redeem, signOut } from "../../src/members/signin.ts";
import type { Tables } from "../../src/store/tables.ts";
import { inMemory, inPostgres } from "../setup/stores.ts";
import { ask, type Stage, stage } from "../stage.ts";

const hour = 3600_000;
const count = (p: Stage, table: keyof Tables) =>
  p.table.store.read(
    async (db) =>
      (
        await db
          .selectFrom(table as "keys")
          .selectAll()
          .execute()
      ).length,
  );

for (const { name, make } of [inMemory, inPostgres]) {
  it(`W2: a key gives its result again for 24 hours, then it is gone and a new call (${name})`, async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const post = async () => (await ada.does("post_message", { text: "Once", key: "k" })).message as { id: string };
    const first = await post();
    p.clock.jump(24 * hour - 1);
    expect((await post()).id).toBe(first.id);
    expect(await count(p, "keys")).toBe(1);
    p.clock.jump(1);
    // Whatever is written in the room next settles it.
    await ada.does("post_message", { text: "Something else" });
    expect(await count(p, "keys")).toBe(0);
    expect((await post()).id).not.toBe(first.id);
  });

  it(`W2: links, ended sessions and cards put aside are forgotten a day after their end (${name})`, async () => {
    const p = await stage(make);
    const zoe = await p.guest("zoe", { role: "owner" });
    const ada = await p.guest("ada");
    const gate = await ask(ada, "report_blocker", { title: "Stuck" });
    await zoe.does("snooze_gate", { gate_id: gate.id, until: new Date(p.clock.now() + hour).toISOString() });
    const { code } = await zoe.does("make_link");
    await redeem(p.table, String(code), undefined, "a phone");
    await redeem(p.table, String((await zoe.does("make_link")).code), undefined, "a tablet");
    const [device] = (await zoe.does("list_devices")).devices as Array<{ id: string }>;
    await zoe.does("revoke_device", { id: device?.id });
    const all = async () => [await count(p, "gate_snoozes"), await count(p, "links"), await count(p, "sessions")];
    expect(await all()).toEqual([1, 2, 2]);
    p.clock.jump(24 * hour);
    await zoe.does("make_link");
    // The one that is still signed in stays, and the new link.
    expect(await all()).toEqual([1, 3, 1]);
    p.clock.jump(hour);
    await ada.does("post_message", { text: "Anything" });
    await zoe.does("make_link");
    expect(await all()).toEqual([0, 2, 1]);
    await signOut(p.table, "zoe", null);
  });

  it(`W3: unread messages and mentions are counted up to 100 (${name})`, async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob");
    for (let n = 0; n < 3; n++) await ada.does("post_message", { text: n < 2 ? "Hello @bob" : "Hello" });
    expect((await bob.does("list_members")).inbox).toMatchObject({ unread: 3, mentions: 2 });
    for (let n = 0; n < 110; n++) await ada.does("post_message", { text: "Hello @bob" });
    expect((await bob.does("list_members")).inbox).toMatchObject({ unread: 100, mentions: 100 });
    await bob.does("read_messages", { unread: true, limit: 100 });
    expect((await bob.does("list_members")).inbox).toMatchObject({ unread: 13, mentions: 13 });
  });
}
