// Everything stands still while a room is stopped (G17), and goes on from there.
import type { WriteCall } from "../action.ts";
import { moved } from "./move.ts";
import * as rows from "./rows.ts";
import { goOn, standStill } from "./still.ts";

/** Pauses the room's open floors; their channels. */
export async function pauseOpen(call: WriteCall): Promise<string[]> {
  const paused: string[] = [];
  for (const channel of await rows.channelsOf(call.db, call.room)) {
    const floor = await rows.find(call.db, call.room, channel);
    if (floor?.status !== "open") continue;
    await moved(call, floor, standStill);
    paused.push(channel);
  }
  return paused;
}

/** Resumes those of these channels whose floor is still paused. */
export async function resumeThese(call: WriteCall, channels: readonly string[]): Promise<void> {
  for (const channel of channels) {
    const floor = await rows.find(call.db, call.room, channel);
    if (floor?.status === "paused") await moved(call, floor, goOn);
  }
}
