import { describe, expect, test } from "vitest";
import { refusal, stage } from "./stage.ts";

describe("who is next", () => {
  test("N1: a seat named by the holder speaks next, as an offer, and those who waited are bypassed once", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("cyd");
    floor.pass("ann", "bob");
    expect(floor.turn).toMatchObject({ seat: "bob", number: 2, why: "pass", giver: "ann" });
    expect(floor.turn?.answer_by).not.toBeNull();
    expect(floor.stored.standings.get("cyd")?.request?.bypassed).toBe(1);
  });

  test("N1: once a request is saturated the named seat is queued as addressed and the rule goes on", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("cyd");
    floor.pass("ann", "bob");
    floor.pass("bob", "ann");
    expect(floor.holder).toBe("cyd");
    expect(floor.queue).toEqual(["ann"]);
    expect(floor.stored.standings.get("ann")?.request?.addressed_by).toBe("bob");
    expect(floor.facts("addressed").at(-1)).toMatchObject({ to: "ann", data: { seat: "ann", by: "bob" } });
  });

  test("N1: the saturated seat itself may be named", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("cyd");
    floor.pass("ann", "bob");
    floor.pass("bob", "cyd");
    expect(floor.holder).toBe("cyd");
    expect(floor.queue).toEqual([]);
  });

  test("N1: an operator's named pass goes before slots and saturated requests, and bypasses nobody", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("cyd");
    floor.take("lea");
    floor.pass("lea", "bob");
    expect(floor.holder).toBe("bob");
    expect(floor.stored.standings.get("cyd")?.request?.bypassed).toBe(0);
    expect(floor.view().resume).toEqual(["ann"]);
  });

  test("N1: with another seat's resume slot a seat's named pass only queues", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.grant("lea", "bob");
    floor.pass("bob", "cyd");
    expect(floor.holder).toBe("ann");
    expect(floor.queue).toEqual(["cyd"]);
  });

  test("N1: a named seat that has a slot already is not queued besides", () => {
    const floor = stage({ seats: ["ann", "bob", "cyd"] });
    floor.say("ann", "hello");
    floor.grant("lea", "bob");
    floor.grant("lea", "cyd");
    expect(floor.view().resume).toEqual(["bob", "ann"]);
    floor.pass("cyd", "ann");
    expect(floor.holder).toBe("bob");
    expect(floor.queue).toEqual(["ann"]);
    expect(floor.stored.standings.get("ann")).toMatchObject({ request: null, news: { addressed: { by: "cyd" } } });
  });

  test("N2: the last interrupted speaks first, and before the queue", () => {
    const floor = stage({ seats: ["ann", "bob", "cyd", "dan"] });
    floor.say("ann", "hello");
    floor.request("dan", "high");
    floor.grant("lea", "bob");
    floor.take("olga");
    floor.pass("olga");
    expect(floor.turn).toMatchObject({ seat: "bob", why: "resume" });
    floor.pass("bob");
    expect(floor.turn).toMatchObject({ seat: "ann", why: "resume" });
    floor.pass("ann");
    expect(floor.holder).toBe("dan");
  });

  test("N3: in a moderated floor nobody is next until an operator grants, but an interrupted seat goes on", () => {
    const floor = stage({ mode: "moderated" });
    floor.request("ann");
    expect(floor.holder).toBeNull();
    floor.grant("lea", "ann");
    floor.request("bob");
    floor.pass("ann");
    expect(floor.holder).toBeNull();
    floor.grant("lea", "bob");
    floor.take("lea");
    floor.pass("lea");
    expect(floor.turn).toMatchObject({ seat: "bob", why: "resume" });
  });

  test("N1, N3: in a moderated floor a seat's named pass makes a pending request, an operator's gives the floor", () => {
    const floor = stage({ mode: "moderated" });
    floor.grant("lea", "ann");
    floor.pass("ann", "bob");
    expect(floor.holder).toBeNull();
    expect(floor.queue).toEqual(["bob"]);
    floor.take("lea");
    floor.pass("lea", "cyd");
    expect(floor.holder).toBe("cyd");
  });

  test("N4: saturated first by arrival, then urgency, then arrival", () => {
    const floor = stage({ seats: ["ann", "bob", "cyd", "dan", "eve", "fay"] });
    floor.say("ann", "hello");
    floor.request("bob", "low");
    floor.request("cyd");
    floor.request("dan", "high");
    floor.request("eve", "high");
    floor.request("fay");
    expect(floor.queue).toEqual(["dan", "eve", "cyd", "fay", "bob"]);
    floor.pass("ann");
    expect(floor.holder).toBe("dan");
    expect(floor.queue).toEqual(["bob", "cyd", "eve", "fay"]);
  });

  test("N5: a pass to nobody serves who waits, else the floor is free in every mode", () => {
    for (const mode of ["open", "round_robin", "moderated"] as const) {
      const floor = stage({ mode });
      floor.grant("lea", "ann");
      floor.say("ann", "hello");
      floor.pass("ann", "");
      expect(floor.holder).toBeNull();
    }
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("cyd");
    floor.pass("ann", "");
    expect(floor.holder).toBe("cyd");
  });

  test("N6: in an open floor a pass without a name goes to the next live seat after the passer, around the end", () => {
    const floor = stage();
    floor.set("cyd", { heard: false });
    floor.say("bob", "hello");
    floor.pass("bob");
    expect(floor.turn).toMatchObject({ seat: "ann", why: "rotation" });
  });

  test("N6: in an open floor nobody is made to speak after an expiry, a departure, a revoke or an outsider's pass", () => {
    const ends: Array<(floor: ReturnType<typeof stage>) => void> = [
      (floor) => floor.tick(180),
      (floor) => floor.leave("ann"),
      (floor) => floor.revoke("lea"),
    ];
    for (const ending of ends) {
      const floor = stage();
      floor.say("ann", "hello");
      ending(floor);
      expect(floor.holder).toBeNull();
    }
    const floor = stage();
    floor.take("lea");
    floor.pass("lea");
    expect(floor.holder).toBeNull();
  });

  test("N6: in round robin the order goes on after the last of the order, whatever ended the turn", () => {
    const floor = stage({ mode: "round_robin" });
    expect(floor.holder).toBeNull();
    floor.say("ann", "hello", { pass: { to: undefined } });
    expect(floor.holder).toBe("bob");
    floor.hear("bob");
    floor.tick(180);
    expect(floor.holder).toBe("cyd");
    floor.say("cyd", "hello");
    floor.revoke("lea");
    expect(floor.holder).toBe("ann");
    floor.say("ann", "more");
    floor.leave("ann");
    expect(floor.holder).toBe("bob");
  });

  test("N6: in round robin an operator outside the order does not shift it", () => {
    const floor = stage({ mode: "round_robin" });
    floor.say("ann", "hello", { pass: { to: "" } });
    floor.take("lea");
    floor.pass("lea");
    expect(floor.holder).toBe("bob");
  });

  test("N7: takes, resumes and grants bypass nobody", () => {
    const floor = stage({ seats: ["ann", "bob", "cyd", "dan"] });
    floor.say("ann", "hello");
    floor.request("dan");
    floor.take("lea");
    floor.grant("olga", "bob");
    floor.pass("bob");
    expect(floor.holder).toBe("ann");
    expect(floor.stored.standings.get("dan")?.request?.bypassed).toBe(0);
  });

  test("N7: a waiting seat is told the turns it waits at most: those ahead, one, and the bypasses", () => {
    const floor = stage({ seats: ["ann", "bob", "cyd", "dan"], max_bypass: 2 });
    floor.say("ann", "hello");
    expect(floor.request("bob")).toMatchObject({ granted: false, wait: { position: 1, at_most_turns: 3 } });
    expect(floor.request("cyd")).toMatchObject({ granted: false, wait: { position: 2, at_most_turns: 4 } });
    // More urgent, so ahead now; but who came earlier may be bypassed into going first.
    expect(floor.request("dan", "high")).toMatchObject({ wait: { position: 1, at_most_turns: 5 } });
  });

  test("N8: two unanswered offers in a row make a seat away; it is skipped until it acts", () => {
    const floor = stage({ mode: "round_robin" });
    floor.say("ann", "hello", { pass: { to: undefined } });
    floor.tick(60);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "bob", ended: "no_answer" });
    floor.say("cyd", "hi", { pass: { to: "" } });
    floor.say("ann", "again", { pass: { to: "bob" } });
    floor.tick(60);
    expect(floor.facts("away")).toHaveLength(1);
    expect(floor.view().seats).toContainEqual({ seat: "bob", presence: "away" });
    floor.say("cyd", "hi", { pass: { to: undefined } });
    floor.say("ann", "hi", { pass: { to: undefined } });
    expect(floor.holder).toBe("cyd");
    floor.request("bob");
    expect(floor.facts("returned")).toHaveLength(1);
    floor.pass("cyd");
    expect(floor.holder).toBe("bob");
  });

  test("N8: an answered offer in between starts the count anew", () => {
    const floor = stage();
    const offerToBob = () => {
      floor.say("ann", "you?", { pass: { to: "bob" } });
    };
    offerToBob();
    floor.tick(60);
    offerToBob();
    floor.hear("bob");
    floor.tick(200);
    offerToBob();
    floor.tick(60);
    expect(floor.facts("away")).toHaveLength(0);
  });

  test("N9: when every live seat ended a turn unspoken the conversation has ended by itself", () => {
    const floor = stage({ mode: "round_robin" });
    floor.say("ann", "hello", { pass: { to: undefined } });
    floor.pass("bob");
    floor.pass("cyd");
    expect(floor.facts("quiescent")).toHaveLength(0);
    floor.pass("ann");
    expect(floor.facts("quiescent")).toHaveLength(1);
    expect(floor.holder).toBeNull();
    floor.request("bob");
    floor.pass("bob");
    expect(floor.holder).toBeNull();
    expect(floor.facts("quiescent")).toHaveLength(1);
    floor.say("cyd", "one more thing", { pass: { to: undefined } });
    expect(floor.holder).toBe("ann");
  });

  test("N9: a turn that an operator took does not count as unspoken, and an utterance starts anew", () => {
    const floor = stage({ seats: ["ann", "bob"] });
    floor.request("ann");
    floor.take("lea");
    floor.pass("lea", "bob");
    floor.pass("bob", "");
    expect(floor.facts("quiescent")).toHaveLength(0);
    expect(floor.holder).toBe("ann");
    floor.say("lea", "go on");
    floor.pass("ann", "");
    expect(floor.facts("quiescent")).toHaveLength(0);
    floor.request("bob");
    floor.pass("bob");
    expect(floor.facts("quiescent")).toHaveLength(1);
  });

  test("N9: only live seats of the order count", () => {
    const floor = stage();
    floor.set("bob", { heard: false });
    floor.set("cyd", { rank: "listener" });
    floor.request("ann");
    floor.pass("ann");
    expect(floor.facts("quiescent")).toHaveLength(1);
  });

  test("N8, R10: an away seat cannot be named", () => {
    const floor = stage({ seats: ["ann", "bob"] });
    for (const text of ["one", "two"]) {
      floor.say("ann", text, { pass: { to: "bob" } });
      floor.tick(60);
    }
    floor.request("ann");
    expect(refusal(() => floor.pass("ann", "bob")).toJSON()).toMatchObject({
      code: "INVALID_TARGET",
      asleep: ["bob"],
      seats: [],
    });
  });
});
