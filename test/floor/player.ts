// A process of its own that opens the store and plays at random for its members, as fast as it can. At the end it
// tells what became of every text. Started by several.test.ts.

import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Caller } from "../../src/members/caller.ts";
import { type Chance, chance } from "../processes/chance.ts";

export interface Part {
  /** The folder of the compiled product. */
  built: string;
  where: string;
  seed: number;
  /** How many calls it makes. */
  calls: number;
  names: string[];
  /** Whom this process plays, with their tokens; operators do what only they may. */
  members: Array<{ name: string; token: string; operates: boolean }>;
}

export interface Told {
  /** By text: the number of its utterance, or why it was refused. */
  texts: Array<{ text: string; became: number | string }>;
  calls: number;
  /** How often the turn came to one that waited. */
  came: number;
}

type Args = Record<string, unknown>;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function play({ built, where, seed, calls, names, members }: Part): Promise<Told> {
  const load = (file: string) => import(pathToFileURL(join(built, file)).href);
  const { openConfigured }: typeof import("../../src/commands/store.ts") = await load("commands/store.js");
  const { readConfig }: typeof import("../../src/config.ts") = await load("config.js");
  const { callerOfToken }: typeof import("../../src/members/caller.ts") = await load("members/caller.js");
  const { Refusal }: typeof import("../../src/refusal.ts") = await load("refusal.js");
  const table = await openConfigured(readConfig({ PARLEY_STORE: where }));
  const told: Told = { texts: [], calls: 0, came: 0 };
  let texts = 0;

  /** The result, or the code of the refusal; all else is a fault of this run. */
  async function call(caller: Caller, action: string, args: Args): Promise<Args | string> {
    told.calls++;
    try {
      const answer = await table.perform(caller, action, args);
      await answer.written();
      return answer.result;
    } catch (error) {
      if (error instanceof Refusal) return error.code;
      throw error;
    }
  }

  async function say(caller: Caller, one: Chance, more: Args): Promise<void> {
    const text = `${process.pid} says ${++texts}`;
    // Now and then it is sent twice at once, as by a client that lost its patience.
    const retried = one.whole(1, 4) === 1;
    const args = { text, ...more, ...(retried && { key: text }) };
    const answers = await Promise.all([1, ...(retried ? [2] : [])].map(() => call(caller, "say", args)));
    const became = answers.map((answer) =>
      typeof answer === "string" ? answer : (answer.utterance as { id: number }).id,
    );
    // Of two with the same key one may find the floor as the other left it.
    const said = became.filter((one) => typeof one === "number");
    if (new Set(said).size > 1) throw new Error(`${text} was said twice: ${became}`);
    told.texts.push({ text, became: said[0] ?? String(became[0]) });
  }

  async function takePart({ name, token, operates }: Part["members"][number], n: number): Promise<void> {
    const caller = (await table.store.read((db) => callerOfToken(db, token))) as Caller;
    const one = chance(name, seed + n);
    const to = () => one.pick([undefined, undefined, "", ...names]);
    const then = () => one.pick([{}, { then: "pass" }, { then: "pass", to: one.pick(names) }, { then: "nobody" }]);
    const comesAndSpeaks = async () => {
      const heard = await call(caller, "wait_for_floor", { request: one.whole(0, 3) > 0, wait_seconds: 1 });
      if (typeof heard === "string" || !heard.your_turn) return;
      told.came++;
      await say(caller, one, { turn: heard.turn, ...then() });
      if (one.whole(0, 1) === 1) await say(caller, one, { turn: heard.turn });
    };
    const seatMoves: Array<() => Promise<unknown>> = [
      () => say(caller, one, then()),
      () => say(caller, one, { or_queue: true }),
      () => call(caller, "request_floor", { urgency: one.pick(["low", "normal", "high"]) }),
      () => call(caller, "pass_floor", { to: to() }),
      () => call(caller, "keep_floor", {}),
      () => call(caller, "floor", {}),
      () => call(caller, "withdraw_request", {}),
      () => pause(one.whole(1, 6) === 1 ? 1200 : 0),
      comesAndSpeaks,
      comesAndSpeaks,
      comesAndSpeaks,
      comesAndSpeaks,
    ];
    const operatorMoves: typeof seatMoves = [
      () => say(caller, one, {}),
      () => call(caller, "take_floor", {}),
      () => call(caller, "grant_floor", { seat: one.pick(names) }),
      () => call(caller, "revoke_floor", { reason: "enough" }),
      () => call(caller, "deny_request", { seat: one.pick(names), reason: "not now" }),
      () =>
        call(caller, "open_floor", {
          seats: [...names].sort(() => one.whole(0, 1) - 0.5),
          mode: one.pick(["open", "round_robin"]),
        }),
      async () => {
        await call(caller, "pause_floor", {});
        await pause(one.whole(0, 300));
        await call(caller, "resume_floor", {});
      },
      () => call(caller, "pass_floor", { to: to() }),
    ];
    while (told.calls < calls) {
      await one.pick(operates ? operatorMoves : seatMoves)();
      await pause(one.whole(0, operates ? 400 : 20));
    }
  }

  try {
    await Promise.all(members.map(takePart));
    return told;
  } finally {
    await table.close();
  }
}

process.once("message", (part: Part) => {
  play(part).then(
    (told) => process.send?.({ told }, () => process.disconnect()),
    (error: Error) => process.send?.({ fault: error.stack }, () => process.disconnect()),
  );
});
