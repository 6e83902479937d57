import { describe, expect, test } from "vitest";
import { wrapUp } from "../../src/floor/wrap-up.ts";
import { agent, refusal, type Stage, stage } from "./stage.ts";

/** Each of these says a word and passes to the next. */
function round(floor: Stage, names: readonly string[], times = 1): void {
  for (let n = 0; n < times; n++)
    for (const name of names) {
      floor.say(name, "words");
      floor.pass(name, "");
    }
}

describe("a cap on turns of agents", () => {
  test("R21: so many turns of agents over all seats, and the floor pauses, whoever they were", () => {
    const floor = stage({ max_agent_turns: 4 });
    round(floor, ["ann", "bob", "ann"]);
    expect(floor.view()).toMatchObject({ status: "open", agent_turns: 3 });
    round(floor, ["cyd"]);
    expect(floor.view()).toMatchObject({ status: "paused", waits_for_word: true, agent_turns: 4 });
    expect(floor.facts("capped")).toMatchObject([{ data: { turns: 4 } }]);
    const refused = refusal(() => floor.say("ann", "more"));
    expect(refused).toMatchObject({ code: "PAUSED", facts: { next: { call: "wait_for_floor" } } });
    expect(refused.message).toContain("4 turns without a person");
  });

  test("R21: a seat that only misses its offers had no turn", () => {
    const floor = stage({ max_agent_turns: 3, ack_seconds: 10 });
    floor.say("ann", "bob?");
    floor.pass("ann", "bob");
    floor.tick(11);
    expect(floor.view()).toMatchObject({ status: "open", agent_turns: 1 });
  });

  test("R21: a word of a person lets agents have as many again, in a turn of its own or between", () => {
    const floor = stage({ seats: ["ann", "bob", "p.pia"], max_agent_turns: 3 });
    round(floor, ["ann", "bob"]);
    floor.say("olga", "go on");
    expect(floor.view()).toMatchObject({ agent_turns: 0 });
    round(floor, ["ann", "bob"]);
    floor.take("p.pia");
    floor.say("p.pia", "and I?");
    floor.pass("p.pia", "");
    expect(floor.view()).toMatchObject({ status: "open", agent_turns: 0 });
    round(floor, ["ann", "bob", "ann"]);
    expect(floor.view()).toMatchObject({ status: "paused" });
    floor.say("olga", "once more");
    expect(floor.view()).toMatchObject({ status: "open", agent_turns: 0, waits_for_word: false });
    expect(floor.facts("cap_lifted")).toHaveLength(1);
  });

  test("R21, R16: requests and a person's words get through, no agent's; the pass that reached it is kept", () => {
    const floor = stage({ max_agent_turns: 1 });
    floor.say("ann", "bob, go on", { pass: { to: "bob" } });
    expect(floor.view()).toMatchObject({ status: "paused", holder: null });
    floor.request("cyd");
    expect(refusal(() => floor.say("lea", "we wait"))).toMatchObject({
      code: "PAUSED",
      facts: { next: { call: "wait_for_floor" } },
    });
    expect(floor.view()).toMatchObject({ status: "paused", queue: [{ seat: "cyd" }] });
    floor.resume("olga");
    expect(floor.turn).toMatchObject({ seat: "bob", why: "pass", giver: "ann" });
  });

  test("R21: rotation goes on where it was", () => {
    const open = stage({ max_agent_turns: 1 });
    open.say("ann", "next", { pass: { to: undefined } });
    expect(open.holder).toBeNull();
    open.resume("olga");
    expect(open.turn).toMatchObject({ seat: "bob", why: "rotation" });
    const round = stage({ max_agent_turns: 1, mode: "round_robin" });
    round.request("bob");
    round.run(200);
    expect(round.view()).toMatchObject({ status: "paused", holder: null });
    round.resume("olga");
    expect(round.turn).toMatchObject({ seat: "cyd", why: "rotation" });
  });

  test("R21: no agent lets it go on: not by resume, opening, closing and opening again, taking, or a higher limit", () => {
    const floor = stage({ max_agent_turns: 2 });
    round(floor, ["ann"]);
    floor.request("bob");
    expect(refusal(() => floor.take("lea"))).toMatchObject({ code: "PAUSED" });
    expect(refusal(() => floor.grant("lea", "cyd"))).toMatchObject({ code: "PAUSED" });
    expect(refusal(() => floor.open("lea", { max_agent_turns: 3 }))).toMatchObject({ code: "OUTRANKED" });
    expect(refusal(() => floor.open("lea", { max_agent_turns: 100_000 }))).toMatchObject({ code: "OUTRANKED" });
    floor.pass("bob");
    expect(refusal(() => floor.resume("lea"))).toMatchObject({
      code: "OUTRANKED",
      facts: { next: { call: "wait_for_floor" } },
    });
    floor.open("lea");
    expect(floor.view()).toMatchObject({ status: "paused" });
    floor.close("lea");
    expect(floor.view()).toMatchObject({ status: "closed", waits_for_word: false });
    floor.open("lea");
    expect(floor.view()).toMatchObject({ status: "paused", waits_for_word: true });
    expect(refusal(() => floor.open("lea", { operators: ["ann"] }))).toMatchObject({ code: "OUTRANKED" });
    floor.open("olga", { max_agent_turns: 3 });
    expect(floor.view()).toMatchObject({ waits_for_word: false, agent_turns: 0, max_agent_turns: 3 });
  });

  test("R21, R12: a person may take the floor at the cap; the next end that no word came before pauses it", () => {
    const floor = stage({ max_agent_turns: 2 });
    round(floor, ["ann"]);
    floor.request("bob");
    floor.take("olga");
    expect(floor.view()).toMatchObject({ status: "open", holder: "olga", agent_turns: 2 });
    floor.pass("olga");
    expect(floor.view()).toMatchObject({ status: "paused", waits_for_word: true });
  });

  test("R21: 0 is no limit, and a person's to give", () => {
    const floor = stage();
    expect(refusal(() => floor.open("lea", { max_agent_turns: 0 }))).toMatchObject({ code: "OUTRANKED" });
    floor.open("olga", { max_agent_turns: 0 });
    round(floor, ["ann", "bob"], 100);
    expect(floor.view()).toMatchObject({ status: "open", agent_turns: 200 });
  });

  test("R21, N9: a conversation that ends by itself at the cap asks nobody", () => {
    const floor = stage({ seats: ["ann", "bob"], max_agent_turns: 2, mode: "round_robin" });
    floor.request("ann");
    floor.pass("ann");
    floor.pass("bob");
    expect(floor.view()).toMatchObject({ status: "open", quiescent: true, agent_turns: 2 });
    floor.request("ann");
    floor.pass("ann");
    expect(floor.view()).toMatchObject({ status: "paused", waits_for_word: true });
  });
});

