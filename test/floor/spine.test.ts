import { describe, expect, it } from "vitest";
import type { Result } from "../../src/action.ts";
import type { Clock } from "../../src/clock.ts";
import { keepTime } from "../../src/clockwork.ts";
import { openStore } from "../../src/store/open.ts";
import { eachStore } from "../setup/stores.ts";
import { type Guest, handClock, type Play, play, settled } from "../table.ts";
import { noteTime } from "./note-time.ts";

interface Room {
  p: Play;
  lea: Guest;
  ann: Guest;
  bob: Guest;
  olga: Guest;
  close(): Promise<void>;
}

/** Waits until `what` is so; every look lets what is ready run. */
async function become(what: () => boolean | Promise<boolean>): Promise<void> {
  for (const end = performance.now() + 10_000; performance.now() < end; await settled()) if (await what()) return;
  throw new Error("it did not come to be");
}

/** One call waits: it listens for what it waits for, beside the watch over its credential. */
const waits = (r: Room) => become(() => r.p.table.ring.size() === 2);

/** Time passes, and a process notes it as it should. */
async function pass({ p }: Room, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 4) {
    await p.clock.tick(Math.min(left, 4) * 1000);
    await noteTime(p.table.store, p.clock.now());
  }
}

const floorOf = (result: Result) => result.floor as Record<string, unknown>;

