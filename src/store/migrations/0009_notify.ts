// Where people are told that a gate waits, and what is to be told there: at most one notice a gate and channel.
import { type Kysely, sql } from "kysely";

export interface NotifyTables {
  channels: {
    id: string;
    member: string;
    /** `web_push` has its place here; nothing makes one yet. */
    kind: "webhook" | "ntfy" | "web_push";
    url: string;
    /** Signs a webhook's body; the access token of an ntfy topic. */
    secret: string | null;
    /** Quiet hours, `HH:MM` in `zone`; all three or none. */
    quiet_from: string | null;
    quiet_to: string | null;
    zone: string | null;
    /** Gates of less risk are not told. */
    min_risk: "low" | "medium" | "high" | "critical";
    made_at: number;
    /** How the last sending went; no status: nothing answered. */
    last_at: number | null;
    last_status: number | null;
    last_error: string | null;
    accepted_at: number | null;
  };
  notices: {
    /** The same for everything that is told of this gate on this channel. */
    id: string;
    room: string;
    gate_id: string;
    channel_id: string;
    member: string;
    /** Accepted as asked; null: not yet. */
    told_at: number | null;
    /** It was sent and nothing answered: it may stand on a screen all the same. */
    maybe: boolean;
    /** When to remind; null: not any more. */
    remind_at: number | null;
    /** When to look at it again (ms); null: nothing is to be done before something happens to its gate. */
    due: number | null;
    attempts: number;
    /** Since when what is to be told now has been tried. */
    trying_since: number | null;
    /** Who is sending it, until when at the latest. */
    lease: string | null;
    leased_until: number | null;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  let channels = db.schema.createTable("channels").addColumn("id", "text", (c) => c.primaryKey());
  for (const name of ["member", "kind", "url", "min_risk"])
    channels = channels.addColumn(name, "text", (c) => c.notNull());
  for (const name of ["secret", "quiet_from", "quiet_to", "zone", "last_error"])
    channels = channels.addColumn(name, "text");
  for (const name of ["last_at", "last_status", "accepted_at"]) channels = channels.addColumn(name, "bigint");
  await channels.addColumn("made_at", "bigint", (c) => c.notNull()).execute();
  await db.schema
    .createIndex("channels_member")
    .on("channels")
    .column("member" as never)
    .execute();

  let notices = db.schema.createTable("notices").addColumn("id", "text", (c) => c.primaryKey());
  for (const name of ["room", "gate_id", "channel_id", "member"])
    notices = notices.addColumn(name, "text", (c) => c.notNull());
  for (const name of ["told_at", "remind_at", "due", "trying_since", "leased_until"])
    notices = notices.addColumn(name, "bigint");
  await notices
    .addColumn("maybe", "boolean", (c) => c.notNull())
    .addColumn("attempts", "bigint", (c) => c.notNull())
    .addColumn("lease", "text")
    .execute();
  await db.schema
    .createIndex("notices_one")
    .unique()
    .on("notices")
    .columns(["gate_id", "channel_id"] as never)
    .execute();
  await db.schema
    .createIndex("notices_due")
    .on("notices")
    .column("due" as never)
    .where(sql.ref("due"), "is not", null)
    .execute();
}
