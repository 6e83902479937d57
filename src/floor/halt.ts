// Everything stands still while a room is stopped (G17), and goes on from there.
import type { WriteCall } from "../action.ts";
import { lift } from "./care.ts";
import { moved } from "./move.ts";
import * as rows from "./rows.ts";
import { goOn, standStill } from "./still.ts";

/** Pauses the room's open floors; their channels. */
export async function pauseOpen(call: WriteCall): Promise<string[]> {
  const paused: string[] = [];
  for (const channel of await rows.channelsOf(call.db, call.room)) {
    const floor = await rows.find(call.db, call.room, channel);
    // What waits for a person's word waits for the one that lets all go on.
    if (!floor || (floor.status !== "open" && !floor.capped)) continue;
    await moved(call, floor, (m) => (floor.capped ? lift(m) : standStill(m)));
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
