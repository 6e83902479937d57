// What a dashboard may say, field by field: anything else is not understood.
import { z } from "zod";
import { count } from "../../words.ts";
import { readJson, wrongWith } from "../json.ts";

const room = z.string().max(200);
/** The number of a fact. */
const since = count(0, Number.MAX_SAFE_INTEGER);
/** Said back as it is. */
const token = z.union([z.number(), z.string().max(100)]);

const hello = z.strictObject({
  type: z.literal("hello"),
  secret: z.string().max(200),
  watch: room.optional(),
  since: z.record(room, since).optional(),
});
const later = z.discriminatedUnion("type", [
  z.strictObject({ type: z.literal("ping"), t: token.optional() }),
  z.strictObject({ type: z.literal("watch"), room, since: since.optional() }),
  z.strictObject({ type: z.literal("do"), id: token, action: z.string().max(200), args: z.unknown().optional() }),
]);

export type Later = z.infer<typeof later>;

/** The value of a message, or null. Arguments that are nested too deep are refused in words, by the action. */
export function messageIn(text: string): unknown {
  const { value, wrong } = readJson(text);
  return wrong && wrongWith({ ...(value as object), args: null }) ? null : value;
}

/** The first message of a socket, or null. */
export const helloIn = (message: unknown) => hello.safeParse(message).data ?? null;

/** Any message after it, or null. */
export const laterIn = (message: unknown): Later | null => later.safeParse(message).data ?? null;
