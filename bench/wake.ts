// (b) From a decision committed to the agent's result read: served by the same process, and by another on the same file.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { mcpHandler } from "../src/edges/mcp/http.ts";
import { type Caller, callerOfToken } from "../src/members/caller.ts";
import type { Bench } from "./bench.ts";
import { connect, post, quantile, rpc, type Target, tool } from "./load.ts";
import { start } from "./probe.ts";

const times = 300;

export async function wake({ table, where, add }: Bench): Promise<string[]> {
  const ada = await add("ada");
  const token = await add("zoe", "approver");
  const zoe = (await table.store.read((db) => callerOfToken(db, token))) as Caller;

  const log = pino({ level: "warn" }, pino.destination(2));
  const server = createServer(mcpHandler({ table, log, name: "Parley", version: "0" }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const other = await start("parley.ts", where);
  const ways: Array<[string, Target]> = [
    ["same process", await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, ada)],
    ["another process", await connect(other.url, ada)],
  ];

  // What rings after a commit is called at once after it.
  let committed = 0;
  const { ring } = table;
  const rings = ring.committed;
  ring.committed = (room, facts) => {
    if (facts.some((fact) => fact.subject.startsWith("gate:"))) committed ||= performance.now();
    rings(room, facts);
  };

  const pings: number[] = [];
  const seen = new Map<string, number[]>(ways.map(([name]) => [name, []]));
  for (let n = 0; n < times; n++)
    for (const [name, target] of ways) {
      const said = post(target, tool("request_approval", { title: `Step ${n} by ${name}` }));
      const gate = await pending();
      committed = 0;
      await table.perform(zoe, "decide_gate", { gate_id: gate, decision: "approve" });
      const at = committed;
      const { at: read, text } = await said;
      if (!text.includes("approved")) throw new Error(text);
      seen.get(name)?.push(read - at);
      const asked = performance.now();
      pings.push((await post(target, rpc("ping"))).at - asked);
    }
  await other.stop();
  server.closeAllConnections();
  server.close();

  /** The gate that somebody waits on, once it is there. */
  async function pending(): Promise<string> {
    for (;;) {
      const { result } = await table.perform(zoe, "list_gates", { status: "pending" });
      const gate = (result.gates as Array<{ id: string; waiting_now: boolean }>).find((one) => one.waiting_now);
      // Long enough that the call has gone to sleep.
      await new Promise((resolve) => setTimeout(resolve, 10));
      if (gate) return gate.id;
    }
  }

  const lines = [`From decide_gate committed to the agent's result, ${times} times each`];
  for (const [name, ms] of [...seen, ["for comparison: a ping, there and back", pings] as const])
    lines.push(`  ${name.padEnd(40)} p50 ${quantile(ms, 0.5).toFixed(1)} ms  p99 ${quantile(ms, 0.99).toFixed(1)} ms`);
  return lines;
}
