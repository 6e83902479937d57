// Every action with every kind of bad argument: refused with a known code and a sentence, and nothing has happened.
import { describe, expect, it } from "vitest";
import { z } from "zod";
import type { AnyAction } from "../../src/action.ts";
import { verify } from "../../src/log.ts";
import { fields } from "../../src/may.ts";
import { codes, Refusal } from "../../src/refusal.ts";
import { inMemory } from "../setup/stores.ts";
import { ask, head, type Stage, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

const { make } = inMemory;

/** Values that fit no argument, or hardly one. */
const wrong: unknown[] = [null, { toString: 1 }, [[]], "", "\u0000", "\ud800", "x".repeat(70_000), -1, 1.5, 2 ** 53];

/** A value that fits, so that only one argument at a time is wrong. */
function fitting(schema: unknown): unknown {
  if (schema instanceof z.ZodOptional) return undefined;
  if (schema instanceof z.ZodEnum) return schema.options[0];
  if (schema instanceof z.ZodNumber) return 1;
  if (schema instanceof z.ZodBoolean) return true;
  if (schema instanceof z.ZodArray) return [];
  return "nobody";
}

function* badArguments(action: AnyAction): Generator<Record<string, unknown>> {
  const input = fields(action);
  const names = Object.keys(input);
  const good = Object.fromEntries(names.map((name) => [name, fitting(input[name])]));
  yield { ...good, unknown_argument: 1 };
  yield JSON.parse('{"__proto__": {"admin": true}, "constructor": 1}');
  for (const name of names)
    for (const value of wrong) {
      if (z.safeParse(input[name] as z.ZodType, value).success) continue;
      yield { ...good, [name]: value };
    }
}

async function heads(p: Stage): Promise<number[]> {
  return [await head(p, "main"), await head(p, "lab"), await head(p, "_server")];
}

async function sweep(p: Stage, who: Guest, names: readonly string[]): Promise<void> {
  for (const name of names) {
    const before = await heads(p);
    for (const args of badArguments(p.table.actions.get(name) as AnyAction)) {
      const said = `${who.name} ${name} ${JSON.stringify(args).slice(0, 120)}`;
      const seen = await p.table.perform(who.caller, name, args).then(
        () => "performed",
        (error: unknown) => error,
      );
      if (!(seen instanceof Refusal)) throw new Error(said, { cause: seen });
      expect(Object.keys(codes), said).toContain(seen.code);
      expect(seen.code, said).not.toBe("INTERNAL");
      expect(seen.status, said).toBeLessThan(500);
      expect(seen.message, said).toMatch(/^\S.*[^\s,;]$/s);
      expect(seen.message.length, said).toBeLessThan(1200);
      expect(JSON.stringify(seen).length, said).toBeLessThan(20_000);
      // Who may not call it at all is told so whatever the arguments.
      if (seen.code === "FORBIDDEN") break;
    }
    expect(await heads(p), `${who.name} ${name}`).toEqual(before);
  }
}

describe("every action", () => {
  for (const role of ["worker", "owner"])
    it(`A1: refuses what is badly said, by the ${role}, and does nothing`, async () => {
      const p = await stage(make);
      await p.operator.does("create_room", { room: "lab" });
      const who = await p.guest("the guest", { role });
      await sweep(p, who, [...p.table.actions.keys()]);
      for (const room of ["main", "lab", "_server"])
        expect(await p.table.store.read((db) => verify(db, room))).toMatchObject({ sound: true });
    });

  it("A1: refuses well-said nonsense about what is not there, and does nothing", async () => {
    const p = await stage(make);
    await p.operator.does("create_room", { room: "lab" });
    const zoe = await p.guest("zoe", { role: "owner" });
    const ada = await p.guest("ada");
    await ask(ada, "report_blocker", { title: "T" });
    const ids = { gate_id: "none", task_id: 99_999, token_id: "none", member: "nobody", id: "none", seat: "nobody" };
    for (const action of p.table.actions.values()) {
      const input = fields(action);
      const named = Object.entries(ids).filter(([name]) => name in input);
      if (named.length === 0) continue;
      const rest = Object.entries(input).filter(([name, schema]) => !(name in ids) && fitting(schema) !== undefined);
      const args = Object.fromEntries([...rest.map(([name, schema]) => [name, fitting(schema)]), ...named]);
      for (const who of [ada, zoe]) {
        const before = await heads(p);
        const seen = await p.table
          .perform(who.caller, action.name, { ...args, ...("wait_seconds" in input && { wait_seconds: 0 }) })
          .then(
            () => null,
            (error: unknown) => error,
          );
        if (seen === null) {
          // Only a list may be asked about somebody who is not there.
          expect(
            ["list_tasks", "list_tokens", "get_audit_log", "read_messages", "wait_for_message"],
            action.name,
          ).toContain(action.name);
        } else if (!(seen instanceof Refusal)) throw new Error(`${action.name}`, { cause: seen });
        expect(await heads(p), action.name).toEqual(before);
      }
    }
  });

  it("A1: has an output that takes its refusal, an input that takes nothing unknown, and words for both", async () => {
    const p = await stage(make);
    for (const action of p.table.actions.values()) {
      expect(action.name).toMatch(/^[a-z][a-z_]*$/);
      expect(action.about.length, action.name).toBeGreaterThan(15);
      expect(action.may.length, action.name).toBeGreaterThan(0);
      // Clients check what a tool answers against its output, refusals too.
      const output = z.looseObject(action.output);
      if (!action.peopleOnly)
        expect(output.safeParse({ error: { code: "CONFLICT" }, inbox: {} }).success, action.name).toBe(true);
      expect(z.strictObject(fields(action)).safeParse({ unknown_argument: 1 }).success, action.name).toBe(false);
    }
  });
});
