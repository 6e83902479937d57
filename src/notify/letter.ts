// What a notice says, redacted by risk: the title, and who asks only where little is at stake. Never the details. Of what
// a client asks by itself the title holds the command, so that its notice names the tool and the program alone.
import type { Result } from "../action.ts";
import { iso } from "../clock.ts";
import type { Gate } from "../gates/rules.ts";
import { programOf } from "../rules/rules.ts";
import type { Event, Notice, Risk } from "./rules.ts";
import { masked } from "./secrets.ts";

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

// What turns text around or cannot be seen does not stand on a lock screen; within an emoji it is how that is written.
const emoji =
  /\p{Extended_Pictographic}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?(?:\u200d\p{Extended_Pictographic}\p{Emoji_Modifier}?[\ufe0e\ufe0f]?)*|[0-9#*]\ufe0f?\u20e3/u;
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Cc}\p{Cs}\p{Zl}\p{Zp}\ufff9-\ufffb\u2800]/u;
const either = new RegExp(`(${emoji.source})|${hidden.source}`, "gu");
/** A secret is looked for also without what cannot be seen: a token in two halves is read as one. */
function plain(text: string): string {
  const bare = text.replace(either, (_, whole?: string) => whole ?? "");
  const hides = masked(bare) !== bare && masked(text) === text;
  return masked(hides ? bare : text).replace(either, (_, whole?: string) => whole ?? "\ufffd");
}

/** The title, or of what a client asks by itself only the tool and the program: `Bash: curl`. */
function titleIn(gate: Gate): string {
  if (gate.asked_through === null) return plain(gate.title);
  const { tool } = (gate.action.is ?? {}) as { tool?: unknown };
  const name = typeof tool === "string" ? tool : gate.asked_through === "command" ? "Run" : "A tool";
  const program = programOf(gate.action.is);
  return plain(program === null ? name : `${name}: ${program}`);
}

const words = { approval: "an approval", feedback: "an answer", blocker: "help" } as const;

/** @param address of the dashboard, with a slash at the end; null: not known */
export function letterOf(notice: Notice, gate: Gate, event: Event, address: string | null): Letter {
  const open = gate.risk === "low" || gate.risk === "medium";
  const url = address === null ? null : `${address}gate/${gate.id}`;
  const title = titleIn(gate);
  return {
    id: notice.id,
    event,
    to: notice.member,
    title,
    text: plain(textOf(gate, event, open)),
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
