// The same random histories through the one path, on every store, beside the pure rules: after each command the
// floor looks the same, was refused alike, and the log tells the same.

import fc from "fast-check";
import { expect, it } from "vitest";
import { keep, pass, request, withdraw } from "../../src/floor/ask.ts";
import { cap, isDueForPerson } from "../../src/floor/care.ts";
import { membersOf as membersIn } from "../../src/floor/members.ts";
import { close, deny, grantTo, open, pause, resume, revoke, take } from "../../src/floor/moderate.ts";
import type { Happening, Moment } from "../../src/floor/moment.ts";
import { arrive, hear } from "../../src/floor/notice.ts";
import { blank, type EndedTurn, type Floor, type Members } from "../../src/floor/record.ts";
import { play as playMove, settle } from "../../src/floor/settle.ts";
import { say } from "../../src/floor/speak.ts";
import { clockAt } from "../../src/floor/timing.ts";
import { viewOf } from "../../src/floor/view.ts";
import { floorRecord } from "../../src/floor/view-record.ts";
import { factsAfter } from "../../src/log.ts";
import { Refusal } from "../../src/refusal.ts";
import type { Db } from "../../src/store/port.ts";
import { eachStore } from "../setup/stores.ts";
import { type Guest, handClock, type Play, play } from "../table.ts";
import { noteTime } from "./note-time.ts";
import { runs, within } from "./often.ts";
import { type Command, command, type Opening, opening, question, seats } from "./walk.ts";

const roles: Record<string, string> = {
  lea: "lead",
  olga: "approver",
  "p.pia": "approver",
  obi: "observer",
  zoe: "worker",
  ann: "worker",
  bob: "worker",
  cyd: "worker",
  dan: "worker",
};

/** Histories that once failed. */
const pinned: Array<[Opening, Command[]]> = [
  // A refused call and one that changes nothing note no time.
  [
    { mode: "open", max_bypass: 1, hold_seconds: 20, max_turn_seconds: 0, ack_seconds: 10, max_agent_turns: 100_000 },
    [
      { do: "request", who: "ann", urgency: "normal" },
      { do: "jump", seconds: 8 },
      { do: "pass", who: "bob" },
      { do: "tick", seconds: 1 },
    ],
  ],
];

/** The pure rules, kept in step with a store. */
function oracle(channel: string, now: number) {
  let record: Floor = blank(channel, now);
  const ended: EndedTurn[] = [];
  const happened: Happening[] = [];
  const take = (m: Moment) => {
    record = m.floor;
    ended.push(...m.ended);
    happened.push(...m.happened);
  };
  return {
    ended,
    happened,
    record: () => record,
    move<R>(members: Members, at: number, who: string, how: (m: Moment) => R): void {
      take(settle(record, members, at));
      take(playMove(record, members, at, who, how).moment);
    },
    settle: (members: Members, at: number) => take(settle(record, members, at)),
    note: (at: number) => {
      record = { ...record, clock: clockAt(record, at) };
    },
    /** As others see it; of the open questions the numbers, for their words stand in rows. */
    view(members: Members, at: number): Record<string, unknown> {
      const m = settle(record, members, at);
      return { ...viewOf(m, null), questions: m.floor.questions.map(({ utterance }) => utterance) };
    },
  };
}

interface Run {
  p: Play;
  guests: Map<string, Guest>;
  channel: string;
  pure: ReturnType<typeof oracle>;
}

const db = async <T>({ p }: Run, body: (db: Db) => Promise<T>) => p.table.store.read(body);
const membersOf = (run: Run) => db(run, (d) => membersIn(d, "main", run.p.clock.now()));

type Said = Extract<Command, { do: "say" }>;

