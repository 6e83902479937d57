// Wrong shapes for which a client silently drops a whole settings file, or all hooks in it: Parley's would be dropped too.
import { Unusable } from "./problem.ts";

type Json = Record<string, unknown>;

const must = (is: boolean, what: string, wanted: string): void => {
  if (!is) throw new Unusable(`its ${what} is not ${wanted}, so the client would reject the file`, `make it ${wanted}`);
};

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

export function mustBeObject(value: unknown, what: string): asserts value is Json | undefined {
  must(value === undefined || isObject(value), JSON.stringify(what), "an object");
}

export function mustBeTexts(value: unknown, what: string): void {
  const texts = Array.isArray(value) && value.every((one) => typeof one === "string");
  must(value === undefined || texts, JSON.stringify(what), "a list of texts");
}

export function mustBeSwitch(value: unknown, what: string): void {
  must(value === undefined || typeof value === "boolean", JSON.stringify(what), "true or false");
}

/** Lists by event, each of groups with a matcher and hooks. */
export function mustBeHooks(hooks: unknown, kinds: readonly string[] | null, besides: readonly string[] = []): void {
  mustBeObject(hooks, "hooks");
  for (const [event, groups] of Object.entries(hooks ?? {})) {
    if (besides.includes(event)) continue;
    const at = `hooks.${event}`;
    must(Array.isArray(groups), JSON.stringify(at), "a list");
    for (const [index, group] of (groups as unknown[]).entries()) mustBeGroup(group, `${at}[${index}]`, kinds);
  }
}

function mustBeGroup(group: unknown, at: string, kinds: readonly string[] | null): void {
  must(isObject(group) && Array.isArray(group.hooks), at, 'an object with a list "hooks"');
  const { hooks, matcher } = group as { hooks: unknown[]; matcher?: unknown };
  must(matcher === undefined || typeof matcher === "string", `${at}.matcher`, "a text");
  for (const [index, hook] of hooks.entries()) {
    const known = isObject(hook) && typeof hook.type === "string" && (kinds?.includes(hook.type) ?? true);
    must(known, `${at}.hooks[${index}]`, `an object with a "type"${kinds ? ` of ${kinds.join(", ")}` : ""}`);
    const { type, command } = hook as Json;
    must(type !== "command" || typeof command === "string", `${at}.hooks[${index}].command`, "a text");
  }
}
