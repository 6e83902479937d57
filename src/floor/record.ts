// What is known of one floor: the record that the rules turn into the next record. Plain values, never changed in place.

export type Mode = "open" | "round_robin" | "moderated";
type Status = "open" | "paused" | "closed";
export type Urgency = "low" | "normal" | "high";
export type Ended =
  | "passed"
  | "silent"
  | "no_answer"
  | "too_long"
  | "preempted"
  | "revoked"
  | "left"
  | "closed"
  | "waiting_for_person";
/** How a turn came to its seat. */
export type Why = "request" | "say" | "reinstated" | "pass" | "resume" | "queue" | "rotation" | "take" | "grant";

/** Seconds, but `max_bypass` and `max_agent_turns`; `max_turn_seconds` and `max_agent_turns` 0: no limit. */
export interface Settings {
  readonly hold_seconds: number;
  readonly max_turn_seconds: number;
  readonly ack_seconds: number;
  readonly gate_pause_seconds: number;
  readonly max_bypass: number;
  readonly max_agent_turns: number;
}

/** Fields ending in `_by` are deadlines in the floor's own time (ms, see timing.ts). */
export interface Turn {
  readonly number: number;
  readonly seat: string;
  readonly why: Why;
  /** Who passed, granted or asked for it; for a resumed one who spoke meanwhile. */
  readonly giver: string | null;
  /** When it was granted, wall clock and floor time. */
  readonly since: number;
  readonly start: number;
  /** Until when the offer must be answered; null once held. */
  readonly answer_by: number | null;
  readonly speak_by: number;
  readonly end_by: number | null;
  /** Since when a gate of its seat stops these deadlines (floor time), and for how long gates did before (ms). */
  readonly asks_since: number | null;
  readonly asked: number;
  /** The deadline that its holder was warned of. */
  readonly warned: number | null;
  /** Utterances in it. */
  readonly spoke: number;
  /** How long its seat had waited for it (ms, wall clock), null when it had not asked; how often it was bypassed. */
  readonly waited: number | null;
  readonly bypassed: number;
}

export interface Ending {
  readonly number: number;
  readonly seat: string;
  readonly ended: Ended;
  /** Why an operator revoked it. */
  readonly reason: string | null;
  /** Number of the floor's last utterance then. */
  readonly utterances: number;
}

export interface EndedTurn extends Turn {
  readonly ended: Ended;
  readonly ended_at: number;
  readonly reason: string | null;
  readonly utterances: number;
}

export interface Request {
  /** Rises with every request of the floor: the order of arrival. */
  readonly arrived: number;
  /** Wall clock. */
  readonly at: number;
  readonly urgency: Urgency;
  readonly purpose: string;
  /** Who named it, passing or asking: it counts as high. */
  readonly addressed_by: string | null;
  readonly bypassed: number;
  /** Cancelled then, unless the seat acts before (floor time). */
  readonly lapses_by: number;
}

/** The right of an interrupted seat to speak next. */
export interface Slot {
  /** The turn that was interrupted: the last interrupted goes first. */
  readonly turn: number;
  /** What was left of its turn limit (ms); null: no limit. */
  readonly left: number | null;
}

/** A question that waits for its reply; `to` null: from whoever speaks. */
export interface Question {
  /** The utterance that asks it. */
  readonly utterance: number;
  readonly from: string;
  readonly to: string | null;
}

/** A pass that is kept until the floor runs again: by whom (null: by time), to whom ("" nobody, null: whoever is next). */
interface Handover {
  readonly by: string | null;
  readonly to: string | null;
  readonly rotates: boolean;
}

/** What a seat has not been told yet. */
export interface News {
  readonly addressed?: { readonly by: string };
  readonly denied?: { readonly by: string; readonly reason: string };
  /** The floor, of whose closing it was told, was opened again. */
  readonly opened?: true;
  /** The turn about whose end it is warned. */
  readonly warned?: number;
}

