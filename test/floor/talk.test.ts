// A table of twelve agents with bad habits and a person, talking for ten thousand turns.
import { expect, it } from "vitest";
import type { Member } from "../../src/floor/record.ts";
import { report } from "../../src/floor/report.ts";
import { factsAfter } from "../../src/log.ts";
import { Refusal } from "../../src/refusal.ts";
import { openStore } from "../../src/store/open.ts";
import { chance } from "../processes/chance.ts";
import { type Guest, handClock, play } from "../table.ts";
import { auditor } from "./auditor.ts";
import { type Hall, habits, talk } from "./habits.ts";
import { noteTime } from "./note-time.ts";
import { often, within } from "./often.ts";
import { agent, approver, stage } from "./stage.ts";
import { tally } from "./tally.ts";
import { timekeeper } from "./timekeeper.ts";
import { type Command, invariants, playOut } from "./walk.ts";

const seats = Object.keys(habits);
const settings = { hold_seconds: 20, max_turn_seconds: 50, ack_seconds: 10, gate_pause_seconds: 30, max_bypass: 1 };
const opening = { ...settings, seats, operators: ["interrupting"], max_agent_turns: 100_000 };
const operators = ["lea", "pia", "interrupting"];

type Logged = { what: string; member: string | null; data: Readonly<Record<string, unknown>>; at: number };

/** L1–L4, L6, S1–S10, N2, N4 by the log; and how many turns the longest wait took that no operator disturbed. */
function judge(facts: readonly Logged[], limits: Parameters<typeof timekeeper>[0], start: number) {
  const members = new Map<string, Member>(seats.map((name) => [name, agent]));
  members.set("lea", agent).set("pia", approver);
  const audit = auditor(settings.max_bypass);
  const times = timekeeper(limits);
  times.evenFrom(start);
  const waits = new Map<string, number>();
  let longest = 0;
  for (const fact of facts) {
    audit.read(fact, members);
    times.read(fact, fact.at, members);
    const seat = fact.data.seat as string;
    if ((fact.what === "floor.requested" || fact.what === "floor.addressed") && !waits.has(seat)) waits.set(seat, 0);
    if (/floor\.(withdrawn|denied|request_lapsed|slot_given)/.test(fact.what)) waits.delete(seat);
    if (fact.what !== "floor.granted") continue;
    longest = Math.max(longest, waits.get(seat) ?? 0);
    waits.delete(seat);
    const { why, giver } = fact.data;
    // Operators apart: neither what they do nor what comes of it counts.
    if (why === "take" || why === "grant" || why === "resume" || operators.includes(String(giver))) continue;
    for (const [name, turns] of waits) waits.set(name, turns + 1);
  }
  audit.rest();
  return longest;
}

/** Everybody has spoken in their turn, and waited no longer than the rule has it. */
function nobodyStarves(facts: readonly Logged[], longest: number, turns: number): void {
  const had = new Map(seats.map((name) => [name, 0]));
  for (const { what, data } of facts)
    if (what === "floor.granted") had.set(String(data.seat), (had.get(String(data.seat)) ?? 0) + 1);
  // One in a hundred at least, less what chance takes from so few (three standard deviations).
  const fewest = turns / 100 - 3 * Math.sqrt(turns / 100);
  for (const name of seats) expect(had.get(name), `${name} had turns`).toBeGreaterThan(fewest);
  expect(longest, "turns until one that waits speaks").toBeLessThanOrEqual(2 * seats.length + 1);
  const told = [...had].map(([name, n]) => `${name} ${n}`).join(", ");
  process.stderr.write(`talk: ${turns} turns, at most ${longest} until one that waits speaks; ${told}\n`);
}

it("L1, L2, L3, L4, L6, R18: twelve agents with bad habits talk for ten thousand turns, and nobody starves", {
  timeout: within(120_000),
}, async () => {
  const turns = often(10_000);
  const floor = stage(opening);
  floor.members.set("pia", approver);
  floor.open("pia", opening);
  const start = floor.now;
  let checked = 0;
  const hall: Hall = {
    holder: async () => floor.holder,
    turns: async () => floor.stored.turns,
    wait: async (seconds) => floor.run(seconds),
    async play(c) {
      if (c.do === "tick") floor.run(c.seconds);
      else playOut(floor, c);
      // What holds after every command of a random history holds here too; now and then is enough.
      if (++checked % 10 === 0) invariants(floor);
    },
  };
  await talk(hall, chance("talk"), turns);
  nobodyStarves(floor.log, judge(floor.log, floor.stored.settings, start), turns);
  const counted = tally(floor.log, operators, floor.now);
  const open = floor.turn ? [{ ...floor.turn, ended: null, ended_at: null }] : [];
  for (const { seat, characters: _, ...share } of report(seats, [...floor.turns, ...open], new Map(), floor.now))
    expect([seat, share]).toEqual([seat, counted.get(seat)]);
});

