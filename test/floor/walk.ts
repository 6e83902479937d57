// Random histories of a floor: commands as plain values, how each is played, and what must hold after every one.
import { isDeepStrictEqual } from "node:util";
import fc from "fast-check";
import { expect } from "vitest";
import { hasVoice, order, standing } from "../../src/floor/moment.ts";
import { interrupted, waiting } from "../../src/floor/queue.ts";
import type { Floor, Mode, Urgency } from "../../src/floor/record.ts";
import { settle } from "../../src/floor/settle.ts";
import { gatePause } from "../../src/floor/timing.ts";
import { Refusal } from "../../src/refusal.ts";
import { must } from "./must.ts";
import { agent, approver, type Stage, stage } from "./stage.ts";

export const seats = ["ann", "bob", "cyd", "dan", "p.pia"];
const operators = ["lea", "olga", "p.pia"];
const others = ["obi", "zoe"];
const everybody = [...seats, ...operators, ...others];

type Turn = "none" | "current" | "stale" | "own last";
/** A reply is expected: of a seat, or of anybody. */
type Asked = { of: string | undefined } | undefined;
export type Command =
  | { do: "request"; who: string; urgency: Urgency }
  | { do: "say"; who: string; turn: Turn; pass?: { to: string | undefined } | undefined; asks?: Asked }
  | { do: "pass"; who: string; to?: string | undefined }
  | { do: "grant" | "deny"; who: string; seat: string }
  | { do: "withdraw" | "keep" | "take" | "revoke" | "pause" | "resume" | "close"; who: string }
  | { do: "hear"; who: string }
  | { do: "holder"; then: "say" | "pass" | "keep" | "hear" | "withdraw" }
  | { do: "open"; who: string; seats: string[]; mode?: Mode | undefined }
  | { do: "leave" | "join" | "observe"; who: string }
  | { do: "ask" | "answer"; who: string }
  | { do: "hush"; who: string }
  | { do: "wrap" }
  | { do: "tick" | "jump"; seconds: number }
  | { do: "restart" };

const anyone = fc.constantFrom(...seats, ...seats, ...everybody);
const operator = fc.constantFrom(...operators, ...operators, ...everybody);
const target = fc.oneof(
  { weight: 4, arbitrary: fc.constant(undefined) },
  { weight: 4, arbitrary: fc.constantFrom(...seats) },
  { weight: 1, arbitrary: fc.constantFrom("", "nobody there", ...others, ...operators) },
);
const asked = fc.option(fc.constantFrom(...seats, ...everybody, "nobody there"), { nil: undefined });
const seconds = fc.constantFrom(1, 1, 5, 20, 29, 31, 61, 100, 181, 400, 901, 5000);

/** One command; `moves` also has those of operators and of the room, else only what seats do. */
export const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("request" as const),
      who: anyone,
      urgency: fc.constantFrom("low", "normal", "normal", "high"),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant("say" as const),
      who: anyone,
      turn: fc.constantFrom<Turn>("none", "current", "stale", "own last"),
      pass: fc.option(fc.record({ to: target }), { nil: undefined }),
      asks: fc.option(fc.record({ of: asked }), { nil: undefined, freq: 3 }),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant("holder" as const),
      then: fc.constantFrom("say", "say", "pass", "keep", "hear", "withdraw"),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("pass" as const), who: anyone, to: target }) },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("withdraw", "keep", "hear", "hear"),
      who: anyone,
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constantFrom("take", "take", "revoke", "pause", "resume", "resume", "close"),
      who: operator,
    }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constantFrom("grant", "deny"), who: operator, seat: anyone }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant("open" as const),
      who: operator,
      seats: fc.shuffledSubarray([...seats, "lea", "zoe"], { minLength: 1 }),
      mode: fc.option(fc.constantFrom<Mode>("open", "round_robin", "moderated"), { nil: undefined }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("leave", "join", "join", "observe", "hush", "ask", "answer"),
      who: anyone,
    }),
  },
  { weight: 8, arbitrary: fc.record({ do: fc.constant("tick" as const), seconds }) },
  { weight: 2, arbitrary: fc.constant({ do: "wrap" as const }) },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant("jump" as const), seconds: fc.integer({ min: -9000, max: 9000 }) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("restart" as const) }) },
);

export const opening = fc.record({
  mode: fc.constantFrom<Mode>("open", "open", "round_robin", "round_robin", "moderated"),
  max_bypass: fc.constantFrom(0, 1, 1, 2),
  hold_seconds: fc.constantFrom(20, 180),
  max_turn_seconds: fc.constantFrom(0, 100, 600),
  ack_seconds: fc.constantFrom(10, 60),
  max_agent_turns: fc.constantFrom(100_000, 100_000, 5, 60),
});
export type Opening = typeof opening extends fc.Arbitrary<infer T> ? T : never;

export const walkedStage = (how: Opening): Stage => {
  const floor = stage({ seats, ...how });
  floor.members.set("zoe", agent);
  return floor;
};

/** As one is who calls, and who has ceased to. */
const silent = (heard: boolean) => ({ heard, gone: !heard });

/** Plays one command; true when it was not refused. */
export function playOut(floor: Stage, c: Command): boolean {
  const before = floor.floor;
  try {
    perform(floor, c);
    return true;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const { message, facts } = error;
    const { next } = facts as { next?: { call?: unknown } };
    must(typeof next?.call === "string" && /[.?]$/.test(message), `R19: ${error.code}, ${message}`);
    // What had settled before is all that is left of a refused call.
    if (!isDeepStrictEqual(floor.stored, before)) expect(floor.stored, "S5").toEqual(before);
    return false;
  }
}

