// What a caller can mend: a code from a closed list, one sentence that says what to do next, and facts.
// Everything else that is thrown is a bug.

/** The closed list of codes with the HTTP status that each becomes. */
export const codes = {
  BAD_INPUT: 400,
  UNAUTHENTICATED: 401,
  FORBIDDEN: 403,
  NOT_FOUND: 404,
  ROOM_NEEDED: 400,
  CONFLICT: 409,
  ALREADY_CLAIMED: 409,
  NOT_READY: 409,
  NOT_ASSIGNEE: 409,
  CHILDREN_OPEN: 409,
  BUDGET_SPENT: 409,
  TOO_BIG_FOR_ASSIGNEE: 409,
  STALE_VERSION: 409,
  ALREADY_DECIDED: 409,
  ALREADY_DENIED: 409,
  EXPIRED: 409,
  KEY_REUSED: 409,
  TOO_MANY_PENDING: 409,
  STOPPED: 409,
  NOT_YOUR_TURN: 409,
  STALE_TURN: 409,
  NOT_HOLDER: 409,
  INVALID_TARGET: 409,
  OUTRANKED: 403,
  PAUSED: 409,
  CLOSED: 409,
  EMPTY: 400,
  TOO_LONG: 400,
  UNREAD: 409,
  RATE_LIMITED: 429,
  INTERNAL: 500,
  UNAVAILABLE: 503,
} as const;

export type Code = keyof typeof codes;

/** The call to make next, as `{call: "wait_for_gate", gate_id: "…"}`. */
type Next = { call: string } & Record<string, unknown>;

export interface RefusalFacts {
  next?: Next;
  /** Overrides the code's HTTP status, e.g. 422 for an answer that does not fit its gate. */
  status?: number;
  [fact: string]: unknown;
}

export class Refusal extends Error {
  override readonly name = "Refusal";
  readonly code: Code;
  readonly status: number;
  readonly facts: Record<string, unknown>;

  /** @param sentence one sentence that tells an agent what to do next */
  constructor(code: Code, sentence: string, facts: RefusalFacts = {}) {
    super(sentence);
    const { status, ...rest } = facts;
    this.code = code;
    this.status = status ?? codes[code];
    this.facts = rest;
  }

  /** What every edge writes: `{code, message, next?, …facts}`. */
  toJSON(): { code: Code; message: string } & Record<string, unknown> {
    return { ...this.facts, code: this.code, message: this.message };
  }
}
