// Stop all (G17): nothing new is approved or claimed, what is pending is denied, floors stand still, until resumed.
import { z } from "zod";
import { type AnyAction, action, type Result, type WaitCall, type WriteCall } from "../action.ts";
import { lastFactOf } from "../log.ts";
import { actsEverywhere } from "../members/authority.ts";
import { roomRow, roomsWithCounts, setStopped } from "../members/room-rows.ts";
import { roomsOf } from "../members/rows.ts";
import { Refusal } from "../refusal.ts";
import { line } from "../words.ts";
import { withdrawAll } from "./endings.ts";
import * as persons from "./people-rows.ts";
import * as rows from "./rows.ts";
import { decide } from "./rules.ts";

/** What else stands still in a stopped room: the channels of its floors. */
export interface Floors {
  pauseOpen(call: WriteCall): Promise<string[]>;
  resumeThese(call: WriteCall, channels: readonly string[]): Promise<void>;
}

const input = { room: line(64).optional() };
const output = { rooms: z.array(z.string()).optional() };

/** The rooms meant: the named one, or all in which the caller is approver. */
async function meant(call: WaitCall, named: string | undefined): Promise<string[]> {
  const mine = await call.read(async ({ db }) =>
    actsEverywhere(call.actor)
      ? (await roomsWithCounts(db)).map((room) => room.name)
      : roomsOf(db, call.actor.member, "approver"),
  );
  if (named === undefined) return mine;
  if (!mine.includes(named)) throw notYours(named);
  return [named];
}

const notYours = (room: string) =>
  new Refusal("FORBIDDEN", `Only approvers of ${room} and the owner stop or resume it.`);

export function stopActions(floors: Floors): AnyAction[] {
  const set = async (call: WaitCall, named: string | undefined, stopped: boolean): Promise<Result> => {
    const rooms = await meant(call, named);
    for (const room of rooms)
      await call.write(async (write) => {
        // Read before, in another transaction: another role that was committed first counts.
        if (!actsEverywhere(call.actor) && !(await persons.isDecider(write.db, room, call.actor.member)))
          throw notYours(room);
        const was = await roomRow(write.db, room);
        if (!was || was.stopped === stopped) return;
        await setStopped(write.db, room, stopped);
        const subject = `room:${room}`;
        if (stopped) {
          write.fact({ action: "room.stopped", subject, data: { channels: await floors.pauseOpen(write) } });
          await endPending(write);
        } else {
          const stop = await lastFactOf(write.db, room, subject, "room.stopped");
          await floors.resumeThese(write, (stop?.data.channels ?? []) as string[]);
          write.fact({ action: "room.resumed", subject });
        }
      }, room);
    return { rooms };
  };
  return [
    action({
      name: "stop_all",
      toolset: "members",
      about: "Stops all agents: floors pause, pending approvals are denied, nothing new is claimed or approved.",
      may: ["approver", "local"],
      scope: "server",
      peopleOnly: true,
      destructive: true,
      idempotent: true,
      input,
      output,
      wait: (call, { room }) => set(call, room, true),
    }),
    action({
      name: "resume_all",
      toolset: "members",
      about: "Lets agents go on after stop_all.",
      may: ["approver", "local"],
      scope: "server",
      peopleOnly: true,
      idempotent: true,
      input,
      output,
      wait: (call, { room }) => set(call, room, false),
    }),
  ];
}

/** Denies the room's pending approvals. Nobody decides their own: what the caller itself asked is withdrawn. */
async function endPending(call: WriteCall): Promise<void> {
  const by = {
    member: call.actor.member || "the operator",
    device: call.actor.device,
    now: call.now,
    criticalDelay: 0,
  };
  for (const gate of await rows.ofRoom(call.db, call.room, { status: "pending", limit: 10_000 })) {
    if (gate.kind !== "approval") continue;
    if (gate.asked_by === by.member) {
      await withdrawAll(call, [gate], "Everything was stopped.");
      continue;
    }
    const decided = decide(gate, { decision: "deny", note: "Everything was stopped." }, by);
    if ("late" in decided) continue;
    await rows.put(call.db, decided.gate);
    call.fact({
      action: "gate.denied",
      subject: `gate:${gate.id}`,
      to: gate.asked_by,
      data: { kind: gate.kind, digest: gate.digest, stopped: true },
    });
  }
}