/** What a question has beside its words. */
export const question = (asks: Asked) => (asks ? { addressed_to: asks.of, expects_reply: true } : {});

function perform(floor: Stage, c: Command): void {
  switch (c.do) {
    case "request":
      floor.request(c.who, c.urgency);
      break;
    case "say":
      floor.say(c.who, "words", { turn: turnFor(floor, c.who, c.turn), pass: c.pass, ...question(c.asks) });
      break;
    case "pass":
      floor.pass(c.who, c.to);
      break;
    case "holder": {
      const who = floor.holder;
      if (who === null) break;
      if (c.then === "say") floor.say(who, "mine", { turn: floor.turn?.number });
      else floor[c.then](who);
      break;
    }
    case "grant":
    case "deny":
      floor[c.do](c.who, c.seat);
      break;
    case "open":
      floor.open(c.who, { seats: c.seats, mode: c.mode });
      break;
    case "leave":
      floor.leave(c.who);
      break;
    case "join":
      floor.members.set(c.who, operators.includes(c.who) && c.who !== "lea" ? approver : agent);
      break;
    case "observe":
      if (!operators.includes(c.who)) floor.change(c.who, { rank: "listener" });
      break;
    case "hush":
      floor.set(c.who, silent(floor.members.get(c.who)?.heard !== true));
      break;
    case "ask":
    case "answer":
      if (floor.members.has(c.who)) floor.change(c.who, { asks: c.do === "ask" });
      break;
    case "tick":
    case "jump":
      floor[c.do](c.seconds);
      break;
    case "wrap":
      floor.wrap("olga");
      break;
    case "restart":
      restart(floor);
      break;
    default:
      floor[c.do](c.who);
  }
}

function turnFor(floor: Stage, who: string, turn: Turn): number | undefined {
  if (turn === "none") return undefined;
  if (turn === "current") return floor.turn?.number ?? 1;
  if (turn === "stale") return Math.max(1, floor.stored.turns - 1);
  return floor.turns.findLast(({ seat }) => seat === who)?.number ?? 1;
}

/** S11: all that counts is what can be written down. */
function restart(floor: Stage): void {
  const { standings, ...rest } = floor.stored;
  const written = JSON.stringify({ ...rest, standings: [...standings] });
  const read = JSON.parse(written);
  const again: Floor = { ...read, standings: new Map(read.standings) };
  if (!isDeepStrictEqual(again, floor.stored)) expect(again, "S11").toEqual(floor.stored);
  floor.stored = again;
}

/** What must hold of the record at any time: as a move leaves it, and as it stands. */
export function invariants(floor: Stage): void {
  hold(floor, floor.stored);
  const record = floor.floor;
  hold(floor, record);
  const again = settle(record, floor.members, floor.now).happened.map(({ what }) => what);
  must(again.length === 0, `T1: whoever looks a second time finds ${again}`);
}

function hold(floor: Stage, record: Floor): void {
  const place = { members: floor.members, floor: record };
  const asks = waiting(record).map(([name]) => name);
  const slots = interrupted(record);
  const wait = [...asks, ...slots];
  const { turn } = record;
  // Looked at after every command, the last of each tells of all.
  const { endedTurns, utterances } = floor;
  must(endedTurns.length === record.turns - (turn ? 1 : 0), "S1: every turn but the open one has ended");
  must((endedTurns.at(-1)?.number ?? 0) === endedTurns.length, "S3: turn numbers rise by one");
  must(utterances.length === record.utterances, "S10: what was said is counted");
  must((utterances.at(-1)?.id ?? 0) === utterances.length, "S10: utterances have no gap");
  if (turn) {
    must(turn.number === record.turns, "S3: the open turn is the last");
    must(hasVoice(place, turn.seat), `S2: ${turn.seat} has a voice`);
    must(!wait.includes(turn.seat), `S6: ${turn.seat} holds and waits`);
    const member = floor.members.get(turn.seat);
    const there = turn.answer_by === null || member?.heard === true;
    const asks = record.status !== "closed" && member?.asks === true && there;
    must(!asks || turn.asks_since !== null || turn.asked >= gatePause(record.settings), `R20: ${turn.seat}'s gate`);
  }
  must(new Set(wait).size === wait.length, `S6: nobody waits twice: ${wait}`);
  for (const name of wait) must(hasVoice(place, name), `S7: ${name} has a voice`);
  for (const name of asks) must(!standing(place, name).away, `N8: ${name} is away and waits`);
  if (record.status === "open" && record.mode !== "moderated" && !turn)
    must(wait.length === 0, `S8: the floor is free and there wait ${wait}`);
  if (record.status === "closed")
    must(!turn && wait.length === 0 && !record.handover, "S9: a closed floor has something open");
  must(!record.wrapping || record.status !== "closed", "R21: closed, and still wrapping up");
  must(!record.capped || record.status === "paused", "R21: capped, and not paused");
  for (const { utterance, from, to } of record.questions) {
    must(utterance <= record.utterances && from !== to, `R22: question ${utterance}`);
    must(to === null || hasVoice(place, to), `R22: ${to}, who was asked, is gone`);
  }
  const seated = order(record);
  must(new Set(seated).size === seated.length, `R15: each seat is there once: ${seated}`);
}
