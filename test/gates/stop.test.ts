import { describe, expect, it } from "vitest";
import { openStore } from "../../src/store/open.ts";
import { eachStore, inMemory } from "../setup/stores.ts";
import { ask, facts, gateOf, head, listening, look, refusal, stage } from "../stage.ts";
import { handClock, play } from "../table.ts";

const deploy = { title: "Deploy", action: { command: "make deploy" } };

eachStore(({ make, shared }) => {
  it("G17: stop_all denies what is pending, and nothing new is approved or claimed until resume_all", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const lea = await p.guest("lea", { role: "lead" });
    const zoe = await p.guest("zoe", { role: "approver" });
    const question = await ask(ada, "wait_for_feedback", { question: "Which?" });
    const blocker = await ask(ada, "report_blocker", { title: "No key" });
    const { task } = (await lea.does("create_task", { title: "Fix" })) as { task: { id: number } };
    const asked = ada.does("request_approval", deploy);
    await listening(p, 2);
    expect(await zoe.does("stop_all")).toEqual({ rooms: ["main"] });
    expect(gateOf(await asked)).toMatchObject({ status: "denied", decided_by: "zoe", from_person: true });
    expect(await ada.refused("request_approval", { title: "Other" })).toMatchObject({ code: "STOPPED", status: 409 });
    expect((await ada.refused("claim_task", { task_id: task.id })).code).toBe("STOPPED");
    expect((await ada.refused("next_task", { wait_seconds: 0 })).code).toBe("STOPPED");
    // Questions and blockers stand: people may still be told.
    for (const gate of [question, blocker]) expect(await look(zoe, gate)).toMatchObject({ status: "pending" });
    expect(await ask(ada, "report_blocker", { title: "Stopped?" })).toMatchObject({ status: "pending" });
    // Once more changes nothing.
    const before = await head(p);
    await zoe.does("stop_all");
    expect(await head(p)).toBe(before);
    await zoe.does("resume_all");
    expect(await ask(ada, "request_approval", { title: "Other" })).toMatchObject({ status: "pending" });
    expect(await ada.does("claim_task", { task_id: task.id })).toMatchObject({ task: { status: "claimed" } });
    const done = (await facts(p)).map(({ action }) => action);
    expect(done).toContain("room.stopped");
    expect(done).toContain("room.resumed");
  });

  it("G18: revoking the token, a kick, another role and removal end a waiting call", async () => {
    const p = await stage(make);
    const zoe = await p.guest("zoe", { role: "owner" });
    const waits = async (name: string) => {
      const who = await p.guest(name);
      const gate = await ask(who, "request_approval", deploy);
      const waited = refusal(who.does("wait_for_gate", { gate_id: gate.id }));
      await listening(p, 2);
      return { waited };
    };
    const tokenOf = async (member: string) =>
      ((await zoe.does("list_tokens", { member })).tokens as [{ id: string }])[0].id;
    const cases: Array<[string, string, () => Promise<unknown>]> = [
      ["ada", "UNAUTHENTICATED", async () => zoe.does("revoke_token", { token_id: await tokenOf("ada") })],
      ["bob", "FORBIDDEN", () => zoe.does("kick", { member: "bob" })],
      ["cyd", "FORBIDDEN", () => zoe.does("set_role", { member: "cyd", role: "reviewer" })],
      ["dan", "FORBIDDEN or UNAUTHENTICATED", () => zoe.does("remove_member", { member: "dan" })],
    ];
    for (const [name, code, end] of cases) {
      const { waited } = await waits(name);
      await end();
      expect(code, name).toContain((await waited).code);
      expect(p.table.ring.size()).toBe(0);
    }
  });

  if (shared)
    it("G18: a token revoked in another process ends the wait in this one", async () => {
      const p = await stage(make);
      const ada = await p.guest("ada");
      const gate = await ask(ada, "request_approval", deploy);
      const waited = refusal(ada.does("wait_for_gate", { gate_id: gate.id }));
      await listening(p, 2);
      const other = play(await openStore(p.fresh.where), handClock(p.clock.now()));
      try {
        const { tokens } = await other.operator.does("list_tokens", { member: "ada" });
        await other.operator.does("revoke_token", { token_id: (tokens as [{ id: string }])[0].id });
        expect((await waited).code).toBe("UNAUTHENTICATED");
      } finally {
        await other.table.close();
      }
    });
});

