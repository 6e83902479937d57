// One floor at one moment: a draft of its next record, with what has happened to it so far.
// The record itself is never changed; a refused move leaves nothing behind.
import type { EndedTurn, Floor, Member, Members, News, Standing, Utterance } from "./record.ts";
import { outside } from "./record.ts";
import { clockAt } from "./timing.ts";

/** What happened, as the log will have it. */
export interface Happening {
  readonly what: `floor.${string}`;
  readonly member: string | null;
  /** Whom it concerns, and who is woken by it. */
  readonly to: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface Moment {
  floor: { -readonly [K in keyof Floor]: Floor[K] } & { standings: Map<string, Standing> };
  readonly members: Members;
  /** Who moves; null while the floor settles by itself. */
  mover: string | null;
  readonly now: number;
  /** Floor time. */
  readonly time: number;
  readonly happened: Happening[];
  readonly ended: EndedTurn[];
  said: Utterance | null;
}

export function momentOf(floor: Floor, members: Members, now: number): Moment {
  const clock = clockAt(floor, now);
  return {
    floor: { ...floor, clock, standings: new Map(floor.standings) },
    members,
    mover: null,
    now,
    time: clock.time,
    happened: [],
    ended: [],
    said: null,
  };
}

export const standing = ({ floor }: { floor: Pick<Floor, "standings"> }, name: string): Standing =>
  floor.standings.get(name) ?? outside;

export function mark(m: Moment, name: string, change: Partial<Standing>): void {
  m.floor.standings.set(name, { ...standing(m, name), ...change });
}

export function tell(
  m: Moment,
  what: Happening["what"],
  data: Record<string, unknown> = {},
  to: string | null = null,
): void {
  m.happened.push({ what, member: m.mover, to, data });
}

export const news = (m: Moment, name: string, more: News): void =>
  mark(m, name, { news: { ...standing(m, name).news, ...more } });

type Place = Pick<Moment, "members"> & { floor: Floor };

/** The order of the seats. */
export const order = (floor: Floor): string[] =>
  [...floor.standings]
    .flatMap(([name, { place }]) => (place === null ? [] : [{ name, place }]))
    .sort((a, b) => a.place - b.place)
    .map(({ name }) => name);

/** Approvers and the owner, and the members named at the opening; no observer. */
export function isOperator({ floor, members }: Place, name: string | null): boolean {
  const member = name === null ? undefined : members.get(name);
  if (!member || name === null) return false;
  return member.rank === "operator" || (member.rank === "speaker" && floor.operators.includes(name));
}

/** Seated or an operator, in the room, and no observer. */
export function hasVoice(m: Place, name: string): boolean {
  const member: Member | undefined = m.members.get(name);
  if (!member || member.rank === "listener") return false;
  return (m.floor.standings.get(name) ?? outside).place !== null || isOperator(m, name);
}

/** Of the order, there, and not away: who is offered the floor by rotation. */
export function isLive(m: Place, name: string): boolean {
  const mine = m.floor.standings.get(name) ?? outside;
  return mine.place !== null && !mine.away && hasVoice(m, name) && m.members.get(name)?.heard === true;
}

export const liveSeats = (m: Place): string[] => order(m.floor).filter((name) => isLive(m, name));
