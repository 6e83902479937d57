// The records of the public contract and of the dashboard's wire, as the page uses them.

export interface Me {
  member: string;
  server_role: "owner" | null;
  session: string;
  device: string;
}

export interface Room {
  room: string;
  title: string;
  role: string;
  approvals: number;
  blockers: number;
  agents: number;
  stopped: boolean;
  /** The person's part in the room's floors, where it is their turn or something is asked of them. */
  floors?: { channel: string; turn?: number; questions?: { utterance: number; from: string }[] }[];
}

export type State = "waiting" | "blocked" | "offline" | "done" | "quiet" | "working";

export interface Member {
  name: string;
  kind: "agent" | "person";
  role: string;
  server_role?: "owner" | null;
  skills?: string[];
  presence?: { status: string; note?: string };
  state: State;
  last_seen?: string | null;
  now?: { task?: number | null; gate?: string | null; floor?: string | null };
}

export type GateKind = "approval" | "feedback" | "blocker";
export type GateStatus = "pending" | "approved" | "denied" | "answered" | "resolved" | "expired" | "withdrawn";
export type Risk = "low" | "medium" | "high" | "critical";

/** What an agent says it ran; `twice`: though it was approved for one time. */
export interface Ran {
  at: string;
  digest?: string;
  drift?: boolean;
  twice?: boolean;
  action?: unknown;
}

export interface Gate {
  id: string;
  room: string;
  kind: GateKind;
  status: GateStatus;
  title: string;
  details?: string | null;
  action?: unknown;
  digest?: string | null;
  risk?: Risk | null;
  options?: string[] | null;
  task_id?: number | null;
  asked_by: string;
  /** A client asked by itself: a hook, its prompt, a command. */
  asked_through?: "hook" | "prompt" | "command";
  asked_by_kind?: string;
  asked_at: string;
  expires_at?: string | null;
  seen_at?: string | null;
  delivered_at?: string | null;
  decided_by?: string | null;
  decided_at?: string | null;
  device?: string | null;
  note?: string | null;
  choice?: string | null;
  text?: string | null;
  edited?: boolean;
  /** The rule that answered it. */
  by_rule?: string | null;
  /** The rule that raised its risk, and what the asker claims. */
  raised_by?: string | null;
  claimed_risk?: Risk | null;
  /** What the agent says it ran. */
  ran?: Ran & { times?: number; last?: Ran };
  recalled?: boolean;
  reason?: string | null;
  approvals?: { by: string; at: string; digest?: string; device?: string }[];
  approvals_needed?: number | null;
  /** One approver alone was there when it was asked: the same person confirms, later. */
  alone?: boolean;
  /** From when that person may confirm. */
  confirm_from?: string;
  /** The action as it was asked, where a person edited it. */
  asked_action?: unknown;
  /** What somebody wrote too late. */
  draft?: string | null;
  acknowledged_at?: string | null;
  reopens?: string | null;
  reopened_as?: string | null;
  waiting_now?: boolean;
  nobody_waits_since?: string | null;
  /** Fields that are too large for the stream: `get_gate` has them. */
  left_out?: string[];
}

export type TaskStatus = "open" | "claimed" | "submitted" | "done" | "cancelled";

export interface Round {
  by: string;
  result: string;
  at: string;
  verdict?: "approve" | "reject" | null;
  reviewer?: string | null;
  note?: string | null;
}

export interface Task {
  id: number;
  title: string;
  description?: string;
  status: TaskStatus;
  ready?: boolean;
  blocked?: boolean;
  priority: "low" | "medium" | "high";
  skills?: string[];
  assignee?: string | null;
  creator?: string;
  reviewer?: string | null;
  parent_id?: number | null;
  depends_on?: number[];
  refs?: string[];
  result?: string | null;
  rounds?: Round[];
  lease_until?: string | null;
  created_at: string;
  updated_at: string;
  /** Fields that are too large for the stream: `get_task` has them. */
  left_out?: string[];
}

export interface Waiting {
  seat: string;
  purpose?: string;
  urgency?: "low" | "normal" | "high";
  position?: number;
  at_most_turns?: number;
  pending?: boolean;
}

export interface Floor {
  channel: string;
  status: "open" | "paused" | "closed";
  mode: "open" | "round_robin" | "moderated";
  holder: string | null;
  turn: number;
  offered?: boolean;
  since?: string | null;
  lapses_at?: string | null;
  turn_ends_at?: string | null;
  /** The clock stands because its holder waits for a person. */
  waits_for_person?: boolean;
  hold_seconds?: number;
  max_turn_seconds?: number;
  ack_seconds?: number;
  max_bypass?: number;
  /** So many turns of agents since a person last spoke, and the floor waits for a word of one; 0: never. */
  max_agent_turns?: number;
  agent_turns?: number;
  waits_for_word?: boolean;
  wrapping_up?: boolean;
  /** A seat that had most of the last turns. */
  lopsided?: { seat: string; turns: number; of: number } | null;
  questions?: { utterance: number; from: string; to: string | null; text: string; at: string }[];
  queue: Waiting[];
  seats: { seat: string; presence?: string }[];
  operators?: string[];
  resume?: unknown;
  quiescent?: boolean;
  last_turn?: number;
  last_utterance?: number;
  can_speak?: boolean;
  why_not?: string;
}

