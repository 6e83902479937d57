// Who is in the room, as far as a floor has to know: rows.
import { askingIn } from "../gates/rows.ts";
import { heardOf, offlineAfter } from "../members/rules.ts";
import type { Db } from "../store/port.ts";
import type { Member, Members } from "./record.ts";

/** What the floor has to know of everybody in the room, and of the server's owner. */
export async function membersOf(db: Db, room: string, now: number): Promise<Members> {
  const rows = await db
    .selectFrom("members as m")
    .leftJoin("memberships as s", (on) =>
      on
        .onRef("s.member", "=", "m.name")
        .on("s.room", "=", room)
        .on("s.left_at", "is", null)
        .on("s.kicked_at", "is", null),
    )
    .select(["m.name", "m.kind", "m.server_role", "m.status", "m.seen_at", "m.waits_until", "s.role"])
    .where("m.removed_at", "is", null)
    .where((eb) => eb.or([eb("s.role", "is not", null), eb("m.server_role", "=", "owner")]))
    .execute();
  const asking = await askingIn(db, room, now);
  return new Map(
    rows.map((row): [string, Member] => {
      const heard = heardOf(row, now);
      return [
        row.name,
        {
          person: row.kind === "person",
          rank: rankOf(row.role, row.server_role),
          heard: heard !== null && now - heard <= offlineAfter,
          gone: heard !== null && now - heard > offlineAfter,
          asks: asking.has(row.name),
        },
      ];
    }),
  );
}

function rankOf(role: string | null, serverRole: string | null): Member["rank"] {
  if (serverRole === "owner" || role === "approver") return "operator";
  return role === "observer" || role === "viewer" || role === null ? "listener" : "speaker";
}
