// parley hook CLIENT: a client's hook, answered from the dashboard. What is answered on standard output with code 0 is a
// decision; everything else (doubt, error, no server, a wrong token, no time left) is code 2, which blocks, and a
// sentence. Never code 1: clients run the tool then.

import type { Readable } from "node:stream";
import { isObject, openServer, type Server, tokenOf, urlOf } from "../client/server.ts";
import { ask, type Outcome } from "../client/wait.ts";
import { type Clock, wallClock } from "../clock.ts";
import { type Verdict, verdictOf } from "../gates/verdict.ts";
import { type Adapter, type Event, Unclear } from "../hooks/adapter.ts";
import { adapters } from "../hooks/adapters.ts";
import { questionOf } from "../hooks/question.ts";
import { Refusal } from "../refusal.ts";
import { tell as complain } from "./print.ts";
import { onSignals } from "./signals.ts";

export interface HookOptions {
  /** Seconds after which it blocks; less than what the client gives its hooks. */
  timeout?: number;
  room?: string;
}

/** Of the client's own limit: for starting, for the last answer. */
const margin = 60;

/** How long the client may take to send its event, ms. */
const reading = 20_000;

/** @returns the exit code: 0 or 2 */
export async function hook(client: string, options: HookOptions = {}): Promise<0 | 2> {
  // Whatever breaks from here on blocks.
  process.on("uncaughtException", (error) => process.exit(block(error)));
  process.on("unhandledRejection", (error) => process.exit(block(error)));
  const { signal, stop } = onSignals();
  try {
    const adapter = adapters.get(client);
    if (!adapter)
      throw new Refusal("BAD_INPUT", `There is no hook for ${client}; known: ${[...adapters.keys()].join(", ")}.`);
    const said = await answer(adapter, await eventOf(process.stdin, wallClock), options, signal);
    await write(`${JSON.stringify(said)}\n`);
    return 0;
  } catch (error) {
    return block(error);
  } finally {
    stop();
  }
}

function block(error: unknown): 2 {
  const message = error instanceof Error ? error.message : String(error);
  complain(`Blocked by Parley: ${message.replace(/^[A-Z_]+: /, "")}`);
  return 2;
}

async function answer(adapter: Adapter, event: Event, options: HookOptions, signal: AbortSignal): Promise<object> {
  const url = urlOf(process.env);
  const wish = adapter.wish(event, url);
  if ("passes" in wish) return adapter.passes;
  const token = tokenOf(process.env);
  if ("over" in wish) {
    await tell(url, token, event);
    return adapter.passes;
  }
  const { asks, key, session, cautions } = wish;
  const limit = options.timeout ?? Math.max(adapter.usual - margin, Math.floor(adapter.usual * 0.75));
  const server = openServer(url, token, { through: "hook", session });
  const outcome = await ask(
    server,
    wallClock,
    {
      ...questionOf(asks, key, cautions),
      timeout_seconds: limit,
      ...(options.room !== undefined && { room: options.room }),
    },
    {
      knock: 3000,
      patience: limit * 1000,
      signal,
      leaving: "The client no longer waits for the answer.",
    },
  );
  return adapter.says(
    event,
    verdictFrom(outcome, server, (gate) => verdictOf(gate, asks)),
  );
}

/** @throws where nothing is decided: that blocks too, but says that it was not a person's no */
function verdictFrom(outcome: Outcome, server: Server, of: (gate: Event) => Verdict): Verdict {
  if ("gate" in outcome) return of(outcome.gate);
  if ("unreachable" in outcome)
    throw new Error(`${outcome.unreachable}. Nobody could be asked; check PARLEY_URL, then: parley doctor`);
  if ("left" in outcome) throw new Error("the client stopped waiting before anybody answered.");
  const { code, message } = outcome.refused;
  if (code === "ALREADY_DENIED" || code === "STOPPED") return { allow: false, why: message };
  throw new Error(`${server.url} refused to ask: ${message}`);
}

/** Tells the server that earlier questions are over. Nothing depends on it. */
async function tell(url: string, token: string, event: Event): Promise<void> {
  const { hook_event_name, session_id, tool_use_id, tool_name, tool_input, cwd } = event;
  await fetch(`${url}/hooks/claude-code`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
    body: JSON.stringify({ hook_event_name, session_id, tool_use_id, tool_name, tool_input, cwd }),
    signal: AbortSignal.timeout(5000),
  }).catch(() => {});
}

async function eventOf(input: Readable, clock: Clock): Promise<Event> {
  const late = clock.after(reading, () => input.destroy(new Unclear("the client sent nothing.")));
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) chunks.push(Buffer.from(chunk));
  } finally {
    late();
  }
  let event: unknown;
  try {
    event = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks)));
  } catch {
    throw new Unclear("what the client sent is not JSON.");
  }
  if (!isObject(event)) throw new Unclear("what the client sent is not a JSON object.");
  return event;
}

const write = (text: string): Promise<void> =>
  new Promise((resolve, reject) => process.stdout.write(text, (error) => (error ? reject(error) : resolve())));
