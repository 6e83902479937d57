// The best task for a member (B3), at a cost that does not grow with the board: the index is walked from pool to
// pool (tasks that the same members may claim), and each pool gives its first.
import { type ExpressionBuilder, sql } from "kysely";
import type { Db } from "../store/port.ts";
import type { Tables } from "../store/tables.ts";
import { fits, roomFor } from "./order.ts";
import { blocked } from "./rows.ts";
import { type Task, type Who, works } from "./task.ts";

/** Open, ready, and meant for this one (null: for anybody), as the index begins. */
const claimable = (eb: ExpressionBuilder<Tables, never>, room: string, assignee: string | null) => {
  const query = eb
    .selectFrom("tasks")
    .where("tasks.room", "=", room)
    .where("tasks.status", "=", "open")
    .where("tasks.open_children", "=", 0)
    .where("tasks.open_dependencies", "=", 0);
  return assignee === null ? query.where("tasks.assignee", "is", null) : query.where("tasks.assignee", "=", assignee);
};

/** Every pool of such tasks, each with its first that is not blocked and not too big. */
function firsts(db: Db, room: string, assignee: string | null, not: readonly number[], most: number | null) {
  return db
    .withRecursive("pools", (qc) =>
      qc
        .selectNoFrom((eb) =>
          claimable(eb as never, room, assignee)
            .select(sql<string>`min(tasks.pool)`.as("m"))
            .as("pool"),
        )
        .unionAll((eb) =>
          eb
            .selectFrom("pools")
            .select((e) =>
              claimable(e as never, room, assignee)
                .where("tasks.pool", ">", sql.ref<string>("pools.pool"))
                .select(sql<string>`min(tasks.pool)`.as("m"))
                .as("pool"),
            )
            .where("pools.pool", "is not", null),
        ),
    )
    .selectFrom("pools")
    .select((e) => {
      let first = claimable(e as never, room, assignee)
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

async function offers(db: Db, room: string, who: Who): Promise<{ not: number[]; pools: string[]; ids: number[] }> {
  const not = await blocked(db, room);
  const found = [];
  for (const assignee of [null, who.name]) found.push(...(await firsts(db, room, assignee, not, roomFor(who))));
  const mine = found.filter(({ pool }) => pool !== null && fits(pool, who));
  return {
    not,
    pools: [...new Set(mine.map(({ pool }) => pool as string))],
    ids: mine.flatMap(({ id }) => (id === null ? [] : [id])),
  };
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
  page: { after: { rank: number; id: number } | undefined; limit: number },
): Promise<Task[]> {
  if (!works(who)) return [];
  const { not, pools } = await offers(db, room, who);
  let query = db
    .selectFrom("tasks")
    .selectAll()
    .where("room", "=", room)
    .where("status", "=", "open")
    .where("open_children", "=", 0)
    .where("open_dependencies", "=", 0)
    .where((eb) => eb.or([eb("assignee", "is", null), eb("assignee", "=", who.name)]))
    .where("pool", "in", pools)
    .where("id", "not in", not);
  const most = roomFor(who);
  if (most !== null) query = query.where("size", "<=", most);
  const { after } = page;
  if (after)
    query = query.where((eb) =>
      eb.or([eb("rank", ">", after.rank), eb.and([eb("rank", "=", after.rank), eb("id", ">", after.id)])]),
    );
  return query.orderBy("rank").orderBy("id").limit(page.limit).execute();
}
