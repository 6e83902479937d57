// Messages, and in whose inbox each stands.
import { type Kysely, sql } from "kysely";
import type { Json } from "./0001_spine.ts";

export interface MessageTables {
  messages: {
    id: string;
    room: string;
    sender: string;
    sender_kind: "agent" | "person";
    /** The one member it is for, and who alone sees it beside the sender. */
    addressee: string | null;
    task_id: number | null;
    kind: "progress" | "help_request" | "reply" | "note";
    /** Empty once it was removed for everyone. */
    text: string;
    reply_to: string | null;
    mentions: Json<string[]>;
    at: number;
    removed_at: number | null;
  };
  /** One row for each who got the message when it was posted, and one for its sender, read. */
  inbox: {
    member: string;
    message_id: string;
    room: string;
    mentioned: boolean;
    read_at: number | null;
    archived_at: number | null;
    removed_at: number | null;
  };
}

export async function up(db: Kysely<never>): Promise<void> {
  const schema = db.schema;
  await schema
    .createTable("messages")
    .addColumn("id", "text", (c) => c.primaryKey())
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("sender", "text", (c) => c.notNull())
    .addColumn("sender_kind", "text", (c) => c.notNull())
    .addColumn("addressee", "text")
    .addColumn("task_id", "bigint")
    .addColumn("kind", "text", (c) => c.notNull())
    .addColumn("text", "text", (c) => c.notNull())
    .addColumn("reply_to", "text")
    .addColumn("mentions", "json", (c) => c.notNull())
    .addColumn("at", "bigint", (c) => c.notNull())
    .addColumn("removed_at", "bigint")
    .execute();
  await schema
    .createIndex("messages_room")
    .on("messages")
    .columns(["room", "id"] as never)
    .execute();
  await schema
    .createIndex("messages_task")
    .on("messages")
    .columns(["room", "task_id", "id"] as never)
    .execute();
  await schema
    .createTable("inbox")
    .addColumn("member", "text", (c) => c.notNull())
    .addColumn("message_id", "text", (c) => c.notNull())
    .addColumn("room", "text", (c) => c.notNull())
    .addColumn("mentioned", "boolean", (c) => c.notNull())
    .addColumn("read_at", "bigint")
    .addColumn("archived_at", "bigint")
    .addColumn("removed_at", "bigint")
    .addPrimaryKeyConstraint("inbox_pk", ["member", "message_id"] as never)
    .execute();
  await schema.createIndex("inbox_message").on("inbox").column("message_id").execute();
  // What the inbox line counts with every call.
  await schema
    .createIndex("inbox_unread")
    .on("inbox")
    .columns(["member", "room", "message_id"] as never)
    .where((eb) =>
      eb.and([
        eb(sql.ref("read_at"), "is", null),
        eb(sql.ref("archived_at"), "is", null),
        eb(sql.ref("removed_at"), "is", null),
      ]),
    )
    .execute();
}