describe("on one store", () => {
  const { make } = inMemory;

  it("G17: the owner and the operator stop all rooms, an approver its own, and a named room alone", async () => {
    const p = await stage(make);
    for (const room of ["lab", "ops"]) await p.operator.does("create_room", { room });
    const olga = await p.guest("olga", { role: "owner" });
    const zoe = await p.guest("zoe", { role: "approver", room: "lab" });
    const vic = await p.guest("vic", { role: "viewer" });
    const lea = await p.guest("lea", { role: "lead" });
    const stopped = async () =>
      p.table.store.read(async (db) =>
        (await db.selectFrom("rooms").select("name").where("stopped", "=", true).orderBy("name").execute()).map(
          ({ name }) => name,
        ),
      );
    expect(await zoe.does("stop_all")).toEqual({ rooms: ["lab"] });
    expect(await stopped()).toEqual(["lab"]);
    expect((await zoe.refused("stop_all", { room: "ops" })).code).toBe("FORBIDDEN");
    expect((await zoe.refused("resume_all", { room: "nowhere" })).code).toBe("FORBIDDEN");
    for (const who of [vic, lea]) expect((await who.refused("stop_all")).code).toBe("FORBIDDEN");
    await olga.does("stop_all");
    expect(await stopped()).toEqual(["lab", "main", "ops"]);
    await olga.does("resume_all", { room: "ops" });
    expect(await stopped()).toEqual(["lab", "main"]);
    await p.operator.does("resume_all");
    expect(await stopped()).toEqual([]);
  });

  it("G17: what the one who stops had asked itself is withdrawn, since nobody decides their own", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const [mine, hers] = [await ask(zoe, "request_approval", deploy), await ask(ada, "request_approval", deploy)];
    const question = await ask(zoe, "wait_for_feedback", { question: "Which?" });
    await zoe.does("stop_all");
    expect(await look(zoe, mine)).toMatchObject({ status: "withdrawn", reason: "Everything was stopped." });
    expect(await look(zoe, hers)).toMatchObject({ status: "denied" });
    expect(await look(zoe, question)).toMatchObject({ status: "pending" });
  });

  it("G17: open floors pause with stop_all and go on with resume_all; those that had paused stay so", async () => {
    const p = await stage(make);
    const lea = await p.guest("lea", { role: "lead" });
    await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    for (const channel of ["one", "two"]) await lea.does("open_floor", { channel, seats: ["ada", "lea"] });
    await zoe.does("pause_floor", { channel: "two" });
    const status = async (channel: string) =>
      ((await lea.does("floor", { channel })).floor as { status: string }).status;
    await zoe.does("stop_all");
    expect([await status("one"), await status("two")]).toEqual(["paused", "paused"]);
    await zoe.does("resume_all");
    expect([await status("one"), await status("two")]).toEqual(["open", "paused"]);
  });

  it("G18: a credential revoked between sign-in and the wait ends the wait as well", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const gate = await ask(ada, "request_approval", deploy);
    const { tokens } = await p.operator.does("list_tokens", { member: "ada" });
    // The edge has found the caller; then the token goes; then the call begins.
    await p.operator.does("revoke_token", { token_id: (tokens as [{ id: string }])[0].id });
    const refused = await ada.refused("wait_for_gate", { gate_id: gate.id });
    expect(refused.code).toBe("UNAUTHENTICATED");
    expect(refused.facts).not.toHaveProperty("inbox");
  });

  it("G18: another member's revocation, kick or role does not end a wait", async () => {
    const p = await stage(make);
    const zoe = await p.guest("zoe", { role: "approver" });
    const ada = await p.guest("ada");
    for (const name of ["bob", "cyd"]) await p.guest(name);
    const waited = ada.does("request_approval", deploy);
    await listening(p, 2);
    await zoe.does("kick", { member: "bob" });
    await zoe.does("set_role", { member: "cyd", role: "lead" });
    const [gate] = (await zoe.does("list_gates", { status: "pending" })).gates as [{ id: string }];
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    expect(gateOf(await waited).status).toBe("approved");
  });

  it("G18: one of several tokens revoked leaves the waits of the others", async () => {
    const p = await stage(make);
    const zoe = await p.guest("zoe", { role: "approver" });
    const ada = await p.guest("ada");
    const { token } = await zoe.does("issue_token", { member: "ada", label: "laptop" });
    const laptop = await p.again({ ...ada, token: token as string });
    expect(laptop.caller.actor.device).toBe("laptop");
    const waited = ada.does("request_approval", deploy);
    await listening(p, 2);
    await zoe.does("revoke_token", { token_id: laptop.caller.actor.credential.slice("token:".length) });
    const [gate] = (await zoe.does("list_gates", { status: "pending" })).gates as [{ id: string }];
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
    expect(gateOf(await waited).status).toBe("approved");
    await expect(p.again(laptop)).rejects.toThrow("not known");
  });
});
