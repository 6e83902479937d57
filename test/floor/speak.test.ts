import { describe, expect, test } from "vitest";
import { refusal, type Stage, stage } from "./stage.ts";

describe("speaking", () => {
  test("R3: the holder's words are recorded and renew its hold; it keeps the floor", () => {
    const floor = stage();
    floor.request("ann");
    floor.tick(100);
    const { utterance } = floor.say("ann", "hello", { turn: 1 });
    expect(utterance).toMatchObject({ id: 1, turn: 1, speaker: "ann", kind: "speech", text: "hello" });
    expect(floor.turn?.speak_by).toBe(280_000);
    expect(floor.holder).toBe("ann");
  });

  test("R3: a pass goes with the words, or neither", () => {
    const floor = stage();
    floor.say("ann", "hello", { pass: { to: "bob" } });
    expect(floor.holder).toBe("bob");
    expect(refusal(() => floor.say("bob", "over", { pass: { to: "obi" } })).code).toBe("INVALID_TARGET");
    expect(floor.utterances).toHaveLength(1);
    expect(floor.holder).toBe("bob");
    floor.say("bob", "over", { pass: { to: "" } });
    expect(floor.holder).toBeNull();
  });

  test("R4: on a free floor a seat takes the floor by speaking, and of two exactly one wins", () => {
    const floor = stage();
    expect(floor.say("ann", "mine").utterance).toMatchObject({ id: 1, turn: 1 });
    expect(refusal(() => floor.say("bob", "mine")).code).toBe("NOT_YOUR_TURN");
    expect(floor.utterances).toHaveLength(1);
    expect(floor.turn).toMatchObject({ seat: "ann", why: "say", answer_by: null });
  });

  test("R4: not in a moderated floor, nor while paused, nor when closed", () => {
    const floor = stage({ mode: "moderated" });
    expect(refusal(() => floor.say("ann", "hello")).code).toBe("NOT_YOUR_TURN");
    floor.pause("lea");
    expect(refusal(() => floor.say("ann", "hello")).code).toBe("PAUSED");
    floor.close("lea");
    expect(refusal(() => floor.say("ann", "hello")).code).toBe("CLOSED");
    expect(refusal(() => floor.say("lea", "hello")).code).toBe("CLOSED");
  });

  test("R5: while another holds it is refused with the holder, its deadline, the position and what is unread", () => {
    const floor = stage();
    floor.say("ann", "hello");
    floor.request("cyd");
    floor.request("bob");
    expect(refusal(() => floor.say("bob", "me too")).toJSON()).toMatchObject({
      code: "NOT_YOUR_TURN",
      holder: "ann",
      turn: 1,
      lapses_at: "2030-01-01T00:03:00.000Z",
      position: 2,
      at_most_turns: 3,
      unread_after: 0,
      next: { call: "wait_for_floor", channel: "main" },
    });
    expect(refusal(() => floor.say("bob", "me too", { turn: 1 })).code).toBe("NOT_YOUR_TURN");
  });

  test("R5: one who is neither seat nor operator may not speak at all", () => {
    const floor = stage({ seats: ["ann"] });
    floor.set("bob", {});
    for (const name of ["bob", "obi", "nobody"])
      expect(refusal(() => floor.say(name, "hello")).code, name).toBe("FORBIDDEN");
  });

  test("R6: a stale turn is refused with why it ended and from where to read on", () => {
    const floor = stage();
    floor.say("ann", "hello", { pass: { to: "bob" } });
    floor.say("bob", "well", { pass: { to: "" } });
    floor.say("ann", "more");
    expect(refusal(() => floor.say("bob", "late", { turn: 2 })).toJSON()).toMatchObject({
      code: "STALE_TURN",
      ended: "passed",
      holder: "ann",
      unread_after: 2,
      next: { call: "request_floor" },
    });
    expect(refusal(() => floor.say("ann", "late", { turn: 1 })).toJSON()).toMatchObject({
      code: "STALE_TURN",
      turn: 3,
      next: { call: "say" },
    });
    expect(floor.utterances).toHaveLength(3);
  });

  test("R6: the last turn, run out and nobody heard since, is reinstated under a new turn", () => {
    for (const ending of ["silent", "no_answer", "too_long"] as const) {
      const floor = stage({ seats: ["ann", "bob"], max_turn_seconds: ending === "too_long" ? 100 : 600 });
      if (ending === "no_answer") floor.say("ann", "you?", { pass: { to: "bob" } });
      else floor.request("bob");
      const turn = floor.turn?.number ?? 0;
      floor.tick(200);
      expect(floor.turns.at(-1)).toMatchObject({ ended: ending });
      const said = floor.say("bob", "thought it over", { turn });
      expect(said).toMatchObject({ reinstated: true, utterance: { turn: turn + 1, kind: "speech" } });
      expect(floor.turn).toMatchObject({ seat: "bob", number: turn + 1, why: "reinstated" });
    }
  });

  test("R6: never after a revoke or a pass, in a moderated floor, when another came or anybody spoke", () => {
    const late = (floor: Stage) => {
      floor.tick(200);
      expect(floor.holder).toBeNull();
    };
    const spoil: Array<[string, ...Array<(floor: Stage) => void>]> = [
      ["revoke", (floor) => floor.revoke("lea")],
      ["pass", (floor) => floor.pass("ann", "")],
      ["interjection", late, (floor) => floor.say("lea", "anybody?")],
      ["another holds", late, (floor) => floor.request("bob")],
      ["another held", late, (floor) => floor.request("bob"), (floor) => floor.pass("bob", "")],
      ["moderated", (floor) => floor.open("lea", { mode: "moderated" }), late],
      ["paused", late, (floor) => floor.pause("lea")],
    ];
    for (const [why, ...steps] of spoil) {
      const floor = stage();
      floor.request("ann");
      for (const step of steps) step(floor);
      expect(refusal(() => floor.say("ann", "late", { turn: 1 })).code, why).toBe(
        why === "paused" ? "PAUSED" : "STALE_TURN",
      );
      expect(floor.utterances.filter(({ speaker }) => speaker === "ann")).toHaveLength(0);
    }
  });

  test("R6: another's turn that ran out is not one's own", () => {
    const floor = stage();
    floor.request("ann");
    floor.tick(200);
    expect(refusal(() => floor.say("bob", "mine", { turn: 1 })).code).toBe("STALE_TURN");
  });

  test("R7: an operator who does not hold interjects, and nothing moves", () => {
    const floor = stage({ seats: ["ann", "lea"] });
    floor.say("ann", "hello");
    const before = floor.turn;
    floor.tick(10);
    expect(floor.say("olga", "note").utterance).toMatchObject({ turn: null, kind: "interjection", from_person: true });
    expect(floor.say("lea", "note", { turn: 1, pass: { to: "" } }).utterance).toMatchObject({
      turn: null,
      kind: "interjection",
    });
    expect(floor.turn).toEqual(before);
    floor.pass("ann", "");
    expect(floor.say("lea", "still free").utterance.kind).toBe("interjection");
    expect(floor.holder).toBeNull();
    floor.pause("lea");
    expect(floor.say("lea", "in the pause").utterance.kind).toBe("interjection");
  });

  test("R7: an operator that holds speaks in its turn", () => {
    const floor = stage();
    floor.take("lea");
    expect(floor.say("lea", "listen").utterance).toMatchObject({ turn: 1, kind: "speech" });
  });

  test("R9: empty text and text over 4,000 code points are refused, never cut", () => {
    const floor = stage();
    const unseen = [
      " \n\t ",
      "\u200b",
      "\u2800",
      "\u00ad",
      "\u3164",
      "\u115f\u1160",
      "\uffa0 \u2060",
      "\ufe0f",
      "\u{e0100}",
    ];
    for (const text of unseen) expect(refusal(() => floor.say("ann", text)).code, JSON.stringify(text)).toBe("EMPTY");
    expect(refusal(() => floor.say("ann", "a".repeat(4001))).toJSON()).toMatchObject({ code: "TOO_LONG", limit: 4000 });
    const long = "😀".repeat(4000);
    expect(floor.say("ann", long).utterance.text).toBe(long);
  });

  test("R9: if_seen refuses when others have spoken since, one's own words apart", () => {
    const floor = stage();
    floor.say("ann", "one");
    floor.say("ann", "two", { ifSeen: 0 });
    floor.say("lea", "a note");
    expect(refusal(() => floor.say("ann", "three", { ifSeen: 2 })).toJSON()).toMatchObject({
      code: "UNREAD",
      unread_after: 2,
    });
    expect(floor.say("ann", "three", { ifSeen: 3 }).utterance.id).toBe(4);
  });

  test("R17: words addressed to a member wake it and are told once", () => {
    const floor = stage();
    floor.say("ann", "cyd?", { addressed_to: "cyd", expects_reply: true });
    expect(floor.facts("said")).toMatchObject([{ to: "cyd", data: { utterance: 1, addressed_to: "cyd" } }]);
    expect(floor.hear("cyd")).toEqual({ what: "addressed", by: "ann" });
    expect(floor.hear("cyd")).toBeNull();
    expect(refusal(() => floor.say("ann", "who?", { addressed_to: "zoe" })).code).toBe("INVALID_TARGET");
  });
});
