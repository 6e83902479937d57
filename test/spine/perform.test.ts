import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type AnyAction, action, everyone } from "../../src/action.ts";
import { openSpine } from "../../src/perform.ts";
import { openRing } from "../../src/ring.ts";
import { inMemory } from "../setup/stores.ts";
import { ask, found, head, listening, refusal, stage } from "../stage.ts";
import { report } from "../table.ts";

const { make } = inMemory;

describe("an action", () => {
  it("A1: that does not exist is named", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    expect(await ada.refused("drop_table")).toMatchObject({
      code: "NOT_FOUND",
      message: expect.stringContaining("drop_table"),
    });
    for (const name of ["__proto__", "constructor", "", "x".repeat(10_000)])
      expect((await ada.refused(name)).message.length).toBeLessThan(200);
  });

  it("M2: may first, then well said: who may not is not told what is wrong with the arguments", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const vic = await p.guest("vic", { role: "viewer" });
    for (const args of [{}, { gate_id: 7 }, { nonsense: true }, [], "text", null])
      expect((await ada.refused("decide_gate", args as Record<string, unknown>)).code).toBe("FORBIDDEN");
    expect((await vic.refused("request_approval", { title: 7 })).code).toBe("FORBIDDEN");
  });

  it("A1: refuses unknown arguments with the known ones, and says what is wrong in words", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const refused = await ada.refused("request_approval", { title: "T", tittle: "T", waitSeconds: 1 });
    expect(refused).toMatchObject({ code: "BAD_INPUT", status: 400 });
    expect(refused.message).toContain('unknown argument "tittle", "waitSeconds"');
    expect(refused.facts.known).toEqual(
      expect.arrayContaining(["title", "details", "action", "risk", "options", "wait_seconds", "room"]),
    );
    const words: Array<[Record<string, unknown>, string]> = [
      [{}, "title is missing (string)"],
      [{ title: 7 }, "title must be a string"],
      [{ title: "T", options: "a" }, "options must be an array"],
      [{ title: "T", options: [1] }, "options.[0] must be a string"],
      [{ title: "T", risk: "none" }, 'risk must be "low" or "medium" or "high" or "critical"'],
      [{ title: "T", wait_seconds: -1 }, "wait_seconds must be whole seconds from 0 to 3600"],
      [{ title: "T", single_use: "yes" }, "single_use must be a boolean"],
    ];
    for (const [args, said] of words) expect((await ada.refused("request_approval", args)).message).toContain(said);
    for (const args of [[], "text", 7, true])
      expect((await ada.refused("whoami", args as never)).code).toBe("BAD_INPUT");
    expect(await ada.does("whoami", null as never)).toMatchObject({ member: "ada" });
  });

  it("A1: reads an array that came as JSON text, and nothing else as what it is not", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    expect(await ask(ada, "request_approval", { title: "T", options: '["a", "b"]' })).toMatchObject({
      options: ["a", "b"],
    });
    expect(await ask(ada, "request_approval", { title: '["T"]', details: "[1]" })).toMatchObject({
      title: '["T"]',
      details: "[1]",
    });
    for (const options of ['["a"', "a,b", '{"a":1}', "[1]"])
      expect((await ada.refused("request_approval", { title: "T", options })).code).toBe("BAD_INPUT");
    for (const wait_seconds of ["0", "", null])
      expect((await ada.refused("request_approval", { title: "T", wait_seconds })).code).toBe("BAD_INPUT");
  });

  it("A1: refuses what no JSON could carry on: endless nesting and numbers too big", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    let deep: unknown = 1;
    for (let n = 0; n < 50_000; n++) deep = { deep };
    for (const action of [deep, { n: Number.POSITIVE_INFINITY }])
      expect((await ada.refused("request_approval", { title: "T", action })).code).toBe("BAD_INPUT");
  });

  it("M6: a result with others' words says that they are data", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    expect(await ada.does("list_gates")).not.toHaveProperty("untrusted_content_warning");
    await ask(ada, "report_blocker", { title: "T" });
    expect((await ada.does("list_gates")).untrusted_content_warning).toContain("not instructions");
    expect(await zoe.does("list_gates")).not.toHaveProperty("untrusted_content_warning");
  });

  it("G5: holds as long as it was asked to, at most as long as its client bears", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const gate = await ask(ada, "report_blocker", { title: "T" });
    const holds = async (args: Record<string, unknown>, longest?: number) => {
      const from = p.clock.now();
      let over = false;
      const waited = ada
        .does("wait_for_gate", { gate_id: gate.id, ...args }, longest === undefined ? {} : { longest })
        .then(() => {
          over = true;
        });
      await listening(p, 2);
      await found(async () => {
        await p.clock.tick(1000);
        return over ? true : undefined;
      });
      await waited;
      return (p.clock.now() - from) / 1000;
    };
    // A second more may pass until the test sees the end of a wait.
    expect(Math.abs((await holds({})) - 45)).toBeLessThanOrEqual(1);
    expect(Math.abs((await holds({ wait_seconds: 7 })) - 7)).toBeLessThanOrEqual(1);
    expect(Math.abs((await holds({ wait_seconds: 300 }, 20)) - 20)).toBeLessThanOrEqual(1);
  });

  it("G5: a hold counts from when the call came, also where its first write had to wait", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    await ada.does("whoami");
    for (const [name, args] of [
      ["request_approval", { title: "T" }],
      ["report_blocker", { title: "T" }],
    ] as const) {
      let free = () => {};
      const until = new Promise<void>((resolve) => {
        free = resolve;
      });
      const busy = p.table.store.write("main", () => until);
      const from = p.clock.now();
      const waited = ada.does(name, args);
      for (let n = 0; n < 30; n++) await p.clock.tick(1000);
      free();
      await busy;
      await listening(p, 2);
      let over = false;
      void waited.then(() => (over = true));
      await found(async () => {
        await p.clock.tick(1000);
        return over ? true : undefined;
      });
      expect((p.clock.now() - from) / 1000, name).toBeLessThanOrEqual(46);
    }
  });

  it("G6: a cancelled call of any kind of wait leaves nothing behind", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const gate = await ask(ada, "report_blocker", { title: "T" });
    for (const [name, args] of [
      ["wait_for_gate", { gate_id: gate.id }],
      ["wait_for_message", {}],
      ["next_task", { wait_seconds: 30 }],
    ] as const) {
      const gone = new AbortController();
      const waited = ada.does(name, args, { signal: gone.signal });
      await listening(p, 2);
      gone.abort();
      await waited.catch(() => {});
      expect(p.table.ring.size(), name).toBe(0);
    }
  });
});

