// What a notice says, redacted by risk: the title, and who asks only where little is at stake. Never the details.
import type { Result } from "../action.ts";
import { iso } from "../clock.ts";
import type { Gate } from "../gates/rules.ts";
import type { Event, Notice, Risk } from "./rules.ts";

export interface Letter {
  /** The same for all that is told of one gate on one channel. */
  id: string;
  event: Event | "test";
  to: string;
  title: string;
  /** One or two short sentences. */
  text: string;
  risk: Risk;
  /** Where it is answered; null: no address is known. */
  url: string | null;
  /** Of the gate, for programs. */
  gate: Result | null;
}

// What turns text around or cannot be seen does not stand on a lock screen.
const hidden = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]/g;
const plain = (text: string): string => text.replace(hidden, "\ufffd");

const words = { approval: "an approval", feedback: "an answer", blocker: "help" } as const;

/** @param address of the dashboard, with a slash at the end; null: not known */
export function letterOf(notice: Notice, gate: Gate, event: Event, address: string | null): Letter {
  const open = gate.risk === "low" || gate.risk === "medium";
  const url = address === null ? null : `${address}gate/${gate.id}`;
  const title = plain(gate.title);
  return {
    id: notice.id,
    event,
    to: notice.member,
    title,
    text: textOf(gate, event, open),
    risk: gate.risk,
    url,
    gate: {
      id: gate.id,
      room: gate.room,
      kind: gate.kind,
      status: gate.status,
      risk: gate.risk,
      title,
      ...(open && { asked_by: gate.asked_by }),
      asked_at: iso(gate.asked_at),
      ...(gate.expires_at !== null && { expires_at: iso(gate.expires_at) }),
      ...(gate.status !== "pending" && gate.decided_by !== null && { decided_by: gate.decided_by }),
    },
  };
}

function textOf(gate: Gate, event: Event, open: boolean): string {
  if (event === "gate.settled") return endOf(gate);
  const asks = open ? `${gate.asked_by} waits for ${words[gate.kind]}.` : `Somebody waits for ${words[gate.kind]}.`;
  return event === "gate.reminder" ? `Still unanswered. ${asks}` : asks;
}

function endOf(gate: Gate): string {
  if (gate.status === "expired") return "Nobody answered in time.";
  if (gate.status === "withdrawn") return "Withdrawn: nothing is to be answered.";
  if (gate.status === "pending") return "No longer yours to answer.";
  return gate.by_rule === null ? `Answered by ${gate.decided_by}.` : `Answered by a rule of ${gate.decided_by}.`;
}

/** What `test_channel` sends. */
export const testLetter = (id: string, to: string, address: string | null): Letter => ({
  id,
  event: "test",
  to,
  title: "Parley can reach you here",
  text: "This is a test. Nothing waits.",
  risk: "medium",
  url: address,
  gate: null,
});
