import { describe, expect, test } from "vitest";
import { agent, refusal, stage } from "./stage.ts";

describe("asking and passing", () => {
  test("R1: free and nobody waiting: granted and held", () => {
    const floor = stage();
    expect(floor.request("ann")).toEqual({ granted: true });
    expect(floor.turn).toMatchObject({ seat: "ann", number: 1, answer_by: null, why: "request" });
  });

  test("R1: held by the caller: the same turn with what is left", () => {
    const floor = stage();
    floor.request("ann");
    const turn = floor.turn;
    floor.tick(50);
    expect(floor.request("ann")).toEqual({ granted: true });
    expect(floor.turn).toEqual(turn);
  });

  test("R1: queued already: it keeps its place, urgency and purpose are updated", () => {
    const floor = stage({ seats: ["ann", "bob", "cyd", "dan"] });
    floor.request("ann");
    for (const name of ["bob", "cyd", "dan"]) floor.request(name);
    expect(floor.request("cyd", "high", "a bug")).toMatchObject({ wait: { position: 1 } });
    expect(floor.view().queue).toMatchObject([{ seat: "cyd", urgency: "high", purpose: "a bug" }, {}, {}]);
    floor.request("cyd", "normal");
    expect(floor.view().queue).toMatchObject([{ seat: "bob" }, { seat: "cyd", purpose: "a bug" }, { seat: "dan" }]);
  });

  test("R1: an interrupted seat keeps its slot, at position 1", () => {
    const floor = stage();
    floor.request("ann");
    floor.request("bob", "high");
    floor.take("lea");
    expect(floor.request("ann")).toMatchObject({ granted: false, wait: { position: 1, at_most_turns: 1 } });
    expect(floor.stored.standings.get("ann")?.request).toBeNull();
    expect(floor.queue).toEqual(["ann", "bob"]);
  });

  test("R1: moderated: pending; paused: queued", () => {
    const moderated = stage({ mode: "moderated" });
    expect(moderated.request("ann")).toMatchObject({ granted: false, wait: { position: 1, at_most_turns: null } });
    const paused = stage();
    paused.pause("lea");
    expect(paused.request("ann")).toMatchObject({ granted: false, wait: { position: 1 } });
    paused.resume("lea");
    expect(paused.holder).toBe("ann");
  });

  test("R1: urgency never beats a saturated request, and addressed counts as high", () => {
    const floor = stage({ seats: ["ann", "bob", "cyd", "dan"] });
    floor.say("ann", "hello");
    floor.request("dan", "low");
    floor.pass("ann", "bob");
    floor.request("cyd", "high");
    floor.pass("bob", "ann");
    expect(floor.holder).toBe("dan");
    expect(floor.view().queue).toMatchObject([
      { seat: "cyd", urgency: "high" },
      { seat: "ann", urgency: "high" },
    ]);
  });

  test("R1: without seat or operator's right, or on a closed floor, it is refused", () => {
    const floor = stage();
    floor.set("zoe", agent);
    expect(refusal(() => floor.request("zoe")).code).toBe("FORBIDDEN");
    expect(refusal(() => floor.request("obi")).code).toBe("FORBIDDEN");
    floor.close("lea");
    expect(refusal(() => floor.request("ann")).code).toBe("CLOSED");
  });

  test("R2: withdraw drops request and slot, never a hold", () => {
    const floor = stage();
    floor.request("ann");
    floor.request("bob");
    floor.withdraw("bob");
    floor.withdraw("ann");
    expect(floor.holder).toBe("ann");
    expect(floor.queue).toEqual([]);
    floor.take("lea");
    floor.withdraw("ann");
    expect(floor.view().resume).toEqual([]);
    floor.pass("lea", "");
    expect(floor.holder).toBeNull();
  });

  test("R10: unknown, self, observer: INVALID_TARGET with the live seats, and the floor is kept", () => {
    const floor = stage();
    floor.set("cyd", { heard: false });
    floor.request("ann");
    for (const to of ["nobody", "ann", "obi"]) {
      const refused = refusal(() => floor.pass("ann", to));
      expect(refused.toJSON(), to).toMatchObject({ code: "INVALID_TARGET", seats: ["bob"], asleep: [] });
    }
    expect(floor.holder).toBe("ann");
  });

  test("R10: a seat that is still to come, or that an operator grants the floor, has at most 30 s to answer", () => {
    for (const offer of ["pass", "grant"] as const) {
      const floor = stage();
      floor.set("cyd", { heard: false, gone: offer === "grant" });
      floor.request("ann");
      if (offer === "pass") floor.pass("ann", "cyd");
      else floor.grant("lea", "cyd");
      expect(floor.turn?.answer_by).toBe(30_000);
      floor.tick(30);
      expect(floor.turns.at(-1)).toMatchObject({ seat: "cyd", ended: "no_answer" });
    }
  });

  test("R10: a pass to a seat that is gone goes to the next, and says so", () => {
    const floor = stage();
    floor.set("bob", { heard: false, gone: true });
    floor.request("ann");
    expect(floor.pass("ann", "bob")).toBe("bob");
    expect(floor.holder).toBe("cyd");
    expect(floor.facts("passed_over")).toMatchObject([{ to: "bob", data: { seat: "bob", by: "ann" } }]);
    floor.pass("cyd", "");
    expect(floor.say("ann", "and now", { pass: { to: "bob" } }).passedOver).toBe("bob");
    expect(floor.holder).toBe("cyd");
    // Where nobody else is there the floor is free.
    floor.set("cyd", { heard: false, gone: true });
    floor.pass("cyd", "");
    floor.request("ann");
    expect(floor.pass("ann", "bob")).toBe("bob");
    expect(floor.holder).toBeNull();
  });

  test("R10: an operator outside the order may be named", () => {
    const floor = stage();
    floor.request("ann");
    floor.pass("ann", "olga");
    expect(floor.holder).toBe("olga");
  });

  test("R10: by another NOT_HOLDER, by the last holder STALE_TURN with why", () => {
    const floor = stage();
    expect(refusal(() => floor.pass("bob")).code).toBe("NOT_HOLDER");
    floor.request("ann");
    expect(refusal(() => floor.pass("bob")).toJSON()).toMatchObject({ code: "NOT_HOLDER", holder: "ann" });
    floor.tick(200);
    expect(refusal(() => floor.pass("ann")).toJSON()).toMatchObject({ code: "STALE_TURN", ended: "silent" });
    expect(refusal(() => floor.keep("ann")).code).toBe("STALE_TURN");
  });

  test("R11: keep_floor renews the hold of the holder only", () => {
    const floor = stage();
    floor.request("ann");
    floor.tick(170);
    floor.keep("ann");
    expect(floor.turn?.speak_by).toBe(350_000);
    expect(refusal(() => floor.keep("bob")).code).toBe("NOT_HOLDER");
  });

  test("R14: a holder that leaves ends its turn and the successor speaks; coming back revives nothing", () => {
    const floor = stage();
    floor.request("ann");
    floor.request("bob");
    floor.request("cyd");
    floor.leave("cyd");
    expect(floor.queue).toEqual(["bob"]);
    floor.leave("ann");
    expect(floor.turns.at(-1)).toMatchObject({ seat: "ann", ended: "left" });
    expect(floor.holder).toBe("bob");
    floor.set("cyd", {});
    floor.set("ann", {});
    expect(floor.queue).toEqual([]);
    expect(floor.view().resume).toEqual([]);
  });

  test("R14: who was made observer loses turn, request and slot", () => {
    const floor = stage();
    floor.request("ann");
    floor.take("lea");
    floor.set("ann", { rank: "listener" });
    expect(floor.view().resume).toEqual([]);
    floor.set("lea", { rank: "listener" });
    expect(floor.holder).toBeNull();
    expect(floor.turns.at(-1)).toMatchObject({ seat: "lea", ended: "left" });
  });

  test("R15: reordering and joining keep holder, queue and slots by identity, and change later choices", () => {
    const floor = stage();
    floor.request("ann");
    floor.take("lea");
    floor.request("bob");
    floor.set("dan", agent);
    floor.open("lea", { seats: ["dan", "cyd", "bob", "ann"] });
    expect(floor.turn).toMatchObject({ seat: "lea", number: 2 });
    expect(floor.queue).toEqual(["ann", "bob"]);
    floor.pass("lea");
    floor.pass("ann");
    floor.pass("bob");
    expect(floor.holder).toBe("ann");
    floor.pass("ann");
    expect(floor.holder).toBe("dan");
  });

  test("R14, R15: who is taken out of the seats leaves, operators apart", () => {
    const floor = stage({ seats: ["ann", "bob", "olga"] });
    floor.request("ann");
    floor.request("bob");
    floor.open("lea", { seats: ["bob", "olga"] });
    expect(floor.stored.turn).toMatchObject({ seat: "bob", number: 2 });
    expect(floor.turns.at(-1)).toMatchObject({ seat: "ann", ended: "left" });
    expect(floor.holder).toBe("bob");
    floor.pass("bob", "olga");
    floor.open("lea", { seats: ["bob"] });
    expect(floor.holder).toBe("olga");
  });
});