/** How one member stands to the floor. */
export interface Standing {
  /** Its place in the order; null: it stands outside. */
  readonly place: number | null;
  readonly request: Request | null;
  readonly slot: Slot | null;
  /** The slot it will have once the person has answered for whom its turn waited too long. */
  readonly owed: Slot | null;
  /** Unanswered offers in a row; two make it away. */
  readonly missed: number;
  readonly away: boolean;
  /** It has ended a turn unspoken since the last utterance. */
  readonly unspoken: boolean;
  /** The last utterance that was handed to it. */
  readonly read: number;
  /** The last notice to all that it was told. */
  readonly told: number;
  readonly news: News;
}

export interface Floor {
  readonly channel: string;
  readonly mode: Mode;
  readonly status: Status;
  readonly settings: Settings;
  /** Named at the opening; the room's approvers and the owner are operators besides. */
  readonly operators: readonly string[];
  readonly standings: ReadonlyMap<string, Standing>;
  readonly turn: Turn | null;
  readonly last: Ending | null;
  /** Numbers of the last turn, utterance, request, and notice to all. */
  readonly turns: number;
  readonly utterances: number;
  readonly arrivals: number;
  readonly notices: number;
  /** Who of the order held last: rotation goes on after it. */
  readonly pointer: string | null;
  readonly quiescent: boolean;
  /** What was passed in a pause, or into one. */
  readonly handover: Handover | null;
  /** Turns and interjections of agents on all floors of the room since a person last spoke on one; whether they are so
   * many that this floor waits for a person. */
  readonly agent_turns: number;
  readonly capped: boolean;
  /** Each who waits has one last turn, then the floor is closed. */
  readonly wrapping: boolean;
  /** Whose the last turns were, the newest last; the seat that had too many of them. */
  readonly recent: readonly string[];
  readonly lopsided: string | null;
  /** Those that are open. */
  readonly questions: readonly Question[];
  /** Floor time, and the wall clock at which it stood there. */
  readonly clock: { readonly wall: number; readonly time: number };
}

export interface Utterance {
  readonly id: number;
  readonly turn: number | null;
  readonly speaker: string;
  readonly text: string;
  readonly at: number;
  readonly kind: "speech" | "interjection";
  readonly from_person: boolean;
  readonly addressed_to: string | null;
  readonly expects_reply: boolean;
}

/** What the floor has to know of a member of the room; who is not in the room is not there. */
export interface Member {
  readonly person: boolean;
  /** `operator`: approver or owner; `listener`: observer or viewer. */
  readonly rank: "operator" | "speaker" | "listener";
  /** Heard of within 15 minutes, or waiting in a call. */
  readonly heard: boolean;
  /** It was heard of once, and no longer: a pass to it goes to the next. One that is still to come is waited for. */
  readonly gone: boolean;
  /** An approval or feedback of it is pending in the room. */
  readonly asks: boolean;
}
export type Members = ReadonlyMap<string, Member>;

const defaults: Settings = {
  hold_seconds: 180,
  max_turn_seconds: 600,
  ack_seconds: 60,
  gate_pause_seconds: 900,
  max_bypass: 1,
  max_agent_turns: 60,
};

export const outside: Standing = {
  place: null,
  request: null,
  slot: null,
  owed: null,
  missed: 0,
  away: false,
  unspoken: false,
  read: 0,
  told: 0,
  news: {},
};

/** A channel's floor before it was ever opened. */
export const blank = (channel: string, now: number): Floor => ({
  channel,
  mode: "open",
  status: "closed",
  settings: defaults,
  operators: [],
  standings: new Map(),
  turn: null,
  last: null,
  turns: 0,
  utterances: 0,
  arrivals: 0,
  notices: 0,
  pointer: null,
  quiescent: false,
  handover: null,
  agent_turns: 0,
  capped: false,
  wrapping: false,
  recent: [],
  lopsided: null,
  questions: [],
  clock: { wall: now, time: 0 },
});
