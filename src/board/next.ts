// The best task for a member (B3), at a cost that does not grow with the board: the index is walked from pool to
// pool (tasks that the same members may claim), and each pool gives its first.
import { type ExpressionBuilder, sql } from "kysely";
import type { Db } from "../store/port.ts";
import type { Tables } from "../store/tables.ts";
import { fits, poolsFor, roomFor } from "./order.ts";
import { blocked } from "./rows.ts";
import { type Task, type Who, works } from "./task.ts";

/** What is open and ready. As literals, so that both databases know the index for it. */
const ready = (eb: Pick<ExpressionBuilder<Tables, never>, "selectFrom">, room: string) =>
  eb
    .selectFrom("tasks")
    .where("tasks.room", "=", room)
    .where("tasks.status", "=", sql.lit("open"))
    .where("tasks.open_children", "=", sql.lit(0))
    .where("tasks.open_dependencies", "=", sql.lit(0));

type AnyBuilder = Pick<ExpressionBuilder<Tables, never>, "selectFrom">;

/** Every pool between these two, each with its first task that is not blocked and not too big. */
function firsts(
  db: Db,
  room: string,
  { from, to }: { from: string; to: string },
  not: readonly number[],
  most: number | null,
) {
  const least = (eb: AnyBuilder, after: string | ReturnType<typeof sql.ref<string>>) =>
    ready(eb, room)
      .where("tasks.pool", ">", after)
      .where("tasks.pool", "<", to)
      .select("tasks.pool")
      .orderBy("tasks.pool")
      .limit(1);
  return db
    .withRecursive("pools", (qc) =>
      qc
        .selectNoFrom((eb) => least(eb as unknown as AnyBuilder, from).as("pool"))
        .unionAll((eb) =>
          eb
            .selectFrom("pools")
            .select((e) => least(e as unknown as AnyBuilder, sql.ref<string>("pools.pool")).as("pool"))
            .where("pools.pool", "is not", null),
        ),
    )
    .selectFrom("pools")
    .select((eb) => {
      let first = ready(eb as unknown as AnyBuilder, room)
        .where("tasks.pool", "=", sql.ref<string>("pools.pool"))
        .select("tasks.id")
        .orderBy("tasks.rank")
        .orderBy("tasks.id")
        .limit(1);
      if (not.length > 0) first = first.where("tasks.id", "not in", [...not]);
      if (most !== null) first = first.where("tasks.size", "<=", most);
      return ["pools.pool", first.as("id")];
    })
    .where("pools.pool", "is not", null)
    .execute();
}

interface Offers {
  /** The pools whose tasks this member may claim. */
  pools: string[];
  /** The first of each. */
  ids: number[];
  /** Tasks that a blocker stops. */
  not: number[];
}

async function offers(db: Db, room: string, who: Who): Promise<Offers> {
  const not = await blocked(db, room);
  const found = [];
  for (const assignee of [null, who.name])
    found.push(...(await firsts(db, room, poolsFor(assignee), not, roomFor(who))));
  const mine = found.flatMap(({ pool, id }) => (pool !== null && fits(pool, who) ? [{ pool, id }] : []));
  return { pools: mine.map(({ pool }) => pool), ids: mine.flatMap(({ id }) => id ?? []), not };
}

/** The task that this member should do next, or undefined. */
export async function best(db: Db, room: string, who: Who): Promise<Task | undefined> {
  const { ids } = await offers(db, room, who);
  if (ids.length === 0) return undefined;
  return db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("id", "in", ids)
    .orderBy("rank")
    .orderBy("id")
    .limit(1)
    .executeTakeFirst();
}

/** All that this member may claim, in the order in which `next_task` gives them. */
export async function claimableBy(
  db: Db,
  room: string,
  who: Who,
  { after, limit }: { after: { rank: number; id: number } | undefined; limit: number },
): Promise<Task[]> {
  if (!works(who)) return [];
  const { not, pools } = await offers(db, room, who);
  let query = ready(db, room).selectAll("tasks").where("pool", "in", pools).where("id", "not in", not);
  const most = roomFor(who);
  if (most !== null) query = query.where("size", "<=", most);
  if (after)
    query = query.where((eb) =>
      eb.or([eb("rank", ">", after.rank), eb.and([eb("rank", "=", after.rank), eb("id", ">", after.id)])]),
    );
  return query.orderBy("rank").orderBy("id").limit(limit).execute();
}