describe("what agents say between turns", () => {
  test("R21: counts like a turn: two operators who only interject come to the limit, and to no word more", () => {
    const floor = stage({ max_agent_turns: 2, operators: ["ann"] });
    floor.say("lea", "one");
    expect(floor.view()).toMatchObject({ status: "open", agent_turns: 1 });
    floor.say("ann", "two");
    expect(floor.view()).toMatchObject({ status: "paused", waits_for_word: true, agent_turns: 2 });
    for (const who of ["lea", "ann", "bob"]) expect(refusal(() => floor.say(who, "three")).code, who).toBe("PAUSED");
    floor.say("olga", "go on");
    expect(floor.say("lea", "four").utterance.kind).toBe("interjection");
  });

  test("R21: reached beside a turn it waits for that turn's end; a pause by an operator changes nothing of it", () => {
    const floor = stage({ max_agent_turns: 3 });
    floor.request("ann");
    for (const text of ["one", "two", "three"]) floor.say("lea", text);
    expect(floor.view()).toMatchObject({ status: "open", holder: "ann" });
    expect(refusal(() => floor.say("lea", "four")).code).toBe("PAUSED");
    floor.say("ann", "my turn", { pass: { to: "" } });
    expect(floor.view()).toMatchObject({ status: "paused", waits_for_word: true });
    const paused = stage({ max_agent_turns: 2 });
    paused.pause("lea");
    for (const text of ["one", "two"]) paused.say("lea", text);
    expect(refusal(() => paused.say("lea", "three")).code).toBe("PAUSED");
    paused.resume("lea");
    expect(paused.view()).toMatchObject({ status: "paused", waits_for_word: true });
    paused.resume("olga");
    expect(paused.view()).toMatchObject({ status: "open", agent_turns: 0 });
  });

  test("R21: a new floor has the default, which agents lower and neither raise nor remove", () => {
    for (const max_agent_turns of [61, 100_000, 0]) {
      const floor = stage({}, true);
      expect(refusal(() => floor.open("lea", { max_agent_turns })).code).toBe("OUTRANKED");
    }
    const floor = stage({ max_agent_turns: 10 });
    expect(refusal(() => floor.open("lea", { max_agent_turns: 11 })).code).toBe("OUTRANKED");
    floor.open("olga", { max_agent_turns: 500 });
    floor.open("lea", { max_agent_turns: 499 });
    expect(floor.view()).toMatchObject({ max_agent_turns: 499 });
  });
});

