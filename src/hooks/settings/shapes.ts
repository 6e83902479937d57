// Wrong shapes for which a client silently drops a whole settings file, or all hooks in it: Parley's would be dropped too.
import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import { Unusable } from "./problem.ts";

type Json = Record<string, unknown>;

export const must = (is: boolean, what: string, wanted: string): void => {
  if (!is) throw new Unusable(`its ${what} is not ${wanted}, so the client would reject the file`, `make it ${wanted}`);
};

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function mustBeObject(value: unknown, what: string): asserts value is Json | undefined {
  must(value === undefined || isObject(value), JSON.stringify(what), "an object");
}

const kinds = {
  text: ["a text", (value: unknown) => typeof value === "string"],
  number: ["a number", (value: unknown) => typeof value === "number"],
  switch: ["true or false", (value: unknown) => typeof value === "boolean"],
  object: ["an object", isObject],
  texts: ["a list of texts", (value: unknown) => Array.isArray(value) && value.every((one) => typeof one === "string")],
} as const;

type Kind = keyof typeof kinds;

/** @param fields what each field must be where it is there, by its path with dots */
export function mustHaveKinds(root: Json, fields: Readonly<Record<string, Kind>>): void {
  for (const [field, kind] of Object.entries(fields)) {
    const value = field.split(".").reduce<unknown>((inner, key) => (isObject(inner) ? inner[key] : undefined), root);
    const [wanted, is] = kinds[kind];
    must(value === undefined || is(value), JSON.stringify(field), wanted);
  }
}

/** @throws Unusable where a client that reads JSON without these finds one of them, and drops the file */
export function mustBePlain(text: string, allowed: { comments: boolean }): void {
  const errors: ParseError[] = [];
  parse(text, errors, { disallowComments: !allowed.comments, allowTrailingComma: false, allowEmptyContent: true });
  const [first] = errors;
  if (!first) return;
  const comment = printParseErrorCode(first.error) === "InvalidCommentToken";
  throw new Unusable(
    `it has ${comment ? "a comment" : "a comma behind a last entry"}, for which the client would reject the file`,
    comment ? "take the comments out" : "take that comma out",
  );
}

/**
 * Lists by event, each of groups with a matcher and hooks.
 * @param types the kinds of hooks that the client knows
 * @param besides fields that are no events
 */
export function mustBeHooks(hooks: unknown, types: readonly string[], besides: readonly string[] = []): void {
  mustBeObject(hooks, "hooks");
  for (const [event, groups] of Object.entries(hooks ?? {})) {
    if (besides.includes(event)) continue;
    const at = `hooks.${event}`;
    must(Array.isArray(groups), JSON.stringify(at), "a list");
    for (const [index, group] of (groups as unknown[]).entries()) mustBeGroup(group, `${at}[${index}]`, types);
  }
}

function mustBeGroup(group: unknown, at: string, types: readonly string[]): void {
  must(isObject(group) && Array.isArray(group.hooks), at, 'an object with a list "hooks"');
  const { hooks, matcher } = group as { hooks: unknown[]; matcher?: unknown };
  must(matcher === undefined || typeof matcher === "string", `${at}.matcher`, "a text");
  for (const [index, hook] of hooks.entries()) {
    const known = isObject(hook) && types.some((type) => type === hook.type);
    must(known, `${at}.hooks[${index}]`, `an object with a "type" of ${types.join(", ")}`);
    const { type, command, timeout } = hook as Json;
    must(type !== "command" || typeof command === "string", `${at}.hooks[${index}].command`, "a text");
    must(timeout === undefined || typeof timeout === "number", `${at}.hooks[${index}].timeout`, "a number");
  }
}