/** The call of a command, and the move that it is; null when it is neither. */
function meant(run: Run, c: Command): { who: string; name: string; args: object; move: (m: Moment) => unknown } | null {
  const { channel, pure } = run;
  const turnOf = (who: string, turn: string): number | undefined => {
    const now = pure.record();
    if (turn === "none") return undefined;
    if (turn === "current") return now.turn?.number ?? 1;
    return turn === "stale" ? Math.max(1, now.turns - 1) : (pure.ended.findLast((t) => t.seat === who)?.number ?? 1);
  };
  const speech = (who: string, turn: number | undefined, to: Said["pass"], asks?: Said["asks"]) => {
    // No two texts alike: a repetition would be a retry.
    const text = `words ${run.p.clock.now()} ${pure.record().utterances} ${who}`;
    const past = () => pure.ended.find((t) => t.number === turn && t.seat === who) ?? null;
    const after = to && (to.to === "" ? ["nobody", undefined] : ["pass", to.to]);
    const args = {
      channel,
      text,
      turn,
      ...question(asks),
      ...(after &&
        Object.fromEntries([
          ["then", after[0]],
          ["to", after[1]],
        ])),
    };
    const words = { text, turn, pass: to, ...question(asks) };
    return { who, name: "say", args, move: (m: Moment) => say(m, who, words, { past: past() }) };
  };
  switch (c.do) {
    case "request": {
      const { who, urgency } = c;
      return { who, name: "request_floor", args: { channel, urgency }, move: (m) => request(m, who, { urgency }) };
    }
    case "say":
      return speech(c.who, turnOf(c.who, c.turn), c.pass, c.asks);
    case "pass": {
      const { who, to } = c;
      return { who, name: "pass_floor", args: { channel, to }, move: (m) => pass(m, who, to) };
    }
    case "holder": {
      const turn = pure.record().turn;
      if (!turn) return null;
      if (c.then === "say") return speech(turn.seat, turn.number, undefined);
      return meant(run, c.then === "pass" ? { do: "pass", who: turn.seat } : { do: c.then, who: turn.seat });
    }
    case "grant": {
      const { who, seat } = c;
      return { who, name: "grant_floor", args: { channel, seat }, move: (m) => grantTo(m, who, seat) };
    }
    case "deny": {
      const { who, seat } = c;
      const args = { channel, seat, reason: "no" };
      return { who, name: "deny_request", args, move: (m) => deny(m, who, seat, "no") };
    }
    case "open": {
      const { who, seats, mode } = c;
      return { who, name: "open_floor", args: { channel, seats, mode }, move: (m) => open(m, who, { seats, mode }) };
    }
    case "hear": {
      const { who } = c;
      const move = (m: Moment) => {
        arrive(m, who);
        return hear(m, who);
      };
      return { who, name: "wait_for_floor", args: { channel, wait_seconds: 0 }, move };
    }
    case "withdraw":
    case "keep":
    case "take":
    case "revoke":
    case "pause":
    case "resume":
    case "close": {
      const { who } = c;
      const moves = {
        withdraw,
        keep,
        take,
        pause,
        resume,
        close,
        revoke: (m: Moment, w: string) => revoke(m, w, null),
      };
      const move = moves[c.do];
      const name = c.do === "withdraw" ? "withdraw_request" : `${c.do}_floor`;
      return { who, name, args: { channel }, move: (m) => move(m, who) };
    }
    default:
      return null;
  }
}

const codeOf = async (what: () => unknown): Promise<string | null> => {
  try {
    await what();
    return null;
  } catch (error) {
    if (error instanceof Refusal) return error.code;
    throw error;
  }
};

async function step(run: Run, c: Command): Promise<void> {
  const { p, guests, channel, pure } = run;
  if (c.do === "jump") p.clock.jump(c.seconds * 1000);
  else if (c.do === "tick") await time(run, Math.min(c.seconds, 400));
  else if (c.do === "leave" || c.do === "join" || c.do === "observe") await changeRoom(run, c);
  else if (c.do === "ask" || c.do === "answer") await askPerson(run, c);
  else if (c.do === "restart") {
    await p.table.ring.close();
    run.p = play(p.table.store, p.clock);
  } else {
    const call = meant(run, c);
    if (!call) return;
    const guest = guests.get(call.who) as Guest;
    const args = JSON.parse(JSON.stringify({ room: "main", ...call.args })) as Record<string, unknown>;
    const refused = await codeOf(() => run.p.table.perform(guest.caller, call.name, args));
    const members = await membersOf(run);
    const rank = members.get(call.who)?.rank ?? "listener";
    const { now } = p.clock;
    // Who may not call it at all never comes to the floor.
    if (rank === "listener" || (call.name === "open_floor" && !["lea", "olga", "p.pia"].includes(call.who)))
      expect(refused, JSON.stringify(c)).toBe("FORBIDDEN");
    else expect(refused, JSON.stringify(c)).toBe(await codeOf(() => pure.move(members, now(), call.who, call.move)));
    // R21: that a floor waits for a person is written although the words are refused.
    if (refused === "PAUSED" && call.name === "say")
      pure.move(members, now(), call.who, (m) => void (isDueForPerson(m) && cap(m)));
  }
  const now = run.p.clock.now();
  // The rules always note the time; the store does with what it writes, and each second.
  await noteTime(run.p.table.store, now);
  pure.note(now);
  const seen = await db(run, (d) => floorRecord({ db: d, now, room: "main" }, channel));
  if (!seen) throw new Error(`the floor is gone after ${JSON.stringify(c)}`);
  const questions = (seen.questions as Array<{ utterance: number }>).map(({ utterance }) => utterance);
  expect({ ...seen, questions }, JSON.stringify(c)).toEqual(pure.view(await membersOf(run), now));
}

