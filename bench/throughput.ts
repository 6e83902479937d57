// (a, c) Calls a second with 16 at once and CPU per call, as ratios to a bare SDK server's echo.
import type { Bench } from "./bench.ts";
import { connect, load, median, rpc, type Target, tool } from "./load.ts";
import { type Measured, start } from "./probe.ts";

const rounds = 7;
const ms = 1500;

export async function throughput({ where, add }: Bench): Promise<string[]> {
  const token = await add("ada", "lead");
  const parley = await start("parley.ts", where);
  const bare = await start("bare.ts");
  const here = await connect(parley.url, token);
  const there = await connect(bare.url);
  let n = 0;
  const kinds: Array<[name: string, server: Measured, target: Target, message: () => object]> = [
    ["bare SDK server: echo", bare, there, () => tool("echo", { text: `Message ${++n}` })],
    ["ping", parley, here, () => rpc("ping")],
    ["read: whoami", parley, here, () => tool("whoami")],
    ["read: list_tasks", parley, here, () => tool("list_tasks", { limit: 10 })],
    ["durable write: post_message", parley, here, () => tool("post_message", { text: `Message ${++n}` })],
    ["durable write: create_task", parley, here, () => tool("create_task", { title: `Task ${++n}` })],
    ["bare SDK server: tools/list (1 tool)", bare, there, () => rpc("tools/list")],
    ["tools/list (a lead's)", parley, here, () => rpc("tools/list")],
  ];
  const seen = kinds.map(() => ({ rates: [] as number[], costs: [] as number[] }));
  for (const [, , target, message] of kinds) await load(target, message, 16, 500);
  for (let round = 0; round < rounds; round++)
    for (const [at, [, server, target, message]] of kinds.entries()) {
      await server.cost();
      const { calls, rate } = await load(target, message, 16, ms);
      seen[at]?.rates.push(rate);
      seen[at]?.costs.push((await server.cost()).cpu / calls);
    }
  await parley.stop();
  await bare.stop();

  const [echo] = seen;
  const ratio = (mine: number[], theirs: number[] = []) =>
    median(mine.map((value, round) => value / (theirs[round] ?? Number.NaN))).toFixed(2);
  return [
    "Calls a second with 16 at once, server's CPU per call; (medians of rounds, and of the ratios to the bare echo)",
    ...seen.map(({ rates, costs }, at) =>
      [
        `  ${kinds[at]?.[0].padEnd(40)}`,
        `${median(rates).toFixed(0).padStart(6)}/s (${ratio(rates, echo?.rates)})`,
        `${median(costs).toFixed(2).padStart(6)} ms (${ratio(costs, echo?.costs)})`,
      ].join(" "),
    ),
  ];
}
