import { describe, expect, it } from "vitest";
import type { Result } from "../../src/action.ts";
import { eachStore } from "../setup/stores.ts";
import { facts, type Gate, refusal, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

const floorOf = (result: Result) => result.floor as Record<string, unknown>;

eachStore(({ make }) => {
  async function room(opening: Record<string, unknown> = {}) {
    const p = await stage(make);
    const lea = await p.guest("lea", { role: "lead" });
    const [ann, bob] = [await p.guest("ann"), await p.guest("bob")];
    const olga = await p.guest("olga", { role: "approver" });
    await lea.does("open_floor", { seats: ["ann", "bob"], max_agent_turns: 2, ...opening });
    return { p, lea, ann, bob, olga };
  }
  const word = (who: Guest, more: Result = {}) => who.does("say", { text: "words", then: "nobody", ...more });
  const view = async (who: Guest) => floorOf(await who.does("floor"));
  const pending = async (who: Guest) => (await who.does("list_gates", { status: "pending" })).gates as Gate[];
  async function capped(r: Awaited<ReturnType<typeof room>>): Promise<Gate> {
    await word(r.ann);
    await word(r.bob);
    const [gate, ...more] = await pending(r.olga);
    if (!gate || more.length > 0) throw new Error("there is not one question");
    return gate;
  }
  const answer = (who: Guest, { id }: Gate, more: Result) =>
    who.does("decide_gate", { gate_id: id, decision: "answer", ...more });

  describe("the question that Parley asks when agents had too many turns", () => {
    it("R21: it stands in the same transaction as the pause, never expires, and tells what may be answered", async () => {
      const r = await room();
      const gate = await capped(r);
      expect(gate).toMatchObject({
        kind: "feedback",
        asked_by: "parley",
        title: "main: agents had 2 turns without a person. Continue, wrap up, or stop?",
        options: ["Continue", "Wrap up", "Stop"],
      });
      expect(gate).not.toHaveProperty("expires_at");
      expect(await view(r.ann)).toMatchObject({ status: "paused", waits_for_word: true, can_speak: false });
      expect(await r.ann.does("wait_for_floor", { wait_seconds: 0 })).toMatchObject({
        paused: true,
        reason: "Agents had 2 turns without a person, who is asked now how it goes on.",
      });
      expect((await refusal(word(r.ann))).code).toBe("PAUSED");
    });

    it("R21: continue lets agents have as many turns again, and the answer counts as delivered", async () => {
      const r = await room();
      const gate = await capped(r);
      await answer(r.olga, gate, { choice: "Continue" });
      expect(await view(r.ann)).toMatchObject({ status: "open", agent_turns: 0 });
      expect(await r.olga.does("get_gate", { gate_id: gate.id })).toMatchObject({
        gate: { status: "answered", decided_by: "olga", acknowledged_at: expect.any(String) },
      });
      const again = await capped(r);
      expect(again.id).not.toBe(gate.id);
    });

    it("R21: wrap up gives each seat that is there one last turn, then the floor is closed", async () => {
      const r = await room();
      await answer(r.olga, await capped(r), { choice: "Wrap up" });
      expect(await view(r.ann)).toMatchObject({ holder: "ann", wrapping_up: true, queue: [{ seat: "bob" }] });
      expect(await r.ann.does("wait_for_floor", { wait_seconds: 0 })).toMatchObject({
        last_turn: true,
        why: "you were next in the queue; it is your last turn, then this floor is closed",
      });
      await word(r.ann);
      expect((await refusal(r.ann.does("request_floor"))).code).toBe("CLOSED");
      await word(r.bob);
      expect(await view(r.ann)).toMatchObject({ status: "closed" });
      expect(await pending(r.olga)).toEqual([]);
    });

    it("R21: closed and opened again by an agent it waits again, and asks again", async () => {
      const r = await room();
      const { id } = await capped(r);
      await r.lea.does("close_floor");
      expect(await pending(r.olga)).toEqual([]);
      await r.lea.does("open_floor", { seats: ["ann", "bob"] });
      expect(await view(r.ann)).toMatchObject({ status: "paused", waits_for_word: true });
      expect(await pending(r.olga)).toMatchObject([{ asked_by: "parley" }]);
      expect((await pending(r.olga))[0]?.id).not.toBe(id);
    });

    it("R21: stop closes it now", async () => {
      const r = await room();
      await answer(r.olga, await capped(r), { choice: "Stop" });
      expect(await view(r.ann)).toMatchObject({ status: "closed" });
    });

    it("R21: words are said on the floor, and it goes on; what cannot be said is refused and changes nothing", async () => {
      const r = await room();
      const gate = await capped(r);
      expect((await refusal(answer(r.olga, gate, { text: " \n " }))).code).toBe("BAD_INPUT");
      expect(await pending(r.olga)).toMatchObject([{ id: gate.id }]);
      await answer(r.olga, gate, { text: "Talk about the tests" });
      expect(await r.ann.does("conversation", { after: 2 })).toMatchObject({
        utterances: [{ speaker: "olga", text: "Talk about the tests", kind: "interjection", from_person: true }],
      });
      expect(await view(r.ann)).toMatchObject({ status: "open", agent_turns: 0 });
    });

    it("R21: it is taken back when a person speaks, resumes or opens, and when the floor is closed", async () => {
      const ways: Array<[string, Result]> = [
        ["say", { text: "go on" }],
        ["resume_floor", {}],
        ["open_floor", { seats: ["ann", "bob"] }],
        ["close_floor", {}],
      ];
      for (const [action, args] of ways) {
        const r = await room();
        const gate = await capped(r);
        await r.olga.does(action, args);
        expect(await r.olga.does("get_gate", { gate_id: gate.id }), action).toMatchObject({
          gate: { status: "withdrawn" },
        });
        expect(await view(r.ann), action).toMatchObject({ status: action === "close_floor" ? "closed" : "open" });
      }
    });

    it("R21, T1: a turn that ends by its time reaches it too, though nobody moves", async () => {
      const r = await room({ hold_seconds: 10, ack_seconds: 10 });
      await word(r.ann);
      await r.bob.does("request_floor");
      for (let n = 0; n < 4; n++) {
        await r.p.clock.tick(4000);
        await r.lea.does("post_message", { text: "somebody writes" });
      }
      expect(await pending(r.olga)).toMatchObject([{ asked_by: "parley" }]);
      expect((await facts(r.p)).filter(({ action }) => action === "gate.asked")).toMatchObject([{ member: null }]);
    });

    it("R21: all floors of the room count together: a second one, or a new one, is no way past the people", async () => {
      const r = await room();
      for (const channel of ["side", "rest"]) await r.lea.does("open_floor", { channel, seats: ["ann", "bob"] });
      const side = async () => floorOf(await r.ann.does("floor", { channel: "side" }));
      await word(r.ann, { channel: "side" });
      expect(await view(r.ann)).toMatchObject({ status: "open", agent_turns: 1 });
      await word(r.bob);
      const [gate] = await pending(r.olga);
      expect(gate?.title).toContain("main: agents had 2 turns");
      await r.lea.does("open_floor", { channel: "side", seats: ["ann", "bob"], max_agent_turns: 2 });
      // What is refused is not recorded, and the people are asked of that floor too.
      for (const who of [r.ann, r.lea]) expect((await refusal(word(who, { channel: "side" }))).code).toBe("PAUSED");
      expect(await side()).toMatchObject({ status: "paused", waits_for_word: true, agent_turns: 2 });
      expect((await pending(r.olga)).map(({ title }) => String(title).slice(0, 5)).sort()).toEqual(["main:", "side:"]);
      // A new floor waits from its opening.
      const opened = await r.lea.does("open_floor", { channel: "new", seats: ["ann"], max_agent_turns: 1 });
      expect(floorOf(opened)).toMatchObject({ status: "paused", waits_for_word: true });
      // A person's word on one counts for the room; what waits goes on once it is answered.
      await r.olga.does("say", { text: "go on" });
      expect(await view(r.ann)).toMatchObject({ status: "open", agent_turns: 0 });
      expect(await side()).toMatchObject({ status: "paused", waits_for_word: true });
      await word(r.ann, { channel: "rest" });
      const [asked] = (await pending(r.olga)).filter(({ title }) => String(title).startsWith("side:"));
      await answer(r.olga, asked as Gate, { choice: "Continue" });
      expect(await side()).toMatchObject({ status: "open", agent_turns: 0 });
    });

    it("R21: where a request finds it spent the floor pauses, and who asked is queued", async () => {
      const r = await room();
      await r.lea.does("open_floor", { channel: "side", seats: ["ann", "bob"], max_agent_turns: 2 });
      await word(r.ann);
      await word(r.bob);
      expect(await r.ann.does("request_floor", { channel: "side" })).toMatchObject({ queued: true });
      expect(floorOf(await r.ann.does("floor", { channel: "side" }))).toMatchObject({ status: "paused", holder: null });
      expect(await pending(r.olga)).toHaveLength(2);
    });

    it("R21: a word on a channel takes back that channel's question alone, however they are called", async () => {
      const r = await room();
      for (const channel of ["a", "a#b"])
        await r.lea.does("open_floor", { channel, seats: ["ann", "bob"], max_agent_turns: 1 });
      await word(r.ann, { channel: "a" });
      await r.ann.does("request_floor", { channel: "a#b" });
      expect(await pending(r.olga)).toHaveLength(2);
      await r.olga.does("say", { channel: "a", text: "go on" });
      const left = await pending(r.olga);
      expect(left.map(({ title }) => String(title).split(":")[0])).toEqual(["a#b"]);
      await answer(r.olga, left[0] as Gate, { choice: "Continue" });
      expect(floorOf(await r.ann.does("floor", { channel: "a#b" }))).toMatchObject({ status: "open" });
    });

    it("R21, G4: no agent answers it, not even the floor's operator", async () => {
      const r = await room();
      const gate = await capped(r);
      expect((await refusal(answer(r.lea, gate, { choice: "Continue" }))).code).toBe("FORBIDDEN");
      expect((await refusal(r.lea.does("resume_floor"))).code).toBe("OUTRANKED");
      expect((await refusal(r.lea.does("withdraw_gate", { gate_id: gate.id }))).code).toBe("FORBIDDEN");
      expect(await view(r.ann)).toMatchObject({ status: "paused" });
    });

    it("R21, G17: what is stopped stays stopped whatever is said, and the question comes again after it", async () => {
      const r = await room();
      await capped(r);
      await r.olga.does("stop_all", { room: "main" });
      expect(await pending(r.olga)).toEqual([]);
      for (const who of [r.lea, r.olga]) {
        expect((await refusal(who.does("resume_floor"))).code).toBe("STOPPED");
        expect((await refusal(who.does("open_floor", { seats: ["ann"], channel: "other" }))).code).toBe("STOPPED");
      }
      await r.olga.does("resume_all", { room: "main" });
      expect(await view(r.ann)).toMatchObject({ status: "paused", waits_for_word: true });
      expect(await pending(r.olga)).toHaveLength(1);
      await r.olga.does("stop_all", { room: "main" });
      await r.olga.does("say", { text: "wait" });
      expect(await view(r.ann)).toMatchObject({ status: "paused", waits_for_word: false });
      await r.olga.does("resume_all", { room: "main" });
      expect(await view(r.ann)).toMatchObject({ status: "open" });
    });
  });

  describe("questions among members", () => {
    it("R22: the floor, the inbox and the turn tell what was asked; an answer ends it", async () => {
      const r = await room();
      await r.ann.does("say", { text: "bob, is it done?", addressed_to: "bob", expects_reply: true, then: "hold" });
      const asked = { utterance: 1, from: "ann", to: "bob", text: "bob, is it done?" };
      expect(await view(r.lea)).toMatchObject({ questions: [asked], queue: [{ seat: "bob", urgency: "high" }] });
      expect(await r.bob.does("whoami")).toMatchObject({
        inbox: {
          floor: [{ channel: "main", questions: [{ utterance: 1, from: "ann" }], next: { call: "wait_for_floor" } }],
        },
      });
      await r.ann.does("pass_floor");
      expect(await r.bob.does("wait_for_floor", { wait_seconds: 0 })).toMatchObject({
        your_turn: true,
        why: "ann asked you to speak",
        questions: [asked],
        unread: [{ id: 1, addressed_to: "bob", expects_reply: true }],
      });
      await r.bob.does("say", { text: "yes" });
      expect(await view(r.lea)).toMatchObject({ questions: [] });
      expect(await r.bob.does("whoami")).not.toMatchObject({ inbox: { floor: [{ questions: expect.anything() }] } });
    });

    it("R22: an offered seat declines by passing at once", async () => {
      const r = await room();
      await r.ann.does("say", { text: "and you?", addressed_to: "bob", expects_reply: true, then: "pass" });
      expect(await view(r.lea)).toMatchObject({ holder: "bob", offered: true });
      expect(floorOf(await r.bob.does("pass_floor", { to: "" }))).toMatchObject({ holder: null, questions: [] });
      expect((await facts(r.p)).map(({ action }) => action)).toContain("floor.question_declined");
    });

    it("R22: what is open is listed at the close", async () => {
      const r = await room();
      await r.ann.does("say", { text: "and you?", addressed_to: "bob", expects_reply: true });
      expect(floorOf(await r.lea.does("close_floor"))).toMatchObject({
        status: "closed",
        questions: [{ utterance: 1, from: "ann", to: "bob", text: "and you?" }],
      });
    });
  });
});
