// Whatever an agent sends, it gets a refusal that says what is wrong, nothing is changed and nothing breaks.
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import type { AnyAction } from "../../../src/action.ts";
import { fields } from "../../../src/may.ts";
import { codes } from "../../../src/refusal.ts";
import { inMemory } from "../../setup/stores.ts";
import type { Play } from "../../table.ts";
import { bearer, instance, request } from "./stage.ts";

type Schema = { type?: string; enum?: unknown[]; maxLength?: number; items?: Schema; anyOf?: Schema[] };
type Args = Record<string, unknown>;

/** Where each room's log stands. */
const heads = ({ table }: Play) =>
  table.store.read((db) => db.selectFrom("rooms").select(["name", "facts", "head"]).orderBy("name").execute());

/** Something that fits, and names nothing that is there. */
function fitting(schema: Schema): unknown {
  if (schema.enum) return schema.enum[0];
  if (schema.anyOf?.[0]) return fitting(schema.anyOf[0]);
  if (schema.type === "integer" || schema.type === "number") return 99_999;
  if (schema.type === "boolean") return true;
  if (schema.type === "array") return [fitting(schema.items ?? {})];
  if (schema.type === "object") return {};
  return "nothing";
}

const inOneLine = ["title", "question", "key", "gate_id", "room", "member", "seat", "channel", "name", "to"];

/** Every bad call of an action, each with what is bad about it. */
function badCalls(action: AnyAction): Array<[why: string, args: Args]> {
  const schema = z.toJSONSchema(z.strictObject(fields(action)), { io: "input" });
  const properties = (schema.properties ?? {}) as Record<string, Schema>;
  const required = (schema.required ?? []) as string[];
  const whole: Args = {};
  for (const field of required) whole[field] = fitting(properties[field] ?? {});
  const bad: Array<[string, Args]> = [
    ["unknown argument", { ...whole, no_such_argument: 1 }],
    ["__proto__", JSON.parse(JSON.stringify(whole).replace("{", '{"__proto__":{"room":"main"},').replace(",}", "}"))],
    ["foreign room", { ...whole, room: "elsewhere" }],
    ["room of no kind", { ...whole, room: { $ne: 1 } }],
    ["room with NUL", { ...whole, room: "main\u0000" }],
    ["server's own room", { ...whole, room: "_server" }],
  ];
  for (const field of required) {
    const { [field]: _, ...rest } = whole;
    bad.push([`${field} missing`, rest], [`${field} null`, { ...whole, [field]: null }]);
  }
  if (required.some((field) => /(^|_)id$/.test(field))) bad.push(["unknown id", whole]);
  for (const [field, { type, enum: values, maxLength, anyOf }] of Object.entries(properties)) {
    if (!type && !anyOf && !values) continue;
    bad.push([`${field} of a wrong type`, { ...whole, [field]: type === "object" ? "text" : { wrong: true } }]);
    if (type === "number" || type === "integer")
      for (const n of [-1, 1.5, 1e300]) bad.push([`${field} ${n}`, { ...whole, [field]: n }]);
    if (type !== "string") continue;
    bad.push(
      [`${field} with NUL`, { ...whole, [field]: "a\u0000b" }],
      [`${field} ill-formed`, { ...whole, [field]: "a\ud800b" }],
    );
    if (maxLength) bad.push([`${field} too long`, { ...whole, [field]: "x".repeat(maxLength + 1) }]);
    if (inOneLine.includes(field)) bad.push([`${field} with a control`, { ...whole, [field]: "a\u0007b" }]);
  }
  return bad;
}

/** A refusal that an agent can act on: a known code, a sentence, and the same as structured content. */
function isRefusal(action: AnyAction, said: string): boolean {
  // What may hold long answers with events.
  const { result } = JSON.parse(/^data: (.*)$/m.exec(said)?.[1] ?? said) as {
    result?: { isError?: boolean; content: Array<{ text: string }>; structuredContent?: { error: Args } };
  };
  const text = result?.content[0]?.text ?? "";
  // Where a client has its own words for no, the refusal is told in them.
  const own = action.bare && text.startsWith("{") ? (JSON.parse(text) as { behavior: string; message: string }) : null;
  const [, code = "", sentence = ""] = /^([A-Z_]+): (.+)$/s.exec(own?.message ?? text) ?? [];
  const { error } = result?.structuredContent ?? {};
  return (
    (own ? own.behavior === "deny" : result?.isError === true) &&
    code in codes &&
    code !== "INTERNAL" &&
    /\w.*[.?!]$/s.test(sentence) &&
    (action.bare ? error === undefined : error?.code === code && error.message === sentence)
  );
}

const { store, remove } = await inMemory.make();
const mcp = await instance(store);
const lead = await mcp.guest("lea", { role: "lead" });
const owner = await mcp.guest("olga", { role: "owner" });
for (const one of [lead, owner]) await one.does("whoami");
const before = await heads(mcp);
const actions = [...mcp.table.actions.values()];

afterAll(async () => {
  await mcp.stop();
  await remove();
});

/** Whoever gets furthest with an action. */
const callerOf = (action: AnyAction) => (action.may.includes("lead") ? lead : owner);

let calls = 0;
async function refusedOver(action: AnyAction, why: string, args: Args): Promise<string[]> {
  const body = request("tools/call", { name: action.name, arguments: args }, ++calls);
  const said = await mcp.post(body, bearer(callerOf(action).token)).then((response) => response.text());
  return isRefusal(action, said) ? [] : [`${action.name} with ${why}: ${said.slice(0, 300)}`];
}

describe("every bad call is refused with a code and a sentence, and changes nothing", () => {
  const tools = actions.filter(({ peopleOnly }) => !peopleOnly).map((action) => [action.name, action] as const);
  it.each(tools)("%s", async (_, action) => {
    const wrong: string[] = [];
    for (const [why, args] of badCalls(action)) wrong.push(...(await refusedOver(action, why, args)));
    expect(wrong).toEqual([]);
    expect(await heads(mcp)).toEqual(before);
    expect(mcp.logged).toEqual([]);
  });

  it("what is for people only", async () => {
    const wrong: string[] = [];
    for (const action of actions.filter(({ peopleOnly }) => peopleOnly)) {
      const [first = ["nothing", {}]] = badCalls(action);
      wrong.push(...(await refusedOver(action, ...first)));
    }
    expect(wrong).toEqual([]);
    expect(await heads(mcp)).toEqual(before);
  });
});

it("an action that is nested too deep, or too big, is refused in words", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const big = JSON.stringify("x".repeat(600 * 1024));
  for (const action of [deep, big, `{"a":"\\ud800"}`, `{"a":1e999}`]) {
    const text = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"request_approval","arguments":{"title":"Deploy","wait_seconds":0,"action":${action}}}}`;
    const response = await mcp.post(text, bearer(lead.token));
    expect(response.status).toBe(200);
    const said = await response.json();
    expect(said, action.slice(0, 20)).toMatchObject({
      result: { isError: true, structuredContent: { error: { code: "BAD_INPUT" } } },
    });
  }
  expect(await heads(mcp)).toEqual(before);
  expect(mcp.logged).toEqual([]);
});
