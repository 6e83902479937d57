import { describe, expect, it } from "vitest";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, facts, head, look, type Stage, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

const names = (result: Record<string, unknown>) => (result.members as Array<{ name: string }>).map(({ name }) => name);

async function twoRooms(p: Stage): Promise<{ ada: Guest; bob: Guest; both: Guest }> {
  await p.operator.does("create_room", { room: "lab", open: true });
  const ada = await p.guest("ada");
  const bob = await p.guest("bob", { room: "lab" });
  const joins = await p.guest("cyd");
  await joins.does("join_room", { room: "lab" });
  return { ada, bob, both: await p.again(joins) };
}

it("M2: the operator makes a person the owner; one is always left; an agent never is", async () => {
  const p = await stage(inMemory.make);
  await p.guest("ada");
  const ann = await p.guest("ann", { role: "approver" });
  const vic = await p.guest("vic", { role: "viewer" });
  expect(await ann.refused("set_role", { member: "vic", role: "owner" })).toMatchObject({ code: "FORBIDDEN" });
  expect(await p.operator.refused("set_role", { member: "ada", role: "owner" })).toMatchObject({ code: "BAD_INPUT" });
  await p.operator.does("set_role", { member: "ann", role: "owner" });
  const owner = await p.again(ann);
  expect(await owner.does("whoami")).toMatchObject({ server_role: "owner" });
  expect(await owner.refused("set_role", { member: "ann", role: "viewer" })).toMatchObject({ code: "CONFLICT" });
  await owner.does("set_role", { member: "vic", role: "owner" });
  expect((await p.again(vic)).caller.rooms.get("main")).toBe("approver");
  await owner.does("set_role", { member: "ann", role: "viewer" });
  expect(await (await p.again(ann)).does("whoami")).toMatchObject({ server_role: null, rooms: [{ role: "viewer" }] });
});

eachStore(({ make }) => {
  it("M3: foreign rooms and what stands in them look as if they did not exist", async () => {
    const p = await stage(make);
    const { ada, bob } = await twoRooms(p);
    await p.operator.does("create_room", { room: "secret" });
    const gate = await ask(bob, "request_approval", { title: "Deploy" });
    const there = [
      await ada.refused("get_gate", { gate_id: gate.id }),
      await ada.refused("wait_for_gate", { gate_id: gate.id }),
      await ada.refused("withdraw_gate", { gate_id: gate.id }),
    ];
    const nowhere = [
      await ada.refused("get_gate", { gate_id: "none" }),
      await ada.refused("wait_for_gate", { gate_id: "none" }),
      await ada.refused("withdraw_gate", { gate_id: "none" }),
    ];
    expect(there.map((one) => one.toJSON())).toEqual(nowhere.map((one) => one.toJSON()));
    for (const action of ["list_members", "list_gates", "list_tasks", "read_messages"]) {
      const closed = await ada.refused(action, { room: "secret" });
      const none = await ada.refused(action, { room: "nowhere" });
      expect(closed.toJSON(), action).toEqual(none.toJSON());
      expect(closed).toMatchObject({ code: "FORBIDDEN", facts: { rooms: ["main"] } });
    }
    const join = [
      await ada.refused("join_room", { room: "secret" }),
      await ada.refused("join_room", { room: "nowhere" }),
    ];
    expect(join[0]?.toJSON()).toEqual(join[1]?.toJSON());
    const rooms = (await ada.does("list_rooms")).rooms as Array<{ room: string }>;
    expect(rooms.map(({ room }) => room)).toEqual(["lab", "main"]);
    expect(names(await ada.does("list_members"))).toEqual(["ada", "cyd"]);
  });

  it("M3: facts are numbered per room without gap, and a write in one leaves the others", async () => {
    const p = await stage(make);
    const { ada, bob, both } = await twoRooms(p);
    const before = [await head(p, "main"), await head(p, "lab")];
    await Promise.all([
      ...Array.from({ length: 5 }, (_, n) => ask(ada, "request_approval", { title: `main ${n}` })),
      ...Array.from({ length: 5 }, (_, n) => ask(bob, "request_approval", { title: `lab ${n}` })),
      ask(both, "request_approval", { title: "both", room: "lab" }),
    ]);
    expect([await head(p, "main"), await head(p, "lab")]).toEqual([(before[0] ?? 0) + 5, (before[1] ?? 0) + 6]);
    for (const room of ["main", "lab"]) {
      const rows = await p.table.store.read((db) =>
        db.selectFrom("log").select("seq").where("room", "=", room).orderBy("seq").execute(),
      );
      expect(rows.map(({ seq }) => seq)).toEqual(rows.map((_, n) => n + 1));
    }
  });

  it("M3: a kick leaves a tombstone until readmission", async () => {
    const p = await stage(make);
    const { both } = await twoRooms(p);
    const zoe = await p.guest("zoe", { role: "approver", room: "lab" });
    expect(await zoe.does("kick", { member: "cyd", reason: "loops" })).toMatchObject({ kicked: "cyd" });
    const again = await p.again(both);
    expect((await again.refused("list_members", { room: "lab" })).code).toBe("FORBIDDEN");
    expect([...again.caller.rooms.keys()]).toEqual(["main"]);
    expect((await again.refused("join_room", { room: "lab" })).code).toBe("FORBIDDEN");
    expect((await zoe.refused("add_member", { name: "CYD" })).code).toBe("CONFLICT");
    expect((await p.operator.refused("add_member", { name: "cyd", room: "lab" })).code).toBe("CONFLICT");
    expect(names(await zoe.does("list_members"))).not.toContain("cyd");
    await zoe.does("set_role", { member: "bob", role: "lead" });
    await zoe.does("readmit", { member: "cyd" });
    expect((await p.again(both)).caller.rooms.get("lab")).toBe("worker");
    expect((await zoe.refused("readmit", { member: "cyd" })).code).toBe("NOT_FOUND");
    expect((await facts(p, "lab")).map(({ action }) => action)).toEqual(
      expect.arrayContaining(["member.kicked", "member.role_set", "member.readmitted"]),
    );
  });
});

