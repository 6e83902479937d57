import { once } from "node:events";
import { PassThrough } from "node:stream";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { expect, it } from "vitest";
import { serveStdio } from "../../../src/edges/mcp/stdio.ts";
import { callerOfToken } from "../../../src/members/caller.ts";
import { root } from "../../../src/package.ts";
import { inFile, inMemory } from "../../setup/stores.ts";
import { type Guest, play } from "../../table.ts";
import { approval, callWith, cancelled, found, initialize, quiet, request, turning } from "./stage.ts";

type Said = {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  result?: Record<string, unknown>;
  error?: { code: number };
};
type Gate = { id: string; waiting_now: boolean };

const pending = (person: Guest, waiting = true): Promise<Gate> =>
  found(async () => {
    const { gates } = (await person.does("list_gates", { status: "pending" })) as { gates: Gate[] };
    return gates.find((gate) => gate.waiting_now === waiting);
  });

/** A pipe in each direction, and what came out of it so far. */
async function pipes() {
  const { store, remove } = await inMemory.make();
  const p = play(store);
  const ada = await p.guest("ada");
  const zoe = await p.guest("zoe", { role: "approver" });
  const stdin = new PassThrough();
  const stdout = new PassThrough();
  const said: Said[] = [];
  let text = "";
  stdout.on("data", (chunk: Buffer) => {
    const lines = (text + chunk).split("\n");
    text = lines.pop() ?? "";
    said.push(...lines.map((line) => JSON.parse(line) as Said));
  });
  const find = () => store.read((db) => callerOfToken(db, ada.token));
  const served = serveStdio({ table: p.table, log: quiet, name: "Parley", version: "0.0.0", find }, stdin, stdout);
  const send = (message: unknown) =>
    stdin.write(typeof message === "string" ? message : `${JSON.stringify(message)}\n`);
  return {
    p,
    ada,
    zoe,
    said,
    stdin,
    stdout,
    served,
    send,
    answer: (id: unknown) => found(async () => said.find((one) => one.id === id)),
    async end() {
      stdin.end();
      await served;
      expect(text).toBe("");
      expect(p.table.ring.size()).toBe(0);
      await remove();
    },
  };
}

it("stdio: initialises, lists, calls; answers bad lines and takes messages in pieces", async () => {
  const { send, stdin, answer, said, end } = await pipes();
  send({ ...initialize(), id: 0 });
  expect((await answer(0)).result).toMatchObject({ protocolVersion: "2025-11-25", serverInfo: { name: "Parley" } });
  send({ jsonrpc: "2.0", method: "notifications/initialized" });
  send(request("tools/list", {}, "list"));
  expect((await answer("list")).result).toHaveProperty("tools");
  const call = JSON.stringify(request("tools/call", { name: "whoami", arguments: {} }, "ä\u2028b"));
  const bytes = Buffer.from(`${call}\r\n`);
  // Cut in the middle of a character.
  const middle = bytes.indexOf("ä") + 1;
  stdin.write(bytes.subarray(0, middle));
  stdin.write(bytes.subarray(middle));
  expect((await answer("ä\u2028b")).result).toMatchObject({ structuredContent: { member: "ada" } });
  send("{\n");
  expect((await answer(null)).error).toMatchObject({ code: -32700 });
  expect(said).toHaveLength(4);
  await end();
});

it("G1: several calls at once, each answered when it is done", async () => {
  const { send, answer, zoe, end } = await pipes();
  send(approval(1));
  const gate = await pending(zoe);
  send(request("tools/call", { name: "whoami" }, 2));
  expect((await answer(2)).result).toMatchObject({ structuredContent: { member: "ada" } });
  await zoe.does("decide_gate", { gate_id: gate.id, decision: "approve" });
  expect((await answer(1)).result).toMatchObject({ structuredContent: { gate: { status: "approved" } } });
  // Handed over with the answer: nothing is left for the inbox.
  send(request("tools/call", { name: "whoami" }, 3));
  expect((await answer(3)).result).not.toHaveProperty("structuredContent.inbox");
  await end();
});

it("G6: a cancelled call is not answered, id 0 included, and nobody waits any more", async () => {
  const { send, said, zoe, end } = await pipes();
  for (const id of [0, "0", 7]) {
    send(approval(id));
    await pending(zoe);
    send(cancelled(id === 0 ? "0" : 0));
    send(cancelled(id));
    await pending(zoe, false);
  }
  await end();
  expect(said).toEqual([]);
});

