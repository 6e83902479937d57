// The floor: from a pass to the next speaker's result, words a second, and hundreds that wait for their turn.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import pino from "pino";
import { mcpHandler } from "../src/edges/mcp/http.ts";
import { type Caller, callerOfToken, localOperator } from "../src/members/caller.ts";
import type { Table } from "../src/table.ts";
import type { Bench } from "./bench.ts";
import { connect, load, median, post, quantile, rpc, type Target, tool } from "./load.ts";
import { onPostgres } from "./postgres.ts";
import { start } from "./probe.ts";

const times = 200;
const rounds = 5;
const ms = 1500;
const waiting = 500;
const long = { hold_seconds: 86_400, max_turn_seconds: 0, ack_seconds: 3600, max_agent_turns: 100_000 };
const pause = (wait: number) => new Promise((resolve) => setTimeout(resolve, wait));
const row = (name: string, what: string) => `  ${name.padEnd(40)} ${what}`;
const spread = (took: number[]) =>
  `p50 ${quantile(took, 0.5).toFixed(1)} ms  p99 ${quantile(took, 0.99).toFixed(1)} ms`;

const callerOf = async (table: Table, token: string): Promise<Caller> =>
  (await table.store.read((db) => callerOfToken(db, token))) as Caller;

export async function floor({ table, where, add }: Bench): Promise<string[]> {
  const lines = [`From pass_floor committed to the next speaker's result, ${times} times each`];
  lines.push(...(await passes(table, where, add, "")));
  const said = await words(where, table, add);
  const many = await waiters(table, where, add);
  return [
    ...lines,
    ...(await onPostgres((other) => passes(other.table, other.where, other.add, ", PostgreSQL"))),
    ...said,
    ...many,
  ];
}

/** A person, who alone opens a floor with so high a limit on agents' turns. */
async function personOf(table: Table, name: string) {
  const made = await table.perform(localOperator, "add_member", { name, role: "approver", person: true });
  return callerOf(table, String(made.result.token));
}

async function passes(table: Table, where: string, add: Bench["add"], kind: string): Promise<string[]> {
  const [ann, token] = [await add("ann"), await add("bob")];
  const [opener, passer, speaker] = [
    await personOf(table, "lea"),
    await callerOf(table, ann),
    await callerOf(table, token),
  ];
  await table.perform(opener, "open_floor", { seats: ["ann", "bob"], ...long });
  const server = createServer(mcpHandler({ table, log: pino({ level: "silent" }), name: "Parley", version: "0" }));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const other = await start("parley.ts", where);
  const ways: Array<[string, Target]> = [
    [`same process${kind}`, await connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, token)],
    [`another process${kind}`, await connect(other.url, token)],
  ];
  // What rings after a commit is called at once after it.
  let committed = 0;
  const rings = table.ring.committed;
  table.ring.committed = (room, facts) => {
    if (facts.some((fact) => fact.action === "floor.granted")) committed = performance.now();
    rings(room, facts);
  };
  const seen = new Map(ways.map(([name]) => [name, [] as number[]]));
  const pings: number[] = [];
  for (let n = 0; n < times; n++)
    for (const [name, target] of ways) {
      await table.perform(passer, "request_floor", {});
      const woken = post(target, tool("wait_for_floor"));
      // Long enough that the call has gone to sleep.
      await pause(20);
      await table.perform(passer, "pass_floor", { to: "bob" });
      const at = committed;
      const { at: read, text } = await woken;
      if (!text.includes('"your_turn":true')) throw new Error(text);
      seen.get(name)?.push(read - at);
      // A word now and then, else the conversation would end by itself.
      await table.perform(speaker, "say", { text: `In turn ${n}`, then: "nobody" });
      const asked = performance.now();
      pings.push((await post(target, rpc("ping"))).at - asked);
    }
  table.ring.committed = rings;
  await other.stop();
  server.closeAllConnections();
  server.close();
  await table.perform(opener, "close_floor", {});
  seen.set("for comparison: a ping, there and back", pings);
  return [...seen].map(([name, took]) => row(name, spread(took)));
}

