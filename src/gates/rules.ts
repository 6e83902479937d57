// The life of a gate (G1–G9), pure: pending until a person answers, it expires or is withdrawn; then final.
import type { Selectable } from "kysely";
import { Refusal } from "../refusal.ts";
import type { Tables } from "../store/tables.ts";

export type Gate = Selectable<Tables["gates"]>;
export type GateKind = Gate["kind"];
type Status = Gate["status"];

/** What a gate has not yet had when it is made. */
export const unanswered = {
  approvals: [],
  confirm_from: null,
  decided_by: null,
  decided_at: null,
  device: null,
  note: null,
  choice: null,
  text: null,
  edited: {},
  reason: null,
  draft: null,
  reopens: null,
  reopened_as: null,
  recalled: false,
  receipt: null,
  by_rule: null,
  consumed_at: null,
  ran: {},
  drifted_at: null,
  seen_at: null,
  seen_by: null,
  delivered_at: null,
  written_at: null,
  written_to: null,
  passed_on_at: null,
  acknowledged_at: null,
  waits_until: null,
  client_until: null,
} satisfies Partial<Gate>;

/** How long a denial stands against the same digest once it was acknowledged (ms). */
const denialStands = 10 * 60_000;

/** How long an answer that another session had before is found by asking again (ms, G6). */
const passedOnStands = 10 * 60_000;

/** How long nobody may wait for a card that a client asked for by itself, before the client counts as gone (ms, G19). */
const clientPatience = {
  /** A hook asks again after 25 s at most, a prompt says after 40 s that it still waits. */
  hook: 60_000,
  prompt: 60_000,
  /** `parley gate` bears a server that is away for 300 s. */
  command: 360_000,
} as const;

/** After a start of the server every client has this long to come back (ms, G19). */
export const clientsReturnWithin = 120_000;

const clientGone = "The client no longer waits for the answer.";

/** When the client of a gate counts as gone, if a call waits until then (ms); null: it is no client's card. */
export const clientUntil = ({ asked_through }: Pick<Gate, "asked_through">, waits: number): number | null =>
  asked_through === null ? null : waits + clientPatience[asked_through];

/** G3: no reader ever sees `pending` past a deadline: its own, or that by which its client must ask again (G19). */
export function settle(gate: Gate, now: number): Gate {
  if (gate.status !== "pending") return gate;
  const expires = gate.expires_at ?? Number.POSITIVE_INFINITY;
  const gone = gate.client_until ?? Number.POSITIVE_INFINITY;
  if (gone <= now && gone < expires)
    return { ...gate, status: "withdrawn", reason: clientGone, decided_at: gone, acknowledged_at: gone };
  return expires <= now ? { ...gate, status: "expired" } : gate;
}

const answers = new Set<Status>(["approved", "denied", "answered", "resolved"]);
export const isAnswered = (gate: Gate): boolean => answers.has(gate.status);
export const isFinal = (gate: Gate): boolean => gate.status !== "pending";

/** What asking again finds: the gate to attach to, or null for a new one; refuses what must not be asked. */
export function attach(
  asked: {
    room: string;
    kind: GateKind;
    key: string | undefined;
    matchedBy: string;
    /** The client's own session, of a card that it asked for by itself. */
    session?: string | undefined;
    /** The MCP session that asks; null: one without a name. */
    line: string | null;
  },
  found: { byKey: Gate | undefined; alike: readonly Gate[]; pending: readonly Gate[] },
  limits: { maxPending: number },
  now: number,
): Gate | null {
  if (found.byKey) {
    const same = found.byKey.matched_by === asked.matchedBy && found.byKey.kind === asked.kind;
    if (same) return settle(found.byKey, now);
    throw new Refusal(
      "KEY_REUSED",
      "This key was used for another question; take a new key for a new question, or repeat the old one word for word.",
      { gate_id: found.byKey.id },
    );
  }
  // Newest first.
  for (const was of found.alike) {
    const gate = settle(was, now);
    const open = gate.status === "pending" || (isAnswered(gate) && gate.acknowledged_at === null);
    const mine = gate.client_session === (asked.session ?? null);
    if (asked.key === undefined && (open || isPassedOn(gate, asked.line, now)) && mine) return gate;
    if (gate.status !== "denied" || gate.reopened_as !== null) continue;
    if (gate.acknowledged_at === null || now < gate.acknowledged_at + denialStands)
      throw new Refusal(
        "ALREADY_DENIED",
        `${deciderOf(gate)} denied this${gate.note ? `: “${gate.note}”` : ""}. Do not do it; do something else, or ask for something different.`,
        { gate_id: gate.id, note: gate.note, decided_by: gate.decided_by },
      );
  }
  // Blockers have a count of their own: whatever else waits, an agent can say that it is stuck.
  const counted = (gate: Gate) => (gate.kind === "blocker") === (asked.kind === "blocker");
  const pending = found.pending.filter((gate) => counted(gate) && settle(gate, now).status === "pending");
  if (pending.length < limits.maxPending) return null;
  if (asked.kind === "blocker") return pending.find((gate) => gate.room === asked.room) ?? null;
  throw new Refusal(
    "TOO_MANY_PENDING",
    `${pending.length} of your gates are waiting already; wait for one (wait_for_gate) or withdraw one (withdraw_gate).`,
    {
      next: { call: "wait_for_gate", gate_id: pending.at(-1)?.id },
      pending: pending.map(({ id, kind, title }) => ({ id, kind, title })),
    },
  );
}

