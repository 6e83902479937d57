// Reading the log: the stream of the dashboard, and the audit of leads and room operators (A3).
import { z } from "zod";
import { type AnyAction, action, people } from "../action.ts";
import { iso } from "../clock.ts";
import { type Fact, factsBefore, factsFiltered, lastFact, logWindow } from "../log.ts";
import { fitting } from "../size.ts";
import { count, line } from "../words.ts";
import { factViews, mayRead } from "./facts.ts";

const seq = count(0, Number.MAX_SAFE_INTEGER).optional();
const kinds = z.enum(["floor", "message", "task", "gate", "member", "room"]);

export const streamActions: AnyAction[] = [
  action({
    name: "list_facts",
    toolset: "log",
    about: "What happened in the room before fact number `before`, newest first, in the words of who did it.",
    may: people,
    peopleOnly: true,
    input: {
      before: seq,
      limit: count(1, 200).optional(),
      kinds: z.array(kinds).max(6).optional(),
      text: line(200).optional(),
    },
    output: { facts: z.array(z.looseObject({})).optional(), next: z.number().optional() },
    read: async (call, input) => {
      const limit = input.limit ?? 100;
      const wanted = input.text?.toLowerCase();
      const found: Record<string, unknown>[] = [];
      let before = Math.min(input.before ?? Number.MAX_SAFE_INTEGER, (await lastFact(call.db, call.room)) + 1);
      // One call looks through this many facts at most; where it found too few, `next` goes on.
      const end = Math.max(0, before - 1 - logWindow);
      while (before - 1 > end && found.length < limit) {
        const most = wanted === undefined ? limit : 200;
        const page = await factsBefore(call.db, call.room, before, most, { kinds: input.kinds, after: end });
        before = page.length < most ? end + 1 : (page.at(-1) as Fact).seq;
        for (const fact of await factViews(call.db, call.room, page, call.actor.member))
          if (wanted === undefined || JSON.stringify(fact).toLowerCase().includes(wanted)) found.push(fact);
      }
      const facts = fitting(found.slice(0, limit));
      const last = facts.length < found.length && (facts.at(-1)?.seq as number);
      return { facts, ...((last || before > 1) && { next: last || before }) };
    },
  }),
  action({
    name: "get_audit_log",
    toolset: "log",
    about:
      "Read the room's log, oldest first: who did what, when. after: a fact number; next: pass it as after to go on, also where a page has few entries or none.",
    may: ["lead", "approver", "local"],
    quiet: true,
    input: {
      member: line(64).optional(),
      action: line(64).optional().describe("as task.claimed"),
      since: z.iso.datetime().optional(),
      after: seq,
      limit: count(1, 100).optional(),
    },
    output: { entries: z.array(z.looseObject({})).optional(), next: z.number().optional() },
    read: async (call, input) => {
      const limit = input.limit ?? 50;
      const { facts, goesOn } = await factsFiltered(call.db, call.room, {
        member: input.member,
        action: input.action,
        since: input.since === undefined ? undefined : Date.parse(input.since),
        after: input.after ?? 0,
        limit,
      });
      const shown = fitting(facts);
      return {
        // A direct message is known to its two ends only; that there was one is not hidden.
        entries: shown.map((fact) => {
          const { addressee, at, data, ...rest } = fact;
          const open = mayRead(fact, call.actor.member);
          return { ...rest, at: iso(at), ...(open ? { data, ...(addressee !== null && { to: addressee }) } : {}) };
        }),
        ...((facts.length === limit || shown.length < facts.length) && { next: shown.at(-1)?.seq }),
        ...(goesOn !== null && shown.length === facts.length && { next: goesOn }),
      };
    },
  }),
];
