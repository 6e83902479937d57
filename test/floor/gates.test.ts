import { describe, expect, test } from "vitest";
import { type Stage, stage } from "./stage.ts";

/** A gate of a member in the room is asked, or over. */
const asks = (floor: Stage, name: string, pending = true) => floor.change(name, { asks: pending });

describe("a gate of the holder", () => {
  test("R20: it stops hold and turn limit; answered, they go on with what was left", () => {
    const floor = stage({ max_turn_seconds: 300 });
    floor.request("ann");
    floor.tick(100);
    asks(floor, "ann");
    expect(floor.facts("waits_for_person")).toMatchObject([{ data: { turn: 1, seat: "ann" } }]);
    expect(floor.view()).toMatchObject({ holder: "ann", waits_for_person: true, turn_ends_at: null });
    floor.tick(500);
    asks(floor, "ann", false);
    expect(floor.facts("goes_on")).toHaveLength(1);
    floor.tick(79);
    expect(floor.holder).toBe("ann");
    floor.keep("ann");
    floor.tick(120);
    expect(floor.holder).toBe("ann");
    floor.tick(1);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "ann", ended: "too_long", asked: 500_000 });
  });

  test("R20: an acknowledgement that is still owed stands still too", () => {
    const floor = stage();
    asks(floor, "bob");
    floor.say("ann", "bob?", { pass: { to: "bob" } });
    floor.tick(200);
    expect(floor.view()).toMatchObject({ holder: "bob", offered: true });
    asks(floor, "bob", false);
    floor.tick(59);
    expect(floor.holder).toBe("bob");
    floor.tick(1);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "bob", ended: "no_answer" });
  });

  test("R20, N8: of a seat that has died since it asked an offer ends in its time, and twice left it is away", () => {
    const floor = stage({ ack_seconds: 10, gate_pause_seconds: 30 });
    asks(floor, "bob");
    for (let n = 0; n < 2; n++) {
      floor.say("ann", "bob?", { pass: { to: "bob" } });
      expect(floor.view()).toMatchObject({ holder: "bob", waits_for_person: true });
      floor.run(31);
      expect(floor.turns.at(-1)).toMatchObject({ seat: "bob", ended: "waiting_for_person" });
    }
    expect(floor.view().seats).toContainEqual({ seat: "bob", presence: "away" });
    // The answer gives nothing to one who sleeps; awake, it goes on.
    asks(floor, "bob", false);
    expect(floor.view()).toMatchObject({ holder: null, resume: [] });
    floor.hear("bob");
    expect(floor.turn).toMatchObject({ seat: "bob", why: "resume" });
    const gone = stage({ ack_seconds: 10 });
    asks(gone, "bob");
    gone.set("bob", { heard: false });
    gone.say("ann", "bob?", { pass: { to: "bob" } });
    gone.run(11);
    expect(gone.turns.at(-1)).toMatchObject({ seat: "bob", ended: "no_answer" });
  });

  test("R20: at most gate_pause_seconds a turn, whatever number of gates; then the successor speaks", () => {
    const floor = stage({ gate_pause_seconds: 300 });
    floor.request("ann");
    floor.request("bob");
    floor.tick(10);
    asks(floor, "ann");
    floor.tick(200);
    asks(floor, "ann", false);
    floor.tick(10);
    asks(floor, "ann");
    floor.tick(99);
    expect(floor.holder).toBe("ann");
    floor.tick(1);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "ann", ended: "waiting_for_person" });
    expect(floor.holder).toBe("bob");
  });

  test("R20: the answer gives that seat a resume slot, with what was left", () => {
    const floor = stage({ gate_pause_seconds: 60 });
    floor.request("ann");
    floor.tick(100);
    asks(floor, "ann");
    floor.request("bob");
    floor.tick(60);
    expect(floor.holder).toBe("bob");
    floor.request("cyd", "high");
    floor.request("ann");
    asks(floor, "ann", false);
    expect(floor.view()).toMatchObject({ resume: ["ann"], queue: [{ seat: "cyd", position: 2 }] });
    floor.pass("bob");
    expect(floor.turn).toMatchObject({ seat: "ann", why: "resume", end_by: 660_000 });
  });

  test("R20: who withdrew, left, spoke again or saw the floor closed is owed nothing", () => {
    const undo: Array<[string, (floor: Stage) => void]> = [
      ["withdrew", (floor) => floor.withdraw("ann")],
      ["left", (floor) => floor.leave("ann")],
      ["spoke", (floor) => floor.grant("lea", "ann")],
      ["closed", (floor) => floor.close("lea")],
    ];
    for (const [why, how] of undo) {
      const floor = stage({ gate_pause_seconds: 60 });
      floor.request("ann");
      asks(floor, "ann");
      floor.request("bob");
      floor.tick(60);
      how(floor);
      if (why === "spoke") floor.pass("ann", "");
      floor.set("ann", { asks: false });
      expect(floor.view().resume, why).not.toContain("ann");
    }
  });

  test("R20: on a free floor the answer brings the seat its turn at once", () => {
    const floor = stage({ gate_pause_seconds: 60 });
    floor.request("ann");
    asks(floor, "ann");
    floor.tick(60);
    expect(floor.holder).toBeNull();
    asks(floor, "ann", false);
    expect(floor.turn).toMatchObject({ seat: "ann", why: "resume" });
  });

  test("R20: gates of others, and a pause of 0 s, stop nothing", () => {
    const floor = stage({ gate_pause_seconds: 0 });
    floor.request("ann");
    asks(floor, "bob");
    asks(floor, "ann");
    expect(floor.view()).toMatchObject({ waits_for_person: false });
    floor.tick(180);
    expect(floor.turns.at(-1)).toMatchObject({ seat: "ann", ended: "silent" });
  });

  test("R20: what the holder says while its gate is pending renews a whole hold, no more", () => {
    const floor = stage();
    floor.request("ann");
    asks(floor, "ann");
    floor.tick(100);
    floor.say("ann", "meanwhile");
    floor.tick(100);
    asks(floor, "ann", false);
    floor.tick(179);
    expect(floor.holder).toBe("ann");
    floor.tick(1);
    expect(floor.holder).toBeNull();
  });

  test("R16, R20: who asked a person while the floor was paused has its turn stand still from its first moment", () => {
    const floor = stage();
    floor.pause("lea");
    floor.request("ann");
    asks(floor, "ann");
    floor.resume("lea");
    // Nobody looks again until the offer would have run out.
    expect(floor.stored.turn).toMatchObject({ seat: "ann", asks_since: floor.stored.clock.time });
    floor.tick(60);
    expect(floor.view()).toMatchObject({ holder: "ann", waits_for_person: true });
  });

  test("R16, R20: in a pause a gate costs nothing of the time it may take", () => {
    const floor = stage({ gate_pause_seconds: 60 });
    floor.request("ann");
    asks(floor, "ann");
    floor.tick(30);
    floor.pause("lea");
    floor.tick(1000);
    floor.resume("lea");
    floor.tick(29);
    expect(floor.holder).toBe("ann");
    floor.tick(1);
    expect(floor.turns.at(-1)).toMatchObject({ ended: "waiting_for_person" });
  });
});