/**
 * Whether this session knows the answer only from its inbox, since another session asked or had it, which made no call
 * after it and has most likely died: asking again then finds the answer instead of asking the person again. What was
 * reported as run was used.
 */
const isPassedOn = (gate: Gate, line: string | null, now: number): boolean =>
  isAnswered(gate) &&
  gate.written_to === line &&
  gate.passed_on_at !== null &&
  now < gate.passed_on_at + passedOnStands &&
  Object.keys(gate.ran).length === 0;

export interface Decision {
  decision: "approve" | "deny" | "answer" | "resolve";
  note?: string | undefined;
  text?: string | undefined;
  choice?: string | undefined;
  /** The action as the person wants it, with its digest. */
  edited?: { is: unknown; digest: string } | undefined;
  confirm?: boolean | undefined;
  /** Of the action that the person had before their eyes. */
  digest?: string | undefined;
}

export interface Decider {
  member: string;
  device: string;
  now: number;
  /** How long a second confirmation by the same person must wait (ms, G9). */
  criticalDelay: number;
}

/** What became of a decision: it decided, it is one of two approvals, or it had been given before. */
export type Decided = { gate: Gate; outcome: "decided" | "approval" | "replay" } | { late: Gate };

const fits: Record<Decision["decision"], GateKind> = {
  approve: "approval",
  deny: "approval",
  answer: "feedback",
  resolve: "blocker",
};
const becomes: Record<Decision["decision"], Status> = {
  approve: "approved",
  deny: "denied",
  answer: "answered",
  resolve: "resolved",
};

const unfit = (sentence: string) => new Refusal("BAD_INPUT", sentence, { status: 422 });

/** G2: of many answers exactly one wins; the same again is a replay; another is told who was first. */
export function decide(was: Gate, d: Decision, by: Decider): Decided {
  if (was.asked_by === by.member)
    throw new Refusal("FORBIDDEN", "Nobody decides their own gate; another approver must answer it.");
  if (fits[d.decision] !== was.kind) {
    const wanted = Object.entries(fits)
      .filter(([, kind]) => kind === was.kind)
      .map(([name]) => name);
    throw unfit(
      `This gate is ${was.kind === "approval" ? "an" : "a"} ${was.kind}; it is answered by ${wanted.join(" or ")}.`,
    );
  }
  const text = d.decision === "resolve" ? (d.text ?? d.note) : d.text;
  checkWords(was, d, text);

  const gate = settle(was, by.now);
  if (gate.status === "expired") return { late: { ...gate, draft: text ?? d.note ?? d.choice ?? gate.draft } };
  if (isFinal(gate)) {
    if (isReplay(gate, d, text, by)) return { gate, outcome: "replay" };
    throw decidedAlready(gate);
  }
  mustHaveSeen(gate, d);
  const digest = d.edited?.digest ?? gate.digest;
  if (d.decision === "approve" && gate.approvals_needed > 1) {
    const step = approval(gate, d, digest, by);
    if (step) return step;
  }
  return {
    outcome: "decided",
    gate: {
      ...gate,
      status: becomes[d.decision],
      decided_by: by.member,
      decided_at: by.now,
      device: by.device,
      note: d.note ?? null,
      choice: d.choice ?? null,
      text: (d.decision === "answer" || d.decision === "resolve" ? text : undefined) ?? null,
      digest,
      edited: d.edited ? { is: d.edited.is } : gate.edited,
      approvals:
        d.decision === "approve"
          ? [...gate.approvals, { by: by.member, at: by.now, digest, device: by.device }]
          : gate.approvals,
      draft: null,
    },
  };
}

