// Everything to show a room as of one fact number, in one snapshot of the store.
import type { Result } from "../action.ts";
import { boardSnapshot, taskCounts } from "../board/view.ts";
import { briefTask } from "../board/view-brief.ts";
import { floorInbox } from "../floor/inbox.ts";
import { floorSnapshot } from "../floor/view-record.ts";
import * as persons from "../gates/people-rows.ts";
import * as gates from "../gates/rows.ts";
import { cardView } from "../gates/view.ts";
import { factsBefore } from "../log.ts";
import { roleIn } from "../may.ts";
import type { Caller } from "../members/caller.ts";
import { roomsWithCounts } from "../members/room-rows.ts";
import { noticesFor } from "../members/signin.ts";
import { fitting } from "../size.ts";
import type { Db } from "../store/port.ts";
import { cardsWithin } from "./cards.ts";
import { factViews } from "./facts.ts";
import { rosterNow } from "./roster.ts";

const day = 24 * 3600 * 1000;
/** Bytes of a snapshot beside its cards; all together stay below 256 KiB. */
const bytes = { tasks: 48 * 1024, facts: 48 * 1024 };

/** `{seq, snapshot}` for a viewer who may see the room. */
export async function snapshotOf(
  db: Db,
  room: string,
  viewer: Caller,
  now: number,
): Promise<{ seq: number; snapshot: Result }> {
  const state = await db.selectFrom("rooms").select("facts").where("name", "=", room).executeTakeFirstOrThrow();
  const { member } = viewer.actor;
  const facts = await factsBefore(db, room, state.facts + 1, 200);
  const pending = await gates.ofRoom(db, room, { status: "pending", limit: 2000 });
  const recent = (await gates.ofRoom(db, room, { limit: 50 })).filter(
    (gate) => gate.status !== "pending" && now - (gate.decided_at ?? gate.expires_at ?? gate.asked_at) < day,
  );
  const missed = await persons.unansweredFor(db, room, member, now - 7 * day, now);
  const drifted = await persons.driftedFor(db, room, member, now - 7 * day, now);
  const shown = new Map([...drifted, ...missed, ...pending, ...recent].map((gate) => [gate.id, gate]));
  const cards = cardsWithin([...shown.values()].map((gate) => cardView(gate, now)));
  const board = (await boardSnapshot(db, room, now)).map(briefTask);
  const tasks = fitting(board, bytes.tasks);
  const newest = await factViews(db, room, facts, member);
  return {
    seq: state.facts,
    snapshot: {
      members: await rosterNow(db, room, now),
      gates: cards.gates,
      tasks,
      task_counts: await taskCounts(db, room),
      floors: await floorSnapshot(db, room, 20, now),
      facts: fitting(newest, bytes.facts).reverse(),
      snoozed: await persons.snoozes(db, room, member, now),
      notices: await noticesFor(db, member),
      left: { gates: cards.left, tasks: board.length - tasks.length },
    },
  };
}

/**
 * The rooms of a viewer with their badges: approvals and questions (amber), blockers (red), both without what this
 * viewer has put aside; floors that wait for them.
 */
export async function roomsFor(db: Db, viewer: Caller, now: number): Promise<Result[]> {
  const rooms = (await roomsWithCounts(db)).filter((room) => roleIn(viewer, room.name) !== undefined);
  const waiting = (await floorInbox(db, viewer.actor.member, now)).filter(({ turn, questions }) => turn || questions);
  return Promise.all(
    rooms.map(async (room) => {
      const counts = await gates.pendingCounts(db, room.name, now);
      const hidden = await persons.hiddenCounts(db, room.name, viewer.actor.member, now);
      const sum = (some: ReadonlyArray<{ kind: string; n: number | string | bigint }>, blockers: boolean) =>
        some.filter((c) => (c.kind === "blocker") === blockers).reduce((all, c) => all + Number(c.n), 0);
      const count = (blockers: boolean) => sum(counts, blockers) - sum(hidden, blockers);
      const floors = waiting
        .filter((floor) => floor.room === room.name)
        .map(({ channel, turn, questions }) => ({
          channel,
          ...(turn ? { turn } : {}),
          ...(questions ? { questions } : {}),
        }));
      return {
        room: room.name,
        title: room.title,
        role: roleIn(viewer, room.name),
        approvals: count(false),
        blockers: count(true),
        agents: Number(room.members ?? 0),
        stopped: room.stopped,
        ...(floors.length > 0 && { floors }),
      };
    }),
  );
}