it("R18, L1, L2, L3, L4, L6: through the store a thousand turns of them, and floor_report counts what the log tells", {
  timeout: within(120_000),
}, async () => {
  const turns = often(1000);
  const store = await openStore(":memory:");
  const p = play(store, handClock());
  const guests = new Map<string, Guest>();
  for (const name of seats) guests.set(name, await p.guest(name));
  const pia = await p.guest("pia", { role: "approver" });
  guests.set("pia", pia).set("lea", await p.guest("lea", { role: "lead" }));
  await pia.does("open_floor", opening);
  const start = p.clock.now();
  const characters = new Map<string, number>();
  const gates = new Map<string, string>();
  const row = () => store.read((db) => db.selectFrom("floors").select(["turns", "due"]).executeTakeFirstOrThrow());
  const current = () =>
    store.read((db) =>
      db.selectFrom("floor_turns").select(["seat", "number"]).where("ended", "is", null).executeTakeFirst(),
    );
  let texts = 0;

  async function wait(seconds: number): Promise<void> {
    for (const end = p.clock.now() + seconds * 1000; p.clock.now() < end; ) {
      const { due } = await row();
      const next = Math.min(end, Math.max((due ?? end) - p.clock.now(), 1) + p.clock.now(), p.clock.now() + 5000);
      p.clock.jump(next - p.clock.now());
      await noteTime(store, p.clock.now());
      const later = (await row()).due;
      if (later !== null && later <= p.clock.now()) await p.table.write(pia.caller, "main", async () => {});
    }
  }

  async function perform(c: Command): Promise<void> {
    if (c.do === "tick") return wait(c.seconds);
    const guest = "who" in c ? guests.get(c.who) : undefined;
    if (!guest) return;
    const { name } = guest;
    switch (c.do) {
      case "say": {
        const turn = await current();
        const text = `${name} says ${++texts}, and it is not short`.slice(0, 10 + (texts % 30));
        const { pass } = c;
        const then = pass && (pass.to === "" ? { then: "nobody" } : { then: "pass", to: pass.to });
        await guest.does("say", { text, ...(c.turn === "current" && turn && { turn: turn.number }), ...then });
        characters.set(name, (characters.get(name) ?? 0) + text.length);
        break;
      }
      case "request":
        await guest.does("request_floor", { urgency: c.urgency });
        break;
      case "pass":
        await guest.does("pass_floor", { to: c.to });
        break;
      case "withdraw":
        await guest.does("withdraw_request");
        break;
      case "hear":
        await guest.does("wait_for_floor", { wait_seconds: 0 });
        break;
      case "grant":
      case "deny":
        await guest.does(c.do === "grant" ? "grant_floor" : "deny_request", {
          seat: c.seat,
          ...(c.do === "deny" && { reason: "not now" }),
        });
        break;
      case "keep":
      case "take":
      case "revoke":
      case "pause":
      case "resume":
        await guest.does(`${c.do}_floor`);
        break;
      case "ask": {
        const { gate } = await guest.does("request_approval", { title: `May I, ${++texts}?`, wait_seconds: 0 });
        gates.set(name, (gate as { id: string }).id);
        break;
      }
      case "answer": {
        const gate_id = gates.get(name);
        gates.delete(name);
        if (gate_id !== undefined) await pia.does("decide_gate", { gate_id, decision: "approve" });
        break;
      }
      default:
    }
  }

  const hall: Hall = {
    holder: async () => (await current())?.seat ?? null,
    turns: async () => (await row()).turns,
    wait,
    play: (c) =>
      perform(c).catch((error: unknown) => {
        if (!(error instanceof Refusal)) throw error;
      }),
  };
  await talk(hall, chance("talk through the store"), turns);

  const facts = (await store.read((db) => factsAfter(db, "main", 0, 10_000_000)))
    .filter(({ subject }) => subject === "floor:main")
    .map(({ action, member, data, at }) => ({ what: action, member, data: data as Record<string, unknown>, at }));
  const limits = stage(opening).stored.settings;
  nobodyStarves(facts, judge(facts, limits, start), turns);
  const counted = tally(facts, operators, p.clock.now());
  const { seats: shares } = await pia.does("floor_report");
  for (const { seat, characters: said, ...share } of shares as Array<Record<string, unknown>>) {
    expect([seat, share]).toEqual([seat, counted.get(String(seat)) ?? expect.anything()]);
    expect([seat, said]).toEqual([seat, characters.get(String(seat)) ?? 0]);
  }
  await p.table.close();
});
