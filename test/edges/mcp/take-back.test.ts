// An approval can be taken back until the answer was written to a connection that was there (G17): over real
// connections that are cut before the yes, right after it, and come back or not.
import { expect, it } from "vitest";
import { inMemory } from "../../setup/stores.ts";
import { facts, look } from "../../stage.ts";
import { type Guest, type Play, play } from "../../table.ts";
import { approval, bearer, crew, found, type Instance } from "./stage.ts";

type Gate = Record<string, unknown> & { id: string };

const pending = (zoe: Guest): Promise<Gate> =>
  found(async () => ((await zoe.does("list_gates", { status: "pending" })).gates as Gate[])[0]);
const approve = (zoe: Guest, { id }: Gate) => zoe.does("decide_gate", { gate_id: id, decision: "approve" });
const takeBack = (zoe: Guest, { id }: Gate) => zoe.does("recall_gate", { gate_id: id });
const noConnection = (mcp: Instance) => found(async () => (mcp.connections() === 0 ? true : undefined));
const told = async (mcp: Instance) =>
  (await facts(mcp)).map(({ action }) => action).filter((action) => /delivered/.test(action));

/** A long hold whose stream is cut; how it goes on with the id of its first event. */
async function cutOff(mcp: Instance, ada: Guest) {
  const gone = new AbortController();
  const response = await fetch(mcp.url, {
    method: "POST",
    headers: {
      ...bearer(ada.token),
      ...{ "Content-Type": "application/json", "Mcp-Session-Id": "codex.x", "MCP-Protocol-Version": "2025-11-25" },
    },
    body: JSON.stringify(approval("a", { wait_seconds: 120 })),
    signal: gone.signal,
  });
  const first = await response.body?.getReader().read();
  const id = /^id: (.+)$/m.exec(Buffer.from(first?.value ?? []).toString())?.[1] ?? "";
  gone.abort();
  await noConnection(mcp);
  return async (): Promise<unknown[]> => {
    const back = await fetch(mcp.url, {
      headers: { ...bearer(ada.token), Accept: "text/event-stream", "Last-Event-ID": id },
    });
    const lines = (await back.text()).split("\n").filter((line) => line.startsWith("data: {"));
    return lines.map((line) => JSON.parse(line.slice("data: ".length)));
  };
}

const answerIn = (status: string) => [
  { id: "a", result: { structuredContent: { gate: expect.objectContaining({ status }) } } },
];

it("G17: cut off before the yes nothing is delivered: it is taken back, and whoever comes back gets a no", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const goOn = await cutOff(mcp, ada);
  const gate = await pending(zoe);
  await approve(zoe, gate);
  await mcp.clock.tick(500);
  expect(await look(zoe, gate)).not.toHaveProperty("delivered_at");
  expect(await takeBack(zoe, gate)).toMatchObject({ gate: { status: "denied", recalled: true } });
  expect(await goOn()).toMatchObject(answerIn("denied"));
  await end();
});

it("G17: cut off before the yes and back in time it gets the yes, which is then taken back no more", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const goOn = await cutOff(mcp, ada);
  const gate = await pending(zoe);
  await approve(zoe, gate);
  expect(await goOn()).toMatchObject(answerIn("approved"));
  expect(await look(zoe, gate)).toHaveProperty("delivered_at");
  expect((await zoe.refused("recall_gate", { gate_id: gate.id })).code).toBe("CONFLICT");
  await end();
});

it("G17: a client that does not come back has had nothing; its next process learns what became of it", async () => {
  const { mcp, ada, zoe, end } = await crew();
  await cutOff(mcp, ada);
  const gate = await pending(zoe);
  await approve(zoe, gate);
  await mcp.clock.tick(15_000);
  await found(async () => (mcp.table.ring.size() === 0 ? true : undefined));
  expect(await told(mcp)).toEqual([]);
  await takeBack(zoe, gate);
  expect(await ada.does("whoami")).toMatchObject({ inbox: { answered_gates: [{ id: gate.id, status: "denied" }] } });
  await end();
});

it.each([
  ["a silent hold", undefined],
  ["a long hold", 120],
])("G17: a connection that breaks between the yes and the answer delivers nothing, in %s", async (_, wait_seconds) => {
  let mcp: Instance | undefined;
  // The result is there, and is not written yet: the connection goes just then.
  const breaking = (p: Play): Play => ({
    ...p,
    table: {
      ...p.table,
      perform: async (caller, name, args, ask) => {
        const answer = await p.table.perform(caller, name, args, ask);
        if (ask?.longest !== undefined && name === "request_approval") {
          mcp?.cut();
          await noConnection(mcp as Instance);
        }
        return answer;
      },
    },
  });
  const s = await crew({}, breaking);
  ({ mcp } = s);
  const asked = s.mcp.post(approval("a", wait_seconds === undefined ? {} : { wait_seconds }), {
    ...bearer(s.ada.token),
    "Mcp-Session-Id": "codex.x",
  });
  const broken = asked.then((response) => response.text()).catch(() => "broken");
  const gate = await pending(s.zoe);
  await approve(s.zoe, gate);
  expect(await broken).not.toContain("approved");
  await found(async () => ((await told(s.mcp)).length === 2 ? true : undefined));
  expect(await told(s.mcp)).toEqual(["gate.delivered", "gate.not_delivered"]);
  expect(await look(s.zoe, gate)).not.toHaveProperty("delivered_at");
  await takeBack(s.zoe, gate);
  expect(await s.ada.does("whoami")).toMatchObject({ inbox: { answered_gates: [{ id: gate.id, status: "denied" }] } });
  await s.end();
});

it("G17: what another result carries, or has brought, is not taken back by one that was lost", async () => {
  const { store, remove } = await inMemory.make();
  const p = play(store);
  const ada = await p.guest("ada");
  const zoe = await p.guest("zoe", { role: "approver" });
  for (const brought of [false, true]) {
    const { gate } = await ada.does("request_approval", { title: `Deploy ${brought}`, wait_seconds: 0 });
    await approve(zoe, gate as Gate);
    const lost = await p.table.perform(ada.caller, "wait_for_gate", { gate_id: (gate as Gate).id });
    const other = await p.table.perform(ada.caller, "list_members", {});
    expect(other.result).toMatchObject({ inbox: { answered_gates: [{ id: (gate as Gate).id, status: "approved" }] } });
    if (brought) await other.written();
    await lost.lost();
    expect((await zoe.refused("recall_gate", { gate_id: (gate as Gate).id })).code).toBe("CONFLICT");
    await (brought ? ada.does("whoami") : other.lost());
    if (!brought) await takeBack(zoe, gate as Gate);
    await ada.does("whoami");
    await ada.does("whoami");
  }
  await p.table.close();
  await remove();
});
