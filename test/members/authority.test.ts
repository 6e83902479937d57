// Who may do what to whom: the table of docs/board.md, done for real, each cell of it.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../src/package.ts";
import { openStore } from "../../src/store/open.ts";
import { inFile, inMemory, inPostgres } from "../setup/stores.ts";
import { ask, facts, look, refusal, type Stage, stage } from "../stage.ts";
import { type Guest, handClock, play } from "../table.ts";

const targets = {
  "agent here": "ada",
  "agent here and elsewhere": "bob",
  "agent here, kicked elsewhere": "cyd",
  "agent kicked here": "dan",
  "agent elsewhere": "eli",
  "person here": "pia",
  "person kicked here": "max",
  "another owner": "otto",
  oneself: null,
} as const;

const callers: Record<string, readonly string[]> = {
  owner: ["olga"],
  operator: [""],
  approver: ["anna"],
  "approver of another room": ["alma"],
  viewer: ["vic"],
  agent: ["lea", "wim"],
};

/** Everybody of the table: `main` is here, `lab` elsewhere. */
async function town(): Promise<{ p: Stage; guests: Map<string, Guest> }> {
  const p = await stage(inMemory.make);
  const guests = new Map([["", p.operator]]);
  const come = async (name: string, role: string, room = "main") =>
    guests.set(name, await p.guest(name, { role, room }));
  await p.operator.does("create_room", { room: "lab" });
  for (const name of ["ada", "bob", "cyd", "dan", "wim"]) await come(name, "worker");
  await come("eli", "worker", "lab");
  for (const name of ["pia", "max", "anna"]) await come(name, "approver");
  await come("alma", "approver", "lab");
  await come("vic", "viewer");
  await come("lea", "lead");
  for (const name of ["olga", "otto"]) await come(name, "owner");
  for (const name of ["bob", "cyd"]) await p.operator.does("add_member", { name, room: "lab" });
  await p.operator.does("kick", { member: "cyd", room: "lab" });
  for (const member of ["dan", "max"]) await p.operator.does("kick", { member });
  return { p, guests };
}

/** What `who` does to `member`. */
async function deed(p: Stage, action: string, who: Guest, member: string): Promise<boolean> {
  const { kind, role } = await p.table.store.read(async (db) => {
    const { kind } = await db.selectFrom("members").select("kind").where("name", "=", member).executeTakeFirstOrThrow();
    return { kind, role: kind === "agent" ? "observer" : "viewer" };
  });
  expect(kind).toMatch(/agent|person/);
  const tokens = (await p.operator.does("list_tokens", { member })).tokens as Array<{ id: string }>;
  const args: Record<string, Record<string, unknown>> = {
    kick: { member, room: "main" },
    readmit: { member, room: "main" },
    set_role: { member, role, room: "main" },
    revoke_token: { token_id: tokens[0]?.id },
    make_link: { person: member },
  };
  const result = await who.does(action, args[action] ?? { member });
  return action !== "list_tokens" || (result.tokens as unknown[]).length > 0;
}

/** `yes`, `no` (forbidden), or `–` (refused for another reason). */
async function outcome(p: Stage, action: string, who: Guest, member: string): Promise<string> {
  try {
    return (await deed(p, action, who, member)) ? "yes" : "no";
  } catch (error) {
    const { code } = await refusal(Promise.reject(error));
    return code === "FORBIDDEN" ? "no" : "–";
  }
}

interface Row {
  action: string;
  by: string;
  cells: string[];
}

const text = readFileSync(join(root, "docs/board.md"), "utf8");
const lines = text.slice(text.indexOf("### Who may do what to whom")).split("\n");
const cellsOf = (line: string) =>
  line
    .split("|")
    .slice(1, -1)
    .map((cell) => cell.trim());
const [head, , ...body] = lines.slice(lines.findIndex((line) => line.startsWith("|"))).map(cellsOf);
const rows: Row[] = body
  .slice(
    0,
    body.findIndex((cells) => cells.length === 0),
  )
  .map(([action = "", by = "", ...cells]) => ({ action: action.replaceAll("`", ""), by, cells }));

describe("who may do what to whom", () => {
  it("M2: is written down for every action, every caller and every target", () => {
    expect(head?.slice(2)).toEqual(Object.keys(targets));
    const actions = [...new Set(rows.map(({ action }) => action))];
    expect(actions).toEqual(
      "kick readmit set_role issue_token revoke_token list_tokens remove_member make_link".split(" "),
    );
    for (const action of actions) {
      const named = rows.filter((row) => row.action === action).flatMap(({ by }) => by.split(", "));
      expect(named.sort(), action).toEqual(Object.keys(callers).sort());
    }
  });

  it.each(rows)("M2: $action by $by", async ({ action, by, cells }) => {
    let { p, guests } = await town();
    for (const caller of by.split(", ").flatMap((group) => callers[group] ?? []))
      for (const [n, [target, name]] of Object.entries(targets).entries()) {
        const member = name ?? caller;
        if (member === "") continue;
        const who = guests.get(caller) as Guest;
        const became = await outcome(p, action, who, member);
        expect([target, became], `${caller || "operator"} ${action} ${member}`).toEqual([target, cells[n]]);
        if (became === "yes" && !["list_tokens", "make_link"].includes(action)) ({ p, guests } = await town());
      }
  });
});

