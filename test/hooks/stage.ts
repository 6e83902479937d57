// A real server on a real port, a person who answers, and Parley's own commands as real processes beside it.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pino from "pino";
import { expect } from "vitest";
import { wallClock } from "../../src/clock.ts";
import { readConfig } from "../../src/config.ts";
import { type Running, startServer } from "../../src/edges/server.ts";
import { root } from "../../src/package.ts";
import { freePort, pause } from "../processes/parley.ts";
import { built } from "../setup/built.ts";
import { inFile } from "../setup/stores.ts";
import { type Guest, type HandClock, type Play, play } from "../table.ts";

export type Json = Record<string, unknown>;
export type Gate = Json & { id: string; title: string; status: string; action?: Json };

export interface Ran {
  code: number | null;
  out: string;
  err: string;
}

export interface Process {
  child: ChildProcess;
  over: Promise<Ran>;
}

export interface Stage {
  url: string;
  /** An address at which nobody listens. */
  nowhere: string;
  /** Of the store's file, for commands that may read it. */
  store: string;
  /** A folder of this test's own. */
  folder: string;
  ada: Guest;
  zoe: Guest;
  guest: Play["guest"];
  operator: Guest;
  /** The server dies; every connection is cut. */
  die(): Promise<void>;
  /** It comes back on the same port. */
  rise(): Promise<void>;
  /** Starts a command of Parley, as Ada unless told otherwise. */
  parley(words: readonly string[], own?: { env?: Json; input?: string; cwd?: string }): Process;
  /** The pending gate with this in its title, once there is one. */
  asked(about: string): Promise<Gate>;
  /** Zoe answers the gate with this in its title. */
  answers(about: string, decision: Json): Promise<Gate>;
  gates(): Promise<Gate[]>;
  end(): Promise<void>;
}

/** How a command of Parley is started, in any folder. */
export const command = [process.execPath, await built()] as const;

const live = new Set<ChildProcess>();
process.once("exit", () => {
  for (const child of live) child.kill("SIGKILL");
});

/** Runs a file to its end; what it says is kept. */
export function run(
  file: string,
  words: readonly string[],
  own: { env?: Json; input?: string | undefined; cwd?: string } = {},
): Process {
  const plain = Object.entries(process.env).filter(([name]) => !/^(PARLEY|VITEST|NODE_)/.test(name));
  const child = spawn(file, words, {
    cwd: own.cwd ?? root,
    env: { ...Object.fromEntries(plain), ...(own.env as Record<string, string>) },
    stdio: ["pipe", "pipe", "pipe"],
  });
  live.add(child);
  const ran: Ran = { code: null, out: "", err: "" };
  child.stdout.on("data", (chunk) => {
    ran.out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    ran.err += chunk;
  });
  child.stdin.on("error", () => {});
  child.stdin.end(own.input ?? "");
  const over = once(child, "close").then(([code]): Ran => {
    live.delete(child);
    return { ...ran, code: code as number | null };
  });
  return { child, over };
}

export async function openStage(): Promise<Stage> {
  const folder = await mkdtemp(join(tmpdir(), "parley-hooks-"));
  const { store, where, remove } = await inFile.make();
  const clock: HandClock = { ...wallClock, tick: async () => {}, jump: () => {} };
  const p = play(store, clock);
  const ada = await p.guest("ada");
  const zoe = await p.guest("zoe", { role: "approver" });
  const port = await freePort();
  const config = readConfig({ PARLEY_STORE: where, PARLEY_PORT: String(port) });
  const logged: string[] = [];
  const log = pino({ level: "error" }, { write: (line: string) => void logged.push(line) });
  let server: Running | null = await startServer(p.table, config, log);
  const url = server.url;

  const gates = async () => ((await zoe.does("list_gates", {})) as { gates: Gate[] }).gates;
  const asked = async (about: string): Promise<Gate> => {
    for (;;) {
      const gate = (await gates()).find(({ status, title }) => status === "pending" && title.includes(about));
      if (gate) return gate;
      await pause(20);
    }
  };
  const die = async () => {
    await server?.close();
    server = null;
  };
  return {
    url,
    nowhere: `http://127.0.0.1:${await freePort()}`,
    store: where,
    folder,
    ada,
    zoe,
    guest: p.guest,
    operator: p.operator,
    die,
    async rise() {
      server ??= await startServer(p.table, config, log);
    },
    parley: (words, own = {}) =>
      run(command[0], [...command.slice(1), ...words], {
        ...own,
        // Where a command may not touch the store, there is none.
        env: {
          PARLEY_STORE: join(folder, "no.db"),
          PARLEY_URL: url,
          PARLEY_TOKEN: ada.token,
          HOME: folder,
          ...own.env,
        },
      }),
    asked,
    async answers(about, decision) {
      const { id } = await asked(about);
      return ((await zoe.does("decide_gate", { gate_id: id, ...decision })) as { gate: Gate }).gate;
    },
    gates,
    async end() {
      for (const child of live) child.kill("SIGKILL");
      await die();
      await p.table.close();
      await remove();
      await rm(folder, { recursive: true, force: true });
      expect(logged).toEqual([]);
    },
  };
}
