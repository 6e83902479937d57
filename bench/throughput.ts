// (a, c) Calls a second with 16 at once, as ratios to a bare SDK server's echo.
import type { Bench } from "./bench.ts";
import { connect, median, rate, rpc, type Target, tool } from "./load.ts";
import { start } from "./probe.ts";

const rounds = 7;
const ms = 1500;

export async function throughput({ where, add }: Bench): Promise<string[]> {
  const token = await add("ada");
  const parley = await start("parley.ts", where);
  const bare = await start("bare.ts");
  const here = await connect(parley.url, token);
  const there = await connect(bare.url);
  let n = 0;
  const kinds: Array<[name: string, target: Target, message: () => object]> = [
    ["bare SDK server: echo", there, () => tool("echo", { text: `Message ${++n}` })],
    ["ping", here, () => rpc("ping")],
    ["read: whoami", here, () => tool("whoami")],
    ["read: list_tasks", here, () => tool("list_tasks", { limit: 10 })],
    ["durable write: post_message", here, () => tool("post_message", { text: `Message ${++n}` })],
    ["durable write: create_task", here, () => tool("create_task", { title: `Task ${++n}` })],
    ["bare SDK server: tools/list (1 tool)", there, () => rpc("tools/list")],
    ["tools/list (a worker's)", here, () => rpc("tools/list")],
  ];
  const rates = new Map<string, number[]>(kinds.map(([name]) => [name, []]));
  for (const [, target, message] of kinds) await rate(target, message, 16, 500);
  for (let round = 0; round < rounds; round++)
    for (const [name, target, message] of kinds) rates.get(name)?.push(await rate(target, message, 16, ms));
  await parley.stop();
  await bare.stop();

  const echo = rates.get("bare SDK server: echo") ?? [];
  const lines = [
    "Calls a second, 16 at once; median of rounds, and the median of the ratios to the bare server's echo",
  ];
  for (const [name, seen] of rates) {
    const ratio = median(seen.map((value, round) => value / (echo[round] ?? Number.NaN)));
    lines.push(`  ${name.padEnd(40)} ${median(seen).toFixed(0).padStart(6)}/s  ${ratio.toFixed(2)}`);
  }
  return lines;
}
