// POST /hooks/claude-code: Claude Code's http hooks. Claude Code lets the tool run on any status but 2xx and on an empty
// answer, so that everything here is answered 200 in its own words, and what is no approval in the words of a no.
import type { Request, RequestHandler, Response } from "express";
import type { Logger } from "pino";
import type { Result } from "../action.ts";
import { digestOf } from "../gates/digest.ts";
import * as rows from "../gates/rows.ts";
import { actionOf } from "../gates/tool-use.ts";
import { type Verdict, verdictOf } from "../gates/verdict.ts";
import { type Event, type Over, Unclear } from "../hooks/adapter.ts";
import { claudeCode } from "../hooks/claude-code.ts";
import { questionOf } from "../hooks/question.ts";
import { type Caller, callerOfToken } from "../members/caller.ts";
import { Refusal } from "../refusal.ts";
import type { Table } from "../table.ts";
import { refusalOf, refuse } from "./answer.ts";
import { bearerOf, unauthenticated } from "./credential.ts";
import { readJson } from "./json.ts";
import { bodyOf } from "./mcp/body.ts";

/** Seconds that a hook waits where `?timeout=` says nothing: less than Claude Code's usual 600. */
const usual = 540;

export function claudeCodeHook(table: Table, log: Logger): RequestHandler {
  return async (req, res) => {
    if (req.method !== "POST") {
      res.setHeader("Allow", "POST");
      return refuse(res, new Refusal("BAD_INPUT", "Hooks are called by POST.", { status: 405 }));
    }
    const gone = new AbortController();
    res.on("close", () => {
      if (!res.writableFinished) gone.abort();
    });
    let event: Event = {};
    try {
      const body = await bodyOf(req).catch(() => undefined);
      // Not parsed yet, and still answered in the words of its event, which tells its name before anything long.
      event = { hook_event_name: /"hook_event_name"\s*:\s*"(\w+)"/.exec(String(body ?? ""))?.[1] };
      const caller = await callerOf(table, req);
      event = eventIn(body);
      const wish = claudeCode.wish(event, "");
      if ("over" in wish) await endOf(table, caller, wish.over);
      if (!("asks" in wish)) return void res.json(claudeCode.passes);
      const question = questionOf(wish.asks, wish.key, wish.cautions);
      const gate = await asked(table, caller, req, res, { ...question }, wish.session, gone.signal);
      // Nobody will hear the answer; where the server itself ends, the deadline settles it.
      if (gone.signal.aborted) await withdraw(table, caller, gate).catch(() => {});
      else answer(res, event, verdictOf(gate, wish.asks));
    } catch (error) {
      const why = error instanceof Unclear ? error.message : refusalOf(error, log).message;
      if (!gone.signal.aborted) answer(res, event, { allow: false, why: `Blocked by Parley: ${why}` });
    }
  };
}

function answer(res: Response, event: Event, verdict: Verdict): void {
  res.json(claudeCode.says(event, verdict));
}

function eventIn(body: Buffer | null | undefined): Event {
  if (body === null) throw new Unclear("the hook's input is over 1 MiB.");
  if (body === undefined) throw new Unclear("the hook's input broke off.");
  const read = readJson(body);
  if (read.wrong) throw new Unclear(`the hook's input ${read.wrong}.`);
  const event = read.value;
  if (typeof event === "object" && event !== null && !Array.isArray(event)) return event as Event;
  throw new Unclear("the hook's input is not a JSON object.");
}

async function callerOf(table: Table, req: Request): Promise<Caller> {
  const token = bearerOf(req);
  const caller = token === undefined ? null : await table.store.read((db) => callerOfToken(db, token));
  if (!caller) throw unauthenticated();
  return caller;
}

/** Asks and waits until the gate is final, or the client has gone. */
async function asked(
  table: Table,
  caller: Caller,
  req: Request,
  res: Response,
  question: Result,
  session: string | undefined,
  signal: AbortSignal,
): Promise<Result> {
  const limit = limitOf(req);
  const ask = { signal, longest: limit, beside: { through: "hook", session } } as const;
  const words = { ...question, ...roomOf(req), timeout_seconds: limit, wait_seconds: limit };
  const { result, ...noted } = await table.perform(caller, "request_approval", words, ask);
  let last = { gate: result.gate as Result, ...noted };
  // Its deadline is the row's: a moment may be left after the first wait.
  while (last.gate.status === "pending" && !signal.aborted) {
    const again = await table.perform(caller, "wait_for_gate", { gate_id: last.gate.id, wait_seconds: 10 }, ask);
    last = { gate: again.result.gate as Result, written: again.written, lost: again.lost };
  }
  if (signal.aborted || res.destroyed) await last.lost();
  else res.on("finish", () => void last.written().catch(() => {}));
  return last.gate;
}

function limitOf({ query }: Request): number {
  if (query.timeout === undefined) return usual;
  const seconds = Number(query.timeout);
  if (Number.isInteger(seconds) && seconds >= 1 && seconds <= 3600) return seconds;
  throw new Unclear("?timeout= must be whole seconds from 1 to 3600.");
}

const roomOf = ({ query }: Request): Result => (typeof query.room === "string" ? { room: query.room } : {});

/** Takes back the pending cards of a session, or of one tool use in it, that are over. */
async function endOf(table: Table, caller: Caller, { session, use }: Over): Promise<void> {
  const pending = await table.store.read((db) => rows.pendingOf(db, caller.actor.member));
  const over = pending.filter((gate) => {
    if (gate.client_session !== session) return false;
    if (use === null || (use.key !== null && gate.key === use.key)) return true;
    // Asked without the id of its tool use, it is known by what it asks.
    return gate.key === null && gate.digest === digestOf(actionOf(use.asks));
  });
  for (const gate of over) await withdraw(table, caller, gate);
}

async function withdraw(table: Table, caller: Caller, { id, room }: Result): Promise<void> {
  await table
    .perform(
      caller,
      "withdraw_gate",
      { gate_id: id, room, reason: "Claude Code went on without it." },
      { beside: { through: "hook" } },
    )
    // Decided meanwhile, which is as good.
    .catch((error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
    });
}
