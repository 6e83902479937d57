// A floor as others see it (R18): holder, deadlines, queue with its bound, seats, and whether the caller may speak.
import { leaning, turnsWithoutPerson } from "./care.ts";
import { hasVoice, isLive, isOperator, type Moment, order, standing } from "./moment.ts";
import { interrupted, waits } from "./queue.ts";
import type { Turn } from "./record.ts";
import { operators } from "./refuse.ts";
import { lapseOf, shown } from "./timing.ts";

const iso = (ms: number) => new Date(ms).toISOString();

/** How a seat is there: `quiet` was not heard of for 15 minutes, `away` left two offers unanswered. */
type Presence = "live" | "quiet" | "away" | "observer" | "left";

function presenceOf(m: Moment, seat: string): Presence {
  const member = m.members.get(seat);
  if (!member) return "left";
  if (member.rank === "listener") return "observer";
  if (standing(m, seat).away) return "away";
  return isLive(m, seat) ? "live" : "quiet";
}

/** Why `say` by `who` would be refused now; null when it would not. */
function whyNot(m: Moment, who: string): string | null {
  const { status, mode, turn } = m.floor;
  if (status === "closed") return "The floor is closed.";
  if (!hasVoice(m, who)) return "You have no seat here.";
  if (isOperator(m, who)) return null;
  if (status === "paused")
    return m.floor.capped ? "The floor is paused until a person says how it goes on." : "The floor is paused.";
  if (turn) return turn.seat === who ? null : `${turn.seat} holds the floor.`;
  return mode === "moderated" ? "Operators grant the turns here." : null;
}

/** The times of a turn, ISO 8601; null in a pause. */
export const timesOf = (m: Moment, turn: Turn) => ({
  lapses_at: shown(m.floor, lapseOf(turn, m.floor.settings).by),
  turn_ends_at: turn.asks_since === null ? shown(m.floor, turn.end_by) : null,
});

/** Why a turn came to its seat, in words for the seat. */
export function whyItCame({ why, giver }: Turn): string {
  const words: Record<Turn["why"], string> = {
    request: "you asked for the floor",
    say: "you spoke on the free floor",
    reinstated: "your last turn had just run out",
    pass: `${giver} passed the floor to you`,
    resume: `you were interrupted and go on${giver === null ? "" : `, after ${giver}`}`,
    queue: giver === null ? "you were next in the queue" : `${giver} asked you to speak`,
    rotation: "you are next in the order",
    take: "you took the floor",
    grant: `${giver} granted you the floor`,
  };
  return words[why];
}

/** @param who the caller, for `can_speak`; null leaves it out */
export function viewOf(m: Moment, who: string | null): Record<string, unknown> {
  const { floor } = m;
  const { turn } = floor;
  const why = who === null ? null : whyNot(m, who);
  return {
    channel: floor.channel,
    status: floor.status,
    mode: floor.mode,
    holder: turn?.seat ?? null,
    turn: turn?.number ?? null,
    offered: turn ? turn.answer_by !== null : false,
    waits_for_person: turn ? turn.asks_since !== null : false,
    since: turn ? iso(turn.since) : null,
    lapses_at: null,
    turn_ends_at: null,
    ...(turn ? timesOf(m, turn) : {}),
    last_turn: floor.turns,
    last_utterance: floor.utterances,
    queue: waits(floor).flatMap((wait) => {
      const { request } = standing(m, wait.seat);
      if (!request) return [];
      return [{ ...wait, purpose: request.purpose, urgency: request.addressed_by !== null ? "high" : request.urgency }];
    }),
    seats: order(floor).map((seat) => ({ seat, presence: presenceOf(m, seat) })),
    operators: operators(m),
    resume: interrupted(floor),
    quiescent: floor.quiescent,
    agent_turns: turnsWithoutPerson(floor),
    waits_for_word: floor.capped,
    wrapping_up: floor.wrapping,
    lopsided: leaning(floor),
    ...floor.settings,
    ...(who === null ? {} : { can_speak: why === null }),
    ...(why === null ? {} : { why_not: why }),
  };
}
