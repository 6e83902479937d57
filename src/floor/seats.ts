// What a seat may ask of the floor: look, speak, request, keep, pass.

import { z } from "zod";
import { type AnyAction, action, everyone, type ReadCall, type Result, type WriteCall } from "../action.ts";
import { digestOf } from "../gates/digest.ts";
import { once } from "../keys.ts";
import { reachabilityOf } from "../members/view.ts";
import { Refusal } from "../refusal.ts";
import { count, key, name, prose, wellFormed } from "../words.ts";
import * as ask from "./ask.ts";
import { cap, isDueForPerson } from "./care.ts";
import { standingsOf } from "./channels.ts";
import { membersOf } from "./members.ts";
import type { Moment } from "./moment.ts";
import { standing } from "./moment.ts";
import { found, moved } from "./move.ts";
import { waits } from "./queue.ts";
import * as rows from "./rows.ts";
import { settle } from "./settle.ts";
import { shownFloor } from "./shown.ts";
import { say } from "./speak.ts";
import { unreadAfter, utteranceView, withUnread } from "./unread.ts";
import { newestOfOthers } from "./utterances.ts";
import { timesOf } from "./view.ts";

export const speakers = ["lead", "worker", "reviewer", "approver"] as const;
/**
 * The channel that a call is about: the one it names, else that of the only floor on which the caller sits, else main.
 */
export async function channelOf(
  { db, room, actor }: Pick<ReadCall, "db" | "room" | "actor">,
  { channel }: { channel?: string | undefined },
): Promise<string> {
  if (channel !== undefined) return channel;
  const seats = (await standingsOf(db, actor.member)).filter((stood) => stood.room === room && stood.place !== null);
  return seats.length === 1 && seats[0] ? seats[0].channel : "main";
}
export const channel = name.optional().describe("default: your only floor, else main");
export const floorOutput = { floor: z.looseObject({}).optional() };
const utterances = z.array(z.looseObject({})).optional();

/** A move whose result is the floor as it then stands. */
export const moving =
  <I extends { channel?: string | undefined }>(move: (m: Moment, who: string, input: I) => void) =>
  async (call: WriteCall, input: I): Promise<Result> => {
    const who = call.actor.member;
    const { moment } = await moved(call, await found(call, await channelOf(call, input)), (m) => move(m, who, input));
    return { floor: await shownFloor(call, moment, who) };
  };

interface SayInput {
  text: string;
  channel?: string | undefined;
  turn?: number | undefined;
  then?: "hold" | "pass" | "nobody" | undefined;
  to?: string | undefined;
  key?: string | undefined;
  if_seen?: number | undefined;
  or_queue?: boolean | undefined;
  addressed_to?: string | undefined;
  expects_reply?: boolean | undefined;
}

/** R3: what becomes of the floor after the words. A name alone means to pass to it. */
function passOf({ then, to }: SayInput): { to: string | undefined } | undefined {
  if (to !== undefined && (then === "hold" || (then === "nobody" && to !== "")))
    throw new Refusal("BAD_INPUT", `say: to goes with then: "pass", not with "${then}".`, { next: { call: "say" } });
  if (then === "nobody") return { to: "" };
  return then === "pass" || to !== undefined ? { to } : undefined;
}

/** Where agents have talked enough in the room, a free floor pauses and the people are asked. */
async function waitForPerson(call: WriteCall, channel: string): Promise<void> {
  const floor = await found(call, channel);
  if (isDueForPerson(settle(floor, await membersOf(call.db, call.room, call.now), call.now)))
    await moved(call, floor, (m) => cap(m));
}

async function speak(call: WriteCall, input: SayInput): Promise<Result> {
  const channel = await channelOf(call, input);
  const who = call.actor.member;
  const pass = passOf(input);
  const speech = async (): Promise<Result> => {
    const before = await found(call, channel);
    const past = input.turn === undefined ? null : await rows.endingOf(call.db, call.room, channel, input.turn, who);
    const missed =
      input.if_seen !== undefined &&
      (await newestOfOthers(call.db, call.room, channel, who, input.if_seen, 1)).length > 0;
    return withUnread(call, channel, async () => {
      const read = standing({ floor: before }, who).read;
      const { moment, result } = await moved(call, before, (m) =>
        say(m, who, { ...input, pass }, { past, unreadAfter: missed ? (input.if_seen ?? null) : null }),
      );
      const turn = moment.floor.turn?.seat === who ? moment.floor.turn : null;
      const { unread, ...more } = await unreadAfter(call, channel, who, read);
      return {
        utterance: utteranceView(result.utterance),
        turn: result.utterance.turn,
        ...(turn && result.utterance.turn === turn.number && timesOf(moment, turn)),
        ...(unread.length > 0 && { unread, ...more }),
        ...(result.reinstated && { reinstated: true }),
        ...(result.passedOver !== null && { passed_over: result.passedOver }),
      };
    });
  };
  const named = await reachability(call, [input.addressed_to, pass?.to || undefined]);
  const digest = digestOf(sayingOf(input, pass));
  if (input.key !== undefined || input.turn === undefined)
    return { ...(await once(call, `say:${channel}`, input.key, digest, speech)), ...named };
  // R8: the same call in the same turn is a retry; an operator's words between turns are not.
  const key = `say:${channel}#${input.turn}`;
  return { ...(await once(call, key, digest, digest, speech, ({ turn }) => turn !== null)), ...named };
}

/** What a call to speak asks for; the same key with anything else is another call (R8). */
const sayingOf = (input: SayInput, pass: ReturnType<typeof passOf>): Result => ({
  text: input.text,
  pass: pass ? { to: pass.to ?? null } : null,
  addressed_to: input.addressed_to ?? null,
  expects_reply: input.expects_reply ?? false,
  or_queue: input.or_queue ?? false,
});

