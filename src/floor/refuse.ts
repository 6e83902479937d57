// What the floor refuses, each with what a caller needs to go on (R19).
import { Refusal } from "../refusal.ts";
import { isSpent, turnsWithoutPerson } from "./care.ts";
import { hasVoice, isOperator, liveSeats, type Moment, order, standing } from "./moment.ts";
import { waitOf } from "./queue.ts";
import type { Ending } from "./record.ts";
import { lapseOf, shown } from "./timing.ts";

const next = (m: Moment, call: string, more: Record<string, unknown> = {}) => ({
  next: { call, channel: m.floor.channel, ...more },
});

/** Who holds, until when, and how the caller stands. */
function stand(m: Moment, who: string): Record<string, unknown> {
  const { turn } = m.floor;
  const wait = waitOf(m.floor, who);
  return {
    channel: m.floor.channel,
    holder: turn?.seat ?? null,
    turn: turn?.number ?? null,
    lapses_at: turn ? shown(m.floor, lapseOf(turn, m.floor.settings).by) : null,
    position: wait?.position ?? null,
    at_most_turns: wait?.at_most_turns ?? null,
  };
}

export function mustBeThere(m: Moment, who: string): void {
  if (hasVoice(m, who)) return;
  throw new Refusal(
    "FORBIDDEN",
    `You have no seat on the floor of ${m.floor.channel}; read it with conversation, and ask an operator for a seat.`,
    { channel: m.floor.channel, seats: order(m.floor), ...next(m, "conversation") },
  );
}

export function mustOperate(m: Moment, who: string): void {
  if (isOperator(m, who)) return;
  throw new Refusal(
    "FORBIDDEN",
    "Only an operator of this floor may do that: ask one, or request the floor and say it.",
    {
      channel: m.floor.channel,
      operators: operators(m),
      ...next(m, "request_floor"),
    },
  );
}

export const operators = (m: Pick<Moment, "members" | "floor">): string[] =>
  [...m.members.keys()].filter((name) => isOperator(m, name)).sort();

export function mustBeOpen(m: Moment): void {
  if (m.floor.status === "closed")
    throw new Refusal(
      "CLOSED",
      "This floor is closed: end your part here, or wait_for_floor until it is opened again.",
      { channel: m.floor.channel, ...next(m, "wait_for_floor") },
    );
}

export function mustRun(m: Moment): void {
  mustBeOpen(m);
  if (m.floor.status === "paused")
    throw new Refusal(
      "PAUSED",
      `${
        m.floor.capped
          ? `Agents had ${turnsWithoutPerson(m.floor)} turns without a person, who is asked now`
          : "It is paused"
      }; nothing of yours is lost: call wait_for_floor, which returns when it is your turn.`,
      { channel: m.floor.channel, ...next(m, "wait_for_floor") },
    );
}

/** Once agents have talked enough in this room no agent begins to speak, in a turn or between turns. */
export function mustNotTalkOn(m: Moment, who: string): void {
  const { floor } = m;
  const rests = floor.quiescent && !floor.turn;
  if (m.members.get(who)?.person || !(floor.capped || (isSpent(floor) && !floor.wrapping && !rests))) return;
  throw new Refusal(
    "PAUSED",
    `Agents had ${turnsWithoutPerson(floor)} turns in this room without a person, who is asked how it goes on${
      floor.turn ? " once this turn is over" : ""
    }; your text was not recorded: call wait_for_floor, which returns when it goes on.`,
    { channel: floor.channel, ...next(m, "wait_for_floor") },
  );
}

/** What waits for a person's word goes on by no agent's. */
export function mustBePersonsWord(m: Moment, who: string): void {
  if (!m.floor.capped || m.members.get(who)?.person) return;
  throw new Refusal(
    "OUTRANKED",
    `Agents had ${turnsWithoutPerson(m.floor)} turns without a person, who is asked now how it goes on: wait_for_floor.`,
    { channel: m.floor.channel, ...next(m, "wait_for_floor") },
  );
}

/** An agent gives or takes no turn that a person's word has to come before: it would never come to that. */
export function mustNotLengthen(m: Moment, who: string, seat: string): void {
  if (m.members.get(who)?.person) return;
  const { request, slot } = standing(m, seat);
  if (m.floor.wrapping && !request && !slot)
    throw new Refusal(
      "CLOSED",
      `This conversation is being wrapped up and ${seat} has no turn left: let it end, and write what is left with post_message.`,
      { ...stand(m, who), ...next(m, "post_message") },
    );
  if (m.floor.wrapping || !isSpent(m.floor, m.floor.turn ? 1 : 0)) return;
  throw new Refusal(
    "PAUSED",
    m.floor.turn
      ? "After this turn the floor pauses and a person is asked how it goes on: wait_for_floor."
      : "Agents have talked enough in this room without a person, who has to say how it goes on: request_floor, then wait_for_floor.",
    { ...stand(m, who), ...next(m, "wait_for_floor") },
  );
}

