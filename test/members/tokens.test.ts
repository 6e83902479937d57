import { expect, it } from "vitest";
import { sha256 } from "../../src/ids.ts";
import { callerOfToken } from "../../src/members/caller.ts";
import { eachStore } from "../setup/stores.ts";
import { stage } from "../stage.ts";

type Token = { id: string; member: string; label: string; used_at: unknown; revoked_at: unknown };

eachStore(({ make }) => {
  it("M1: a token is shown once, 256 bits, and stands in the store only as its SHA-256", async () => {
    const p = await stage(make);
    const made = await p.operator.does("add_member", { name: "ada" });
    const token = made.token as string;
    expect(token).toMatch(/^parley_[A-Za-z0-9_-]{43}$/);
    const everything = await p.table.store.read(async (db) => [
      await db.selectFrom("tokens").selectAll().execute(),
      await db.selectFrom("members").selectAll().execute(),
      await db.selectFrom("log").selectAll().execute(),
    ]);
    expect(JSON.stringify(everything)).not.toContain(token.slice("parley_".length));
    expect(JSON.stringify(everything)).toContain(sha256(token));
    expect(JSON.stringify(await p.operator.does("list_tokens"))).not.toContain(sha256(token));
  });

  it("M1: who calls is told by the token alone; a wrong, empty or revoked one is nobody's", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const bob = await p.guest("bob");
    const who = (token: string) => p.table.store.read((db) => callerOfToken(db, token));
    expect((await who(ada.token))?.actor).toMatchObject({ member: "ada", kind: "agent", serverRole: null });
    expect((await who(bob.token))?.actor).toMatchObject({ member: "bob" });
    for (const token of [
      "",
      "ada",
      sha256(ada.token),
      ada.token.slice(0, -1),
      `${ada.token} `,
      ada.token.toUpperCase(),
    ])
      expect(await who(token)).toBeNull();
    // No argument makes somebody else of the caller.
    const gate = await ada.does("request_approval", { title: "T", wait_seconds: 0 });
    expect(gate).toMatchObject({ gate: { asked_by: "ada" } });
    expect((await ada.refused("request_approval", { title: "T", asked_by: "bob" })).code).toBe("BAD_INPUT");
  });

  it("M1: a member has several tokens, each labelled, revoked one by one, with its last use", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const second = (await p.operator.does("issue_token", { member: "ada", label: "laptop" })).token as string;
    const list = async () => (await p.operator.does("list_tokens", { member: "ada" })).tokens as Token[];
    const [first, laptop] = await list();
    expect(first).toMatchObject({ label: "first", used_at: null, revoked_at: null });
    expect(laptop).toMatchObject({ label: "laptop", used_at: null });
    await ada.does("whoami");
    const used = (await list())[0]?.used_at;
    expect(used).toBe(new Date(p.clock.now()).toISOString());
    await p.operator.does("revoke_token", { token_id: first?.id });
    await expect(p.again(ada)).rejects.toThrow("not known");
    expect((await p.again({ ...ada, token: second })).name).toBe("ada");
    // Once more is no fault, and no second fact.
    await p.operator.does("revoke_token", { token_id: first?.id });
    expect((await list()).map(({ revoked_at }) => revoked_at !== null)).toEqual([true, false]);
    const revoked = await p.table.store.read((db) =>
      db.selectFrom("log").select("subject").where("action", "=", "token.revoked").execute(),
    );
    expect(revoked).toEqual([{ subject: `token:${first?.id}` }]);
  });

  it("M1: revoking the last token locks no name out", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const [{ id }] = (await p.operator.does("list_tokens", { member: "ada" })).tokens as [Token];
    await p.operator.does("revoke_token", { token_id: id });
    const { token } = await p.operator.does("issue_token", { member: "ada" });
    const again = await p.again({ ...ada, token: token as string });
    expect(await again.does("whoami")).toMatchObject({ member: "ada", rooms: [{ room: "main", role: "worker" }] });
  });

  it("M2: who handles tokens: approvers those of agents in their rooms, the owner all", async () => {
    const p = await stage(make);
    await p.operator.does("create_room", { room: "lab" });
    const olga = await p.guest("olga", { role: "owner" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const vic = await p.guest("vic", { role: "viewer" });
    const lea = await p.guest("lea", { role: "lead" });
    await p.guest("ada");
    await p.guest("far", { room: "lab" });
    const both = await p.guest("both", { room: "lab" });
    await p.operator.does("add_member", { name: "both", room: "main" });
    expect((await p.again(both)).caller.rooms.size).toBe(2);
    const id = async (member: string) => ((await p.operator.does("list_tokens", { member })).tokens as [Token])[0].id;
    for (const who of [vic, lea]) {
      expect((await who.refused("issue_token", { member: "ada" })).code).toBe("FORBIDDEN");
      expect((await who.refused("revoke_token", { token_id: await id("ada") })).code).toBe("FORBIDDEN");
    }
    expect((await lea.refused("list_tokens")).code).toBe("FORBIDDEN");
    for (const member of ["far", "both", "olga", "vic"]) {
      expect((await zoe.refused("issue_token", { member })).code, member).toBe("FORBIDDEN");
      expect((await zoe.refused("revoke_token", { token_id: await id(member) })).code, member).toBe("FORBIDDEN");
    }
    expect(await zoe.does("issue_token", { member: "ada" })).toHaveProperty("token");
    const seen = ((await zoe.does("list_tokens")).tokens as Token[]).map(({ member }) => member);
    expect(seen).not.toContain("far");
    for (const member of ["ada", "far", "both", "zoe", "vic", "olga"])
      expect(await olga.does("issue_token", { member }), member).toHaveProperty("token");
    expect((await olga.refused("revoke_token", { token_id: "none" })).code).toBe("NOT_FOUND");
    expect((await olga.refused("issue_token", { member: "nobody" })).code).toBe("NOT_FOUND");
  });

  it("M1: a removed member's tokens end, and its name keeps its history", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    await ada.does("report_blocker", { title: "No key", wait_seconds: 0 });
    await p.operator.does("remove_member", { member: "ada" });
    await expect(p.again(ada)).rejects.toThrow("not known");
    expect((await p.operator.refused("remove_member", { member: "ada" })).code).toBe("NOT_FOUND");
    const facts = await p.table.store.read((db) =>
      db.selectFrom("log").select("action").where("member", "=", "ada").execute(),
    );
    expect(facts).toContainEqual({ action: "gate.asked" });
  });
});
