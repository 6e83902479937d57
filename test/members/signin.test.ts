import { describe, expect, it } from "vitest";
import { sha256 } from "../../src/ids.ts";
import { type Caller, callerAgain, callerOfSession } from "../../src/members/caller.ts";
import { noticesFor, redeem, type SignedIn, signOut } from "../../src/members/signin.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { refusal, type Stage, stage } from "../stage.ts";

const link = async (p: Stage, person?: string) =>
  (await p.operator.does("make_link", person === undefined ? {} : { person })).code as string;
const opens = (p: Stage, signed: Pick<SignedIn, "cookie">) =>
  p.table.store.read((db) => callerOfSession(db, signed.cookie));
const notices = (p: Stage, member: string) => p.table.store.read((db) => noticesFor(db, member));

eachStore(({ make }) => {
  it("D7: a person in no room makes a link for another device of its own, and of nobody else's", async () => {
    const p = await stage(make);
    await redeem(p.table, await link(p), "zoe", "Firefox");
    const eve = await p.guest("eve", { role: "viewer" });
    await eve.does("leave_room", { room: "main" });
    const out = await p.again(eve);
    expect(out.caller.rooms.size).toBe(0);
    const { code } = await out.does("make_link");
    expect(await redeem(p.table, String(code), undefined, "Phone")).toMatchObject({ member: "eve", owner: false });
    expect((await refusal(out.does("make_link", { person: "zoe" }))).code).toBe("FORBIDDEN");
    expect((await refusal(out.does("add_member", { name: "ada" }))).code).toMatch(/FORBIDDEN|ROOM_NEEDED/);
  });

  it("D7: the first link makes the owner, who is asked for a name", async () => {
    const p = await stage(make);
    const code = await link(p);
    expect(await refusal(redeem(p.table, code, undefined, "Firefox"))).toMatchObject({
      code: "CONFLICT",
      status: 409,
      facts: { need: "name" },
    });
    await p.guest("ada");
    expect(await refusal(redeem(p.table, code, "ADA", "Firefox"))).toMatchObject({ facts: { need: "name" } });
    expect((await refusal(redeem(p.table, code, "z/oe", "Firefox"))).code).toBe("BAD_INPUT");
    const signed = await redeem(p.table, code, " zoe ", "Firefox");
    expect(signed).toMatchObject({ member: "zoe", owner: true });
    const session = await opens(p, signed);
    expect(session?.caller.actor).toMatchObject({
      member: "zoe",
      kind: "person",
      serverRole: "owner",
      device: "Firefox",
    });
    expect(session?.caller.rooms).toEqual(new Map([["main", "approver"]]));
    expect(session?.knows(signed.secret)).toBe(true);
    for (const wrong of ["", signed.cookie, signed.secret.slice(1), `${signed.secret} `])
      expect(session?.knows(wrong)).toBe(false);
  });

  it("D7: a link works once, for ten minutes, and stands hashed in the store", async () => {
    const p = await stage(make);
    const code = await link(p);
    expect(code).toMatch(/^[A-Za-z0-9_-]{43}$/);
    const rows = await p.table.store.read((db) => db.selectFrom("links").selectAll().execute());
    expect(rows).toMatchObject([{ hash: sha256(code) }]);
    expect(JSON.stringify(rows)).not.toContain(code);
    const signed = await redeem(p.table, code, "zoe", "Firefox");
    expect(await refusal(redeem(p.table, code, "zoe", "Firefox"))).toMatchObject({ code: "EXPIRED", status: 409 });
    expect(await refusal(redeem(p.table, "unknown", undefined, "Firefox"))).toMatchObject({
      code: "NOT_FOUND",
      status: 404,
    });
    const late = await link(p);
    await p.clock.tick(10 * 60_000 - 1);
    const inTime = await redeem(p.table, late, undefined, "Phone");
    expect(inTime.member).toBe("zoe");
    const tooLate = await link(p);
    await p.clock.tick(10 * 60_000);
    expect((await refusal(redeem(p.table, tooLate, undefined, "Phone"))).code).toBe("EXPIRED");
    const secrets = [signed, inTime].flatMap(({ cookie, secret }) => [cookie, secret]);
    expect(new Set(secrets).size).toBe(4);
    const stored = JSON.stringify(await p.table.store.read((db) => db.selectFrom("sessions").selectAll().execute()));
    for (const secret of secrets) {
      expect(stored).not.toContain(secret);
      expect(stored).toContain(sha256(secret));
    }
  });

  it("D7: of many that redeem one link at once exactly one comes in", async () => {
    const p = await stage(make);
    const code = await link(p);
    const came = await Promise.allSettled(
      Array.from({ length: 10 }, (_, n) => redeem(p.table, code, `zoe ${n}`, `device ${n}`)),
    );
    expect(came.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const one of came) if (one.status === "rejected") expect(one.reason).toMatchObject({ code: "EXPIRED" });
    const people = await p.table.store.read((db) =>
      db.selectFrom("members").select("name").where("kind", "=", "person").execute(),
    );
    expect(people).toHaveLength(1);
  });

  it("D7: sessions are ended one by one or all together, and G18 sees it", async () => {
    const p = await stage(make);
    await p.guest("zoe", { role: "owner" });
    const devices = [];
    for (const device of ["phone", "laptop", "tablet"])
      devices.push(await redeem(p.table, await link(p), undefined, device));
    const callers: Array<Caller | undefined> = [];
    for (const signed of devices) callers.push((await opens(p, signed))?.caller);
    const ends = async () => {
      const there = [];
      for (const caller of callers)
        if (caller && (await p.table.store.read((db) => callerAgain(db, caller)))) there.push(caller.actor.device);
      return there;
    };
    const id = callers[0]?.actor.credential.slice("session:".length) ?? "";
    await signOut(p.table, "zoe", id);
    expect(await ends()).toEqual(["laptop", "tablet"]);
    expect(await opens(p, devices[0] as SignedIn)).toBeNull();
    await signOut(p.table, "zoe", null);
    expect(await ends()).toEqual([]);
  });
});