/** An answer to an action that is another by now is none; who wants just what stands there has seen it. */
function mustHaveSeen(gate: Gate, d: Decision): void {
  if (d.digest === undefined || d.digest === gate.digest || (d.edited && d.edited.digest === gate.digest)) return;
  const [first] = gate.approvals;
  throw new Refusal(
    "CONFLICT",
    first && "is" in gate.edited
      ? `${first.by} edited the action after you opened it, so your answer was not used; read it as it is now, and answer that.`
      : "This is not the action that you saw, so your answer was not used; read it as it is now, and answer that.",
    { gate_id: gate.id, digest: gate.digest, next: { call: "get_gate", gate_id: gate.id } },
  );
}

function checkWords(gate: Gate, d: Decision, text: string | undefined): void {
  if (d.choice !== undefined && !gate.options.includes(d.choice))
    throw unfit(
      gate.options.length
        ? `That choice is not offered; offered: ${gate.options.join(", ")}.`
        : "This gate offers no choices; answer without choice.",
    );
  if (d.decision === "answer" && text === undefined && d.choice === undefined)
    throw unfit("An answer needs a text or one of the choices.");
  if (d.decision === "resolve" && text === undefined) throw unfit("Say in text what resolves the blocker.");
  if (d.edited && (d.decision !== "approve" || gate.action.is === undefined))
    throw unfit("Only an action that is being approved can be edited.");
  if (d.text !== undefined && gate.kind === "approval") throw unfit("An approval takes a note, not a text.");
}

function isReplay(gate: Gate, d: Decision, text: string | undefined, by: Decider): boolean {
  return (
    gate.decided_by === by.member &&
    gate.status === becomes[d.decision] &&
    gate.choice === (d.choice ?? null) &&
    (gate.kind === "approval" ? gate.note === (d.note ?? null) : gate.text === (text ?? null)) &&
    isSameAction(gate, d)
  );
}

/** Of two approvals the second may take over what the first has edited. */
const isSameAction = (gate: Gate, d: Decision): boolean =>
  d.edited
    ? gate.digest === d.edited.digest
    : d.decision !== "approve" || !("is" in gate.edited) || gate.approvals_needed > 1;

/** Who decided, in words: a person, or a rule of one. */
const deciderOf = (gate: Gate): string =>
  gate.by_rule === null ? (gate.decided_by ?? "A person") : `A rule of ${gate.decided_by}`;

export function decidedAlready(gate: Gate): Refusal {
  const what = gate.status === "withdrawn" ? `withdrawn${gate.reason ? ` (${gate.reason})` : ""}` : gate.status;
  return new Refusal(
    "ALREADY_DECIDED",
    gate.decided_by
      ? `${deciderOf(gate)} ${what} this first${gate.by_rule === null ? `, from ${gate.device ?? "another device"}` : ""}; your answer was not used.`
      : `This gate was ${what} before; your answer was not used.`,
    {
      gate_id: gate.id,
      gate_status: gate.status,
      decided_by: gate.decided_by,
      decided_at: gate.decided_at === null ? null : new Date(gate.decided_at).toISOString(),
      device: gate.device,
      note: gate.note,
      choice: gate.choice,
      text: gate.text,
    },
  );
}

/** G9: one of two approvals, or null when this one completes them. */
function approval(gate: Gate, d: Decision, digest: string | null, by: Decider): Decided | null {
  const first = gate.approvals[0];
  if (!first)
    return {
      outcome: "approval",
      gate: {
        ...gate,
        digest,
        edited: d.edited ? { is: d.edited.is } : gate.edited,
        approvals: [{ by: by.member, at: by.now, digest, device: by.device }],
        confirm_from: gate.alone ? by.now + by.criticalDelay : null,
      },
    };
  if (digest !== first.digest)
    throw new Refusal("CONFLICT", `${first.by} approved another version of the action; both must approve the same.`, {
      gate_id: gate.id,
      digest: first.digest,
      next: { call: "get_gate", gate_id: gate.id },
    });
  if (first.by !== by.member) return null;
  if (!d.confirm) return { gate, outcome: "replay" };
  if (!gate.alone)
    throw new Refusal("CONFLICT", "You have approved this; it needs a second person too, who has to answer it.", {
      gate_id: gate.id,
      next: { call: "get_gate", gate_id: gate.id },
    });
  const from = gate.confirm_from ?? first.at + by.criticalDelay;
  if (by.now < from)
    throw new Refusal(
      "CONFLICT",
      `Confirm again in ${Math.ceil((from - by.now) / 1000)} s, so that it is a second thought.`,
      {
        gate_id: gate.id,
        confirm_from: new Date(from).toISOString(),
      },
    );
  return null;
}

