// The MCP tools: made once from the actions, listed per set of roles and toolsets. All objects are constants,
// so that clients' and the SDK's caches by identity stay small.
import type { Tool } from "@modelcontextprotocol/sdk/types.js";
import { z } from "zod";
import { type AnyAction, everyone, type Toolset, toolsets } from "../../action.ts";
import { fields } from "../../may.ts";
import type { Caller } from "../../members/caller.ts";

export type Toolsets = ReadonlySet<Toolset>;
type Json = Record<string, unknown>;

/** Every output may also be a refusal and carry these; clients check refusals against the schema too. */
const always = {
  error: { type: "object" },
  inbox: { type: "object" },
  untrusted_content_warning: { type: "string" },
};

/** Says the same in fewer tokens. */
function shorten({ jsonSchema }: { jsonSchema: Json }): void {
  const { additionalProperties, properties, minimum, maximum } = jsonSchema;
  if (additionalProperties && Object.keys(additionalProperties).length === 0) {
    delete jsonSchema.additionalProperties;
    if (properties && Object.keys(properties).length === 0) delete jsonSchema.properties;
  }
  if (minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
}

function toolOf(action: AnyAction): Tool {
  const input: Json = z.toJSONSchema(z.strictObject(fields(action)), { io: "input", override: shorten });
  const output: Json = z.toJSONSchema(z.looseObject(action.output), { io: "output", override: shorten });
  delete input.$schema;
  return {
    name: action.name,
    description: action.about,
    inputSchema: input as Tool["inputSchema"],
    ...(!action.bare && {
      outputSchema: { type: "object" as const, properties: { ...(output.properties as Json), ...always } },
    }),
    annotations: {
      readOnlyHint: action.quiet ?? false,
      destructiveHint: action.destructive ?? false,
      idempotentHint: action.idempotent ?? false,
      openWorldHint: false,
    },
    ...(action.always && { _meta: { "anthropic/alwaysLoad": true } }),
  };
}

/** Those named, or all where none is; an unknown name is told in one sentence. */
export function toolsetsNamed(names: readonly string[] | undefined): Toolsets {
  const unknown = names?.find((name) => !(toolsets as readonly string[]).includes(name));
  if (unknown !== undefined)
    throw new Error(`there is no toolset ${JSON.stringify(unknown.slice(0, 40))}; known: ${toolsets.join(", ")}`);
  return new Set((names as Toolset[] | undefined) ?? toolsets);
}

/**
 * What may be listed for a caller: a tool that its roles may use, in one of the toolsets.
 * @param operates it is a named operator of a floor
 */
export type ToolList = (caller: Caller, only: Toolsets, operates?: boolean) => { tools: Tool[] };

export function openTools(actions: Iterable<AnyAction>): ToolList {
  const all = [...actions].filter((action) => !action.peopleOnly).map((action) => ({ action, tool: toolOf(action) }));
  const made = new Map<string, { tools: Tool[] }>();

  return (caller, only, operates = false) => {
    const roles = rolesOf(caller);
    const id = [...[...roles].sort(), "/", ...[...only].sort(), operates].join(" ");
    let list = made.get(id);
    if (!list) {
      const listed = ({ may, listedFor = may, toolset }: AnyAction) => {
        const shown = operates && toolset === "floor" ? may : listedFor;
        return only.has(toolset) && (shown === everyone || shown.some((role) => roles.has(role)));
      };
      list = { tools: all.filter(({ action }) => listed(action)).map(({ tool }) => tool) };
      made.set(id, list);
    }
    return list;
  };
}

/** Over all its rooms; the server's owner is an approver everywhere. */
function rolesOf({ actor, rooms }: Caller): Set<string> {
  const roles = new Set<string>(rooms.values());
  if (actor.serverRole === "owner") roles.add("owner").add("approver");
  return roles;
}
