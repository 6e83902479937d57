// What operators may ask of the floor: open, take, grant, revoke, deny, pause, resume, close.
import { z } from "zod";
import { type AnyAction, action, type WriteCall } from "../action.ts";
import { Refusal } from "../refusal.ts";
import { hidesSomething } from "../visible.ts";
import { count, name, prose, seconds } from "../words.ts";
import { openChannels } from "./channels.ts";
import { mustNotBeStopped } from "./halt.ts";
import * as moderate from "./moderate.ts";
import { found, moved } from "./move.ts";
import { blank } from "./record.ts";
import * as rows from "./rows.ts";
import { channel, floorOutput, moving, speakers } from "./seats.ts";
import { shownFloor } from "./shown.ts";

type In = { channel?: string | undefined };
const operators = ["lead", "approver"] as const;
const day = 86_400;
const longest = count(0, 100_000).optional();

/** R16: how many floors of a room may be open or paused at once. Everything that looks at a room reads them all. */
const mostOpen = 100;

async function mustFitBeside({ db, room }: WriteCall): Promise<void> {
  const open = await openChannels(db, room);
  if (open.length < mostOpen) return;
  throw new Refusal(
    "CONFLICT",
    `${room} has ${open.length} floors that are not closed, and may have ${mostOpen}. Close one that is over with close_floor, or speak on one of them.`,
    { channels: open.slice(0, 20), next: { call: "close_floor" } },
  );
}

export const operatorActions: AnyAction[] = [
  action({
    name: "open_floor",
    toolset: "floor",
    about:
      "Open a conversation in which one speaks at a time, or change the seats, operators and settings of an open one. You become an operator of it.",
    may: operators,
    input: {
      channel,
      seats: z.array(name).max(1000).describe("members in the order of speaking"),
      operators: z.array(name).max(100).optional().describe("agents who may take, grant, pause; people always may"),
      hold_seconds: seconds(1, day).optional().describe("a silent holder loses the floor; default 180"),
      max_turn_seconds: seconds(0, day).optional().describe("default 600; 0: no limit"),
      ack_seconds: seconds(1, day).optional().describe("to answer an offer; default 60"),
      max_bypass: count(0, 1000).optional().describe("how often one who waits may be passed over; default 1"),
      mode: z.enum(["open", "round_robin", "moderated"]).optional().describe("default open"),
      max_agent_turns: longest.describe(
        "so many turns of agents in this room without a person, and the floor pauses until one says how it goes on; default 60, which agents only lower; 0: never",
      ),
      gate_pause_seconds: seconds(0, day).optional(),
    },
    output: floorOutput,
    write: async (call, { channel, ...opening }) => {
      const who = call.actor.member;
      await mustNotBeStopped(call);
      const name = channel ?? "main";
      let before = await rows.find(call.db, call.room, name);
      if (!before || before.status === "closed") await mustFitBeside(call);
      if (!before && hidesSomething(name))
        throw new Refusal("BAD_INPUT", "open_floor: a channel's name holds nothing invisible; choose another name.");
      if (!before) {
        await rows.insert(call.db, call.room, blank(name, call.now));
        before = await found(call, name);
      }
      const { moment } = await moved(call, before, (m) => moderate.open(m, who, opening));
      return { floor: await shownFloor(call, moment, who) };
    },
  }),
  action({
    name: "take_floor",
    toolset: "floor",
    about: "Take the floor now. Who is interrupted goes on after you.",
    may: speakers,
    listedFor: operators,
    idempotent: true,
    input: { channel },
    output: floorOutput,
    write: moving(moderate.take),
  }),
  action({
    name: "grant_floor",
    toolset: "floor",
    about: "Give the floor to a seat now. Who is interrupted goes on after it.",
    may: speakers,
    listedFor: operators,
    idempotent: true,
    input: { channel, seat: name },
    output: floorOutput,
    write: moving((m, who, { seat }: In & { seat: string }) => moderate.grantTo(m, who, seat)),
  }),
  action({
    name: "revoke_floor",
    toolset: "floor",
    about: "End the holder's turn, with no right to go on; who waits is next.",
    may: speakers,
    listedFor: operators,
    input: { channel, reason: prose(500).optional() },
    output: floorOutput,
    write: moving((m, who, { reason }: In & { reason?: string | undefined }) =>
      moderate.revoke(m, who, reason ?? null),
    ),
  }),
  action({
    name: "deny_request",
    toolset: "floor",
    about: "Refuse a seat's request to speak; it is told the reason.",
    may: speakers,
    listedFor: operators,
    input: { channel, seat: name, reason: prose(500) },
    output: floorOutput,
    write: moving((m, who, { seat, reason }: In & { seat: string; reason: string }) =>
      moderate.deny(m, who, seat, reason),
    ),
  }),
  action({
    name: "pause_floor",
    toolset: "floor",
    about: "Stop the floor and its clocks; only operators' interjections, requests and a pass still work.",
    may: speakers,
    listedFor: operators,
    input: { channel },
    output: floorOutput,
    write: moving(moderate.pause),
  }),
  action({
    name: "resume_floor",
    toolset: "floor",
    about: "Go on after a pause, with the time that was left.",
    may: speakers,
    listedFor: operators,
    idempotent: true,
    input: { channel },
    output: floorOutput,
    write: async (call, input) => {
      await mustNotBeStopped(call);
      return moving(moderate.resume)(call, input);
    },
  }),
  action({
    name: "close_floor",
    toolset: "floor",
    about: "End the conversation: turn, queue and rights end, who waits is told. open_floor goes on with the numbers.",
    may: speakers,
    listedFor: operators,
    destructive: true,
    input: { channel },
    output: floorOutput,
    write: moving(moderate.close),
  }),
];
