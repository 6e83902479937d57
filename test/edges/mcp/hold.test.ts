import { request as rawRequest } from "node:http";
import { expect, it } from "vitest";
import { noteTime } from "../../floor/note-time.ts";
import { inFile } from "../../setup/stores.ts";
import type { Guest } from "../../table.ts";
import {
  approval,
  bearer,
  cancelled,
  crew,
  found,
  type Instance,
  initialize,
  instance,
  request,
  turning,
} from "./stage.ts";

type Gate = Record<string, unknown> & { id: string; status: string; waiting_now?: boolean };

const pendingNow = async (person: Guest): Promise<Gate[]> =>
  (await person.does("list_gates", { status: "pending" })).gates as Gate[];

/** The pending gate that somebody waits on (or nobody). */
const pending = (person: Guest, waiting = true): Promise<Gate> =>
  found(async () => (await pendingNow(person)).find((gate) => gate.waiting_now === waiting));

it("G1, G7: a blocked approval returns when a person has decided", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const { client, call } = await mcp.connect(ada.token);
  await client.listTools();
  const asked = call("request_approval", { title: "Deploy", action: { command: "make deploy" } });
  const gate = await pending(zoe);
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", note: "go" });
  const { structuredContent, isError } = await asked;
  expect(isError).toBeUndefined();
  expect(structuredContent).toMatchObject({ gate: { status: "approved", note: "go", from_person: true } });
  await end();
});

it("G5: the silent hold ends after 45 s with the gate pending, and no byte before", async () => {
  const { mcp, ada, zoe, end } = await crew();
  let bytes = false;
  const asked = mcp.post(approval(1), bearer(ada.token)).then((response) => {
    bytes = true;
    return response;
  });
  await pending(zoe);
  await mcp.clock.tick(44_900);
  expect((await pending(zoe)).waiting_now).toBe(true);
  expect(bytes).toBe(false);
  await mcp.clock.tick(200);
  const response = await turning(mcp.clock, asked);
  expect(response.headers.get("content-type")).toBe("application/json");
  const { result } = (await response.json()) as { result: { isError?: boolean; structuredContent: { gate: Gate } } };
  expect(result.isError).toBeUndefined();
  expect(result.structuredContent.gate).toMatchObject({ status: "pending", next: { call: "wait_for_gate" } });
  await end();
});

it('G6: a cancelled call ends, leaves the gate pending and nobody waiting; ids 0, 1 and "1" are three', async () => {
  const { mcp, ada, zoe, end } = await crew();
  const auth = { ...bearer(ada.token), "Mcp-Session-Id": "tester.abc" };
  for (const id of [0, 1, "1", "a"]) {
    const asked = mcp.post(approval(id), auth);
    const gate = await pending(zoe);
    // Neither another id, nor another session, nor another member cancels it.
    for (const other of [0, 1, "1", "a", null, undefined])
      if (other !== id) expect((await mcp.post(cancelled(other), auth)).status).toBe(202);
    await mcp.post(cancelled(id), { ...auth, "Mcp-Session-Id": "tester.xyz" });
    await mcp.post(cancelled(id), { ...auth, ...bearer(zoe.token) });
    expect((await pending(zoe)).id).toBe(gate.id);
    expect((await mcp.post(cancelled(id), auth)).status).toBe(202);
    const response = await asked;
    expect([response.status, await response.text()]).toEqual([202, ""]);
    expect(await pending(zoe, false)).toMatchObject({ id: gate.id, nobody_waits_since: expect.any(String) });
  }
  await end();
});

it("G6: a cancel for a call that was answered is ignored, and the id may be used again", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const auth = { ...bearer(ada.token), "Mcp-Session-Id": "opencode.abc" };
  await mcp.post(approval(7, { wait_seconds: 0 }), auth);
  await mcp.post(cancelled(7), auth);
  const asked = mcp.post(approval(7), auth);
  const gate = await pending(zoe);
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
  expect(await (await asked).json()).toMatchObject({ result: { structuredContent: { gate: { status: "denied" } } } });
  await end();
});