/** C4: whether those whom a call names are there. */
async function reachability(call: WriteCall, names: ReadonlyArray<string | undefined>): Promise<Result> {
  const all = await reachabilityOf(
    call,
    names.filter((name) => name !== call.actor.member),
  );
  return all.length > 0 ? { reachability: all } : {};
}

const words = {
  text: wellFormed.describe("at most 4000 characters"),
  channel,
  turn: count(1, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("the turn you were given: words that come too late are then refused, never out of place"),
  then: z
    .enum(["hold", "pass", "nobody"])
    .optional()
    .describe("default hold; pass: to the next, or to the seat named in `to`"),
  to: prose(64).optional(),
  key,
  if_seen: count(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .describe("refuse when others have said more than up to this utterance"),
  or_queue: z.boolean().optional().describe("while another holds, also request the floor"),
  addressed_to: name.optional(),
  expects_reply: z.boolean().optional(),
};

export const seatActions: AnyAction[] = [
  action({
    name: "floor",
    toolset: "floor",
    about: "Who speaks now and until when, who waits, which seats are there, and whether you may speak.",
    may: everyone,
    quiet: true,
    input: { channel },
    output: floorOutput,
    read: async (call, input) => {
      const floor = await found(call, await channelOf(call, input));
      const m = settle(floor, await membersOf(call.db, call.room, call.now), call.now);
      return { floor: await shownFloor(call, m, call.actor.member) };
    },
  }),
  action({
    name: "say",
    toolset: "floor",
    about:
      "Speak in a floor's conversation: in your turn, or on a free floor (that takes it). Pass on in the same call with then. Refused NOT_YOUR_TURN while another holds: nothing is recorded then.",
    may: speakers,
    always: true,
    input: words,
    output: {
      utterance: z.looseObject({}).optional(),
      turn: z.number().nullable().optional(),
      lapses_at: z.string().nullable().optional(),
      unread: utterances,
      reinstated: z.boolean().optional(),
      passed_over: z.string().optional(),
      reachability: z.array(z.looseObject({})).optional(),
    },
    quotes: (result) => result.unread !== undefined,
    wait: async (call, input) => {
      try {
        return await call.write((write) => speak(write, input));
      } catch (error) {
        if (!(error instanceof Refusal)) throw error;
        // R21. A refused write leaves nothing, so that the floor waits for a person is a write of its own.
        if (error.code === "PAUSED")
          await call.write(async (write) => waitForPerson(write, await channelOf(write, input)));
        if (!input.or_queue || error.code !== "NOT_YOUR_TURN") throw error;
      }
      // R5. Refused writes leave nothing, so the request is a write of its own; if it is granted, the words follow.
      await call.write(async (write) => {
        await moved(write, await found(write, await channelOf(write, input)), (m) =>
          ask.request(m, write.actor.member, {}),
        );
      });
      return call.write((write) => speak(write, input));
    },
  }),
  action({
    name: "request_floor",
    toolset: "floor",
    about:
      "Ask to speak. A free floor is yours at once (granted); else you are queued, with your place and after how many turns at most you speak. Then wait_for_floor.",
    may: speakers,
    idempotent: true,
    input: {
      channel,
      purpose: prose(500).optional().describe("what you want to say, in one line"),
      urgency: z.enum(["low", "normal", "high"]).optional().describe("default normal"),
    },
    output: {
      granted: z.boolean().optional(),
      turn: z.number().optional(),
      lapses_at: z.string().nullable().optional(),
      queued: z.boolean().optional(),
      position: z.number().optional(),
      at_most_turns: z.number().nullable().optional(),
    },
    write: async (call, input) => {
      const who = call.actor.member;
      const { moment, result } = await moved(call, await found(call, await channelOf(call, input)), (m) =>
        ask.request(m, who, input),
      );
      const { turn } = moment.floor;
      if (result.granted) return { granted: true, turn: turn?.number, ...(turn && timesOf(moment, turn)) };
      return {
        queued: true,
        ...(moment.floor.mode === "moderated" && { pending: true }),
        position: result.wait.position,
        at_most_turns: result.wait.at_most_turns,
        holder: turn?.seat ?? null,
        ahead: waits(moment.floor)
          .slice(0, result.wait.position - 1)
          .map(({ seat }) => seat),
      };
    },
  }),
  action({
    name: "withdraw_request",
    toolset: "floor",
    about: "Take back your request to speak, or your right to go on after an interruption. Your own turn stays.",
    may: speakers,
    idempotent: true,
    input: { channel },
    output: floorOutput,
    write: moving(ask.withdraw),
  }),
  action({
    name: "keep_floor",
    toolset: "floor",
    about: "Still thinking: renews your hold of the floor, up to the turn limit.",
    may: speakers,
    input: { channel },
    output: floorOutput,
    write: moving(ask.keep),
  }),
  action({
    name: "pass_floor",
    toolset: "floor",
    about:
      'End your turn: to the next who waits or sits, to a seat by name (who is not there is passed over, and you are told), or to "" nobody (who waits is served, else the floor is free).',
    may: speakers,
    input: { channel, to: prose(64).optional() },
    output: { ...floorOutput, passed_over: z.string().optional(), reachability: z.array(z.looseObject({})).optional() },
    write: async (call, input) => {
      const who = call.actor.member;
      const { moment, result } = await moved(call, await found(call, await channelOf(call, input)), (m) =>
        ask.pass(m, who, input.to),
      );
      return {
        floor: await shownFloor(call, moment, who),
        ...(result !== null && { passed_over: result }),
        ...(await reachability(call, [input.to || undefined])),
      };
    },
  }),
];
