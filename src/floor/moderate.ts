// What operators do: take, grant, revoke, deny, pause, resume, close, open (R12–R16).
import { Refusal } from "../refusal.ts";
import { cap, isDueForPerson, isSpent } from "./care.ts";
import { type Moment, mark, news, order, standing, tell } from "./moment.ts";
import { waiting } from "./queue.ts";
import { type Floor, type Mode, type News, outside, type Settings } from "./record.ts";
import {
  mustBeOpen,
  mustBePersonsWord,
  mustBeTarget,
  mustNotLengthen,
  mustOperate,
  mustOutrank,
  mustRun,
} from "./refuse.ts";
import { goOn, heedPerson, shut, standStill } from "./still.ts";
import { succeed } from "./successor.ts";
import { act, end, grant, slotAfter } from "./turns.ts";

function mustGovern(m: Moment, who: string): void {
  mustOperate(m, who);
  mustRun(m);
}

/** R12. */
export function take(m: Moment, who: string): void {
  mustGovern(m, who);
  mustOutrank(m, who);
  act(m, who);
  if (m.floor.turn?.seat === who) return;
  mustNotLengthen(m, who, who);
  preempt(m);
  grant(m, who, { why: "take", held: true });
}

/** R13. */
export function grantTo(m: Moment, who: string, seat: string): void {
  if (seat === who) {
    take(m, who);
    return;
  }
  mustGovern(m, who);
  mustBeTarget(m, who, seat, "grant_floor");
  act(m, who);
  if (m.floor.turn?.seat === seat) return;
  mustOutrank(m, who);
  mustNotLengthen(m, who, seat);
  preempt(m);
  grant(m, seat, { why: "grant", giver: who });
}

/** The interrupted seat speaks next, unless it had taken the floor itself. */
function preempt(m: Moment): void {
  const { turn } = m.floor;
  if (!turn) return;
  end(m, "preempted");
  if (turn.why !== "take") mark(m, turn.seat, { slot: slotAfter(m, turn) });
}

/** R13. */
export function revoke(m: Moment, who: string, reason: string | null): void {
  mustGovern(m, who);
  mustOutrank(m, who);
  act(m, who);
  if (!m.floor.turn) return;
  end(m, "revoked", reason);
  succeed(m);
}

/** R13. */
export function deny(m: Moment, who: string, seat: string, reason: string): void {
  mustGovern(m, who);
  const { request } = standing(m, seat);
  if (!request)
    throw new Refusal("NOT_FOUND", `${seat} has not asked for the floor; look at the queue with floor.`, {
      queue: waiting(m.floor).map(([name]) => name),
      next: { call: "floor", channel: m.floor.channel },
    });
  act(m, who);
  mark(m, seat, { request: null });
  news(m, seat, { denied: { by: who, reason } });
  tell(m, "floor.denied", { seat, by: who }, seat);
}

/** R16: the clocks stand still from here on. */
export function pause(m: Moment, who: string): void {
  mustGovern(m, who);
  mustOutrank(m, who);
  act(m, who);
  standStill(m);
}

export function resume(m: Moment, who: string): void {
  mustOperate(m, who);
  mustBeOpen(m);
  mustBePersonsWord(m, who);
  act(m, who);
  if (m.floor.status === "open") return;
  goOn(m);
  if (m.members.get(who)?.person) m.floor.agent_turns = 0;
  else if (isDueForPerson(m)) cap(m);
}

export function close(m: Moment, who: string): void {
  mustOperate(m, who);
  mustBeOpen(m);
  mustOutrank(m, who);
  act(m, who);
  shut(m);
}

type Given<T> = { readonly [K in keyof T]?: T[K] | undefined };

export interface Opening extends Given<Settings> {
  seats: readonly string[];
  /** Agents besides the room's approvers; without it those stay who were named before. */
  operators?: readonly string[] | undefined;
  mode?: Mode | undefined;
}

/** R15, R16: opens, or changes seats, operators and settings; what is not given stays. */
export function open(m: Moment, who: string, { seats, operators, mode, ...settings }: Opening): void {
  const { floor } = m;
  const byPerson = m.members.get(who)?.person === true;
  if (floor.status !== "closed") mustOperate(m, who);
  const wrong = [...seats, ...(operators ?? [])].filter(
    (name) => (m.members.get(name)?.rank ?? "listener") === "listener",
  );
  if (wrong.length > 0)
    throw new Refusal(
      "INVALID_TARGET",
      `These cannot speak in this room: ${[...new Set(wrong)].join(", ")}. Name agents and people who are in it, no observers or viewers.`,
      { invalid: [...new Set(wrong)], next: { call: "list_members" } },
    );
  if (seats.length === 0 || new Set(seats).size < seats.length)
    throw new Refusal("BAD_INPUT", "open_floor: seats must name at least one member, and each only once.", {
      next: { call: "open_floor", channel: floor.channel },
    });
  if (!byPerson) mustNotEscape(floor, operators ?? [], settings.max_agent_turns);
  const named = new Set(operators ?? floor.operators);
  if (m.members.get(who)?.rank === "speaker") named.add(who);
  floor.operators = [...named];
  floor.mode = mode ?? floor.mode;
  const given = Object.entries(settings).filter(([, value]) => value !== undefined);
  floor.settings = { ...floor.settings, ...Object.fromEntries(given) };
  const again = floor.status === "closed";
  for (const [name, was] of floor.standings) {
    const { read, told } = was;
    // A seat that was told of the closing waits until it is told of the opening.
    const news: News = seats.includes(name) && told === floor.notices ? { opened: true } : {};
    mark(m, name, again ? { ...outside, read, told, news } : { place: null });
  }
  seats.forEach((name, place) => {
    mark(m, name, { place });
  });
  if (again) {
    floor.status = "open";
    floor.pointer = null;
    floor.quiescent = false;
  }
  if (byPerson) {
    floor.wrapping = false;
    heedPerson(m);
  }
  tell(m, again ? "floor.opened" : "floor.changed", {
    seats: order(floor),
    operators: floor.operators,
    mode: floor.mode,
    turns: floor.turns,
  });
  // Closing and opening again is no way past the people.
  if (again && isSpent(floor)) cap(m);
}

/** An agent neither lifts the limit on agents' turns nor, once it is reached, makes others operators, who speak between. */
function mustNotEscape(floor: Floor, operators: readonly string[], wanted: number | undefined): void {
  const { max_agent_turns: was } = floor.settings;
  const refuse = (sentence: string) => {
    throw new Refusal("OUTRANKED", sentence, {
      max_agent_turns: was,
      next: { call: "open_floor", channel: floor.channel },
    });
  };
  // 0 is no limit. A new floor has the default.
  if (wanted === 0 && was !== 0) refuse("Only a person opens a floor without a limit on agents' turns: name one.");
  if (wanted !== undefined && was !== 0 && wanted > was)
    refuse(
      `Agents have at most ${was} turns without a person here, and only a person raises that: name fewer, or leave max_agent_turns out.`,
    );
  if (isSpent(floor) && operators.some((name) => !floor.operators.includes(name)))
    refuse("A person is asked how this floor goes on; until then only people name operators: leave operators out.");
}
