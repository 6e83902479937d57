import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { deleteRoom } from "../../src/members/room-rows.ts";
import { openStore } from "../../src/store/open.ts";
import { inFile, inMemory, inPostgres } from "../setup/stores.ts";
import { stage } from "../stage.ts";
import { play } from "../table.ts";
import { desk, taskOf } from "./desk.ts";

const titles = [
  "Fix the OAuth login",
  "Schöne GRÜSSE an den ﬁlter",
  "日本語の検索を直す",
  "100% of a_b 'quoted' \"twice\" AND NOT * : ^",
  "👩‍👩‍👧 and ab",
  "abcbcd",
  "ΟΔΟΣΗΜΑΝΣΗ, ο δρόμος",
];

for (const maker of [inMemory, inPostgres]) {
  it(`W4: any part of title or description is found, in any language and case (${maker.name})`, async () => {
    const p = await desk(maker);
    for (const title of titles) await p.task({ title });
    const hidden = await p.task({ title: "Plain", description: "Line one\nthe needle is here" });
    const find = async (text: string, more = {}) =>
      ((await p.ada.does("list_tasks", { text, ...more })).tasks as Array<{ id: number }>).map(({ id }) => id);
    for (const [text, ids] of [
      ["oauth", [1]],
      ["AUTH LOG", [1]],
      ["schöne grüsse", [2]],
      ["filter", [2]],
      ["FILTER", [2]],
      ["検索", [3]],
      ["語の検索を", [3]],
      ["の", [3]],
      ["直す", [3]],
      ["100%", [4]],
      ["a_b", [4]],
      ["'quoted' \"twice\"", [4]],
      ["AND NOT * : ^", [4]],
      ["👩‍👩‍👧", [5]],
      ["ab", [5, 6]],
      ["bcbc", [6]],
      // The same letter, written otherwise at the end of a word.
      ["ΟΔΟΣ", [7]],
      ["ΔΡΌΜΟΣ", [7]],
      ["δρόμοσ", [7]],
      // All its threes stand there, but not together.
      ["abcd", []],
      ["needle", [hidden.id]],
      ["needle is here", [hidden.id]],
      ["one the", []],
      ["here Plain", []],
      ["nothing such", []],
    ] as Array<[string, number[]]>)
      expect(await find(text), text).toEqual(ids);
    // With other filters, by pages, and after a change.
    await p.ada.does("claim_task", { task_id: 1 });
    expect(await find("oauth", { status: "open" })).toEqual([]);
    expect(await find("oauth", { status: "claimed", assignee: "ada" })).toEqual([1]);
    for (let n = 0; n < 5; n++) await p.task({ title: `Paged ${n}` });
    const page = await p.ada.does("list_tasks", { text: "paged", limit: 2 });
    expect(page.tasks).toMatchObject([{ title: "Paged 0" }, { title: "Paged 1" }]);
    const rest = await p.ada.does("list_tasks", { text: "paged", limit: 10, cursor: page.next_cursor });
    expect(rest.tasks).toHaveLength(3);
    await p.lead.does("update_task", { task_id: hidden.id, title: "Haystack", description: "" });
    expect(await find("needle")).toEqual([]);
    expect(await find("haystack")).toEqual([hidden.id]);
  });

  it(`W4: a search stays in its room, and a room that is deleted leaves no words behind (${maker.name})`, async () => {
    const p = await stage(maker.make);
    await p.operator.does("create_room", { room: "lab" });
    const lea = await p.guest("lea", { role: "lead" });
    const max = await p.guest("max", { role: "lead", room: "lab" });
    const [here, there] = [lea, max].map((who) => async () => (await who.does("list_tasks", { text: "same" })).tasks);
    const made = taskOf(await lea.does("create_task", { title: "The same words" }));
    await max.does("create_task", { title: "The SAME words" });
    await max.does("create_task", { title: "Much the same" });
    expect(await here?.()).toMatchObject([{ id: made.id, room: "main" }]);
    expect(await there?.()).toHaveLength(2);
    const left = () =>
      p.table.store.read(
        async (db) =>
          (
            await db
              .selectFrom("task_search" as "rooms")
              .select("room" as "name")
              .execute()
          ).length,
      );
    expect(await left()).toBe(3);
    await p.table.store.write("lab", ({ db }) => deleteRoom(db, "lab"));
    expect(await left()).toBe(1);
    expect(await here?.()).toHaveLength(1);
  });
}

it("W4: tasks from before there was an index are found too", async () => {
  const fresh = await inFile.make();
  const before = play(fresh.store);
  const lea = await before.guest("lea", { role: "lead" });
  for (let n = 1; n <= 501; n++) await lea.does("create_task", { title: `An old task, number ${n}` });
  await before.table.close();
  const old = new Database(fresh.where);
  old.exec(`drop trigger tasks_unsearched; drop table task_grams; drop table task_search;
    drop index inbox_mentioned;
    delete from parley_migrations where name in ('0016_search', '0023_in_force')`);
  old.close();
  const p = play(await openStore(fresh.where));
  const again = await p.again(lea);
  for (const text of ["number 501", "501"])
    expect((await again.does("list_tasks", { text })).tasks).toMatchObject([{ id: 501 }]);
  const two = (await again.does("list_tasks", { text: "50" })).tasks as Array<{ id: number }>;
  expect(two.map(({ id }) => id)).toEqual([50, 150, 250, 350, 450, 500, 501]);
  await p.table.close();
  await fresh.remove();
});