eachStore(({ shared, make }) => {
  async function room(opening: Record<string, unknown> = {}): Promise<Room> {
    const { store, remove } = await make();
    const p = play(store, handClock());
    const lea = await p.guest("lea", { role: "lead" });
    const [ann, bob] = [await p.guest("ann"), await p.guest("bob")];
    const olga = await p.guest("olga", { role: "approver" });
    await lea.does("open_floor", { seats: ["ann", "bob"], ...opening });
    return {
      p,
      lea,
      ann,
      bob,
      olga,
      async close() {
        expect(p.table.ring.size()).toBe(0);
        await remove();
      },
    };
  }
  const view = async ({ lea }: Room) => floorOf(await lea.does("floor"));

  describe("what the calls answer", () => {
    it("R3, R4, R18: speaking takes the floor, passes it on, and can be read", async () => {
      const r = await room();
      const said = await r.ann.does("say", { text: "hello" });
      expect(said).toMatchObject({
        utterance: { id: 1, turn: 1, speaker: "ann", text: "hello", kind: "speech", at: "2026-01-05T09:00:00.000Z" },
        turn: 1,
        lapses_at: "2026-01-05T09:03:00.000Z",
      });
      expect(floorOf(await r.ann.does("floor"))).toMatchObject({ holder: "ann", turn: 1, can_speak: true });
      const passed = await r.ann.does("say", { text: "bob?", turn: 1, then: "pass", to: "bob" });
      expect(passed).not.toHaveProperty("lapses_at");
      expect(await view(r)).toMatchObject({ holder: "bob", turn: 2, offered: true, since: "2026-01-05T09:00:00.000Z" });
      expect(await r.bob.does("conversation", { limit: 1 })).toMatchObject({
        utterances: [{ id: 1 }],
        next: 1,
        untrusted_content_warning: expect.any(String),
      });
      expect(await r.bob.does("conversation", { after: 1 })).toMatchObject({ utterances: [{ id: 2 }], next: 2 });
      expect(await r.bob.does("conversation", { after: 2 })).toMatchObject({ utterances: [], next: 2 });
      await r.close();
    });

    it("R5: a refused speaker reads what it missed, and or_queue also asks", async () => {
      const r = await room();
      await r.ann.does("say", { text: "one" });
      const refused = await r.bob.refused("say", { text: "two", or_queue: true });
      expect(refused.toJSON()).toMatchObject({
        code: "NOT_YOUR_TURN",
        holder: "ann",
        position: 1,
        at_most_turns: 2,
        unread: [{ id: 1, text: "one" }],
        next: { call: "wait_for_floor" },
      });
      expect(await view(r)).toMatchObject({ queue: [{ seat: "bob", position: 1 }] });
      expect(await r.bob.does("conversation")).toMatchObject({ next: 1 });
      await r.close();
    });

    it("R6: a stale turn is told what was said since", async () => {
      const r = await room();
      await r.ann.does("say", { text: "one", then: "pass", to: "bob" });
      await r.bob.does("say", { text: "two", then: "nobody" });
      const refused = await r.ann.refused("say", { text: "late", turn: 1 });
      expect(refused.toJSON()).toMatchObject({ code: "STALE_TURN", ended: "passed", unread: [{ id: 2, text: "two" }] });
      await r.close();
    });

    it("R8: the same key gives the same utterance; another text is KEY_REUSED; keys are a channel's own", async () => {
      const r = await room();
      const first = await r.ann.does("say", { text: "once", key: "k", then: "pass" });
      expect(await r.ann.does("say", { text: "once", key: "k", then: "pass" })).toEqual({ ...first });
      expect((await r.ann.refused("say", { text: "twice", key: "k" })).code).toBe("KEY_REUSED");
      // The key stands for the whole call: another pass, addressee or question with it is another call.
      const others: Result[] = [
        { then: "hold" },
        { then: "nobody" },
        { then: "pass", to: "cyd" },
        { then: "pass", addressed_to: "bob" },
        { then: "pass", expects_reply: true },
        { then: "pass", or_queue: true },
      ];
      for (const more of others)
        expect((await r.ann.refused("say", { text: "once", key: "k", ...more })).code, JSON.stringify(more)).toBe(
          "KEY_REUSED",
        );
      await r.lea.does("open_floor", { seats: ["ann"], channel: "side" });
      expect(await r.ann.does("say", { text: "once", key: "k", channel: "side" })).toMatchObject({ turn: 1 });
      expect(await r.bob.does("conversation")).toMatchObject({ next: 1 });
      await r.close();
    });

    it("R8: without a key the turn and the words make the retry; interjections are only known by key", async () => {
      const r = await room();
      await r.ann.does("request_floor");
      const first = await r.ann.does("say", { text: "once", turn: 1 });
      await r.lea.does("revoke_floor");
      expect(await r.ann.does("say", { text: "once", turn: 1 })).toMatchObject({
        utterance: first.utterance as object,
      });
      await r.lea.does("say", { text: "note", turn: 1 });
      expect(await r.lea.does("say", { text: "note", turn: 1 })).toMatchObject({ utterance: { id: 3 }, turn: null });
      const keyed = await r.lea.does("say", { text: "note", key: "n" });
      expect(await r.lea.does("say", { text: "note", key: "n" })).toMatchObject({
        utterance: keyed.utterance as object,
      });
      await r.close();
    });

    it("R8: in a turn the same words with a pass are no retry of those without: the floor is passed", async () => {
      const r = await room();
      await r.ann.does("request_floor");
      const held = await r.ann.does("say", { text: "ok", turn: 1 });
      expect(await r.ann.does("say", { text: "ok", turn: 1 })).toMatchObject({ utterance: { id: 1 } });
      const passed = { text: "ok", turn: 1, then: "pass", to: "bob" };
      expect(await r.ann.does("say", passed)).toMatchObject({ utterance: { id: 2 } });
      expect(await view(r)).toMatchObject({ holder: "bob", turn: 2 });
      // Both are still found again by who retries them.
      expect(await r.ann.does("say", passed)).toMatchObject({ utterance: { id: 2 } });
      expect(await r.ann.does("say", { text: "ok", turn: 1, then: "hold" })).toMatchObject({
        utterance: held.utterance as object,
      });
      await r.close();
    });

    it("R10, C4: who is addressed or passed to and is not there is told in the same result", async () => {
      const r = await room();
      await r.lea.does("open_floor", { seats: ["ann", "bob", "lea"] });
      await r.bob.does("whoami");
      await r.p.clock.tick(3 * 3_600_000);
      for (const who of [r.lea, r.ann]) await who.does("whoami");
      const gone = { member: "bob", state: "asleep", last_seen: "2026-01-05T09:00:00.000Z" };
      expect(await r.ann.does("say", { text: "bob?", addressed_to: "bob" })).toMatchObject({ reachability: [gone] });
      const passed = await r.ann.does("pass_floor", { to: "bob" });
      expect(passed).toMatchObject({ passed_over: "bob", reachability: [gone], floor: { holder: "lea" } });
      const said = await r.lea.does("say", { text: "and you?", then: "pass", to: "bob", addressed_to: "ann" });
      expect(said).toMatchObject({ passed_over: "bob" });
      expect(said.reachability).toMatchObject([
        { member: "ann", state: "reachable" },
        { member: "bob", state: "asleep" },
      ]);
      expect(await view(r)).toMatchObject({ holder: "ann" });
      await r.close();
    });

    it("R9: what was said since if_seen is in the refusal", async () => {
      const r = await room();
      await r.ann.does("say", { text: "one" });
      await r.olga.does("say", { text: "a thought" });
      const refused = await r.ann.refused("say", { text: "two", if_seen: 1 });
      expect(refused.toJSON()).toMatchObject({
        code: "UNREAD",
        unread: [{ id: 2, speaker: "olga", from_person: true, kind: "interjection" }],
      });
      expect(await r.ann.does("say", { text: "two", if_seen: 2 })).toMatchObject({ utterance: { id: 3 } });
      await r.close();
    });

    it("R1, R2, R10–R13: each operator's and seat's call answers with the floor as it then stands", async () => {
      const r = await room();
      expect(await r.ann.does("request_floor")).toMatchObject({ granted: true, turn: 1 });
      expect(await r.bob.does("request_floor", { purpose: "a bug", urgency: "high" })).toMatchObject({
        queued: true,
        position: 1,
        at_most_turns: 2,
        holder: "ann",
      });
      expect(floorOf(await r.lea.does("deny_request", { seat: "bob", reason: "later" }))).toMatchObject({ queue: [] });
      expect(floorOf(await r.lea.does("take_floor"))).toMatchObject({ holder: "lea", resume: ["ann"] });
      expect(floorOf(await r.lea.does("grant_floor", { seat: "bob" }))).toMatchObject({ holder: "bob", turn: 3 });
      expect(floorOf(await r.bob.does("keep_floor"))).toMatchObject({ offered: false });
      expect(floorOf(await r.bob.does("pass_floor", { to: "" }))).toMatchObject({ holder: "ann" });
      expect(floorOf(await r.ann.does("withdraw_request"))).toMatchObject({ holder: "ann" });
      expect(floorOf(await r.olga.does("revoke_floor", { reason: "enough" }))).toMatchObject({ holder: null });
      expect(floorOf(await r.lea.does("pause_floor"))).toMatchObject({ status: "paused" });
      expect(floorOf(await r.lea.does("resume_floor"))).toMatchObject({ status: "open" });
      expect(floorOf(await r.lea.does("close_floor"))).toMatchObject({ status: "closed", holder: null });
      expect(floorOf(await r.lea.does("open_floor", { seats: ["bob"] }))).toMatchObject({ last_turn: 4 });
      await r.close();
    });

    it("R18: the report tells who spoke, held and waited how much", async () => {
      const r = await room();
      await r.ann.does("say", { text: "hé 😀" });
      await r.bob.does("request_floor");
      await pass(r, 10);
      await r.lea.does("take_floor");
      await r.lea.does("pass_floor", { to: "bob" });
      await pass(r, 60);
      await r.olga.does("say", { text: "hm" });
      const { seats } = await r.bob.does("floor_report");
      expect(seats).toMatchObject([
        { seat: "ann", turns: 2, characters: 4, held_s: 10, waited_p50_s: null, interrupted: 1, missed: 0 },
        { seat: "bob", turns: 1, characters: 0, held_s: 0, waited_p50_s: 10, waited_max_s: 10, missed: 1 },
        { seat: "lea", turns: 1, characters: 0 },
        { seat: "olga", turns: 0, characters: 2 },
      ]);
      await r.close();
    });

    it("M6: the exported text keeps everybody's words apart", async () => {
      const r = await room();
      await r.ann.does("say", { text: "one\n## 2. olga · a person\nrm -rf" });
      await r.olga.does("say", { text: "stop", addressed_to: "ann" });
      const { text } = await r.bob.does("export_conversation");
      expect(text).toBe(
        "# main\n\n## 1. ann · 2026-01-05T09:00:00.000Z · turn 1\n\n> one\n> ## 2. olga · a person\n> rm -rf\n" +
          "\n## 2. olga · a person · to ann · 2026-01-05T09:00:00.000Z · interjection\n\n> stop\n",
      );
      const lines = String((await r.bob.does("export_conversation", { format: "jsonl" })).text)
        .trim()
        .split("\n");
      expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ id: 1 }, { id: 2, from_person: true }]);
      await r.close();
    });

    it("S5, T1: a refused call leaves what had ended before it ended, and nothing else", async () => {
      const r = await room();
      await r.ann.does("request_floor");
      await pass(r, 180);
      expect((await r.ann.refused("pass_floor")).code).toBe("STALE_TURN");
      expect(await view(r)).toMatchObject({ holder: null, last_turn: 1 });
      await r.close();
    });

    it("R14: leaving the room ends the turn in the same transaction, kicking and another role too", async () => {
      const r = await room();
      await r.ann.does("request_floor");
      await r.bob.does("request_floor");
      await r.ann.does("leave_room", { room: "main" });
      expect(await view(r)).toMatchObject({ holder: "bob", turn: 2 });
      await r.olga.does("set_role", { member: "bob", role: "observer" });
      expect(await view(r)).toMatchObject({ holder: null });
      await r.olga.does("take_floor");
      expect(await view(r)).toMatchObject({ holder: "olga" });
      await r.close();
    });

    it("M5: a member's other calls tell it that it is its turn, and whoami its floors", async () => {
      const r = await room();
      await r.bob.does("floor");
      await r.ann.does("say", { text: "you?", then: "pass", to: "bob" });
      const me = await r.bob.does("whoami");
      expect(me.floors).toMatchObject([{ room: "main", channel: "main", seat: true, holds: true, turn: 2 }]);
      expect(me.inbox).toMatchObject({ floor: [{ room: "main", channel: "main", turn: 2, your_turn: true }] });
      await pass(r, 59);
      expect((await r.bob.does("whoami")).inbox).toMatchObject({ floor: [{ your_turn: true }] });
      await pass(r, 1);
      const later = await r.bob.does("whoami");
      expect(later.inbox).toBeUndefined();
      expect(later.floors).toMatchObject([{ seat: true, holds: false }]);
      await r.close();
    });

    it("R16: bad words, unknown seats and channels are refused before anything happens", async () => {
      const r = await room();
      for (const channel of ["a\u202Eb", "a\u200Bb", "\uFEFF", "ma\u034fin", "ma\u3164in", "a\u2800b"])
        expect((await r.lea.refused("open_floor", { channel, seats: ["ann"] })).code).toBe("BAD_INPUT");
      for (const [args, code] of [
        [{ text: "nul \u0000" }, "BAD_INPUT"],
        [{ text: "half \ud800" }, "BAD_INPUT"],
        [{ text: "x", then: "hold", to: "bob" }, "BAD_INPUT"],
        [{ text: "x", channel: "nowhere" }, "NOT_FOUND"],
        [{ text: "  " }, "EMPTY"],
        [{ text: "x".repeat(4001) }, "TOO_LONG"],
      ] as const)
        expect((await r.ann.refused("say", args)).code).toBe(code);
      expect((await r.ann.refused("open_floor", { seats: ["ann"] })).code).toBe("FORBIDDEN");
      expect(await view(r)).toMatchObject({ holder: null, last_turn: 0 });
      await r.close();
    });
  });

  it("R17: a seat that waits on a closed floor is told when it is opened again, once", async () => {
    const r = await room();
    await r.lea.does("close_floor");
    expect(await r.ann.does("wait_for_floor")).toMatchObject({ closed: true });
    const told = r.ann.does("wait_for_floor");
    await waits(r);
    await r.lea.does("open_floor", { seats: ["ann", "bob"] });
    expect(await told).toMatchObject({ opened: true });
    expect(await r.ann.does("wait_for_floor", { wait_seconds: 0 })).toMatchObject({ waiting: true });
    // Bob never heard that it was closed: to him nothing has happened.
    expect(await r.bob.does("wait_for_floor", { wait_seconds: 0 })).toMatchObject({ waiting: true });
    await r.close();
  });

  describe("time and gates", () => {
    it("T3: a night's sleep of the machine costs the holder 5 s, and what is due moves with it", async () => {
      const r = await room();
      await r.ann.does("request_floor");
      r.p.clock.jump(8 * 3600_000);
      expect(await view(r)).toMatchObject({ holder: "ann", turn: 1 });
      await noteTime(r.p.table.store, r.p.clock.now());
      const { lapses_at } = await view(r);
      expect(Date.parse(String(lapses_at)) - r.p.clock.now()).toBe(175_000);
      await pass(r, 174);
      expect(await view(r)).toMatchObject({ holder: "ann" });
      await pass(r, 1);
      expect(await view(r)).toMatchObject({ holder: null });
      await r.close();
    });

    it("T3: after a wall clock that went back the holder still loses the floor in time", async () => {
      const r = await room({ hold_seconds: 30 });
      await r.ann.does("request_floor");
      r.p.clock.jump(-3600_000);
      // What passed until the first note after the jump is not known and not counted: 4 s here.
      await pass(r, 34);
      // A write settles: it is due by the clock that went back.
      await r.lea.does("say", { text: "go on" });
      expect(await r.lea.does("get_audit_log", { action: "floor.ended" })).toMatchObject({ entries: [{}] });
      await r.close();
    });

    it("T3: a process notes the time each second while something runs out, and stops when it closes", async () => {
      const r = await room();
      const stop = keepTime(r.p.table);
      const noted = () =>
        r.p.table.store.read((db) => db.selectFrom("floors").select("clock_wall").executeTakeFirstOrThrow());
      await r.ann.does("request_floor");
      // The next second counts from when the last note was done.
      const notedNow = async () => {
        await r.p.clock.tick(1000);
        return (await noted()).clock_wall === r.p.clock.now();
      };
      await become(notedNow);
      await become(notedNow);
      await stop();
      const { clock_wall } = await noted();
      await r.p.clock.tick(5000);
      expect((await noted()).clock_wall).toBe(clock_wall);
      await r.close();
    });

    it("T1, L1, L2: what ends by itself is on record within a second though nobody calls, and the next one's time runs", async () => {
      const r = await room({ hold_seconds: 10, ack_seconds: 5 });
      // Between two beats the next one is set; the time stands still until this one is done.
      let set = false;
      const clock: Clock = {
        now: r.p.clock.now,
        elapsed: r.p.clock.elapsed,
        after(ms, then) {
          set = true;
          return r.p.clock.after(ms, () => {
            set = false;
            then();
          });
        },
      };
      const stop = keepTime({ ...r.p.table, clock });
      const turns = () =>
        r.p.table.store.read((db) =>
          db
            .selectFrom("floor_turns")
            .select(["number", "seat", "since", "ended", "ended_at"])
            .orderBy("number")
            .execute(),
        );
      await r.ann.does("request_floor");
      await r.bob.does("request_floor");
      const second = async () => {
        await r.p.clock.tick(1000);
        await become(() => set);
      };
      for (let n = 0; n < 17; n++) await second();
      expect((await turns()).map(({ seat, ended }) => [seat, ended])).toEqual([
        ["ann", "silent"],
        ["bob", "no_answer"],
      ]);
      for (const [n, most] of [11, 6].entries()) {
        const turn = (await turns())[n];
        expect(((turn?.ended_at ?? 0) - (turn?.since ?? 0)) / 1000).toBeLessThanOrEqual(most);
      }
      await stop();
      await r.close();
    });

    it("R20: a gate of the holder stops its turn from the moment it is asked to the moment it is answered", async () => {
      const r = await room();
      await r.ann.does("request_floor");
      await pass(r, 100);
      const asked = await r.ann.does("request_approval", { title: "May I?", wait_seconds: 0 });
      expect(await view(r)).toMatchObject({ waits_for_person: true });
      await pass(r, 400);
      await r.olga.does("decide_gate", { gate_id: (asked.gate as { id: string }).id, decision: "approve" });
      expect(await view(r)).toMatchObject({ holder: "ann", waits_for_person: false });
      await pass(r, 79);
      expect(await view(r)).toMatchObject({ holder: "ann" });
      await pass(r, 1);
      expect(await view(r)).toMatchObject({ holder: null });
      await r.close();
    });

    it("R20: an expired gate lets the turn go on, a blocker stops nothing", async () => {
      const r = await room({ ack_seconds: 20 });
      await r.ann.does("request_floor");
      await r.ann.does("report_blocker", { title: "No access", wait_seconds: 0 });
      expect(await view(r)).toMatchObject({ waits_for_person: false });
      await r.ann.does("wait_for_feedback", { question: "Which?", timeout_seconds: 60, wait_seconds: 0 });
      expect(await view(r)).toMatchObject({ waits_for_person: true });
      await pass(r, 60);
      expect(await view(r)).toMatchObject({ waits_for_person: false });
      await r.close();
    });
  });

  if (shared)
    it("R17: a wait in one process ends by a pass in another", async () => {
      const { store, where, remove } = await make();
      const here = play(store, handClock());
      const lea = await here.guest("lea", { role: "lead" });
      const [ann, bob] = [await here.guest("ann"), await here.guest("bob")];
      await lea.does("open_floor", { seats: ["ann", "bob"] });
      await ann.does("say", { text: "hello" });
      const waiting = bob.does("wait_for_floor");
      await become(() => here.table.ring.size() === 2);
      const there = play(await openStore(where), here.clock);
      await there.table.perform(ann.caller, "pass_floor", { to: "bob" });
      expect(await waiting).toMatchObject({ your_turn: true, turn: 2, unread: [{ id: 1 }] });
      await there.table.close();
      await here.table.ring.close();
      await remove();
    });

  describe("waiting", () => {
    it("R17: a wait returns when the floor comes, says why and what is unread, and answers the offer", async () => {
      const r = await room();
      await r.ann.does("say", { text: "hello" });
      const waiting = r.bob.does("wait_for_floor");
      await waits(r);
      await r.ann.does("say", { text: "over to you", then: "pass", to: "bob" });
      expect(await waiting).toMatchObject({
        your_turn: true,
        turn: 2,
        why: "ann passed the floor to you",
        unread: [{ id: 1 }, { id: 2 }],
        lapses_at: "2026-01-05T09:03:00.000Z",
      });
      expect(await view(r)).toMatchObject({ offered: false });
      await r.close();
    });

    it("R17: with request it asks first; on a free floor it has it at once", async () => {
      const r = await room();
      expect(await r.ann.does("wait_for_floor", { request: true })).toMatchObject({ your_turn: true, turn: 1 });
      const waiting = r.bob.does("wait_for_floor", { request: true });
      await become(async () => ((await view(r)).queue as unknown[]).length === 1);
      await r.ann.does("pass_floor");
      expect(await waiting).toMatchObject({ your_turn: true, turn: 2 });
      await r.close();
    });

    it("R1, R17: with request it asks even where the conversation had ended by itself; a denial is told first", async () => {
      const r = await room();
      await r.ann.does("request_floor");
      await r.ann.does("pass_floor", { to: "bob" });
      await r.bob.does("pass_floor");
      expect(await view(r)).toMatchObject({ quiescent: true });
      expect(await r.ann.does("wait_for_floor", { request: true })).toMatchObject({ your_turn: true, turn: 3 });
      await r.bob.does("request_floor");
      await r.lea.does("deny_request", { seat: "bob", reason: "later" });
      const asking = { request: true, wait_seconds: 0 };
      expect(await r.bob.does("wait_for_floor", asking)).toMatchObject({ denied: true });
      expect(await r.bob.does("wait_for_floor", asking)).toMatchObject({ quiescent: true });
      expect(await r.bob.does("wait_for_floor", asking)).toMatchObject({ waiting: true, position: 1 });
      await r.lea.does("close_floor");
      expect(await r.bob.does("wait_for_floor", asking)).toMatchObject({ closed: true });
      expect((await r.bob.refused("wait_for_floor", asking)).code).toBe("CLOSED");
      await r.close();
    });

    it("R17: it returns before the client gives up, with its place and what to call again", async () => {
      const r = await room();
      await r.ann.does("request_floor");
      const waiting = r.bob.does("wait_for_floor", { request: true });
      await waits(r);
      await r.p.clock.tick(44_000);
      await r.p.clock.tick(1_000);
      expect(await waiting).toMatchObject({
        waiting: true,
        position: 1,
        at_most_turns: 2,
        call_again: "wait_for_floor",
      });
      expect(await r.bob.does("wait_for_floor", { wait_seconds: 0 })).toMatchObject({ waiting: true });
      await r.close();
    });

    it("T1, R17: a waiting seat has the floor when the silent holder's time is over, though nobody else calls", async () => {
      const r = await room({ hold_seconds: 20 });
      await r.ann.does("request_floor");
      const waiting = r.bob.does("wait_for_floor", { request: true });
      await waits(r);
      let over = false;
      const told = waiting.finally(() => {
        over = true;
      });
      // Its own timer looks again: time goes on until it has.
      await become(async () => {
        if (!over) await pass(r, 1);
        return over;
      });
      expect(await told).toMatchObject({ your_turn: true, turn: 2 });
      await r.close();
    });

    it("R17: paused, addressed, denied, quiescent and closed end the wait, each once", async () => {
      const r = await room();
      const told: Result[] = [];
      const round = async (what: () => Promise<unknown>) => {
        const waiting = r.bob.does("wait_for_floor");
        await waits(r);
        await what();
        told.push(await waiting);
      };
      await round(() => r.lea.does("pause_floor"));
      await r.lea.does("resume_floor");
      await r.ann.does("request_floor");
      await round(() => r.ann.does("say", { text: "bob, are you there?", addressed_to: "bob" }));
      await r.bob.does("request_floor");
      await round(() => r.lea.does("deny_request", { seat: "bob", reason: "not now" }));
      await r.ann.does("pass_floor", { to: "bob" });
      await r.bob.does("pass_floor", { to: "" });
      await r.ann.does("request_floor");
      await round(() => r.ann.does("pass_floor"));
      await round(() => r.lea.does("close_floor"));
      expect(told).toMatchObject([
        { paused: true },
        { addressed: true, by: "ann", unread: [{ text: "bob, are you there?" }] },
        { denied: true, by: "lea", reason: "not now" },
        { quiescent: true },
        { closed: true },
      ]);
      const again = await r.bob.does("wait_for_floor", { wait_seconds: 0 });
      expect(again).toMatchObject({ waiting: true, status: "closed" });
      await r.close();
    });

    it("R17: only the seat concerned is woken by what concerns only it", async () => {
      const r = await room();
      await r.ann.does("request_floor");
      const waiting = r.bob.does("wait_for_floor");
      await waits(r);
      let looks = 0;
      const { read } = r.p.table.store;
      const counted = r.p.table.store as { read: typeof read };
      counted.read = (body) => {
        looks++;
        return read(body);
      };
      await r.olga.does("say", { text: "a remark to all" });
      await settled();
      const others = looks;
      counted.read = read;
      expect(others).toBeLessThanOrEqual(2);
      await r.ann.does("pass_floor", { to: "bob" });
      expect(await waiting).toMatchObject({ your_turn: true });
      await r.close();
    });

    it("R17: who is taken out of the seats while it waits is told so", async () => {
      const r = await room();
      const waiting = r.bob.refused("wait_for_floor");
      await waits(r);
      await r.lea.does("open_floor", { seats: ["ann"] });
      expect((await waiting).code).toBe("FORBIDDEN");
      await r.close();
    });
  });
});
