import { describe, expect, test } from "vitest";
import { refusal, stage, start } from "./stage.ts";

describe("time on the floor", () => {
  test("T1: a turn has ended when its deadline has passed, whether or not anything fired", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.tick(179);
    expect(floor.holder).toBe("ann");
    floor.tick(1);
    expect(floor.view()).toMatchObject({ holder: null, turn: null });
    expect(floor.turns.at(-1)).toMatchObject({ ended: "silent" });
  });

  test("T2: a sleeping night ends one turn, and the successor's begins now", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("bob");
    floor.request("cyd");
    floor.tick(8 * 3600);
    expect(floor.turn).toMatchObject({ seat: "bob", number: 2, since: floor.now });
    expect(floor.facts("ended")).toHaveLength(1);
    floor.tick(59);
    expect(floor.holder).toBe("bob");
  });

  test("T2: of a turn and a request that ended in the same sleep, the earlier deadline counts first", () => {
    const floor = stage({ hold_seconds: 2000, max_turn_seconds: 0 });
    floor.say("ann", "hello");
    floor.request("bob");
    floor.tick(4000);
    expect(floor.holder).toBeNull();
    expect(floor.facts("request_lapsed")).toHaveLength(1);
  });

  test("T4: refused calls and looks renew nothing", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("bob");
    const before = floor.turn?.speak_by;
    floor.tick(100);
    refusal(() => floor.say("ann", " "));
    refusal(() => floor.pass("ann", "nobody here"));
    refusal(() => floor.say("bob", "me"));
    floor.view("ann");
    expect(floor.turn?.speak_by).toBe(before);
    expect(floor.stored.standings.get("bob")?.request?.lapses_by).toBe(15 * 60_000);
  });

  test("T4: a refused call does not answer an offer", () => {
    const floor = stage();
    floor.say("ann", "hello", { pass: { to: "bob" } });
    refusal(() => floor.say("bob", ""));
    expect(floor.turn?.answer_by).not.toBeNull();
    floor.tick(60);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "bob", ended: "no_answer" });
  });

  test("L1: a silent holder loses the floor at its hold; say and keep_floor renew it", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.tick(100);
    floor.say("ann", "more");
    floor.tick(179);
    expect(floor.holder).toBe("ann");
    floor.keep("ann");
    floor.tick(179);
    expect(floor.holder).toBe("ann");
    floor.tick(1);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "ann", ended: "silent" });
  });

  test("L2: an unanswered offer ends with its acknowledge time, never longer than the hold", () => {
    const floor = stage({ hold_seconds: 40 });
    floor.say("ann", "hello", { pass: { to: "bob" } });
    floor.tick(39);
    expect(floor.holder).toBe("bob");
    floor.tick(1);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "bob", ended: "no_answer" });
  });

  test("L3: nothing carries a turn past its limit", () => {
    const floor = stage({ hold_seconds: 180, max_turn_seconds: 300 });
    floor.request("ann");
    floor.tick(150);
    floor.say("ann", "one");
    floor.tick(140);
    floor.keep("ann");
    expect(floor.view()).toMatchObject({ lapses_at: new Date(start + 300_000).toISOString() });
    floor.tick(10);
    expect(floor.turns.at(-1)).toMatchObject({ ended: "too_long" });
  });

  test("L3: a limit of 0 is none", () => {
    const floor = stage({ max_turn_seconds: 0 });
    floor.request("ann");
    for (let i = 0; i < 20; i++) {
      floor.tick(179);
      floor.keep("ann");
    }
    expect(floor.view()).toMatchObject({ holder: "ann", turn_ends_at: null });
  });

  test("L5: when all fall silent everyone waiting is granted once and the floor ends free", () => {
    const floor = stage({ seats: ["ann", "bob", "cyd", "dan"] });
    floor.say("ann", "hello");
    for (const name of ["bob", "cyd", "dan"]) floor.request(name);
    floor.run(180 + 3 * 60);
    expect(floor.turns.map(({ seat }) => seat)).toEqual(["ann", "bob", "cyd", "dan"]);
    expect(floor.holder).toBeNull();
  });

  test("L1, L2, L3: people get five times the floor's values", () => {
    const floor = stage({ seats: ["ann", "p.pia"] });
    floor.say("ann", "hello", { pass: { to: "p.pia" } });
    floor.tick(299);
    expect(floor.turn?.answer_by).not.toBeNull();
    floor.hear("p.pia");
    floor.tick(600);
    expect(floor.holder).toBe("p.pia");
    floor.tick(1);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "p.pia", ended: "silent" });
  });

  test("T1: an offer is held from the seat's first act; its hold runs from the grant all the same", () => {
    const floor = stage();
    floor.say("ann", "hello", { pass: { to: "bob" } });
    floor.tick(50);
    expect(floor.hear("bob")).toMatchObject({ what: "your_turn" });
    expect(floor.facts("acknowledged")).toHaveLength(1);
    floor.tick(129);
    expect(floor.holder).toBe("bob");
    floor.tick(1);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "bob", ended: "silent" });
  });

  test("T1: the holder is warned once, 30 s before the nearest deadline, and again after a renewal", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.run(149);
    expect(floor.facts("warning")).toHaveLength(0);
    floor.run(1);
    expect(floor.facts("warning")).toMatchObject([{ to: "ann", member: null, data: { turn: 1 } }]);
    floor.run(10);
    expect(floor.facts("warning")).toHaveLength(1);
    expect(floor.hear("ann")).toMatchObject({ what: "your_turn", warned: true });
    expect(floor.hear("ann")).toMatchObject({ what: "your_turn", warned: false });
    floor.keep("ann");
    floor.run(150);
    expect(floor.facts("warning")).toHaveLength(2);
  });

  test("T1: with a short hold the warning comes a quarter of it before the end", () => {
    const floor = stage({ hold_seconds: 20 });
    floor.request("ann");
    floor.run(14);
    expect(floor.facts("warning")).toHaveLength(0);
    floor.run(1);
    expect(floor.facts("warning")).toHaveLength(1);
  });

  test("N8: a request is cancelled 15 minutes after its seat's last act", () => {
    const floor = stage({ hold_seconds: 7200, max_turn_seconds: 0 });
    floor.say("ann", "a long one");
    floor.request("bob");
    floor.tick(800);
    floor.hear("bob");
    floor.tick(899);
    expect(floor.queue).toEqual(["bob"]);
    floor.tick(1);
    expect(floor.queue).toEqual([]);
    expect(floor.facts("request_lapsed")).toMatchObject([{ to: "bob", member: null }]);
  });

  test("T3: a jump, a suspend or an outage costs the holder at most 5 s of its hold, and adds none", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("bob");
    floor.tick(100);
    floor.jump(8 * 3600);
    expect(floor.holder).toBe("ann");
    floor.tick(74);
    expect(floor.holder).toBe("ann");
    floor.tick(1);
    expect(floor.holder).toBe("bob");
    expect(floor.queue).toEqual([]);
  });

  test("T3: a wall clock that goes back stops the floor's time and never turns it back", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.tick(100);
    floor.view();
    floor.jump(-3600);
    floor.view();
    floor.tick(79);
    expect(floor.holder).toBe("ann");
    floor.tick(1);
    expect(floor.holder).toBeNull();
  });
});
