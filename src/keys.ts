// Idempotency: the same key by the same member gives the first result again.
import type { Result, WriteCall } from "./action.ts";
import { keptFor } from "./forget.ts";
import { Refusal } from "./refusal.ts";

/**
 * Runs `body` once per (room, member, `scope`, `key`) and answers its stored result for 24 hours. Without a key it just runs.
 * @param scope the action's name, with what else the key is local to
 * @param digest of what was asked: the same key with another digest is refused `KEY_REUSED`
 * @param keeps whether a result is to be answered again (all are)
 */
export async function once(
  call: WriteCall,
  scope: string,
  key: string | undefined,
  digest: string,
  body: () => Promise<Result>,
  keeps: (result: Result) => boolean = () => true,
): Promise<Result> {
  if (key === undefined) return body();
  const before = await call.db
    .selectFrom("keys")
    .select(["digest", "result"])
    .where("room", "=", call.room)
    .where("member", "=", call.actor.member)
    .where("action", "=", scope)
    .where("key", "=", key)
    .executeTakeFirst();
  if (before) {
    if (before.digest === digest) return before.result;
    throw new Refusal(
      "KEY_REUSED",
      "This key was used for something else; take a new key for a new call, or repeat the old call word for word.",
      { key, next: { call: scope.split(/[:#]/)[0] ?? scope, key: "another" } },
    );
  }
  const result = await body();
  if (!keeps(result)) return result;
  await call.db
    .insertInto("keys")
    .values({
      room: call.room,
      member: call.actor.member,
      action: scope,
      key,
      digest,
      result: JSON.stringify(result),
      at: call.now,
    })
    .execute();
  call.due(call.now + keptFor);
  return result;
}