describe("the last round", () => {
  const wrapped = (): Stage => {
    const floor = stage({ max_agent_turns: 3 });
    round(floor, ["ann", "bob", "cyd"]);
    floor.move("olga", (m) => wrapUp(m));
    floor.resume("olga");
    return floor;
  };

  test("R21: each seat that is there has one last turn in order, then the floor is closed", () => {
    const floor = wrapped();
    const spoke = [];
    while (floor.holder !== null) {
      const name = floor.holder;
      spoke.push(name);
      floor.say(name, "my last words", { pass: { to: undefined } });
    }
    expect(spoke).toEqual(["ann", "bob", "cyd"]);
    expect(floor.view()).toMatchObject({ status: "closed", wrapping_up: false });
  });

  test("R21: who had its last turn gets no other, by request, by name or by rotation", () => {
    const floor = wrapped();
    floor.pass("ann", "bob");
    expect(refusal(() => floor.request("ann"))).toMatchObject({
      code: "CLOSED",
      facts: { next: { call: "post_message" } },
    });
    floor.pass("bob", "ann");
    expect(floor.holder).toBe("cyd");
    expect(refusal(() => floor.grant("lea", "bob"))).toMatchObject({ code: "CLOSED" });
    expect(refusal(() => floor.take("lea"))).toMatchObject({ code: "CLOSED" });
    floor.run(200);
    expect(floor.view()).toMatchObject({ status: "closed" });
  });

  test("R21, N8: a seat that sleeps does not hold up the end", () => {
    const floor = wrapped();
    floor.run(2000);
    expect(floor.view()).toMatchObject({ status: "closed", queue: [] });
  });

  test("R21, R15: a person may open it anew; an agent cannot undo it", () => {
    const floor = wrapped();
    floor.open("lea");
    expect(floor.view()).toMatchObject({ wrapping_up: true });
    floor.open("olga");
    expect(floor.view()).toMatchObject({ wrapping_up: false, status: "open" });
  });
});

