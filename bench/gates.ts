// (d) Gates: asked over MCP and decided over the API; a room with two thousand that wait; what a hook costs. Ratios are to
// the bare SDK server's echo, and for a command to a Node process that does nothing.
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { callerOfToken } from "../src/members/caller.ts";
import { snapshotOf } from "../src/stream/snapshot.ts";
import { built } from "../test/setup/built.ts";
import type { Bench } from "./bench.ts";
import { connect, median, post, quantile, type Said, type Target, tool } from "./load.ts";
import { start } from "./probe.ts";

const rounds = 5;
const ms = 2000;
const many = 2000;
/** Agents, each with one call under way. */
const atOnce = 16;
const cwd = "/srv/app";

export async function gates({ table, where, add }: Bench): Promise<string[]> {
  const tokens: string[] = [];
  for (let at = 0; at < atOnce; at++) tokens.push(await add(`agent-${at}`));
  const zoe = await add("zoe", "approver");
  const caller = async (token: string) => {
    const found = await table.store.read((db) => callerOfToken(db, token));
    if (!found) throw new Error("this token is not known");
    return found;
  };
  const parley = await start("parley.ts", where);
  const bare = await start("bare.ts");
  const agents = await Promise.all(tokens.map((token) => connect(parley.url, token)));
  const echo = await connect(bare.url);
  const base = parley.url.replace(/\/mcp$/, "");
  const to = (path: string, token: string): Target => ({
    url: `${base}${path}`,
    headers: { Authorization: `Bearer ${token}` },
  });
  const decides = to("/api/decide_gate", zoe);
  const lists = to("/api/list_gates", zoe);

  let n = 0;
  const echoes = () => post(echo, tool("echo", { text: `Message ${++n}` }));
  const asks = async (at: number): Promise<string> => {
    const { text } = await post(
      agents[at] ?? echo,
      tool("request_approval", { title: `Step ${++n}`, action: { n }, wait_seconds: 0 }),
    );
    return JSON.parse(text).result.structuredContent.gate.id;
  };
  const decide = (id: string) => post(decides, { gate_id: id, decision: "approve", note: "Go on" });

  const rates: number[] = [];
  const ratios: number[] = [];
  const costs: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const plain = await during(echoes);
    await parley.cost();
    const begun = n;
    const whole = await during(async (at) => decide(await asks(at)));
    costs.push((await parley.cost()).cpu / (n - begun));
    rates.push(whole);
    ratios.push(whole / plain);
  }
  const lines = [
    "Gates asked over MCP and approved over the API by 16 agents at once; the ratio is to one bare echo",
    `  asked and decided                        ${median(rates).toFixed(0).padStart(6)}/s (${median(ratios).toFixed(2)}), ` +
      `${median(costs).toFixed(1)} ms of the server's CPU`,
  ];

  const alone = await times(200, async () => {
    const id = await asks(0);
    return () => decide(id);
  });
  const ids: string[] = [];
  while (ids.length < many) ids.push(...(await Promise.all(agents.map((_, at) => asks(at)))));
  const among = await times(200, async () => {
    const id = ids.pop() ?? "";
    return () => decide(id);
  });
  const listed = await times(100, async () => () => post(lists, { status: "pending", limit: 100 }));
  const echoed = await times(300, async () => echoes);
  const viewer = await caller(zoe);
  const shown: number[] = [];
  let size = 0;
  for (let round = 0; round < 15; round++) {
    const begun = performance.now();
    const snapshot = await table.store.read((db) => snapshotOf(db, "main", viewer, table.clock.now()));
    size = Buffer.byteLength(JSON.stringify(snapshot));
    shown.push(performance.now() - begun);
  }
  lines.push(
    `A room with ${many} pending gates; one at a time`,
    line("decide_gate, nothing else pending", alone, echoed),
    line(`decide_gate among ${many}`, among, echoed),
    line("list_gates, 100 of them", listed, echoed),
    line(`the dashboard's snapshot, ${(size / 1024).toFixed(0)} KiB`, shown, echoed),
    line("for comparison: a bare echo", echoed, echoed),
  );

  const pattern = { tool: "Bash", command: "npm test", cwd };
  await table.perform(viewer, "create_rule", { effect: "allow", pattern });
  const bob = await add("bob");
  const event = () => ({
    ...{ session_id: "bench", hook_event_name: "PreToolUse", cwd, tool_use_id: `use-${++n}` },
    ...{ tool_name: "Bash", tool_input: { command: "npm test" } },
  });
  const hook = to("/hooks/claude-code", bob);
  const answered = ({ text }: Said | { text: string }) => {
    if (!text.includes('"allow"')) throw new Error(text);
  };
  const overHttp = await times(200, async () => async () => answered(await post(hook, event())));
  const main = await built();
  const env = { ...process.env, PARLEY_URL: base, PARLEY_TOKEN: bob, PARLEY_STORE: "" };
  const command = (words: string[], input: string) => async () => {
    const running = promisify(execFile)(process.execPath, words, { env });
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
  const nothing = await times(15, async () => command(["-e", "0"], ""));
  const commands = await times(
    15,
    async () => async () => answered({ text: await command([main, "hook", "claude-code"], JSON.stringify(event()))() }),
  );
  lines.push(
    "A hook whose question a rule answers, there and back; a person takes longer",
    line("POST /hooks/claude-code", overHttp, echoed),
    line("parley hook claude-code, a process", commands, nothing, "an empty process"),
  );
  await parley.stop();
  await bare.stop();
  return lines;
}

/** How many a second, so many at once. */
async function during(one: (at: number) => Promise<unknown>): Promise<number> {
  const begun = performance.now();
  let done = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async (_, at) => {
      while (performance.now() - begun < ms) {
        await one(at);
        done++;
      }
    }),
  );
  return (done / (performance.now() - begun)) * 1000;
}

/** How long it took, ms each, what is prepared apart. */
async function times(count: number, prepare: () => Promise<() => Promise<unknown>>): Promise<number[]> {
  const took: number[] = [];
  for (let at = 0; at < count; at++) {
    const one = await prepare();
    const begun = performance.now();
    await one();
    took.push(performance.now() - begun);
  }
  return took;
}

const line = (what: string, took: readonly number[], against: readonly number[], name = "echo"): string =>
  [
    `  ${what.padEnd(40)} p50 ${quantile(took, 0.5).toFixed(1)} ms`,
    `p99 ${quantile(took, 0.99).toFixed(1)} ms (${(median(took) / median(against)).toFixed(1)} of ${name})`,
  ].join("  ");