it("G6: the SDK's client cancels a waiting call by its signal", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const { call } = await mcp.connect(ada.token);
  const stop = new AbortController();
  const asked = call("request_approval", { title: "Deploy" }, { signal: stop.signal });
  await pending(zoe);
  stop.abort("no longer needed");
  await expect(asked).rejects.toThrow("no longer needed");
  await pending(zoe, false);
  await end();
});

it("G6: a lost connection leaves the gate pending, nobody waiting, and the answer comes with the next call", async () => {
  const { mcp, ada, zoe, end } = await crew();
  for (const how of ["silent", "long"] as const) {
    const headers = {
      ...bearer(ada.token),
      "Content-Type": "application/json",
      "Mcp-Session-Id": "codex.a",
    };
    const body = approval(1, { title: how, wait_seconds: how === "long" ? 200 : 45 }, { progressToken: 1 });
    const req = rawRequest(mcp.url, { method: "POST", headers });
    req.on("error", () => {});
    req.end(JSON.stringify(body));
    const gate = await pending(zoe);
    req.destroy();
    // What came as events may be gone on with for a while.
    await found(async () => {
      await mcp.clock.tick(500);
      return (await pendingNow(zoe)).find((one) => !one.waiting_now);
    });
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "deny", note: how });
    const { call } = await mcp.connect(ada.token);
    const told = { id: gate.id, status: "denied", note: how };
    expect((await call("whoami")).structuredContent).toMatchObject({ inbox: { answered_gates: [told] } });
    expect((await call("whoami")).structuredContent).not.toHaveProperty("inbox");
  }
  await end();
});

it("G6: the inbox rides on refusals too, at the top", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const { gate } = (await ada.does("request_approval", { title: "Deploy", wait_seconds: 0 })) as { gate: Gate };
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
  const { call, client } = await mcp.connect(ada.token);
  await client.listTools();
  const refused = await call("get_gate", { gate_id: "nothing" });
  expect(refused.isError).toBe(true);
  expect(refused.structuredContent).toMatchObject({
    error: { code: "NOT_FOUND" },
    inbox: { answered_gates: [{ id: gate.id, status: "approved" }] },
  });
  expect(refused.structuredContent.error).not.toHaveProperty("inbox");
  await end();
});

it("G18: a revoked token ends its waiting call, and is 401 from then on", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const { call } = await mcp.connect(ada.token);
  const asked = call("request_approval", { title: "Deploy" });
  await pending(zoe);
  const { tokens } = (await zoe.does("list_tokens", { member: "ada" })) as { tokens: Array<{ id: string }> };
  await zoe.does("revoke_token", { token_id: tokens[0]?.id });
  expect((await asked).structuredContent).toMatchObject({ error: { code: "UNAUTHENTICATED" } });
  expect((await mcp.post(initialize(), bearer(ada.token))).status).toBe(401);
  await end();
});

type Event = { comment: string } | { data: Record<string, unknown> };

/** The events of a response, as they come. */
async function* events(response: Response): AsyncGenerator<Event> {
  let text = "";
  for await (const chunk of response.body as unknown as AsyncIterable<Uint8Array>) {
    text += Buffer.from(chunk).toString();
    for (let at = text.indexOf("\n\n"); at >= 0; at = text.indexOf("\n\n")) {
      const block = text.slice(0, at);
      text = text.slice(at + 2);
      const data = /^data: (.*)$/m.exec(block)?.[1];
      yield data === undefined ? { comment: block } : { data: JSON.parse(data) as Record<string, unknown> };
    }
  }
}

const long = (mcp: Instance, who: Guest, session: string, meta?: Record<string, unknown>, headers = {}) =>
  mcp.post(approval(1, { wait_seconds: 3600 }, meta), {
    ...bearer(who.token),
    ...(session && { "Mcp-Session-Id": session }),
    ...headers,
  });