async function words(where: string, table: Table, add: Bench["add"]): Promise<string[]> {
  const token = await add("cyd");
  const opener = await personOf(table, "lee");
  const speaker = await callerOf(table, token);
  const channels = Array.from({ length: 50 }, (_, n) => `floor-${n}`);
  for (const channel of channels) {
    await table.perform(opener, "open_floor", { channel, seats: ["cyd"], ...long });
    await table.perform(speaker, "request_floor", { channel });
  }
  const parley = await start("parley.ts", where);
  const bare = await start("bare.ts");
  const [here, there] = [await connect(parley.url, token), await connect(bare.url)];
  let n = 0;
  const text = () => `What there is to say, ${++n}`;
  const kinds: Array<[string, Target, () => object]> = [
    ["bare SDK server: echo", there, () => tool("echo", { text: text() })],
    ["say, one floor", here, () => tool("say", { channel: "floor-0", text: text() })],
    ["say, 50 floors", here, () => tool("say", { channel: channels[n % 50], text: text() })],
  ];
  const rates = kinds.map(() => [] as number[]);
  for (const [, target, message] of kinds) await load(target, message, 16, 500);
  for (let round = 0; round < rounds; round++)
    for (const [at, [, target, message]] of kinds.entries())
      rates[at]?.push((await load(target, message, 16, ms)).rate);
  await parley.stop();
  await bare.stop();
  const [echo = []] = rates;
  return [
    "Words a second with 16 calls at once (medians of rounds, and of the ratios to the bare echo)",
    ...rates.map((mine, at) => {
      const ratio = median(mine.map((rate, round) => rate / (echo[round] ?? Number.NaN)));
      return row(kinds[at]?.[0] ?? "", `${median(mine).toFixed(0).padStart(6)}/s (${ratio.toFixed(2)})`);
    }),
  ];
}

async function waiters(table: Table, where: string, add: Bench["add"]): Promise<string[]> {
  const opener = await personOf(table, "lou");
  const names = Array.from({ length: waiting }, (_, n) => `seat-${n}`);
  const tokens = [];
  for (const name of names) tokens.push(await add(name));
  const holder = await callerOf(table, await add("zed"));
  const channel = "many";
  await table.perform(opener, "open_floor", { channel, seats: ["zed", ...names], ...long });
  await table.perform(holder, "request_floor", { channel });
  const parley = await start("parley.ts", where);
  const targets: Target[] = [];
  for (const token of tokens) targets.push(await connect(parley.url, token));
  // Warm: what is compiled or cached once is no cost of a call.
  await Promise.all(targets.map((target) => post(target, tool("floor", { channel }))));
  await parley.cost();
  const before = await parley.cost();
  const calls = targets.map((target) => post(target, tool("wait_for_floor", { channel })));
  await pause(5000);
  const began = await parley.cost();
  const last = targets.length - 1;
  const at = performance.now();
  await table.perform(holder, "pass_floor", { channel, to: names[last] });
  const passed = performance.now();
  const next = (await calls[last])?.at ?? Number.NaN;
  const meanwhile = await parley.cost();
  await table.perform(opener, "close_floor", { channel });
  const closed = performance.now();
  const all = (await Promise.all(calls.slice(0, last))).map((said) => said.at - closed);
  const after = await parley.cost();
  await parley.stop();
  const kilobytes = (bytes: number) => `${(bytes / waiting / 1000).toFixed(0)} kB`;
  return [
    `${waiting} seats that wait on one floor, in another process`,
    row("memory per waiting seat", `${kilobytes(began.heap - before.heap)} heap`),
    row("the holder's pass", `${(passed - at).toFixed(0)} ms`),
    row(
      "from then to the next speaker's result",
      `${(next - passed).toFixed(1)} ms; CPU of the server ${meanwhile.cpu.toFixed(0)} ms`,
    ),
    row(
      "from close_floor to each result",
      `p50 ${median(all).toFixed(0)} ms, all ${Math.max(...all).toFixed(0)} ms; event loop late max ${after.delay.max.toFixed(0)} ms`,
    ),
  ];
}