export interface Fact {
  seq: number;
  at: string;
  member: string | null;
  kind: "agent" | "person" | null;
  action: string;
  subject: string;
  to?: string | null;
  data?: Record<string, unknown>;
  text?: string;
  title?: string;
  from_person?: boolean;
}

export interface Notice {
  seq: number;
  at: string;
  text: string;
}

export interface RoomData {
  seq: number;
  members: Member[];
  gates: Record<string, Gate>;
  tasks: Record<number, Task>;
  counts: Partial<Record<TaskStatus, number>>;
  floors: Record<string, Floor>;
  facts: Fact[];
  /** Gates put aside by this person, and until when (ms). */
  snoozed: Record<string, number>;
}

export interface Rule {
  id: string;
  status: "standing" | "too_wide" | "never_matches" | "revoked" | "expired" | "unused" | "maker_gone";
  /** Why it answers nothing until somebody confirms it. */
  too_wide?: string;
  /** Why it can match nothing any more. */
  never_matches?: string;
  effect: "allow" | "deny" | "raise";
  kind?: string;
  room?: string | null;
  member?: string | null;
  pattern: Record<string, unknown>;
  risk?: Risk | null;
  note?: string | null;
  made_by: string;
  made_at: string;
  expires_at?: string | null;
  /** When it ends unless it is used before. */
  unused_at: string;
  hits: number;
  last_used?: string | null;
}

/** Facts older than those of the room's snapshot, loaded for one choice of chips and words. */
export interface Page {
  facts: Fact[];
  next: number | null;
  state: "idle" | "loading" | "failed";
}

/** What came of a person's answer, until the gate's own record says it. */
export type Answer =
  | { state: "sending"; decision: string; at: number }
  | { state: "unsent"; decision: string; args: Record<string, unknown> }
  /** It left and nothing came back; `looked`: the server was asked since, and had no such answer. */
  | { state: "unconfirmed"; decision: string; args: Record<string, unknown>; looked: boolean }
  | { state: "refused"; decision: string; at: number; error: Refused };

export interface Refused {
  code: string;
  message: string;
  next?: unknown;
  [fact: string]: unknown;
}

export interface Link {
  state: "connecting" | "live" | "reconnecting" | "offline";
  /** When something was last heard of the server, by its clock (ms). */
  heard: number | null;
}

export interface Toast {
  id: number;
  text: string;
  label?: string;
  act?: () => void;
}

/** A room's message while its parts are still coming. */
export interface Coming {
  type: "room";
  room: string;
  snapshot: Record<string, unknown[]>;
}

export interface App {
  phase: "starting" | "out" | "in";
  why: string | null;
  me: Me | null;
  server: { name: string; version: string } | null;
  rooms: Room[];
  room: string | null;
  data: Record<string, RoomData>;
  /** Rooms that are known already and are being sent anew: what has come of them. */
  coming: Record<string, Coming>;
  pages: Record<string, Page>;
  notices: Notice[];
  link: Link;
  answers: Record<string, Answer>;
  /** Gates that were settled while this page showed them: when (ms, this page's clock). */
  settled: Record<string, number>;
  /** The floor that is shown, by room, where a person chose one. */
  channels: Record<string, string>;
  /** The last that was said to this person and put away: by room and channel, the fact's number. */
  heard: Record<string, number>;
  /** Cards that were opened here, each with the digest that it then had. */
  opened: Record<string, true>;
  /** Cards chosen to be answered together. */
  picked: string[];
  /** What was answered together, until it is read. */
  together: { decision: "approve" | "deny"; ids: string[] } | null;
  toasts: Toast[];
  /** The last thing said to a screen reader. */
  said: string;
}

export interface Draft {
  reason?: string;
  text?: string;
  choice?: string;
  /** To a client's own questions, by the question's words: what was chosen, and what was written beside. */
  answers?: Record<string, { picks: string[]; own?: string }> | undefined;
  /** The JSON of the action as the person would approve it. */
  edited?: string | undefined;
  /** What stands in the field while it is being edited. */
  editing?: string | undefined;
  /** To be said: to whom, whether a reply is expected, and the key under which it was sent without an answer. */
  to?: string | undefined;
  reply?: boolean | undefined;
  key?: string | undefined;
}