it("G5: the long hold tells progress at once and every 10 s, breathes every 15 s, and ends by the client's limit", async () => {
  const { mcp, ada, zoe, end } = await crew();
  for (const [session, token, seconds] of [
    ["claude-code.x", "f3b1", 100],
    ["codex-mcp-client.x", 0, 240],
    ["gemini-cli-mcp-client.x", "a b", 240],
    ["opencode.x", 7, 240],
  ] as const) {
    const from = mcp.clock.now();
    const response = await long(mcp, ada, session, { progressToken: token });
    expect(response.headers.get("content-type")).toBe("text/event-stream");
    const seen = events(response);
    const { value: first } = await seen.next();
    expect(first).toMatchObject({ data: { method: "notifications/progress", params: { progressToken: token } } });
    await pending(zoe);
    await mcp.clock.tick(seconds * 1000);
    let last = (first as { data: { params: { progress: number } } }).data.params.progress;
    let told = 1;
    let breaths = 0;
    let result: Record<string, unknown> | undefined;
    const rest: Event[] = [];
    const read = async () => {
      for await (const one of seen) rest.push(one);
    };
    await turning(mcp.clock, read());
    for (const one of rest) {
      if ("comment" in one) breaths++;
      else if ("result" in one.data) result = one.data;
      else {
        const { progress } = one.data.params as { progress: number };
        expect(progress).toBeGreaterThan(last);
        last = progress;
        told++;
      }
    }
    // The last beat may fall together with the end, which the clock may have passed a little.
    const passed = (mcp.clock.now() - from) / 1000;
    expect(told).toBeGreaterThanOrEqual(seconds / 10);
    expect(told).toBeLessThanOrEqual(1 + passed / 10);
    expect(breaths).toBeGreaterThanOrEqual(Math.floor((seconds - 1) / 15));
    expect(breaths).toBeLessThanOrEqual(passed / 15);
    expect(result).toMatchObject({ id: 1, result: { structuredContent: { gate: { status: "pending" } } } });
  }
  await end();
});

it("R17: who holds a floor and waits for something else is warned in its progress", async () => {
  const { mcp, ada, zoe, end } = await crew();
  await zoe.does("open_floor", { seats: [ada.name], hold_seconds: 100 });
  await ada.does("request_floor");
  const response = await mcp.post(
    request("tools/call", {
      name: "next_task",
      arguments: { wait_seconds: 100 },
      _meta: { progressToken: 1 },
    }),
    { ...bearer(ada.token), "Mcp-Session-Id": "codex.x", Accept: "application/json, text/event-stream" },
  );
  for (let n = 0; n < 25; n++) {
    await mcp.clock.tick(4000);
    await noteTime(mcp.table.store, mcp.clock.now());
  }
  const told: unknown[] = [];
  await turning(
    mcp.clock,
    (async () => {
      for await (const one of events(response))
        if ("data" in one && one.data.method) told.push((one.data.params as { message: string }).message);
    })(),
  );
  expect(told[0]).toBe("waiting");
  expect(told).toContain("Your turn 1 on main in main runs out: speak, keep_floor or pass_floor.");
  await end();
});

it("G5: a long hold without a token only breathes; the answer comes as an event", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const response = await long(mcp, ada, "codex.x", undefined, { "User-Agent": "codex-mcp-client/0.171" });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const gate = await pending(zoe);
  await mcp.clock.tick(15_000);
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
  const seen = [];
  for await (const one of events(response)) seen.push(one);
  expect(seen).toMatchObject([
    { comment: ": waiting" },
    { data: { id: 1, result: { structuredContent: { gate: { status: "approved" } } } } },
  ]);
  const { call } = await mcp.connect(ada.token, { session: "codex.x" });
  expect((await call("whoami")).structuredContent).not.toHaveProperty("inbox");
  await end();
});