it("G18: a revoked token's calls are refused from then on, the waiting one too", async () => {
  const { send, answer, zoe, end } = await pipes();
  send(approval(1));
  await pending(zoe);
  const { tokens } = (await zoe.does("list_tokens", { member: "ada" })) as { tokens: Array<{ id: string }> };
  await zoe.does("revoke_token", { token_id: tokens[0]?.id });
  const refused = { isError: true, structuredContent: { error: { code: "UNAUTHENTICATED" } } };
  expect((await answer(1)).result).toMatchObject(refused);
  send(request("tools/call", { name: "whoami" }, 2));
  expect((await answer(2)).result).toMatchObject(refused);
  send(request("tools/list", {}, 3));
  expect((await answer(3)).error).toMatchObject({ message: expect.stringContaining("UNAUTHENTICATED") });
  await end();
});

it("G5: a long hold tells progress where it was asked for, by the client's name", async () => {
  const { send, answer, said, p, zoe, end } = await pipes();
  send(initialize("2025-11-25", "claude-code"));
  await answer(1);
  send(approval("long", { wait_seconds: 600 }, { progressToken: "t" }));
  await pending(zoe);
  await p.clock.tick(100_000);
  expect((await turning(p.clock, answer("long"))).result).toMatchObject({
    structuredContent: { gate: { status: "pending" } },
  });
  const steps = said.filter((one) => one.method === "notifications/progress").map((one) => one.params);
  expect(steps.length).toBeGreaterThanOrEqual(10);
  expect(steps).toEqual(steps.map((_, at) => ({ progressToken: "t", progress: at + 1, message: "waiting" })));
  await end();
});

it("G6: the end of input, or of output, ends what waits and leaves nobody waiting", async () => {
  for (const how of ["input", "output"]) {
    const { send, stdin, stdout, served, zoe, said, end } = await pipes();
    send(approval(1));
    await pending(zoe);
    if (how === "input") stdin.end();
    else stdout.destroy(new Error("EPIPE"));
    await served;
    await pending(zoe, false);
    expect(said).toEqual([]);
    await end();
  }
});

it("parley stdio: a real process speaks nothing but MCP, and acts on the same store", async () => {
  const { store, where, remove } = await inFile.make();
  const p = play(store);
  const ada = await p.guest("ada");
  const zoe = await p.guest("zoe", { role: "approver" });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ["--import", "tsx", `${root}/src/main.ts`, "stdio"],
    cwd: root,
    env: { PATH: process.env.PATH ?? "", PARLEY_STORE: where, PARLEY_TOKEN: ada.token },
    stderr: "pipe",
  });
  const client = new Client({ name: "tester", version: "1" });
  const errors: Error[] = [];
  client.onerror = (error) => errors.push(error);
  await client.connect(transport);
  await client.listTools();
  const asked = callWith(client, "request_approval", { title: "Deploy" });
  const { gates } = await found(async () => {
    const seen = (await zoe.does("list_gates", { status: "pending" })) as { gates: Gate[] };
    return seen.gates.length > 0 ? seen : undefined;
  });
  await zoe.does("decide_gate", { gate_id: gates[0]?.id, decision: "approve" });
  expect((await asked).structuredContent).toMatchObject({ gate: { status: "approved" } });
  await client.close();
  expect(errors).toEqual([]);
  await remove();
});

it("parley stdio: without a valid token it does not start", async () => {
  const { where, remove } = await inFile.make();
  const { spawn } = await import("node:child_process");
  const child = spawn(process.execPath, ["--import", "tsx", `${root}/src/main.ts`, "stdio"], {
    cwd: root,
    env: { PATH: process.env.PATH ?? "", PARLEY_STORE: where, PARLEY_TOKEN: "parley_wrong" },
    stdio: ["pipe", "pipe", "pipe"],
  });
  const out: Buffer[] = [];
  child.stdout.on("data", (chunk) => out.push(chunk));
  child.stderr.resume();
  const [code] = await once(child, "exit");
  expect([code, Buffer.concat(out).toString()]).toEqual([77, ""]);
  await remove();
});
