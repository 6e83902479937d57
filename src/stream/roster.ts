// The roster with what each member does now: its gate, its turn, its task.
import type { Result } from "../action.ts";
import { tasksOfRoom } from "../board/view.ts";
import { holdersOf } from "../floor/rows.ts";
import * as gates from "../gates/rows.ts";
import { roster } from "../members/view.ts";
import type { Db } from "../store/port.ts";

export async function rosterNow(db: Db, room: string, now: number): Promise<Result[]> {
  const members = await roster(db, room, now);
  const pending = await gates.waitingIn(db, room, 500);
  const gateBy = new Map(pending.reverse().map(({ asked_by, ...gate }) => [asked_by, gate]));
  const floorBy = new Map((await holdersOf(db, room)).map(({ seat, channel, turn }) => [seat, { channel, turn }]));
  const taskBy = new Map((await tasksOfRoom(db, room)).map(({ assignee, ...task }) => [assignee, task]));
  return members.map((member) => {
    const name = member.name as string;
    const [gate, floor, task] = [gateBy.get(name), floorBy.get(name), taskBy.get(name)];
    return { ...member, now: { ...(gate && { gate }), ...(floor && { floor }), ...(task && { task }) } };
  });
}