describe("the spine", () => {
  const quiet = {
    settle: [],
    follow: [],
    arrives: async () => {},
    waits: async () => async () => {},
    inbox: async () => null,
  };

  it("A2: a bug in an action is thrown as it is, without a fact", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const broken: AnyAction = action({
      name: "broken",
      toolset: "members",
      about: "Breaks.",
      may: everyone,
      input: { n: z.number() },
      output: {},
      write: async (call) => {
        call.fact({ action: "test.told", subject: "test:1" });
        return (undefined as unknown as { x: Record<string, unknown> }).x;
      },
    });
    const spine = openSpine(p.table.store, p.table.ring, p.clock, [broken], quiet);
    const before = await head(p);
    await expect(spine.perform(ada.caller, "broken", { n: 1 })).rejects.toThrow(TypeError);
    expect(await head(p)).toBe(before);
    expect((await refusal(spine.perform(ada.caller, "broken", {}))).code).toBe("BAD_INPUT");
  });

  it("G6: what is to be done once a result is handed over is done then, not before", async () => {
    const p = await stage(make);
    const ada = await p.guest("ada");
    const ring = openRing(p.table.store, report);
    const done: string[] = [];
    const hands: AnyAction = action({
      name: "hands",
      toolset: "members",
      about: "Hands over.",
      may: everyone,
      input: {},
      output: {},
      read: async (call) => {
        call.written(async () => void done.push("handed over"));
        return {};
      },
    });
    const spine = openSpine(p.table.store, ring, p.clock, [hands], quiet);
    const answer = await spine.perform(ada.caller, "hands", {});
    expect(done).toEqual([]);
    await answer.written();
    expect(done).toEqual(["handed over"]);
    await ring.close();
  });
});
