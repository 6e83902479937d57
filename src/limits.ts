// The limits that hold at one store, whichever process is asked: `parley serve` writes down those it was started with,
// and every other process follows them. Otherwise a claim made over stdio would last as long as the environment of that
// client says, and not as long as the server's claims.
import { localOperator } from "./members/caller.ts";
import { serverRoom } from "./members/rules.ts";
import type { Db } from "./store/port.ts";
import type { Write } from "./write.ts";

const names = ["maxPending", "criticalDelay", "lease", "remind"] as const;

/** Pending gates an agent (`maxPending`), and seconds (the others): see `Config`. */
export type Limits = Readonly<Record<(typeof names)[number], number>>;

/** The limits written down by the server; none where no server has run on this store. */
export async function limitsOf(db: Db): Promise<Partial<Limits>> {
  const rows = await db.selectFrom("limits").select(["name", "value"]).execute();
  const stored = new Map(rows.map(({ name, value }) => [name, value]));
  return Object.fromEntries(names.flatMap((name) => (stored.has(name) ? [[name, stored.get(name)]] : [])));
}

/** Writes down the limits of a server that starts; a change is a fact. */
export async function setLimits(write: Write, limits: Limits): Promise<void> {
  await write(localOperator, serverRoom, async (call) => {
    const before = await limitsOf(call.db);
    const changed = names.filter((name) => before[name] !== limits[name]);
    if (changed.length === 0) return;
    for (const name of changed)
      await call.db
        .insertInto("limits")
        .values({ name, value: limits[name] })
        .onConflict((c) => c.column("name").doUpdateSet({ value: limits[name] }))
        .execute();
    const data = Object.fromEntries(changed.map((name) => [name, limits[name]]));
    call.fact({ action: "limits.set", subject: "limits:server", data });
  });
}
