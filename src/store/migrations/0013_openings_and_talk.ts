// Who opened which card, person by person; and how long agents have talked in a room without a person.
import { type Kysely, sql } from "kysely";

export interface OpeningTables {
  gate_openings: {
    gate_id: string;
    room: string;
    member: string;
    at: number;
  };
  room_talk: {
    room: string;
    /** Turns and interjections of agents on all floors of the room since a person last spoke on one of them. */
    agent_turns: number;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable("gate_openings")
    .addColumn("gate_id", "text", (c) => c.notNull())
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("member", "text", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addPrimaryKeyConstraint("gate_openings_pk", ["gate_id", "member"] as never)
    .execute();
  await db.schema
    .createTable("room_talk")
    .addColumn("room", "text", (c) => c.primaryKey())
    .addColumn("agent_turns", "bigint", (c) => c.notNull())
    .execute();
  await sql`insert into gate_openings (gate_id, room, member, at)
    select id, room, seen_by, seen_at from gates where seen_by is not null`.execute(db);
  await sql`insert into room_talk (room, agent_turns)
    select room, max(agent_turns) from floors group by room`.execute(db);
}
