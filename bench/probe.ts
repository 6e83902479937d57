// A measured server in a process of its own: how it is started, and how it tells what it costs.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { fileURLToPath } from "node:url";

export interface Cost {
  /** Bytes, after a collection. */
  rss: number;
  heap: number;
  /** Event loop's delay since the last question, ms. */
  delay: { p50: number; p99: number; max: number };
  /** CPU since the last question, ms. */
  cpu: number;
}

/** In the measured process: tells where it listens, and its cost whenever asked. */
export function tell(url: string): void {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  let cpu = process.cpuUsage();
  process.on("message", () => {
    const { p50, p99, max } = { p50: delay.percentile(50), p99: delay.percentile(99), max: delay.max };
    const used = process.cpuUsage(cpu);
    globalThis.gc?.();
    const { rss, heapUsed } = process.memoryUsage();
    // The timer that measures is late by its own resolution.
    const ms = (ns: number) => Math.max(0, ns / 1e6 - 1);
    process.send?.({
      rss,
      heap: heapUsed,
      delay: { p50: ms(p50), p99: ms(p99), max: ms(max) },
      cpu: (used.user + used.system) / 1000,
    } satisfies Cost);
    delay.reset();
    cpu = process.cpuUsage();
  });
  process.on("disconnect", () => process.exit());
  process.send?.({ url });
}

export interface Measured {
  url: string;
  cost(): Promise<Cost>;
  stop(): Promise<void>;
}

/** Starts `bench/FILE` and waits until it listens. `BENCH_PROFILE=FOLDER` writes a CPU profile of each there. */
export async function start(file: string, ...args: string[]): Promise<Measured> {
  const folder = process.env.BENCH_PROFILE;
  const profile = folder ? ["--cpu-prof", `--cpu-prof-dir=${folder}/${file}`] : [];
  const child = fork(fileURLToPath(new URL(file, import.meta.url)), args, {
    execArgv: ["--import", import.meta.resolve("tsx"), "--expose-gc", ...profile],
  });
  const { url } = await answer<{ url: string }>(child);
  return {
    url,
    cost() {
      const cost = answer<Cost>(child);
      child.send("cost");
      return cost;
    },
    async stop() {
      const exit = once(child, "exit");
      child.disconnect();
      await exit;
    },
  };
}

function answer<T>(child: ChildProcess): Promise<T> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error("a measured server ended"));
    child.once("exit", ended);
    child.once("message", (message) => {
      child.off("exit", ended);
      resolve(message as T);
    });
  });
}
