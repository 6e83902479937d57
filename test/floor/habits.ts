// Twelve agents with habits of their own and a person, at one floor: what each does when it holds the floor, and
// what while others do.
import type { Chance } from "../processes/chance.ts";
import type { Command } from "./walk.ts";

interface Habit {
  /** On every step while it holds; nothing is silence. */
  holds: (me: string, one: Chance) => Command[];
  /** Now and then while others hold. */
  idles: (me: string, one: Chance) => Command[];
}

const say = (who: string, pass?: { to: string | undefined }): Command => ({ do: "say", who, turn: "current", pass });
const request = (who: string, urgency: "low" | "normal" | "high" = "normal"): Command => ({
  do: "request",
  who,
  urgency,
});
const hear = (who: string): Command => ({ do: "hear", who });
const asks = (me: string): Command[] => [request(me)];
const nobody = { to: "" };

const friendOf = (friend: string): Habit => ({
  holds: (me) => [say(me, { to: friend })],
  idles: asks,
});

/** By name of the seat, in the order of the seats. */
export const habits: Record<string, Habit> = {
  // Asks for the floor, answers, and says nothing.
  silent: { holds: (me) => [hear(me)], idles: asks },
  // Thinks long, and says so.
  slow: {
    holds: (me, one) => (one.whole(1, 4) === 1 ? [say(me, { to: undefined })] : [{ do: "keep", who: me }]),
    idles: asks,
  },
  // Is gone in the middle of its turn or of its waiting, and comes back.
  crashing: {
    holds: (me, one) => one.pick<Command[]>([[], [], [say(me)], [{ do: "leave", who: me }]]),
    idles: (me, one) =>
      one.pick<Command[]>([[{ do: "join", who: me }], asks(me), [hear(me)], [{ do: "leave", who: me }]]),
  },
  // An agent that is operator, and takes the floor whenever it has something to say.
  interrupting: {
    holds: (me, one) => [say(me, one.pick([undefined, nobody, { to: "polite" }]))],
    idles: (me, one) => (one.whole(1, 6) === 1 ? [{ do: "take", who: me }] : [say(me)]),
  },
  friend: friendOf("mate"),
  mate: friendOf("friend"),
  // Holds on for ever, and would give the floor to itself.
  looping: { holds: (me) => [{ do: "pass", who: me, to: me }, { do: "keep", who: me }, say(me)], idles: asks },
  // Speaks whenever it can, in turn or not.
  chatty: {
    holds: (me) => [say(me)],
    idles: (me) => [{ do: "say", who: me, turn: "none", pass: undefined }, request(me)],
  },
  // Wants an answer of somebody.
  asking: {
    holds: (me, one) => [say(me, { to: one.pick(["silent", "slow", "crashing", "gated"]) })],
    idles: asks,
  },
  // Everything is urgent.
  urgent: { holds: (me) => [say(me, { to: undefined })], idles: (me) => [request(me, "high")] },
  polite: {
    holds: (me) => [say(me, nobody)],
    idles: (me, one) => [one.whole(1, 4) === 1 ? { do: "withdraw", who: me } : request(me, "low")],
  },
  // Asks a person before it goes on.
  gated: {
    holds: (me, one) =>
      one.pick<Command[]>([[{ do: "ask", who: me }], [{ do: "answer", who: me }], [say(me, { to: undefined })]]),
    idles: (me, one) => [one.whole(1, 2) === 1 ? { do: "answer", who: me } : request(me)],
  },
};

/** A person, operator and outside the order. */
const person: Habit = {
  holds: (me, one) => [say(me, one.pick([undefined, { to: "urgent" }, { to: undefined }]))],
  idles: (me, one) =>
    one.pick<Command[]>([
      [{ do: "say", who: me, turn: "none", pass: undefined }],
      [{ do: "say", who: me, turn: "none", pass: undefined }],
      [{ do: "take", who: me }],
      [{ do: "grant", who: me, seat: one.pick(Object.keys(habits)) }],
      [{ do: "revoke", who: me }],
      [{ do: "deny", who: me, seat: one.pick(Object.keys(habits)) }],
      [{ do: "pause", who: me }, request(me), { do: "tick", seconds: 40 }, { do: "resume", who: me }],
    ]),
};

/** The table that they sit at. */
export interface Hall {
  holder(): Promise<string | null>;
  /** Turns so far. */
  turns(): Promise<number>;
  /** Time passes; what comes due is looked at within the second. */
  wait(seconds: number): Promise<void>;
  play(c: Command): Promise<void>;
}

/** Talks until there were so many turns. */
export async function talk(hall: Hall, one: Chance, turns: number): Promise<void> {
  const everybody = Object.entries(habits);
  while ((await hall.turns()) < turns) {
    await hall.wait(one.whole(1, 20));
    const holder = await hall.holder();
    const acts: Command[] = [];
    const habit = holder === null ? undefined : holder === "pia" ? person : habits[holder];
    if (habit && holder !== null) acts.push(...habit.holds(holder, one));
    for (const [name, { idles }] of everybody)
      if (name !== holder && one.whole(1, 12) === 1) acts.push(...idles(name, one));
    if (holder !== "pia" && one.whole(1, 20) === 1) acts.push(...person.idles("pia", one));
    for (const c of acts) await hall.play(c);
  }
}
