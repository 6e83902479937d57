import { describe, expect, test } from "vitest";
import { agent, refusal, stage } from "./stage.ts";

describe("operators", () => {
  test("R12: take grants a free floor and interrupts another's turn; the interrupted goes on afterwards", () => {
    const floor = stage();
    floor.take("lea");
    expect(floor.turn).toMatchObject({ seat: "lea", why: "take", answer_by: null });
    floor.pass("lea", "");
    floor.request("ann");
    floor.tick(100);
    floor.take("olga");
    expect(floor.turns.at(-1)).toMatchObject({ seat: "ann", ended: "preempted" });
    floor.tick(50);
    floor.pass("olga");
    expect(floor.turn).toMatchObject({ seat: "ann", why: "resume", number: 4 });
    expect(floor.turn).toMatchObject({ answer_by: 210_000, speak_by: 330_000, end_by: 650_000 });
  });

  test("R12: resumed, a seat has at least one hold, even if its turn limit was nearly reached", () => {
    const floor = stage({ max_turn_seconds: 200 });
    floor.request("ann");
    floor.tick(150);
    floor.take("lea");
    floor.pass("lea");
    expect(floor.turn).toMatchObject({ seat: "ann", speak_by: 330_000, end_by: 330_000 });
  });

  test("R12: a turn that was taken has no resume slot; one's own turn is not taken again", () => {
    const floor = stage();
    floor.take("lea");
    floor.take("lea");
    expect(floor.turn?.number).toBe(1);
    floor.take("olga");
    expect(floor.view().resume).toEqual([]);
  });

  test("R12: an agent cannot take, revoke, grant past, pause or close a person's turn; a person can", () => {
    const floor = stage();
    floor.set("omar", { person: true, rank: "operator" });
    floor.take("olga");
    for (const call of [
      () => floor.take("lea"),
      () => floor.revoke("lea"),
      () => floor.grant("lea", "ann"),
      () => floor.pause("lea"),
      () => floor.close("lea"),
    ])
      expect(refusal(call).code).toBe("OUTRANKED");
    expect(floor.holder).toBe("olga");
    floor.take("omar");
    expect(floor.holder).toBe("omar");
  });

  test("R12, R13: by one who is no operator: FORBIDDEN, naming the operators", () => {
    const floor = stage();
    for (const call of [
      () => floor.take("ann"),
      () => floor.grant("ann", "bob"),
      () => floor.revoke("ann"),
      () => floor.deny("ann", "bob"),
      () => floor.pause("ann"),
      () => floor.resume("ann"),
      () => floor.close("ann"),
      () => floor.open("ann"),
    ])
      expect(refusal(call).toJSON()).toMatchObject({ code: "FORBIDDEN", operators: ["lea", "olga"] });
  });

  test("R12: an agent named when the floor was opened is an operator of it", () => {
    const floor = stage({ operators: ["bob"] });
    floor.take("bob");
    expect(floor.holder).toBe("bob");
    expect(floor.view().operators).toEqual(["bob", "lea", "olga"]);
    floor.open("lea", { operators: [] });
    expect(refusal(() => floor.take("bob")).code).toBe("FORBIDDEN");
  });

  test("R13: grant offers the floor to another seat, interrupting who holds", () => {
    const floor = stage();
    floor.request("ann");
    floor.grant("lea", "bob");
    expect(floor.turn).toMatchObject({ seat: "bob", why: "grant", giver: "lea" });
    expect(floor.turn?.answer_by).not.toBeNull();
    expect(floor.view().resume).toEqual(["ann"]);
    floor.grant("lea", "bob");
    expect(floor.turn?.number).toBe(2);
    expect(refusal(() => floor.grant("lea", "obi")).code).toBe("INVALID_TARGET");
  });

  test("R13: granting oneself is taking", () => {
    const floor = stage();
    floor.grant("lea", "lea");
    expect(floor.turn).toMatchObject({ seat: "lea", why: "take", answer_by: null });
  });

  test("R13: revoke ends the turn without a slot; on a free floor it changes nothing", () => {
    const floor = stage();
    floor.request("ann");
    floor.request("bob");
    floor.revoke("lea");
    expect(floor.turns.at(-1)).toMatchObject({ seat: "ann", ended: "revoked" });
    expect(floor.view()).toMatchObject({ resume: [], holder: "bob" });
    floor.pass("bob", "");
    const before = floor.log.length;
    floor.revoke("lea");
    expect(floor.log).toHaveLength(before);
  });

  test("R13: deny drops a request and tells the seat why, once", () => {
    const floor = stage({ mode: "moderated" });
    floor.request("ann");
    floor.deny("lea", "ann", "after the break");
    expect(floor.queue).toEqual([]);
    expect(floor.facts("denied")).toMatchObject([{ to: "ann" }]);
    expect(floor.hear("ann")).toEqual({ what: "denied", by: "lea", reason: "after the break" });
    expect(floor.hear("ann")).toBeNull();
    expect(refusal(() => floor.deny("lea", "ann")).code).toBe("NOT_FOUND");
  });

  test("R16: in a pause the clocks stand still and go on with what was left", () => {
    const floor = stage();
    floor.request("ann");
    floor.request("bob");
    floor.tick(100);
    floor.pause("lea");
    floor.tick(5000);
    expect(floor.view()).toMatchObject({ holder: "ann", status: "paused", lapses_at: null });
    floor.resume("lea");
    expect(floor.queue).toEqual(["bob"]);
    floor.tick(79);
    expect(floor.holder).toBe("ann");
    floor.tick(1);
    expect(floor.holder).toBe("bob");
  });

  test("R16: in a pause only interjections, requests, withdrawals and a pass work; all else is PAUSED", () => {
    const floor = stage();
    floor.request("ann");
    floor.pause("lea");
    for (const call of [
      () => floor.say("ann", "hello"),
      () => floor.keep("ann"),
      () => floor.take("lea"),
      () => floor.grant("lea", "bob"),
      () => floor.revoke("lea"),
      () => floor.deny("lea", "bob"),
      () => floor.pause("lea"),
    ])
      expect(refusal(call).code).toBe("PAUSED");
    floor.say("lea", "a break");
    floor.request("bob");
    floor.withdraw("bob");
    floor.request("cyd");
    floor.open("lea", { hold_seconds: 60 });
    floor.pass("ann", "bob");
    expect(floor.view()).toMatchObject({ holder: null, status: "paused" });
    floor.resume("lea");
    expect(floor.turn).toMatchObject({ seat: "bob", why: "pass", giver: "ann" });
    expect(floor.queue).toEqual(["cyd"]);
  });

  test("R16: after a pass in a pause none is granted by rotation", () => {
    for (const mode of ["open", "round_robin"] as const) {
      const floor = stage({ mode });
      floor.request("ann");
      floor.pause("lea");
      floor.pass("ann");
      floor.resume("lea");
      expect(floor.holder).toBeNull();
    }
  });

  test("R16: a person who holds and paused may still put in a word", () => {
    const floor = stage();
    floor.take("olga");
    floor.pause("olga");
    expect(floor.say("olga", "back at two").utterance).toMatchObject({ kind: "interjection", turn: null });
  });

  test("R16: closing ends all; opening again goes on with the numbers and starts afresh", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("bob");
    floor.take("lea");
    floor.close("lea");
    expect(floor.view()).toMatchObject({ status: "closed", holder: null, queue: [], resume: [] });
    expect(floor.turns.at(-1)).toMatchObject({ seat: "lea", ended: "closed" });
    expect(refusal(() => floor.close("lea")).code).toBe("CLOSED");
    floor.set("dan", agent);
    floor.open("lea", { seats: ["dan", "bob"] });
    floor.request("dan");
    expect(floor.turn?.number).toBe(3);
    expect(floor.say("dan", "again").utterance.id).toBe(2);
    expect(refusal(() => floor.request("ann")).code).toBe("FORBIDDEN");
  });

  test("R16: settings that are not given again stay as they were", () => {
    const floor = stage({ hold_seconds: 50, mode: "round_robin" });
    floor.open("lea", { ack_seconds: 20 });
    expect(floor.view()).toMatchObject({ hold_seconds: 50, ack_seconds: 20, mode: "round_robin" });
  });

  test("R15: a moderated floor that is opened serves who waits", () => {
    const floor = stage({ mode: "moderated" });
    floor.request("ann");
    floor.request("bob");
    floor.open("lea", { mode: "open" });
    expect(floor.stored.turn?.seat).toBe("ann");
    expect(floor.holder).toBe("ann");
    expect(floor.queue).toEqual(["bob"]);
  });

  test("R16: seats and operators must be in the room and able to speak, each once", () => {
    const floor = stage();
    expect(refusal(() => floor.open("lea", { seats: ["ann", "zoe", "obi"] })).toJSON()).toMatchObject({
      code: "INVALID_TARGET",
      invalid: ["zoe", "obi"],
    });
    expect(refusal(() => floor.open("lea", { operators: ["zoe"] })).code).toBe("INVALID_TARGET");
    expect(refusal(() => floor.open("lea", { seats: ["ann", "ann"] })).code).toBe("BAD_INPUT");
  });

  test("R17: paused, closed and quiescent are told once to each who waits", () => {
    const floor = stage();
    floor.request("ann");
    floor.pause("lea");
    expect(floor.hear("ann")).toEqual({ what: "paused" });
    expect(floor.hear("ann")).toBeNull();
    expect(floor.hear("bob")).toEqual({ what: "paused" });
    floor.resume("lea");
    expect(floor.hear("cyd")).toBeNull();
    expect(floor.hear("ann")).toMatchObject({ what: "your_turn" });
    floor.pass("ann", "bob");
    floor.pass("bob", "cyd");
    floor.pass("cyd");
    expect(floor.hear("bob")).toEqual({ what: "quiescent" });
    floor.close("lea");
    expect(floor.hear("bob")).toEqual({ what: "closed" });
    expect(floor.hear("bob")).toBeNull();
    expect(floor.hear("olga")).toEqual({ what: "closed" });
    expect(floor.hear("olga")).toBeNull();
  });

  test("R17: a wait that is open at the grant answers the offer when it returns", () => {
    const floor = stage();
    floor.say("ann", "hello", { pass: { to: "bob" } });
    expect(floor.view()).toMatchObject({ holder: "bob", offered: true });
    expect(floor.overhear("bob")).toMatchObject({ what: "your_turn", turn: { number: 2, why: "pass" } });
    expect(floor.view()).toMatchObject({ holder: "bob", offered: false });
  });

  test("R18: a look shows who may speak now, and why not", () => {
    const floor = stage();
    expect(floor.view("ann")).toMatchObject({ can_speak: true });
    floor.say("ann", "hello");
    expect(floor.view("ann")).toMatchObject({ can_speak: true });
    expect(floor.view("bob")).toMatchObject({ can_speak: false, why_not: "ann holds the floor." });
    expect(floor.view("obi")).toMatchObject({ can_speak: false });
    expect(floor.view("lea")).toMatchObject({ can_speak: true });
    floor.pause("lea");
    expect(floor.view("ann")).toMatchObject({ can_speak: false, why_not: "The floor is paused." });
    expect(floor.view()).not.toHaveProperty("can_speak");
  });

  test("R19: every refusal says what to call next", () => {
    const floor = stage();
    floor.say("ann", "hello");
    for (const call of [
      () => floor.say("bob", "me"),
      () => floor.say("obi", "me"),
      () => floor.pass("bob"),
      () => floor.pass("ann", "zoe"),
      () => floor.take("bob"),
      () => floor.say("ann", "late", { turn: 7 }),
      () => floor.say("ann", "more", { addressed_to: "zoe" }),
      () => floor.say("ann", " "),
      () => floor.say("ann", "x".repeat(4001)),
      () => floor.open("lea", { seats: [] }),
      () => floor.open("lea", { seats: ["ann", "ann"] }),
    ]) {
      const { next } = refusal(call).facts;
      expect(next).toHaveProperty("call");
    }
  });
});