describe("on one store", () => {
  it("M2: a person whom the owner kicked is let in again by the owner alone", async () => {
    const p = await stage(inMemory.make);
    const olga = await p.guest("olga", { role: "owner" });
    const eve = await p.guest("eve", { role: "approver" });
    const max = await p.guest("max", { role: "approver" });
    await olga.does("kick", { member: "max", reason: "phone stolen" });
    expect((await eve.refused("readmit", { member: "max" })).code).toBe("FORBIDDEN");
    expect((await p.again(max)).caller.rooms.size).toBe(0);
    await olga.does("readmit", { member: "max" });
    expect((await p.again(max)).caller.rooms.get("main")).toBe("approver");
  });

  it("M2: an agent that another room has kicked for now, or that is in no room, is not removed by an approver", async () => {
    const p = await stage(inMemory.make);
    await p.operator.does("create_room", { room: "lab" });
    const eve = await p.guest("eve", { role: "approver" });
    const lars = await p.guest("lars", { role: "approver", room: "lab" });
    const bot = await p.guest("bot", { room: "lab" });
    expect((await eve.refused("remove_member", { member: "bot" })).code).toBe("FORBIDDEN");
    await lars.does("kick", { member: "bot" });
    expect((await eve.refused("remove_member", { member: "bot" })).code).toBe("FORBIDDEN");
    await lars.does("readmit", { member: "bot" });
    await (await p.again(bot)).does("leave_room", { room: "lab" });
    for (const who of [eve, lars])
      expect((await who.refused("remove_member", { member: "bot" })).code).toBe("FORBIDDEN");
    expect(await p.again(bot)).toMatchObject({ name: "bot" });
  });

  it("M2: the last owner is removed by nobody, and loses nothing by the attempt", async () => {
    const p = await stage(inMemory.make);
    const olga = await p.guest("olga", { role: "owner" });
    const gate = await ask(olga, "report_blocker", { title: "No key" });
    for (const who of [olga, p.operator])
      expect(await who.refused("remove_member", { member: "olga" })).toMatchObject({ code: "CONFLICT" });
    expect(await look(olga, gate)).toMatchObject({ status: "pending" });
    expect((await p.again(olga)).caller).toMatchObject({ actor: { serverRole: "owner" } });
    await p.guest("otto", { role: "owner" });
    expect(await olga.does("remove_member", { member: "olga" })).toEqual({ removed: "olga" });
  });

  it("M2: a person of any role revokes a token of its own, and sees its own alone", async () => {
    const p = await stage(inMemory.make);
    const vic = await p.guest("vic", { role: "viewer" });
    await p.guest("ada");
    const [mine, ...more] = (await vic.does("list_tokens")).tokens as Array<{ id: string; member: string }>;
    expect([mine?.member, more]).toEqual(["vic", []]);
    expect(await vic.does("revoke_token", { token_id: mine?.id })).toEqual({ revoked: mine?.id });
    await expect(p.again(vic)).rejects.toThrow("not known");
  });

  it("M2: who was owner when its call began, and is not when it writes, is refused", async () => {
    const p = await stage(inMemory.make);
    const olga = await p.guest("olga", { role: "owner" });
    await p.guest("otto", { role: "owner" });
    await p.guest("ada");
    await p.operator.does("set_role", { member: "olga", role: "viewer" });
    expect((await olga.refused("kick", { member: "ada" })).code).toBe("FORBIDDEN");
    expect((await olga.refused("create_room", { room: "lab" })).code).toBe("FORBIDDEN");
  });
});

describe.each([inFile, inPostgres])("$name", ({ make }) => {
  it("M2: of two owners who are demoted or removed at once, in two rooms and by two processes, one stays", async () => {
    const p = await stage(make);
    const other = play(await openStore(p.fresh.where), handClock(p.clock.now()));
    try {
      await p.operator.does("create_room", { room: "lab" });
      await p.guest("olga", { role: "owner" });
      await p.guest("otto", { role: "owner", room: "lab" });
      const ways: Array<[string, string]> = [
        ["set_role", "set_role"],
        ["remove_member", "set_role"],
        ["remove_member", "remove_member"],
      ];
      for (const [first, second] of ways) {
        const done = await Promise.allSettled([
          p.operator.does(first, { member: "olga", ...(first === "set_role" && { role: "approver", room: "main" }) }),
          other.operator.does(second, {
            member: "otto",
            ...(second === "set_role" && { role: "approver", room: "lab" }),
          }),
        ]);
        const lost = done.filter((one) => one.status === "rejected");
        expect(lost, `${first} ${second}`).toMatchObject([{ reason: { code: "CONFLICT" } }]);
        if (first === "remove_member") break;
        for (const [member, room] of [
          ["olga", "main"],
          ["otto", "lab"],
        ])
          await p.operator.does("set_role", { member, role: "owner", room });
      }
      const owners = await p.table.store.read((db) =>
        db
          .selectFrom("members")
          .select("name")
          .where("server_role", "=", "owner")
          .where("removed_at", "is", null)
          .execute(),
      );
      expect(owners).toHaveLength(1);
      expect((await facts(p, "_server")).map(({ action }) => action)).toContain("member.role_set");
    } finally {
      await other.table.close();
    }
  });
});
