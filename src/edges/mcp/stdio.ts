// MCP over standard input and output: one message a line, several calls at once, nothing else on stdout.
// The credential is looked up anew for every call, and the end of input ends what waits.
import type { Readable, Writable } from "node:stream";
import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import { runsOut } from "../../floor/inbox.ts";
import { newId } from "../../ids.ts";
import type { Caller } from "../../members/caller.ts";
import { usualHold } from "../../perform.ts";
import { unauthenticated } from "../credential.ts";
import { openCalls } from "./calls.ts";
import { longHold, progressOf, signsOfLife } from "./hold.ts";
import { messageIn } from "./read.ts";
import { type McpOptions, openServing } from "./serve.ts";
import { toolsetsNamed } from "./tools.ts";

export interface StdioOptions extends McpOptions {
  /** Who calls, as the store has it now; null once the credential is no longer valid. */
  find: () => Promise<Caller | null>;
}

/** Serves until input ends or output breaks, and every call that was waiting has ended. */
export async function serveStdio(
  options: StdioOptions,
  stdin: Readable = process.stdin,
  stdout: Writable = process.stdout,
): Promise<void> {
  const { table, log } = options;
  const respond = openServing(options);
  const calls = openCalls();
  const only = toolsetsNamed(options.toolsets);
  const open = new Set<Promise<void>>();
  let client = "";
  /** Each process of a client is a session of its own. */
  const session = `stdio.${newId()}`;

  /** @returns whether the line is out */
  const say = (message: object): Promise<boolean> =>
    new Promise((resolve) => stdout.write(`${JSON.stringify(message)}\n`, (error) => resolve(!error)));
  const who = async (): Promise<Caller> => {
    const caller = await options.find();
    if (!caller) throw unauthenticated();
    return caller;
  };

  async function answer(request: JSONRPCRequest): Promise<void> {
    const flight = calls.begin("", request.id);
    const long = longHold(table.actions, request, client);
    const progress = long === null ? null : progressOf(request);
    const end =
      progress &&
      signsOfLife(
        table.clock,
        (step, message) => void say(progress(step, message)),
        () => {},
        async () => {
          const { member } = (await who()).actor;
          return table.same(`runs out ${member}`, (db) => runsOut(db, member, table.clock.now()));
        },
      );
    try {
      const longest = long ?? usualHold;
      const asked = { who, only, signal: flight.signal, longest, session };
      const { message, written, lost } = await respond(request, asked);
      end?.();
      const out = !flight.signal.aborted && (await say(message));
      await (out ? written() : lost());
    } catch (error) {
      log.error({ err: error }, "a call was not answered");
    } finally {
      end?.();
      flight.over();
    }
  }

  stdout.on("error", () => stdin.destroy());
  for await (const line of linesOf(stdin)) {
    const message = messageIn(line);
    if ("bad" in message) void say(message.bad);
    else if ("cancels" in message) calls.cancel("", message.cancels);
    else if ("request" in message) {
      if (message.request.method === "initialize") client = clientIn(message.request);
      const answered = answer(message.request).finally(() => open.delete(answered));
      open.add(answered);
    }
  }
  calls.abortAll();
  await Promise.all(open);
}

const clientIn = ({ params }: JSONRPCRequest): string => {
  const { name } = (params?.clientInfo ?? {}) as { name?: unknown };
  return String(name ?? "").toLowerCase();
};

/** By bytes: a line separator of Unicode may stand unescaped inside JSON. */
async function* linesOf(input: Readable): AsyncGenerator<Buffer> {
  let begun: Buffer[] = [];
  try {
    for await (const chunk of input as AsyncIterable<Buffer>) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        const line = Buffer.concat([...begun, chunk.subarray(from, at)]);
        begun = [];
        from = at + 1;
        if (line.length > 0) yield line;
      }
      begun.push(chunk.subarray(from));
    }
  } catch {
    // Input broken off has ended as well.
  }
}
