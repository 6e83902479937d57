// A random history played to its end before an auditor who reads only the log, and the calm after it, from which on
// the rest may behave as badly as it likes.
import fc from "fast-check";
import { isOperator } from "../../src/floor/moment.ts";
import { waits } from "../../src/floor/queue.ts";
import { auditor } from "./auditor.ts";
import { runs } from "./often.ts";
import { agent, approver, type Stage } from "./stage.ts";
import { timekeeper } from "./timekeeper.ts";
import { type Command, command, invariants, type Opening, opening, playOut, seats, walkedStage } from "./walk.ts";

export type History = [how: Opening, commands: Command[]];
export type Walk = ReturnType<typeof walk>;

export function walk([how, commands]: History) {
  const floor = walkedStage(how);
  const audit = auditor(how.max_bypass, how.max_agent_turns);
  const times = timekeeper(floor.stored.settings);
  let read = 0;
  /** Hands all that has happened to the auditors. */
  const hand = (): void => {
    for (; read < floor.log.length; read++) {
      const fact = floor.log[read];
      if (!fact) break;
      audit.read(fact, floor.members);
      times.read(fact, fact.at, floor.members);
    }
    audit.rest();
  };
  const step = (c: Command): void => {
    // What had come to pass before is judged by who was there before.
    hand();
    const meddles = meddling(floor, c);
    playOut(floor, c);
    invariants(floor);
    hand();
    if (meddles) audit.meddled();
    else for (const { seat, at_most_turns } of waits(floor.floor)) audit.promised(seat, at_most_turns);
  };
  for (const c of commands) step(c);
  return { floor, step, hand, times };
}

const meddlers = [
  "take",
  "grant",
  "revoke",
  "deny",
  "pause",
  "resume",
  "close",
  "open",
  "leave",
  "join",
  "observe",
  "wrap",
];

/** What operators and the room do, against which no bound holds. */
function meddling(floor: Stage, c: Command): boolean {
  if (meddlers.includes(c.do)) return true;
  const { turn } = floor;
  const place = { members: floor.members, floor: floor.floor };
  return turn !== null && isOperator(place, turn.seat) && (c.do === "pass" || c.do === "say" || c.do === "holder");
}

/** After any history: everybody there, the floor open and running, nothing moderated, no end to agents' turns. */
export function calm([how, commands]: History): Walk {
  const walked = walk([{ ...how, max_agent_turns: 100_000 }, commands]);
  const { floor, step } = walked;
  for (const name of seats) floor.members.set(name, name === "p.pia" ? approver : agent);
  floor.members.set("lea", agent).set("olga", approver);
  const mode = how.mode === "moderated" ? "open" : how.mode;
  step({ do: "open", who: "olga", seats, mode });
  step({ do: "resume", who: "olga" });
  return walked;
}

/** Everybody of `waited` has had the floor since there were `before` ended turns. */
export function eachWasServed({ floor }: Walk, waited: readonly string[], before: number): void {
  const served = new Set(floor.turns.slice(before).map(({ seat }) => seat));
  for (const { data } of floor.facts("request_lapsed")) served.add(String(data.seat));
  const left = waited.filter((name) => !served.has(name));
  if (left.length > 0) throw new Error(`L5: ${left} waited and never spoke`);
}

const histories = fc.tuple(opening, fc.array(command, { minLength: 5, maxLength: 60 })) as fc.Arbitrary<History>;

/** Histories that once failed; a failing one is printed with its seed. */
const pinned: History[] = [];

export const everyHistory = (usual: number, body: (history: History) => void): void =>
  fc.assert(fc.property(histories, body), {
    ...runs<[History]>(usual),
    examples: pinned.map((history): [History] => [history]),
  });

/** Histories and, after each, something more by chance. */
export const everyHistoryWith = <T>(usual: number, more: fc.Arbitrary<T>, body: (history: History, more: T) => void) =>
  fc.assert(fc.property(histories, more, body), runs<[History, T]>(usual));