describe("on one store", () => {
  const { make } = inMemory;

  it("D7: a link for somebody is made by the operator, the owner, or for oneself", async () => {
    const p = await stage(make);
    const olga = await p.guest("olga", { role: "owner" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const vic = await p.guest("vic", { role: "viewer" });
    const ada = await p.guest("ada");
    // Several people: the command line must say for whom.
    expect(await p.operator.refused("make_link")).toMatchObject({ code: "BAD_INPUT" });
    expect((await p.operator.refused("make_link", { person: "ada" })).code).toBe("NOT_FOUND");
    for (const [who, person] of [
      [p.operator, "vic"],
      [olga, "vic"],
      [vic, undefined],
      [vic, "vic"],
    ] as const) {
      const made = await who.does("make_link", person === undefined ? {} : { person });
      expect(made.expires_at).toBe(new Date(p.clock.now() + 10 * 60_000).toISOString());
      expect((await redeem(p.table, made.code as string, "ignored", "phone")).member).toBe("vic");
    }
    for (const who of [zoe, vic]) expect((await who.refused("make_link", { person: "olga" })).code).toBe("FORBIDDEN");
    expect((await ada.refused("make_link")).code).toBe("FORBIDDEN");
  });

  it("D7: a link for who has gone, or for the first person when there is one, is too old", async () => {
    const p = await stage(make);
    const first = await link(p);
    await p.guest("olga", { role: "owner" });
    expect((await refusal(redeem(p.table, first, "mallory", "phone"))).code).toBe("EXPIRED");
    await p.guest("vic", { role: "viewer" });
    const late = await link(p, "vic");
    await p.operator.does("remove_member", { member: "vic" });
    expect((await refusal(redeem(p.table, late, undefined, "phone"))).code).toBe("EXPIRED");
  });

  it("D7: devices are listed with the current one, and revoked by their owner only", async () => {
    const p = await stage(make);
    const olga = await p.guest("olga", { role: "owner" });
    const vic = await p.guest("vic", { role: "viewer" });
    await redeem(p.table, await link(p, "olga"), undefined, "Chrome on Android");
    const { devices } = (await olga.does("list_devices")) as { devices: Array<{ id: string }> };
    expect(devices).toMatchObject([
      {
        device: "Chrome on Android",
        created_at: new Date(p.clock.now()).toISOString(),
        last_seen: new Date(p.clock.now()).toISOString(),
        current: false,
      },
    ]);
    const id = devices[0]?.id;
    expect((await vic.refused("revoke_device", { id })).code).toBe("NOT_FOUND");
    expect(await olga.does("revoke_device", { id })).toEqual({ revoked: id });
    expect((await olga.does("list_devices")).devices).toEqual([]);
    expect((await olga.refused("revoke_device", { id })).code).toBe("NOT_FOUND");
  });

  it("G4: what the command line makes for people is a notice to every person until acknowledged", async () => {
    const p = await stage(make);
    const olga = await p.guest("olga", { role: "owner" });
    const vic = await p.guest("vic", { role: "viewer" });
    await olga.does("acknowledge_notices", { seq: 1000 });
    await vic.does("acknowledge_notices", { seq: 1000 });
    await p.clock.tick(1000);
    await p.operator.does("make_link", { person: "olga" });
    await p.operator.does("issue_token", { member: "olga" });
    // Of agents, and of what people do in the dashboard, there is no notice.
    await p.guest("ada");
    await olga.does("make_link");
    await olga.does("issue_token", { member: "vic" });
    for (const who of ["olga", "vic"])
      expect((await notices(p, who)).map(({ text }) => text)).toEqual([
        "A sign-in link for olga was made on the command line.",
        "A token for olga was made on the command line.",
      ]);
    expect(await notices(p, "ada")).toEqual([]);
    const [first] = await notices(p, "vic");
    await vic.does("acknowledge_notices", { seq: first?.seq });
    expect(await notices(p, "vic")).toHaveLength(1);
    expect(await notices(p, "olga")).toHaveLength(2);
    // An older number takes nothing back.
    await vic.does("acknowledge_notices", { seq: 0 });
    expect(await notices(p, "vic")).toHaveLength(1);
    await p.guest("per", { role: "approver" });
    expect((await notices(p, "vic")).map(({ text }) => text)).toContain(
      "per was added as a person on the command line.",
    );
  });

  it("G4: a notice is not hidden behind a thousand other facts", async () => {
    const p = await stage(make);
    await p.guest("olga", { role: "owner" });
    const [last] = (await notices(p, "olga")).slice(-1);
    await p.table.write(p.operator.caller, "_server", async (call) => {
      for (let n = 0; n < 1100; n++)
        call.serverFact({ action: "token.issued", subject: `token:${n}`, data: { member: "ada", kind: "agent" } });
    });
    await p.operator.does("make_link", { person: "olga" });
    await p.clock.tick(1);
    await p.guest("new", { role: "approver" });
    const texts = (await notices(p, "olga")).filter(({ seq }) => (seq as number) > ((last?.seq as number) ?? 0));
    expect(texts).toMatchObject([
      { text: "A sign-in link for olga was made on the command line." },
      { text: "new was added as a person on the command line." },
      { text: "A token for new was made on the command line." },
    ]);
    expect(await notices(p, "new")).toHaveLength(2);
  });
});