describe("questions", () => {
  const ask = (floor: Stage, who: string, to?: string) =>
    floor.say(who, "and you?", { addressed_to: to, expects_reply: true });

  test("R22: who is asked is queued as addressed, told so when its turn comes, and answers by speaking", () => {
    const floor = stage();
    floor.say("ann", "first");
    floor.request("cyd");
    ask(floor, "ann", "bob");
    expect(floor.queue).toEqual(["bob", "cyd"]);
    expect(floor.floor.questions).toEqual([{ utterance: 2, from: "ann", to: "bob" }]);
    floor.pass("ann");
    expect(floor.turn).toMatchObject({ seat: "bob", why: "queue", giver: "ann" });
    floor.say("bob", "well");
    expect(floor.floor.questions).toEqual([]);
    expect(floor.facts("question_answered")).toMatchObject([{ to: "ann", data: { question: 2, by: "bob" } }]);
  });

  test("R22: a pass without a word declines, and so does taking the request back", () => {
    const floor = stage();
    ask(floor, "ann", "bob");
    floor.pass("ann");
    floor.pass("bob", "");
    expect(floor.facts("question_declined")).toMatchObject([{ to: "ann", data: { question: 1, by: "bob" } }]);
    ask(floor, "ann", "cyd");
    floor.withdraw("cyd");
    expect(floor.facts("question_declined")).toHaveLength(2);
    expect(floor.floor.questions).toEqual([]);
  });

  test("R22: silence is no reply: a missed turn leaves the question open", () => {
    const floor = stage();
    ask(floor, "ann", "bob");
    floor.pass("ann");
    floor.tick(61);
    expect(floor.holder).toBeNull();
    expect(floor.floor.questions).toHaveLength(1);
  });

  test("R22: a question to nobody by name is answered by whoever else speaks", () => {
    const floor = stage();
    ask(floor, "ann");
    expect(floor.queue).toEqual([]);
    floor.say("ann", "anybody?");
    expect(floor.floor.questions).toHaveLength(1);
    floor.pass("ann", "");
    floor.say("cyd", "I");
    expect(floor.floor.questions).toEqual([]);
  });

  test("R22, R7: a question between turns queues whom it asks; on a free floor it has the floor at once", () => {
    const floor = stage();
    floor.say("ann", "first");
    ask(floor, "olga", "bob");
    expect(floor.view()).toMatchObject({ holder: "ann", queue: [{ seat: "bob" }] });
    ask(floor, "olga", "ann");
    expect(floor.queue).toEqual(["bob"]);
    floor.say("ann", "yes", { pass: { to: "" } });
    floor.say("bob", "so", { pass: { to: "" } });
    ask(floor, "olga", "cyd");
    expect(floor.turn).toMatchObject({ seat: "cyd", why: "queue", giver: "olga" });
  });

  test("R22: an operator outside the order is asked and not queued; it replies between turns", () => {
    const floor = stage();
    ask(floor, "ann", "olga");
    expect(floor.queue).toEqual([]);
    expect(floor.overhear("olga")).toMatchObject({ what: "addressed", by: "ann" });
    floor.say("olga", "yes");
    expect(floor.floor.questions).toEqual([]);
  });

  test("R22: in a moderated floor it is pending; a sleeping seat is not queued", () => {
    const moderated = stage({ mode: "moderated" });
    moderated.grant("olga", "ann");
    ask(moderated, "ann", "bob");
    moderated.pass("ann");
    expect(moderated.view()).toMatchObject({ holder: null, queue: [{ seat: "bob" }] });
    const asleep = stage({ ack_seconds: 10 });
    for (let n = 0; n < 2; n++) {
      asleep.say("ann", "bob?", { pass: { to: "bob" } });
      asleep.tick(11);
      asleep.floor;
    }
    ask(asleep, "ann", "bob");
    expect(asleep.queue).toEqual([]);
    expect(asleep.floor.questions).toHaveLength(1);
  });

  test("R22, S5: nobody is asked who cannot reply, nor oneself, nor more than twenty things at once", () => {
    const floor = stage();
    floor.request("ann");
    expect(refusal(() => ask(floor, "ann", "obi"))).toMatchObject({ code: "INVALID_TARGET" });
    expect(refusal(() => ask(floor, "ann", "ann"))).toMatchObject({ code: "INVALID_TARGET" });
    for (let n = 0; n < 20; n++) ask(floor, "ann", "bob");
    expect(refusal(() => ask(floor, "ann", "bob"))).toMatchObject({ code: "CONFLICT" });
    expect(floor.utterances).toHaveLength(20);
  });

  test("R22, R14: of who has left nobody expects a reply", () => {
    const floor = stage();
    ask(floor, "ann", "bob");
    floor.leave("bob");
    expect(floor.floor.questions).toEqual([]);
    expect(floor.facts("question_dropped")).toMatchObject([{ to: "ann", data: { question: 1, by: "bob" } }]);
  });

  test("R22: what is open at the close is listed, and stays open when it goes on", () => {
    const floor = stage();
    ask(floor, "ann", "bob");
    floor.close("olga");
    expect(floor.facts("closed")).toMatchObject([{ data: { questions: [1] } }]);
    floor.open("olga");
    floor.say("bob", "late");
    expect(floor.floor.questions).toEqual([]);
  });
});

describe("one seat's share", () => {
  test("R23: told once when a seat had over 60 % of the last 20 turns, and shown until it has not", () => {
    const floor = stage({ max_agent_turns: 100_000 });
    round(floor, ["ann", "bob"], 4);
    round(floor, ["ann"], 11);
    expect(floor.facts("lopsided")).toEqual([]);
    round(floor, ["ann"]);
    expect(floor.view().lopsided).toEqual({ seat: "ann", turns: 16, of: 20 });
    round(floor, ["ann"], 3);
    expect(floor.facts("lopsided")).toMatchObject([{ to: "ann", data: { seat: "ann", turns: 16, of: 20 } }]);
    round(floor, ["bob", "cyd"], 4);
    expect(floor.view().lopsided).toBeNull();
  });

  test("R23: twelve of twenty is not too many, thirteen are; who sits alone takes from nobody", () => {
    const floor = stage({ max_agent_turns: 100_000 });
    round(floor, ["bob"], 8);
    round(floor, ["ann"], 12);
    expect(floor.view().lopsided).toBeNull();
    round(floor, ["ann"]);
    expect(floor.view().lopsided).toMatchObject({ turns: 13 });
    const alone = stage({ seats: ["ann"], max_agent_turns: 100_000 });
    round(alone, ["ann"], 25);
    expect(alone.view().lopsided).toBeNull();
  });
});

describe("a brief with each turn", () => {
  test("R17: why it came names who asked, passed or spoke meanwhile", () => {
    const floor = stage();
    floor.members.set("zoe", agent);
    floor.request("ann");
    floor.take("olga");
    floor.pass("olga");
    expect(floor.turn).toMatchObject({ seat: "ann", why: "resume", giver: "olga" });
  });
});
