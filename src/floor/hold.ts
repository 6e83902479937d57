// wait_for_floor: holds the call until the floor is the caller's, or something it should know (R17).

import { z } from "zod";
import { type AnyAction, action, type Result, type WaitCall, type WriteCall } from "../action.ts";
import { waitSeconds } from "../words.ts";
import { request } from "./ask.ts";
import { leaning, turnsWithoutPerson } from "./care.ts";
import { membersOf } from "./members.ts";
import { isOperator, type Moment, standing } from "./moment.ts";
import { found, moved } from "./move.ts";
import { arrive, type Heard, hear, isIdle, noticeOf, stirs } from "./notice.ts";
import { waitOf } from "./queue.ts";
import type { Floor } from "./record.ts";
import * as rows from "./rows.ts";
import { channel, channelOf, speakers } from "./seats.ts";
import { settle } from "./settle.ts";
import { questionsTo } from "./shown.ts";
import { unreadAfter } from "./unread.ts";
import { timesOf, whyItCame } from "./view.ts";

/** What concerns all; the rest is addressed to the seat itself. */
const forAll = ["floor.opened", "floor.paused", "floor.capped", "floor.closed", "floor.quiescent", "floor.changed"];

/** Looks as one who has come to wait or, later, waits still. */
async function listen(call: WriteCall, channel: string, comes?: { asks: boolean }): Promise<Result | null> {
  const who = call.actor.member;
  const before = await found(call, channel);
  const read = standing({ floor: before }, who).read;
  const { moment, result } = await moved(call, before, (m) => {
    if (comes) arrive(m, who);
    // Who was denied before, or finds the floor closed, is told so instead of asking again.
    if (comes?.asks && !standing(m, who).news.denied && (m.floor.status !== "closed" || !stirs(m.floor, who)))
      request(m, who, {});
    return hear(m, who);
  });
  if (!result) return null;
  const questions = await questionsTo(call, moment, who);
  return {
    ...inWords(moment, who, result),
    ...(questions.length > 0 && { questions }),
    ...(await unreadAfter(call, channel, who, read)),
  };
}

/** What concerns all, told to one of hundreds who only listen: nothing of the others is read. */
async function overhear(call: WriteCall, channel: string): Promise<Result | null> {
  const { db, room, actor } = call;
  const seen = await rows.glance(db, room, channel, actor.member);
  const notice = seen ? noticeOf(seen.floor) : null;
  if (!seen || !notice || !isIdle(seen.floor, actor.member) || !stirs(seen.floor, actor.member))
    return listen(call, channel);
  const was = standing(seen, actor.member);
  const { notices, utterances } = seen.floor;
  await rows.putStanding(db, { room, channel, member: actor.member }, was, { ...was, told: notices, read: utterances });
  return { [notice]: true, ...reasonOf(seen.floor), ...(await unreadAfter(call, channel, actor.member, was.read)) };
}

function inWords(m: Moment, who: string, heard: Heard): Result {
  switch (heard.what) {
    case "your_turn": {
      const lopsided = leaning(m.floor);
      return {
        your_turn: true,
        turn: heard.turn.number,
        why: m.floor.wrapping
          ? `${whyItCame(heard.turn)}; it is your last turn, then this floor is closed`
          : whyItCame(heard.turn),
        ...(m.floor.wrapping && { last_turn: true }),
        ...timesOf(m, heard.turn),
        ...(lopsided?.seat === heard.turn.seat && { lopsided }),
        ...(heard.warned && { warned: true }),
      };
    }
    case "denied":
      return { denied: true, by: heard.by, reason: heard.reason };
    case "addressed":
      return { addressed: true, by: heard.by, next: { call: answerBy(m, who) } };
    default:
      return { [heard.what]: true, ...reasonOf(m.floor) };
  }
}

/** What one who was addressed calls to answer. */
const answerBy = (m: Moment, who: string): string =>
  isOperator(m, who) ? "say" : waitOf(m.floor, who) ? "wait_for_floor" : "request_floor";

/** Why the floor stands still, where it is not an operator's word. */
const reasonOf = (floor: Floor): Result =>
  floor.status === "paused" && floor.capped
    ? { reason: `Agents had ${turnsWithoutPerson(floor)} turns without a person, who is asked now how it goes on.` }
    : {};

async function stillWaiting(call: WaitCall, channel: string): Promise<Result> {
  return call.read(async ({ db, now, room }) => {
    const m = settle(await found({ db, room }, channel), await membersOf(db, room, now), now);
    const wait = waitOf(m.floor, call.actor.member);
    return {
      waiting: true,
      ...(wait && { position: wait.position, at_most_turns: wait.at_most_turns }),
      status: m.floor.status,
      holder: m.floor.turn?.seat ?? null,
      call_again: "wait_for_floor",
    };
  });
}

/** Hundreds may wait on one floor: of its deadlines the first seats look first, and settle it for all (ms). */
const late = (place: number | null): number => Math.min(place ?? 0, 40) * 20;

export const holdActions: AnyAction[] = [
  action({
    name: "wait_for_floor",
    toolset: "floor",
    about:
      "Wait until it is your turn to speak (your_turn, with the turn's number, why, and what you have not read), or something you should know: addressed, denied, paused, closed, opened again, quiescent. With request: true ask for the floor first. On waiting: true call it again.",
    may: speakers,
    always: true,
    quiet: true,
    input: {
      channel,
      request: z.boolean().optional().describe("also ask to speak"),
      wait_seconds: waitSeconds,
    },
    output: {
      your_turn: z.boolean().optional(),
      turn: z.number().optional(),
      why: z.string().optional(),
      unread: z.array(z.looseObject({})).optional(),
      questions: z.array(z.looseObject({})).optional(),
      lapses_at: z.string().nullable().optional(),
      waiting: z.boolean().optional(),
      position: z.number().optional(),
      call_again: z.string().optional(),
      reason: z.string().optional(),
    },
    quotes: ({ unread, questions }) => questions !== undefined || (Array.isArray(unread) && unread.length > 0),
    wait: async (call, input) => {
      const channel = await call.read((read) => channelOf(read, input));
      const who = call.actor.member;
      const seconds = call.hold(input.wait_seconds);
      const seen = await call.read(({ db, room }) => rows.glance(db, room, channel, who));
      if (!seen || input.request || !isIdle(seen.floor, who)) {
        const now = await call.write((write) => listen(write, channel, { asks: input.request === true }));
        if (now) return now;
      }
      const later = await call.until([`@${who}`, ...forAll], seconds, async () => {
        const seen = await call.read(({ db, room }) => rows.glance(db, room, channel, who));
        if (!seen || seen.floor.standings.get(who) === undefined) return { again: null };
        const { place } = standing(seen, who);
        const again = seen.due === null ? null : seen.due + late(place);
        const isDue = again !== null && again <= call.now();
        // Who stands outside the order may have lost its voice: the full look says so.
        if (!isDue && place !== null && !stirs(seen.floor, who)) return { again };
        const heard = await call.write((write) => (isDue ? listen(write, channel) : overhear(write, channel)));
        return heard ? { done: heard } : { again: await nextLook(call, channel, place) };
      });
      return later ?? stillWaiting(call, channel);
    },
  }),
];

/** After a look that was in vain: never at once, whatever the clock does. */
async function nextLook(call: WaitCall, channel: string, place: number | null): Promise<number | null> {
  const seen = await call.read(({ db, room }) => rows.glance(db, room, channel, call.actor.member));
  return seen?.due == null ? null : Math.max(seen.due + late(place), call.now() + 100);
}
