// Everything stands still while a room is stopped (G17), and goes on from there.
import type { WriteCall } from "../action.ts";
import { isStopped } from "../members/room-rows.ts";
import { allStopped } from "../members/rules.ts";
import { Refusal } from "../refusal.ts";
import { cap, isSpent, lift } from "./care.ts";
import { openChannels } from "./channels.ts";
import { moved } from "./move.ts";
import * as rows from "./rows.ts";
import { goOn, standStill } from "./still.ts";

/** While all is stopped no floor begins or goes on, whoever asks for it. */
export async function mustNotBeStopped({ db, room, actor }: WriteCall): Promise<void> {
  if (!(await isStopped(db, room))) return;
  throw new Refusal(
    "STOPPED",
    actor.kind === "agent" ? allStopped : "Everything in this room is stopped: resume_all lets it go on.",
    { next: { call: actor.kind === "agent" ? "wait_for_floor" : "resume_all" } },
  );
}

/** Pauses the room's open floors; their channels. */
export async function pauseOpen(call: WriteCall): Promise<string[]> {
  const paused: string[] = [];
  for (const floor of await rows.findAll(call.db, call.room, await openChannels(call.db, call.room))) {
    // What waits for a person's word waits for the one that lets all go on.
    if (floor.status !== "open" && !floor.capped) continue;
    await moved(call, floor, (m) => (floor.capped ? lift(m) : standStill(m)));
    paused.push(floor.channel);
  }
  return paused;
}

/** Resumes those of these channels whose floor is still paused; what waited for a person's word asks for it again. */
export async function resumeThese(call: WriteCall, channels: readonly string[]): Promise<void> {
  for (const channel of channels) {
    const floor = await rows.find(call.db, call.room, channel);
    if (floor?.status === "paused") await moved(call, floor, (m) => (isSpent(m.floor) ? cap(m) : goOn(m)));
  }
}
