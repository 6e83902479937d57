// parley gate -- COMMAND: runs a command once a person has approved it, and only then; exactly what was approved,
// without a shell. Never when unsure.
import { spawn } from "node:child_process";
import { statSync } from "node:fs";
import { constants } from "node:os";
import { openServer, type Refused, type Server, tokenOf, urlOf } from "../client/server.ts";
import { ask, type Gate, type Outcome } from "../client/wait.ts";
import { wallClock } from "../clock.ts";
import { digestOf } from "../gates/digest.ts";
import { type Run, runIn } from "../gates/edit.ts";
import { titleOf } from "../gates/tool-use.ts";
import { deciderOf } from "../gates/verdict.ts";
import { newId } from "../ids.ts";
import { tell } from "./print.ts";
import { endings, onSignals } from "./signals.ts";

export interface GateOptions {
  title?: string;
  risk?: string;
  timeout?: number;
  stdinOk?: boolean;
  room?: string;
}

/** As of sysexits, and of shells; `no` is a person's, or their rule's, and nothing else. */
const codes = {
  usage: 64,
  data: 65,
  unavailable: 69,
  again: 75,
  no: 77,
  config: 78,
  cannotRun: 126,
  notFound: 127,
} as const;

/** How long the server may be away while a gate is open, ms: a restart, a reboot. */
const patience = 300_000;

/** @returns the exit code: the command's own, or why it did not run */
export async function gate(command: string[], options: GateOptions): Promise<number> {
  let server: Server;
  try {
    server = openServer(urlOf(process.env), tokenOf(process.env));
  } catch (error) {
    return not(codes.config, (error as Error).message);
  }
  const cwd = here();
  if (cwd === null) return not(codes.cannotRun, "the folder that it was called in is not there any more.");
  const wanted: Run = { command, cwd, ...(options.stdinOk && { stdin: true }) };
  const { signal, stop } = onSignals();
  let outcome: Outcome;
  try {
    outcome = await ask(
      server,
      wallClock,
      {
        title: options.title ?? titleOf({ tool: "Run", input: { command } }),
        action: { ...wanted },
        key: `gate:${newId()}`,
        timeout_seconds: options.timeout ?? 86_400,
        ...(options.risk !== undefined && { risk: options.risk }),
        ...(options.room !== undefined && { room: options.room }),
      },
      { knock: 3000, patience, signal, leaving: "The command was interrupted while it waited." },
    );
  } finally {
    stop();
  }
  if (signal.aborted) return byNumber(signal.reason as NodeJS.Signals);
  if ("unreachable" in outcome) return not(codes.unavailable, `${outcome.unreachable}.`);
  if ("refused" in outcome) return not(codeOf(outcome.refused), outcome.refused.message);
  if ("left" in outcome) return not(codes.unavailable, "the wait was broken off.");
  return decided(server, outcome.gate);
}

/** The working directory, while there is one. */
function here(): string | null {
  try {
    return process.cwd();
  } catch {
    return null;
  }
}

function decided(server: Server, gate: Gate): Promise<number> | number {
  if (gate.status === "denied")
    return not(codes.no, `${deciderOf(gate)} denied it${gate.note ? `: ${gate.note}` : "."}`);
  if (gate.status === "expired") return not(codes.again, "nobody answered in time.");
  if (gate.status === "withdrawn")
    return not(codes.again, `the request was withdrawn${gate.reason ? `: ${gate.reason}` : "."}`);
  if (gate.status !== "approved") return not(codes.unavailable, "nobody has decided.");
  const run = runOf(gate);
  if (!run) return not(codes.data, "what was approved is not a command and a folder.");
  return start(run, () => report(server, gate, run));
}

/** What was approved, edited or not; null where it is not a command, or not what its digest says. */
function runOf({ action, digest }: Gate): Run | null {
  const run = runIn(action);
  return run && digest === digestOf(action) ? run : null;
}

/** Runs it, passes signals on; its exit code. */
function start({ command: [file = "", ...args], cwd, stdin }: Run, started: () => Promise<unknown>): Promise<number> {
  return new Promise((resolve) => {
    // A terminal sends its own to the whole group: once is enough.
    const atTerminal = [process.stdin, process.stdout, process.stderr].some(({ isTTY }) => isTTY);
    const pass = (name: NodeJS.Signals) => void ((atTerminal && name === "SIGINT") || child.kill(name));
    const passed = [...endings, "SIGQUIT", "SIGUSR2", "SIGCONT"] as const;
    // Before it starts: a signal that comes while it is being started would end us and leave it running.
    for (const name of passed) process.on(name, pass);
    const child = spawn(file, args, { cwd, stdio: [stdin ? "inherit" : "ignore", "inherit", "inherit"] });
    const end = (code: number) => {
      for (const name of passed) process.off(name, pass);
      resolve(code);
    };
    let reported: Promise<unknown> = Promise.resolve();
    child.on("spawn", () => {
      reported = started();
    });
    child.on("error", (error: NodeJS.ErrnoException) => {
      if (child.pid !== undefined) return;
      const why = folderThere(cwd) ? error.message : `there is no folder ${cwd}`;
      end(
        not(
          error.code === "ENOENT" && folderThere(cwd) ? codes.notFound : codes.cannotRun,
          `it was approved, but cannot be run: ${why}.`,
        ),
      );
    });
    child.on("exit", (code, signal) => void reported.then(() => end(code ?? byNumber(signal ?? "SIGKILL"))));
  });
}

/** What starts a command says of a missing folder that the program is missing. */
const folderThere = (folder: string): boolean => statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;

/** Tells the card what ran. Nothing depends on it. */
function report(server: Server, gate: Gate, run: Run): Promise<unknown> {
  return server.call("gate_result", { gate_id: gate.id, action: run }, { signal: AbortSignal.timeout(2000) });
}

function codeOf({ status, code }: Refused): number {
  if (code === "ALREADY_DENIED" || code === "STOPPED") return codes.no;
  if (code === "TOO_MANY_PENDING") return codes.again;
  // Not known, not allowed to ask, or no longer: whoever set it up has to look.
  if (status === 401 || status === 403) return codes.config;
  return status === 400 || status === 404 ? codes.usage : codes.unavailable;
}

function not(code: number, sentence: string): number {
  tell(`parley gate: not run; ${sentence}`);
  return code;
}

const byNumber = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
