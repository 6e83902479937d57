// Arguments in words: the zod pieces that actions share, and how a bad argument is told.
// Characters are Unicode code points; nothing is ever cut.
import { z } from "zod";
import type { Shape } from "./action.ts";
import { Refusal } from "./refusal.ts";
import { isBlank } from "./visible.ts";

/** C0, DEL and C1 controls: never in a title, name or key. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is what is refused
const controls = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

const codePoints = (text: string): number => {
  let count = 0;
  for (const _ of text) count++;
  return count;
};

const within = (max: number) => (text: string) => text.length <= max || codePoints(text) <= max;
const sound = (text: string) => text.isWellFormed() && !text.includes("\u0000");

/** Free text, several lines, 1 to `max` characters, of which at least one can be seen. */
export const text = (max: number) => prose(max).refine((t) => !isBlank(t), "must not be empty");

/** Any text that can be stored; how long it may be is the rule's to say. */
export const wellFormed = z.string().refine(sound, "must be well-formed Unicode without NUL");

/** Free text that may be empty, at most `max` characters. */
export const prose = (max: number) =>
  wellFormed
    .refine(within(max), `must be at most ${max} characters; shorten it, nothing is cut`)
    .meta({ maxLength: max });

/** One line without control characters, 1 to `max` characters. */
export const line = (max: number) =>
  text(max).refine((t) => !controls.test(t), "must be one line without control characters");

export const seconds = (min: number, max: number) =>
  z.number().refine((n) => Number.isInteger(n) && n >= min && n <= max, `must be whole seconds from ${min} to ${max}`);

export const count = (min: number, max: number) =>
  z.number().refine((n) => Number.isInteger(n) && n >= min && n <= max, `must be a whole number from ${min} to ${max}`);

/** How long a call may wait; the edge lowers it to what the caller's client bears. */
export const waitSeconds = seconds(0, 3600).optional().describe("0 returns at once; default 45");

/** One line of 1 to 128 characters; a repeated call with the same key gives the first result again. */
export const key = line(128).optional().describe("makes a retry the same call");

/** A name's shape as it is used to point at a member, room, channel or seat. */
export const name = line(64).refine((t) => !/\p{C}/u.test(t), "must be without invisible characters");

/** What a zod refinement wrote, or plain words for the rest. */
function told(issue: z.core.$ZodIssue): string {
  const where = issue.path.map((p) => (typeof p === "number" ? `[${p}]` : String(p))).join(".") || "arguments";
  switch (issue.code) {
    case "invalid_type":
      return issue.input === undefined && /received undefined/.test(issue.message)
        ? `${where} is missing (${issue.expected})`
        : `${where} must be ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
    case "unrecognized_keys":
      return `unknown argument ${issue.keys.map((k) => JSON.stringify(k.slice(0, 40))).join(", ")}`;
    case "invalid_value":
      return `${where} must be ${issue.values.map((v) => JSON.stringify(v)).join(" or ")}`;
    default:
      return `${where} ${issue.message.charAt(0).toLowerCase()}${issue.message.slice(1)}`;
  }
}

/** The arguments as the action wants them, or `BAD_INPUT` naming what is wrong and what is known. */
export function parse(actionName: string, schema: z.ZodObject, args: Record<string, unknown>): Record<string, unknown> {
  const wrong = uncarried(args);
  const next = { call: actionName };
  if (wrong) throw new Refusal("BAD_INPUT", `${actionName}: arguments ${wrong}.`, { next });
  const read = withArrays(schema.shape, args);
  const hidden = read === args ? null : uncarried(read);
  if (hidden) throw new Refusal("BAD_INPUT", `${actionName}: arguments ${hidden}.`, { next });
  const seen = schema.safeParse(read);
  if (seen.success) return seen.data;
  const known = Object.keys(schema.shape);
  const sentences = seen.error.issues.slice(0, 3).map(told);
  const knows = known.length ? `Known: ${known.join(", ")}.` : "It takes no arguments.";
  throw new Refusal("BAD_INPUT", `${actionName}: ${sentences.join("; ")}. ${knows}`, { known, next });
}

/** What could not be written as JSON again: 1e999, or nesting that ends the stack of whoever walks it. */
function uncarried(value: unknown, depth = 0): string | null {
  if (typeof value === "number") return Number.isFinite(value) ? null : "hold a number that is too big";
  if (typeof value !== "object" || value === null) return null;
  if (depth > 64) return "are nested more than 64 deep";
  for (const inner of Object.values(value)) {
    const wrong = uncarried(inner, depth + 1);
    if (wrong) return wrong;
  }
  return null;
}

/** Some clients send arrays as JSON text: read those where an array is wanted. */
function withArrays(shape: Shape, args: Record<string, unknown>): Record<string, unknown> {
  let read: Record<string, unknown> | undefined;
  for (const [field, value] of Object.entries(args)) {
    if (typeof value !== "string" || !value.startsWith("[") || !wantsArray(shape[field])) continue;
    try {
      const parsed: unknown = JSON.parse(value);
      if (Array.isArray(parsed)) read = { ...(read ?? args), [field]: parsed };
    } catch {
      // Not JSON: the schema says what it wants.
    }
  }
  return read ?? args;
}

function wantsArray(schema: unknown): boolean {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodDefault || schema instanceof z.ZodNullable)
    return wantsArray(schema.unwrap());
  return schema instanceof z.ZodArray;
}