/** G9: without the approvals of those who no longer decide; the action then is the one that was asked for. */
export function withoutApprovals(gate: Gate, of: ReadonlySet<string>): Gate {
  const approvals = gate.approvals.filter(({ by }) => !of.has(by));
  if (gate.status !== "pending" || approvals.length === gate.approvals.length) return gate;
  if (approvals.length > 0) return { ...gate, approvals };
  const digest = gate.digest === null ? null : gate.matched_by;
  return { ...gate, approvals, digest, edited: {}, confirm_from: null };
}

/** Of a decision and a withdrawal the first committed wins. */
export function withdraw(was: Gate, reason: string | null, now: number): Gate {
  const gate = settle(was, now);
  if (isFinal(gate)) return gate;
  return { ...gate, status: "withdrawn", reason, decided_at: now, acknowledged_at: now };
}

/** G17: an approval that was not delivered yet can be taken back: the one change that a final state knows. */
export function recall(gate: Gate, by: Decider): Gate {
  if (gate.recalled) return gate;
  if (gate.status !== "approved")
    throw new Refusal("CONFLICT", `Only an approval can be taken back; this gate is ${gate.status}.`, {
      gate_id: gate.id,
    });
  if (gate.delivered_at !== null)
    throw new Refusal("CONFLICT", `${gate.asked_by} has had this approval already; stop_all stops what runs.`, {
      gate_id: gate.id,
      delivered_at: new Date(gate.delivered_at).toISOString(),
    });
  return {
    ...gate,
    status: "denied",
    recalled: true,
    decided_by: by.member,
    decided_at: by.now,
    device: by.device,
    by_rule: null,
    receipt: null,
  };
}

/** Asks the same again, for a person who comes late; the old one names the new one. */
export function reopen(was: Gate, id: string, now: number): { old: Gate; fresh: Gate } {
  const gate = settle(was, now);
  if (gate.reopened_as !== null)
    throw new Refusal("CONFLICT", "This gate was reopened before; answer the new one.", { gate_id: gate.reopened_as });
  if (gate.status !== "expired" && gate.status !== "denied")
    throw new Refusal("CONFLICT", `Only what has expired or was denied can be reopened; this gate is ${gate.status}.`, {
      gate_id: gate.id,
    });
  // Nobody would run what is approved now; of a denial the reopening lifts what it forbids (G5).
  if (gate.status === "expired" && gate.asked_through !== null)
    throw new Refusal("CONFLICT", "The client that asked no longer waits; wait for it to ask again, on a new card.", {
      gate_id: gate.id,
    });
  const life = gate.expires_at === null ? null : gate.expires_at - gate.asked_at;
  return {
    old: { ...gate, reopened_as: id },
    fresh: {
      ...gate,
      ...unanswered,
      id,
      status: "pending",
      key: null,
      // Of the action as it was asked: what a first of two approvals had edited ended with the old one.
      digest: gate.digest === null ? null : gate.matched_by,
      asked_at: now,
      expires_at: life === null ? null : now + life,
      client_until: clientUntil(gate, now),
      reopens: gate.id,
      draft: gate.draft,
    },
  };
}

/** What the asker says it ran, held against what was approved. What has drifted once stays so, whatever is said later. */
export function ran(gate: Gate, action: unknown, digest: string, now: number): Gate {
  if (gate.status === "pending")
    throw new Refusal("CONFLICT", "This gate is not answered yet; do nothing before it is.", {
      next: { call: "wait_for_gate", gate_id: gate.id },
    });
  const other = gate.status !== "approved" || gate.digest !== digest;
  const times = (gate.ran.times ?? 0) + 1;
  const twice = !other && gate.single_use && times > 1;
  const drift = other || twice;
  const report = { at: now, digest, drift, ...(twice && { twice }), ...(other && { action }) };
  if (gate.ran.drift) return { ...gate, ran: { ...gate.ran, times, last: report } };
  return { ...gate, ran: { ...report, times }, drifted_at: drift ? now : null };
}