it("G5: unknown clients, and those that take no events, are held 45 s and silently, whatever they ask", async () => {
  const { mcp, ada, zoe, end } = await crew();
  for (const [session, headers] of [
    ["tester.x", {}],
    ["", { "User-Agent": "node" }],
    ["codex-mcp-client.x", { Accept: "application/json" }],
  ] as const) {
    const asked = long(mcp, ada, session, { progressToken: 1 }, headers);
    await pending(zoe);
    await mcp.clock.tick(45_000);
    const response = await turning(mcp.clock, asked);
    expect(response.headers.get("content-type")).toBe("application/json");
    expect(await response.json()).toMatchObject({ result: { structuredContent: { gate: { status: "pending" } } } });
  }
  await end();
});

it("G5: permission_prompt is held long for whoever calls it, and answers with one block of text and nothing else", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const args = { tool_name: "Bash", input: { command: "make deploy" }, tool_use_id: "t1" };
  const body = request("tools/call", { name: "permission_prompt", arguments: args, _meta: { progressToken: 1 } });
  const response = await mcp.post(body, { ...bearer(ada.token), "Mcp-Session-Id": "claude-code.x" });
  expect(response.headers.get("content-type")).toBe("text/event-stream");
  const gate = await pending(zoe);
  await mcp.clock.tick(500_000);
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
  const seen = [];
  for await (const one of events(response)) seen.push(one);
  const { result } = (seen.at(-1) as { data: { result: { content: Array<{ type: string; text: string }> } } }).data;
  expect(Object.keys(result)).toEqual(["content"]);
  expect(result.content).toMatchObject([{ type: "text" }]);
  expect(JSON.parse(result.content[0]?.text ?? "")).toMatchObject({ behavior: "allow", updatedInput: args.input });
  await end();
});

it("G6: a cancelled long hold ends its stream without an answer", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const response = await long(mcp, ada, "codex.x", { progressToken: 1 });
  await pending(zoe);
  await mcp.post(cancelled(1), { ...bearer(ada.token), "Mcp-Session-Id": "codex.x" });
  const seen = [];
  for await (const one of events(response)) seen.push(one);
  expect(seen).toMatchObject([{ data: { method: "notifications/progress" } }]);
  await pending(zoe, false);
  await end();
});

it("G5: a long hold that is refused says so in its stream", async () => {
  const { mcp, ada, end } = await crew();
  const body = request("tools/call", { name: "wait_for_gate", arguments: { gate_id: "nothing", wait_seconds: 100 } });
  const response = await mcp.post(body, { ...bearer(ada.token), "Mcp-Session-Id": "codex.x" });
  const seen = [];
  for await (const one of events(response)) seen.push(one);
  expect(seen).toMatchObject([{ data: { id: 1, result: { isError: true } } }]);
  await end();
});

it("G16: decided on one instance, the call that waits on another returns", async () => {
  const { store, where, remove } = await inFile.make();
  const { openStore } = await import("../../../src/store/open.ts");
  const here = await instance(store);
  const there = await instance(await openStore(where), { clock: here.clock });
  const ada = await here.guest("ada");
  const zoe = await there.guest("zoe", { role: "approver" });
  const { call } = await here.connect(ada.token);
  const asked = call("request_approval", { title: "Deploy" });
  const gate = await pending(zoe);
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
  expect((await asked).structuredContent).toMatchObject({ gate: { status: "approved" } });
  await there.stop();
  await there.table.close();
  await here.stop();
  await remove();
});

it("G16: the server dies in a silent hold: the call fails at once, and the same call again finds the answer", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const { call } = await mcp.connect(ada.token);
  const asked = call("request_approval", { title: "Deploy", key: "d1" });
  const gate = await pending(zoe);
  mcp.cut();
  await expect(asked).rejects.toThrow();
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
  const again = await call("request_approval", { title: "Deploy", key: "d1" });
  expect(again.structuredContent).toMatchObject({ gate: { id: gate.id, status: "approved" } });
  await end();
});

async function all<T>(some: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of some) list.push(one);
  return list;
}

/** The id of the first event that has one. */
async function firstId(response: Response): Promise<string> {
  const reader = response.body?.getReader();
  for (let text = ""; ; ) {
    const id = /^id: (.+)$/m.exec(text)?.[1];
    if (id) return id;
    text += Buffer.from((await reader?.read())?.value ?? []).toString();
  }
}

