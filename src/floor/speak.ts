// Saying something: in one's turn, on a free floor, too late, or between as an operator (R3–R9).
import { Refusal } from "../refusal.ts";
import { isBlank } from "../visible.ts";
import { handOn } from "./ask.ts";
import { cap, countAgent, isDueForPerson } from "./care.ts";
import { hasVoice, isOperator, type Moment, mark, news, tell } from "./moment.ts";
import { ask, mustBeAskable, reply } from "./questions.ts";
import type { Ending, Utterance } from "./record.ts";
import {
  mustBeOpen,
  mustBeTarget,
  mustBeThere,
  mustNotTalkOn,
  mustRun,
  notYourTurn,
  type Past,
  stale,
} from "./refuse.ts";
import { heedPerson } from "./still.ts";
import { act, grant, renew } from "./turns.ts";

const longestText = 4000;

export interface Speech {
  text: string;
  /** The turn it was meant for. */
  turn?: number | undefined;
  /** After it the floor passes, as by `pass`; without it the speaker keeps the floor. */
  pass?: { to: string | undefined } | undefined;
  addressed_to?: string | undefined;
  expects_reply?: boolean | undefined;
}

/** What the rows know beyond the floor's record. */
export interface Known {
  /** How the turn that is named ended, if it was the speaker's and has ended. */
  past?: Past | null;
  /** The number the speaker says it has read up to, when others have said something since. */
  unreadAfter?: number | null;
}

export interface Said {
  utterance: Utterance;
  reinstated: boolean;
  /** The seat to which it was passed on, and which was not there. */
  passedOver: string | null;
}

/** R9: the text as it is, or why not. Characters are code points. */
function mustBeText({ floor: { channel } }: Moment, text: string): void {
  const next = { call: "say", channel };
  if (isBlank(text))
    throw new Refusal("EMPTY", "There is no text to say; send some, or keep_floor to think on.", { next });
  const length = text.length > longestText ? [...text].length : text.length;
  if (length > longestText)
    throw new Refusal("TOO_LONG", `At most ${longestText} characters at once, yours has ${length}: say it in parts.`, {
      limit: longestText,
      length,
      next,
    });
}

export function say(m: Moment, who: string, speech: Speech, known: Known = {}): Said {
  mustBeText(m, speech.text);
  mustBeOpen(m);
  mustBeThere(m, who);
  if (speech.addressed_to !== undefined) mustBeAddressable(m, speech.addressed_to);
  if (speech.expects_reply) mustBeAskable(m, who, speech.addressed_to ?? null);
  const reinstated = enter(m, who, speech, known.past ?? null);
  if (known.unreadAfter !== undefined && known.unreadAfter !== null)
    throw new Refusal("UNREAD", "Others have spoken since; read it, then say what still fits.", {
      unread_after: known.unreadAfter,
      next: { call: "say", channel: m.floor.channel, if_seen: m.floor.utterances },
    });
  const holds = m.floor.turn?.seat === who && m.floor.status === "open";
  if (holds && speech.pass?.to) mustBeTarget(m, who, speech.pass.to);
  act(m, who);
  const utterance = record(m, who, speech, holds);
  let passedOver: string | null = null;
  if (holds) {
    renew(m);
    if (speech.pass) passedOver = handOn(m, who, speech.pass.to);
  } else countAgent(m, who);
  if (utterance.from_person) heedPerson(m);
  else if (!holds && isDueForPerson(m)) cap(m);
  return { utterance, reinstated, passedOver };
}

/** Lets the speaker in or refuses; afterwards it holds the floor, or it is an operator between turns. */
function enter(m: Moment, who: string, { turn }: Speech, past: Known["past"] | null): boolean {
  const { floor } = m;
  const current = floor.turn;
  if (isOperator(m, who) && (current?.seat !== who || floor.status === "paused")) {
    mustNotTalkOn(m, who);
    return false;
  }
  mustRun(m);
  if (isDueForPerson(m)) mustNotTalkOn(m, who);
  if (turn !== undefined && turn !== current?.number) {
    const last = floor.last?.number === turn && floor.last.seat === who ? floor.last : null;
    if (!last || current || !reinstates(m, last)) throw stale(m, who, turn, last ?? past ?? null);
    grant(m, who, { why: "reinstated", held: true });
    return true;
  }
  if (current?.seat === who) return false;
  if (current || floor.mode === "moderated") throw notYourTurn(m, who);
  grant(m, who, { why: "say", held: true });
  return false;
}

/** R6: the turn just ran out and nothing came between. */
const reinstates = ({ floor }: Moment, last: Ending): boolean =>
  floor.mode !== "moderated" &&
  floor.utterances === last.utterances &&
  (last.ended === "silent" || last.ended === "no_answer" || last.ended === "too_long");

function mustBeAddressable(m: Moment, name: string): void {
  if (m.members.has(name)) return;
  throw new Refusal("INVALID_TARGET", `There is no ${name} in this room; address somebody who is here.`, {
    to: name,
    next: { call: "list_members" },
  });
}

function record(m: Moment, who: string, speech: Speech, holds: boolean): Utterance {
  const { floor } = m;
  const utterance: Utterance = {
    id: ++floor.utterances,
    turn: holds ? (floor.turn?.number ?? null) : null,
    speaker: who,
    text: speech.text,
    at: m.now,
    kind: holds ? "speech" : "interjection",
    from_person: m.members.get(who)?.person === true,
    addressed_to: speech.addressed_to ?? null,
    expects_reply: speech.expects_reply ?? false,
  };
  m.said = utterance;
  floor.quiescent = false;
  for (const [name, { unspoken }] of floor.standings) if (unspoken) mark(m, name, { unspoken: false });
  if (holds && floor.turn) floor.turn = { ...floor.turn, spoke: floor.turn.spoke + 1 };
  mark(m, who, { read: utterance.id });
  const { id, turn, kind, addressed_to } = utterance;
  if (addressed_to !== null && addressed_to !== who && hasVoice(m, addressed_to))
    news(m, addressed_to, { addressed: { by: who } });
  tell(
    m,
    "floor.said",
    {
      utterance: id,
      turn,
      kind,
      ...(addressed_to !== null && { addressed_to }),
      ...(utterance.expects_reply && { expects_reply: true }),
    },
    addressed_to,
  );
  reply(m, who);
  if (utterance.expects_reply) ask(m, { utterance: id, from: who, to: addressed_to });
  return utterance;
}
