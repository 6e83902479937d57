// What became of answers on their way to the agent that asked (G6), as rows.
import type { Db } from "../store/port.ts";
import { pending } from "./rows.ts";
import { type Gate, settle } from "./rules.ts";

/** Final gates whose answer their asker has not acknowledged, oldest first; past the deadline is expired (G3). */
export async function unacknowledged(db: Db, member: string, now: number): Promise<Gate[]> {
  const found = await db
    .selectFrom("gates")
    .selectAll()
    .where("asked_by", "=", member)
    .where("acknowledged_at", "is", null)
    .where((eb) =>
      eb.or([
        eb("status", "in", ["approved", "denied", "answered", "resolved", "expired"]),
        eb.and([eb("status", "=", pending), eb("expires_at", "<=", now)]),
      ]),
    )
    .orderBy("id")
    .limit(20)
    .execute();
  // Of a client that is gone nobody waits for an answer.
  return found.map((gate) => settle(gate, now)).filter((gate) => gate.status !== "withdrawn");
}

export async function deliver(db: Db, ids: readonly string[], at: number): Promise<void> {
  await db
    .updateTable("gates")
    .set({ delivered_at: at })
    .where("id", "in", [...ids])
    .where("delivered_at", "is", null)
    .execute();
}

/** Not delivered after all. */
export async function undeliver(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .updateTable("gates")
    .set({ delivered_at: null })
    .where("id", "in", [...ids])
    .execute();
}

/**
 * An answer went out to a session of its asker (null: one without a name).
 * @param told by the inbox, beside another result; not as the result of asking or waiting
 */
export async function written(
  db: Db,
  ids: readonly string[],
  at: number,
  session: string | null,
  told: boolean,
): Promise<void> {
  for (const { id, written_to } of await db
    .selectFrom("gates")
    .select(["id", "written_to"])
    .where("id", "in", [...ids])
    .execute()) {
    const passedOn = told && written_to !== session;
    await db
      .updateTable("gates")
      .set({ written_at: at, written_to: session, ...(passedOn && { passed_on_at: at }) })
      .where("id", "=", id)
      .execute();
  }
}

/** Asking again has found this answer: it does so no more. */
export async function found(db: Db, id: string): Promise<void> {
  await db.updateTable("gates").set({ passed_on_at: null }).where("id", "=", id).execute();
}

export async function acknowledge(db: Db, ids: readonly string[], at: number): Promise<void> {
  await db
    .updateTable("gates")
    .set({ acknowledged_at: at })
    .where("id", "in", [...ids])
    .where("acknowledged_at", "is", null)
    .execute();
}