async function changeRoom(run: Run, c: { do: "leave" | "join" | "observe"; who: string }): Promise<void> {
  const { guests, pure, p } = run;
  const guest = guests.get(c.who) as Guest;
  if (["lea", "olga", "p.pia", "obi"].includes(c.who)) return;
  const olga = guests.get("olga") as Guest;
  const before = await membersOf(run);
  if (c.do === "join") {
    await run.p.table.perform(guest.caller, "join_room", { room: "main" });
    await run.p.table.perform(olga.caller, "set_role", { room: "main", member: c.who, role: "worker" });
  } else if (!before.has(c.who)) return;
  else if (c.do === "leave") await run.p.table.perform(guest.caller, "leave_room", { room: "main" });
  else await run.p.table.perform(olga.caller, "set_role", { room: "main", member: c.who, role: "observer" });
  guests.set(c.who, await run.p.again(guest));
  const members = await membersOf(run);
  const now = p.clock.now();
  // The departure comes after what was due before it.
  if (c.do === "join") pure.settle(before, now);
  else pure.move(before, now, c.do === "leave" ? c.who : "olga", () => {});
  const mover = c.do === "leave" ? c.who : "olga";
  if (c.do !== "join") pure.move(members, now, mover, () => {});
}

/** Time passes, and a process notes it now and then. */
async function time({ p, pure }: Run, seconds: number): Promise<void> {
  for (let left = seconds; left > 0; left -= 5) {
    p.clock.jump(Math.min(left, 5) * 1000);
    await noteTime(p.table.store, p.clock.now());
    pure.note(p.clock.now());
  }
}

/** R20: an approval is asked of a person, or the member's pending ones are answered. */
async function askPerson(run: Run, c: { do: "ask" | "answer"; who: string }): Promise<void> {
  const { guests, pure, p } = run;
  const { caller } = guests.get(c.who) as Guest;
  const before = await membersOf(run);
  const now = p.clock.now();
  if ((before.get(c.who)?.rank ?? "listener") === "listener" || c.who === "olga") return;
  if (c.do === "ask")
    await run.p.table.perform(caller, "request_approval", { room: "main", title: "May I?", wait_seconds: 0 });
  else {
    const olga = guests.get("olga") as Guest;
    const { result } = await run.p.table.perform(olga.caller, "list_gates", { room: "main", status: "pending" });
    for (const gate of result.gates as Array<{ id: string; asked_by: string }>)
      if (gate.asked_by === c.who)
        await run.p.table.perform(olga.caller, "decide_gate", { gate_id: gate.id, decision: "approve" });
  }
  pure.settle(before, now);
  pure.settle(await membersOf(run), now);
}

eachStore(({ kind, shared, make }) => {
  it("S1–S11, R22: through the one path the store does what the rules say", { timeout: within(120_000) }, async () => {
    const { store, remove } = await make();
    const clock = handClock();
    const p = play(store, clock);
    const guests = new Map<string, Guest>();
    for (const [name, role] of Object.entries(roles)) guests.set(name, await p.guest(name, { role }));
    let channels = 0;
    await fc.assert(
      fc.asyncProperty(opening, fc.array(command, { minLength: 10, maxLength: 40 }), async (how, commands) => {
        const channel = `c${++channels}`;
        const run: Run = { p: play(store, clock), guests, channel, pure: oracle(channel, clock.now()) };
        for (const name of ["ann", "bob", "cyd", "dan", "zoe"]) await changeRoom(run, { do: "join", who: name });
        // What agents had of the room's talk in the last one counts no more.
        await store.write("main", (tx) => tx.db.deleteFrom("room_talk").execute());
        // Above the usual limit on agents' turns only a person goes.
        const opener = how.max_agent_turns > 60 ? "olga" : "lea";
        const opening = { seats, operators: ["lea"], ...(how as Opening) };
        await run.p.table.perform((guests.get(opener) as Guest).caller, "open_floor", { channel, ...opening });
        run.pure.move(await membersOf(run), clock.now(), opener, (m) => open(m, opener, opening));
        for (const c of commands) await step(run, c as Command);
        const facts = (await db(run, (d) => factsAfter(d, "main", 0, 100_000))).filter(
          ({ subject }) => subject === `floor:${channel}`,
        );
        expect(
          facts.map(({ action, member, addressee, data }) => ({ what: action, member, to: addressee, data })),
        ).toEqual(JSON.parse(JSON.stringify(run.pure.happened)));
        // Nothing of it stays in the next one.
        for (const who of guests.keys()) await askPerson(run, { do: "answer", who });
        await codeOf(() => run.p.table.perform((guests.get("olga") as Guest).caller, "close_floor", { channel }));
        await run.p.table.ring.close();
      }),
      { ...runs<[Opening, Command[]]>(kind === "postgres" ? 3 : shared ? 6 : 10), examples: pinned },
    );
    await p.table.ring.close();
    await remove();
  });
});
