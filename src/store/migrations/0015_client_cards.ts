// Cards that a client asks for by itself: through what, in which of its sessions, and when it counts as gone.
import { type Kysely, sql } from "kysely";

export interface ClientCard {
  /** What asked: a client's hook, `permission_prompt`, or `parley gate`; null: the member itself. */
  asked_through: "hook" | "prompt" | "command" | null;
  /** The client's session, as `claude-code:ID`: its end withdraws the card. */
  client_session: string | null;
  /** From then on (ms) the client counts as gone, unless a call of it waits again; null: it never does. */
  client_until: number | null;
}

export async function up(db: Kysely<never>): Promise<void> {
  for (const column of ["asked_through", "client_session"])
    await db.schema.alterTable("gates").addColumn(column, "text").execute();
  await db.schema.alterTable("gates").addColumn("client_until", "bigint").execute();
  await db.schema
    .createIndex("gates_client")
    .on("gates")
    .columns(["room", "client_until"] as never)
    .where(sql.ref("status"), "=", sql.lit("pending"))
    .execute();
}
