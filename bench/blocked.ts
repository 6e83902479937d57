// (d) A thousand calls that wait at once: what each costs, how the server does meanwhile, how fast all are woken.
import { type Caller, callerOfToken } from "../src/members/caller.ts";
import type { Bench } from "./bench.ts";
import { connect, median, post, quantile, type Said, type Target, tool } from "./load.ts";
import { type Cost, start } from "./probe.ts";

const agents = 50;
const each = 20;

export async function blocked({ table, where, add }: Bench): Promise<string[]> {
  const token = await add("zoe", "owner");
  const zoe = (await table.store.read((db) => callerOfToken(db, token))) as Caller;
  const tokens = [];
  for (let n = 0; n < agents; n++) tokens.push(await add(`agent-${n}`));
  const parley = await start("parley.ts", where);
  const targets: Target[] = [];
  for (const one of tokens) targets.push(await connect(parley.url, one));
  const idle = targets[0] as Target;
  const all = targets.flatMap((target) => Array.from({ length: each }, () => target));
  // Warm: what is compiled or cached once is no cost of a call.
  await Promise.all(all.map((target) => post(target, tool("list_gates"))));
  const ask = async (wait: object): Promise<Said[]> => Promise.all(all.map((target, n) => post(target, ask1(n, wait))));
  const ask1 = (n: number, wait: object) => tool("request_approval", { title: `Step ${n}`, ...wait });
  const made = await ask({ wait_seconds: 0 });
  const gates = made.map(({ text }) => /"structuredContent":\{"gate":\{"id":"([^"]+)/.exec(text)?.[1] ?? "");
  await parley.cost();
  const before = await parley.cost();

  const waiting = all.map((target, n) => post(target, tool("wait_for_gate", { gate_id: gates[n] })));
  await asleep(gates.length);
  const began = await parley.cost();
  const answers: number[] = [];
  for (let n = 0; n < 100; n++) {
    const at = performance.now();
    await post(idle, tool("list_gates", { limit: 1 }));
    answers.push(performance.now() - at);
  }
  const meanwhile = await parley.cost();
  const at = performance.now();
  await table.perform(zoe, "stop_all", {});
  const committed = performance.now();
  const said = await Promise.all(waiting);
  const woken = said.map((one) => one.at - committed);
  const after = await parley.cost();
  await parley.stop();

  /** Until every gate has somebody who waits. */
  async function asleep(many: number): Promise<void> {
    for (;;) {
      const rows = await table.store.read((db) =>
        db.selectFrom("gates").select("waits_until").where("waits_until", ">", Date.now()).execute(),
      );
      if (rows.length >= many) break;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    await new Promise((resolve) => setTimeout(resolve, 500));
  }

  const delay = ({ delay: { p50, p99, max } }: Cost) =>
    `event loop late p50 ${p50.toFixed(1)}, p99 ${p99.toFixed(1)}, max ${max.toFixed(0)} ms`;
  const kilobytes = (bytes: number) => `${(bytes / all.length / 1000).toFixed(0)} kB`;
  return [
    `${all.length} calls that wait at once`,
    `  memory per call                          ${kilobytes(began.rss - before.rss)} resident, ${kilobytes(began.heap - before.heap)} heap`,
    `  while they begin                         ${delay(began)}`,
    `  while they wait                          ${delay(meanwhile)}; another call answered in ${median(answers).toFixed(1)} ms (p99 ${quantile(answers, 0.99).toFixed(1)})`,
    `  stop_all, in another process             ${(committed - at).toFixed(0)} ms`,
    `  from then to each result                 p50 ${median(woken).toFixed(0)} ms, all ${Math.max(...woken).toFixed(0)} ms; ${delay(after)}`,
  ];
}