/** In the last round who has had its turn asks for no other. */
export function mustStillCome(m: Moment, who: string): void {
  if (!m.floor.wrapping) return;
  throw new Refusal(
    "CLOSED",
    "This conversation is being wrapped up and you had your last turn: write what is left with post_message.",
    { ...stand(m, who), ...next(m, "post_message") },
  );
}

/** The caller holds the floor, or it is told why not. */
export function mustHold(m: Moment, who: string): void {
  mustBeThere(m, who);
  const { turn, last } = m.floor;
  if (turn?.seat === who) return;
  if (last?.seat === who) throw stale(m, who, last.number, last, "nothing was changed");
  throw new Refusal(
    "NOT_HOLDER",
    turn
      ? `${turn.seat} holds the floor, not you: request_floor, then wait_for_floor.`
      : "You do not hold the floor: request_floor first.",
    { ...stand(m, who), ...next(m, "request_floor") },
  );
}

export const notYourTurn = (m: Moment, who: string): Refusal => {
  const { turn } = m.floor;
  const queued = waitOf(m.floor, who) !== null;
  return new Refusal(
    "NOT_YOUR_TURN",
    `${turn ? `${turn.seat} holds the floor` : "Operators grant the turns here"}; your text was not recorded. ${
      queued ? "You are queued: wait_for_floor, then say it." : "Call request_floor, then wait_for_floor."
    }`,
    { ...stand(m, who), unread_after: standing(m, who).read, ...next(m, queued ? "wait_for_floor" : "request_floor") },
  );
};

/** How a turn of the speaker's ended. */
export type Past = Pick<Ending, "ended" | "reason" | "utterances">;

const because: Record<Ending["ended"], string> = {
  passed: "you had passed the floor",
  silent: "its hold ran out in silence",
  no_answer: "the offer was not answered in time",
  too_long: "it had reached the turn limit",
  preempted: "an operator took the floor",
  revoked: "an operator revoked it",
  left: "you had left the floor",
  closed: "the floor was closed",
  waiting_for_person: "it waited too long for a person",
};

export const stale = (
  m: Moment,
  who: string,
  turn: number,
  past: Past | null,
  lost = "your text was not recorded",
): Refusal =>
  new Refusal(
    "STALE_TURN",
    `Turn ${turn} ${past ? `is over: ${because[past.ended]}` : "is not yours"}; ${lost}. Read what was said since, then ${
      m.floor.turn?.seat === who ? `use turn ${m.floor.turn.number}` : "request_floor"
    } if it still needs saying.`,
    {
      stale_turn: turn,
      ended: past?.ended ?? null,
      ...(past?.reason && { reason: past.reason }),
      ...stand(m, who),
      unread_after: past?.utterances ?? standing(m, who).read,
      ...next(m, m.floor.turn?.seat === who ? "say" : "request_floor"),
    },
  );

/** R10, R13: one who may be given the floor by `who`, or `INVALID_TARGET` with who may. */
export function mustBeTarget(
  m: Moment,
  who: string,
  to: string,
  call: "pass_floor" | "grant_floor" = "pass_floor",
): void {
  const asleep = order(m.floor).filter((name) => standing(m, name).away);
  const refuse = (why: string) => {
    const live = liveSeats(m).filter((name) => name !== who);
    throw new Refusal(
      "INVALID_TARGET",
      `${why}; nothing was changed. ${live.length ? `Name one of: ${live.join(", ")}` : "Nobody else is there"}${
        call === "pass_floor" ? ", or pass without a name" : ""
      }.`,
      { to, seats: live, asleep, ...next(m, call) },
    );
  };
  if (to === who) refuse("You cannot pass the floor to yourself");
  if (!hasVoice(m, to)) refuse(`${to} has no seat here or cannot speak`);
  if (standing(m, to).away) refuse(`${to} is asleep: it left two offers unanswered`);
}

/** R12: an agent does not go past a person's turn. */
export function mustOutrank(m: Moment, who: string): void {
  const seat = m.floor.turn?.seat;
  if (seat === undefined || seat === who || !m.members.get(seat)?.person || m.members.get(who)?.person) return;
  throw new Refusal(
    "OUTRANKED",
    `${seat} is a person and holds the floor: wait until the turn is over, or say it as an interjection.`,
    { ...stand(m, who), ...next(m, "wait_for_floor") },
  );
}
