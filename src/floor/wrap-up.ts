// The last round: each seat that is there has one more turn, in order; then the floor is closed.
import { liveSeats, type Moment, standing, tell } from "./moment.ts";
import { enqueue } from "./queue.ts";

/** Queues all who are there. Who waits already keeps its place. */
export function wrapUp(m: Moment): void {
  const { floor } = m;
  floor.wrapping = true;
  floor.handover = null;
  tell(m, "floor.wrapping_up");
  for (const seat of liveSeats(m)) {
    const { request, slot } = standing(m, seat);
    if (request || slot) continue;
    tell(m, "floor.requested", { seat, arrived: enqueue(m, seat, { purpose: "last turn" }), urgency: "normal" }, seat);
  }
}
