// Floors: the floor itself, how each member stands to it, its turns and what was said.
import { type Kysely, sql } from "kysely";
import type { Json } from "./0001_spine.ts";

export interface FloorTables {
  floors: {
    room: string;
    channel: string;
    mode: "open" | "round_robin" | "moderated";
    status: "open" | "paused" | "closed";
    hold_seconds: number;
    max_turn_seconds: number;
    ack_seconds: number;
    gate_pause_seconds: number;
    max_bypass: number;
    max_agent_turns: number;
    /** The members named operators at the opening. */
    operators: Json<string[]>;
    /** Numbers of the last turn, utterance, request and notice to all. */
    turns: number;
    utterances: number;
    arrivals: number;
    notices: number;
    pointer: string | null;
    quiescent: boolean;
    /** A pass that is kept until the floor runs again; `handover_rotates` null: none. */
    handover_by: string | null;
    handover_to: string | null;
    handover_rotates: boolean | null;
    /** Turns of agents since a person last spoke; whether the floor waits for a person therefore. */
    agent_turns: number;
    capped: boolean;
    wrapping: boolean;
    /** The seats of the last turns, the newest last. */
    recent: Json<string[]>;
    lopsided: string | null;
    /** Open questions: the utterance that asks, who asks, whom (null: anybody). */
    questions: Json<Array<{ utterance: number; from: string; to: string | null }>>;
    /** Floor time (ms), and the wall clock at which it stood there. */
    clock_time: number;
    clock_wall: number;
    /** The nearest moment at which it changes by itself, on the wall clock (ms). */
    due: number | null;
  };
  /** Deadlines are floor time, `since`, `asked_at` the wall clock (ms). */
  floor_standings: {
    room: string;
    channel: string;
    member: string;
    /** Place in the order; null: outside it. */
    place: number | null;
    /** Its request; `arrived` null: none. */
    arrived: number | null;
    asked_at: number | null;
    urgency: "low" | "normal" | "high" | null;
    purpose: string | null;
    addressed_by: string | null;
    bypassed: number;
    lapses_by: number | null;
    /** Its resume slot: the turn that was interrupted (null: none), what was left of its limit (null: no limit). */
    slot_turn: number | null;
    slot_left: number | null;
    /** The slot it will have once a person has answered. */
    owed_turn: number | null;
    owed_left: number | null;
    missed: number;
    away: boolean;
    unspoken: boolean;
    /** Numbers of the last utterance handed to it, and of the last notice it was told. */
    read: number;
    told: number;
    news: Json<{
      addressed?: { by: string };
      denied?: { by: string; reason: string };
      warned?: number;
    }>;
  };
  floor_turns: {
    room: string;
    channel: string;
    number: number;
    seat: string;
    why: "request" | "say" | "reinstated" | "pass" | "resume" | "queue" | "rotation" | "take" | "grant";
    giver: string | null;
    since: number;
    start: number;
    answer_by: number | null;
    speak_by: number;
    end_by: number | null;
    /** Since when a gate of the seat stops these, and how long gates did before (ms). */
    asks_since: number | null;
    asked: number;
    warned: number | null;
    spoke: number;
    waited: number | null;
    bypassed: number;
    /** Null while it is open. */
    ended:
      | "passed"
      | "silent"
      | "no_answer"
      | "too_long"
      | "preempted"
      | "revoked"
      | "left"
      | "closed"
      | "waiting_for_person"
      | null;
    ended_at: number | null;
    reason: string | null;
    /** Number of the floor's last utterance when it ended. */
    utterances: number | null;
  };
  floor_utterances: {
    room: string;
    channel: string;
    id: number;
    turn: number | null;
    speaker: string;
    text: string;
    at: number;
    kind: "speech" | "interjection";
    from_person: boolean;
    addressed_to: string | null;
    expects_reply: boolean;
  };
}

type ColumnType = "text" | "bigint" | "boolean" | "json";

/** A table whose first columns, `keys`, are its primary key; a type that ends in `?` may be null. */
function table(
  db: Kysely<never>,
  name: string,
  keys: readonly string[],
  columns: Record<string, ColumnType | `${ColumnType}?`>,
) {
  let made = db.schema.createTable(name);
  for (const [column, type] of Object.entries(columns)) {
    const nullable = type.endsWith("?");
    made = made.addColumn(column, type.replace("?", "") as ColumnType, (c) => (nullable ? c : c.notNull()));
  }
  return made.addPrimaryKeyConstraint(`${name}_pk`, keys as never).execute();
}

export async function up(db: Kysely<never>): Promise<void> {
  await table(db, "floors", ["room", "channel"], {
    room: "text",
    channel: "text",
    mode: "text",
    status: "text",
    hold_seconds: "bigint",
    max_turn_seconds: "bigint",
    ack_seconds: "bigint",
    gate_pause_seconds: "bigint",
    max_bypass: "bigint",
    max_agent_turns: "bigint",
    operators: "json",
    turns: "bigint",
    utterances: "bigint",
    arrivals: "bigint",
    notices: "bigint",
    pointer: "text?",
    quiescent: "boolean",
    handover_by: "text?",
    handover_to: "text?",
    handover_rotates: "boolean?",
    agent_turns: "bigint",
    capped: "boolean",
    wrapping: "boolean",
    recent: "json",
    lopsided: "text?",
    questions: "json",
    clock_time: "bigint",
    clock_wall: "bigint",
    due: "bigint?",
  });
  await table(db, "floor_standings", ["room", "channel", "member"], {
    room: "text",
    channel: "text",
    member: "text",
    place: "bigint?",
    arrived: "bigint?",
    asked_at: "bigint?",
    urgency: "text?",
    purpose: "text?",
    addressed_by: "text?",
    bypassed: "bigint",
    lapses_by: "bigint?",
    slot_turn: "bigint?",
    slot_left: "bigint?",
    owed_turn: "bigint?",
    owed_left: "bigint?",
    missed: "bigint",
    away: "boolean",
    unspoken: "boolean",
    read: "bigint",
    told: "bigint",
    news: "json",
  });
  await table(db, "floor_turns", ["room", "channel", "number"], {
    room: "text",
    channel: "text",
    number: "bigint",
    seat: "text",
    why: "text",
    giver: "text?",
    since: "bigint",
    start: "bigint",
    answer_by: "bigint?",
    speak_by: "bigint",
    end_by: "bigint?",
    asks_since: "bigint?",
    asked: "bigint",
    warned: "bigint?",
    spoke: "bigint",
    waited: "bigint?",
    bypassed: "bigint",
    ended: "text?",
    ended_at: "bigint?",
    reason: "text?",
    utterances: "bigint?",
  });
  await table(db, "floor_utterances", ["room", "channel", "id"], {
    room: "text",
    channel: "text",
    id: "bigint",
    turn: "bigint?",
    speaker: "text",
    text: "text",
    at: "bigint",
    kind: "text",
    from_person: "boolean",
    addressed_to: "text?",
    expects_reply: "boolean",
  });
  // S1: at most one turn per floor is open. A backstop under the rule.
  await db.schema
    .createIndex("floor_turns_open")
    .unique()
    .on("floor_turns")
    .columns(["room", "channel"] as never)
    .where(sql.ref("ended"), "is", null)
    .execute();
  // With every call of a member: what it holds, and what it has not been told.
  await db.schema
    .createIndex("floor_standings_member")
    .on("floor_standings")
    .column("member" as never)
    .execute();
  await db.schema
    .createIndex("floors_due")
    .on("floors")
    .columns(["room", "due"] as never)
    .execute();
}