const goOn = (mcp: Instance, who: Guest, id: string) =>
  fetch(mcp.url, { headers: { ...bearer(who.token), Accept: "text/event-stream", "Last-Event-ID": id } });

it("G6: the SDK's client whose connection is cut gets its answer in the same call, before or after it is back", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const { call } = await mcp.connect(ada.token, { name: "opencode" });
  for (const when of ["cut off", "back again"]) {
    const asked = call("request_approval", { title: when, wait_seconds: 200 });
    const gate = await pending(zoe);
    // The first event, by which it can come back, has to be there.
    await call("whoami");
    mcp.cut();
    if (when === "back again") {
      for (const back of [false, true]) await found(async () => mcp.connections() > 0 === back || undefined);
      expect((await pending(zoe)).id).toBe(gate.id);
    }
    await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve", note: when });
    const { structuredContent } = await asked;
    expect(structuredContent).toMatchObject({ gate: { id: gate.id, status: "approved", note: when } });
    // It is handed over, and the next call acknowledges it.
    expect((await call("whoami")).structuredContent).not.toHaveProperty("inbox");
    expect(await ada.does("get_gate", { gate_id: gate.id })).toMatchObject({
      gate: { acknowledged_at: expect.any(String) },
    });
  }
  await end();
});

it("G6: a stream that was cut off is its member's alone, and of what is not known here it is told to call again", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const bob = await mcp.guest("bob");
  const gone = new AbortController();
  const response = await fetch(mcp.url, {
    method: "POST",
    headers: {
      ...bearer(ada.token),
      ...{ "Content-Type": "application/json", "Mcp-Session-Id": "codex.x", "MCP-Protocol-Version": "2025-11-25" },
    },
    body: JSON.stringify(approval("a", { wait_seconds: 200 })),
    signal: gone.signal,
  });
  const id = await firstId(response);
  const gate = await pending(zoe);
  gone.abort();
  const again = { id: "a", result: { isError: true, structuredContent: { error: { code: "CONFLICT" } } } };
  const [theirs] = await all(events(await goOn(mcp, bob, id)));
  expect(theirs).toMatchObject({ data: again });
  // By another process, or after a restart.
  const other = await instance(mcp.table.store, { play: mcp });
  expect(await all(events(await goOn(other, ada, id)))).toMatchObject([{ data: again }]);
  await other.stop();
  expect((await goOn(mcp, ada, "rubbish")).status).toBe(400);
  expect((await goOn(mcp, ada, "a.b.c")).status).toBe(400);
  // Its own: the answer, once.
  const back = await goOn(mcp, ada, id);
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "deny" });
  const seen = await all(events(back));
  expect(seen).toMatchObject([{ data: { id: "a", result: { structuredContent: { gate: { status: "denied" } } } } }]);
  expect(await all(events(await goOn(mcp, ada, id)))).toMatchObject([{ data: again }]);
  await end();
});

it("G6: of many that were cut off the first are let go", async () => {
  const { mcp, ada, zoe, end } = await crew();
  const count = 103;
  const gone = new AbortController();
  const headers = { ...bearer(ada.token), "Content-Type": "application/json", "Mcp-Session-Id": "codex.x" };
  const { gate } = (await ada.does("request_approval", { title: "Deploy", wait_seconds: 0 })) as { gate: Gate };
  for (let n = 0; n < count; n++) {
    const args = { gate_id: gate.id, wait_seconds: 200 };
    const body = JSON.stringify(request("tools/call", { name: "wait_for_gate", arguments: args }, n));
    await fetch(mcp.url, { method: "POST", headers, body, signal: gone.signal });
  }
  await pending(zoe);
  expect(mcp.table.ring.size()).toBe(2 * count);
  gone.abort();
  await found(async () => (mcp.table.ring.size() === 2 * 100 ? true : undefined));
  await mcp.clock.tick(15_000);
  expect(mcp.table.ring.size()).toBe(0);
  await end();
});