describe("on one store", () => {
  const { make } = inMemory;

  it("M3: a call that acts names its room when the caller is in several", async () => {
    const p = await stage(make);
    const { ada, both } = await twoRooms(p);
    expect(await both.refused("request_approval", { title: "T" })).toMatchObject({
      code: "ROOM_NEEDED",
      status: 400,
      facts: { rooms: ["lab", "main"] },
    });
    expect(await ask(both, "request_approval", { title: "T", room: "lab" })).toMatchObject({ room: "lab" });
    expect(await ask(ada, "request_approval", { title: "T" })).toMatchObject({ room: "main" });
    for (const room of [1, {}, ["main"]])
      expect((await ada.refused("request_approval", { title: "T", room })).code).toBe("BAD_INPUT");
    // What an id names is found without the room.
    const gate = await ask(both, "request_approval", { title: "Other", room: "main" });
    expect(await look(both, gate)).toMatchObject({ room: "main" });
    expect((await both.refused("get_gate", {})).code).toBe("BAD_INPUT");
    expect((await both.refused("get_gate", { gate_id: 7 })).code).toBe("BAD_INPUT");
    expect((await both.refused("get_gate", { gate_id: "none" })).code).toBe("NOT_FOUND");
  });

  it("M3: who is in no room is told so", async () => {
    const p = await stage(make);
    const { ada } = await twoRooms(p);
    await ada.does("leave_room", { room: "main" });
    const alone = await p.again(ada);
    expect(await alone.refused("list_members")).toMatchObject({ code: "ROOM_NEEDED", facts: { rooms: [] } });
    expect(await alone.does("whoami")).toMatchObject({ member: "ada", rooms: [] });
    expect((await alone.refused("leave_room", { room: "main" })).code).toBe("FORBIDDEN");
    expect(await alone.does("join_room", { room: "lab" })).toMatchObject({ room: "lab", role: "worker" });
  });

  it("M3: `_server` is no room to be in, for nobody", async () => {
    const p = await stage(make);
    const olga = await p.guest("olga", { role: "owner" });
    const ada = await p.guest("ada");
    for (const who of [olga, ada, p.operator])
      for (const [action, args] of [
        ["join_room", {}],
        ["list_members", {}],
        ["rename_room", { title: "Mine" }],
        ["add_member", { name: "eve" }],
        ["request_approval", { title: "T" }],
        ["stop_all", {}],
      ] as const) {
        if (who === p.operator && action === "join_room") continue;
        const refused = await who.refused(action, { ...args, room: "_server" });
        expect(["FORBIDDEN", "NOT_FOUND"], `${who.name} ${action}`).toContain(refused.code);
      }
    expect((await p.operator.refused("create_room", { room: "_server" })).code).toBe("BAD_INPUT");
  });

  it("M3: rooms are made by the owner or the operator, named apart, and joined by who made them", async () => {
    const p = await stage(make);
    const olga = await p.guest("olga", { role: "owner" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const lea = await p.guest("lea", { role: "lead" });
    for (const who of [zoe, lea]) expect((await who.refused("create_room", { room: "lab" })).code).toBe("FORBIDDEN");
    await olga.does("create_room", { room: "lab", title: "The lab" });
    expect(names(await (await p.again(olga)).does("list_members", { room: "lab" }))).toEqual(["olga"]);
    for (const room of ["lab", "LAB", "Main"])
      expect((await p.operator.refused("create_room", { room })).code, room).toBe("CONFLICT");
    for (const room of ["", "a/b", "a:b", " lab", "x".repeat(65)])
      expect((await p.operator.refused("create_room", { room })).code, room).toBe("BAD_INPUT");
    await zoe.does("rename_room", { title: "The main thing" });
    const rooms = (await olga.does("list_rooms")).rooms;
    expect(rooms).toEqual([
      { room: "lab", title: "The lab", open: false, members: 1, joined: true },
      { room: "main", title: "The main thing", open: true, members: 3, joined: true },
    ]);
  });

  it("M3: who may name any room is told when there is none", async () => {
    const p = await stage(make);
    const olga = await p.guest("olga", { role: "owner" });
    for (const who of [olga, p.operator])
      for (const [action, args] of [
        ["list_members", {}],
        ["rename_room", { title: "T" }],
        ["kick", { member: "olga" }],
      ] as const)
        expect((await who.refused(action, { ...args, room: "nowhere" })).code, action).toBe("NOT_FOUND");
  });

  it("M2: an approver manages agents up to lead; people are the owner's", async () => {
    const p = await stage(make);
    const olga = await p.guest("olga", { role: "owner" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const vic = await p.guest("vic", { role: "viewer" });
    const ada = await p.guest("ada");
    for (const role of ["lead", "reviewer", "observer", "worker"])
      expect(await zoe.does("set_role", { member: "ada", role })).toMatchObject({ role });
    for (const role of ["approver", "viewer", "owner", "boss"])
      expect((await zoe.refused("set_role", { member: "ada", role })).code, role).toBe("BAD_INPUT");
    expect(await zoe.does("add_member", { name: "new", role: "lead" })).toMatchObject({ kind: "agent", role: "lead" });
    for (const args of [
      { name: "per", person: true },
      { name: "per", role: "owner" },
      { name: "per", person: true, role: "viewer" },
    ])
      expect((await zoe.refused("add_member", args)).code).toBe("FORBIDDEN");
    for (const [action, args] of [
      ["set_role", { member: "vic", role: "approver" }],
      ["kick", { member: "vic" }],
      ["remove_member", { member: "vic" }],
      ["kick", { member: "olga" }],
    ] as const)
      expect((await zoe.refused(action, args)).code, action).toBe("FORBIDDEN");
    for (const who of [ada, vic])
      for (const [action, args] of [
        ["set_role", { member: who.name, role: "lead" }],
        ["add_member", { name: "mine" }],
        ["kick", { member: "new" }],
        ["readmit", { member: "new" }],
        ["remove_member", { member: "new" }],
        ["create_room", { room: "mine" }],
        ["rename_room", { title: "Mine" }],
        ["make_link", { person: "olga" }],
      ] as const)
        expect((await who.refused(action, args)).code, `${who.name} ${action}`).toBe("FORBIDDEN");
    expect(await olga.does("set_role", { member: "vic", role: "approver" })).toMatchObject({ role: "approver" });
    expect((await olga.refused("set_role", { member: "vic", role: "lead" })).code).toBe("BAD_INPUT");
    expect((await zoe.refused("kick", { member: "zoe" })).code).toBe("FORBIDDEN");
    expect((await olga.refused("kick", { member: "olga" })).code).toBe("INVALID_TARGET");
    expect((await zoe.refused("kick", { member: "nobody" })).code).toBe("NOT_FOUND");
  });

  it("M2: an approver removes an agent only where all its rooms are the approver's", async () => {
    const p = await stage(make);
    const { both } = await twoRooms(p);
    const zoe = await p.guest("zoe", { role: "approver" });
    expect((await zoe.refused("remove_member", { member: both.name })).code).toBe("FORBIDDEN");
    expect(await zoe.does("remove_member", { member: "ada" })).toEqual({ removed: "ada" });
    expect(names(await zoe.does("list_members"))).toEqual(["cyd", "zoe"]);
  });

  it("M2: a role that has just changed is looked at again inside the write", async () => {
    const p = await stage(make);
    const zoe = await p.guest("zoe", { role: "approver" });
    const ada = await p.guest("ada");
    await zoe.does("set_role", { member: "ada", role: "observer" });
    // The edge had found the caller before.
    expect((await ada.refused("request_approval", { title: "T", wait_seconds: 0 })).code).toBe("FORBIDDEN");
    await p.operator.does("set_role", { member: "zoe", role: "viewer" });
    expect((await zoe.refused("rename_room", { title: "Mine" })).code).toBe("FORBIDDEN");
    expect((await facts(p)).filter(({ action }) => /asked|renamed/.test(action))).toEqual([]);
  });

  it("M2: becoming observer withdraws what the member had asked", async () => {
    const p = await stage(make);
    const zoe = await p.guest("zoe", { role: "approver" });
    const ada = await p.guest("ada");
    const gate = await ask(ada, "request_approval", { title: "Deploy" });
    await zoe.does("set_role", { member: "ada", role: "reviewer" });
    expect(await look(zoe, gate)).toMatchObject({ status: "pending" });
    await zoe.does("set_role", { member: "ada", role: "observer" });
    expect(await look(zoe, gate)).toMatchObject({ status: "withdrawn", reason: "ada became observer" });
  });

  it("M2: who joins an open room is a worker, a person a viewer, the owner an approver", async () => {
    const p = await stage(make);
    await twoRooms(p);
    for (const [name, role, joins] of [
      ["lea", "lead", "worker"],
      ["zoe", "approver", "viewer"],
      ["olga", "owner", "approver"],
    ] as const) {
      const who = await p.guest(name, { role });
      expect(await who.does("join_room", { room: "lab" })).toMatchObject({ role: joins });
      const before = await head(p, "lab");
      expect(await who.does("join_room", { room: "lab" })).toMatchObject({ role: joins });
      expect(await head(p, "lab")).toBe(before);
    }
  });
});
