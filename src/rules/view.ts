// A rule as the public contract shows it: only the fields that it has.
import type { Result } from "../action.ts";
import { iso } from "../clock.ts";
import { whyNever } from "./pattern.ts";
import { type Rule, standingOf, unusedAt } from "./rules.ts";
import { whyTooWide } from "./wide.ts";

/** Who may answer gates now, and where. */
export interface Deciders {
  owners: ReadonlySet<string>;
  /** Rooms in which a member is approver. */
  rooms: ReadonlyMap<string, ReadonlySet<string>>;
}

/** Whether this person answers gates in `room`; null: in any. */
export const decides = ({ owners, rooms }: Deciders, member: string, room: string | null): boolean =>
  owners.has(member) || (room === null ? rooms.has(member) : rooms.get(member)?.has(room) === true);

const answers = (standing: string): boolean => standing === "standing" || standing === "too_wide";

/** Why it can match nothing any more, where an allow rule of earlier would not be made now. */
export const neverMatches = ({ effect, pattern }: Pick<Rule, "effect" | "pattern">): string | null =>
  effect === "allow" ? whyNever(pattern) : null;

/** `standing`, or why it no longer counts. */
const statusOf = (rule: Rule, deciders: Deciders, now: number): string => {
  const standing = standingOf(rule, now);
  if (answers(standing) && neverMatches(rule) !== null) return "never_matches";
  return standing === "standing" && !decides(deciders, rule.made_by, rule.room) ? "maker_gone" : standing;
};

/** JSON of a rule as of `now` (ms). */
export function view(rule: Rule, deciders: Deciders, now: number): Result {
  const status = statusOf(rule, deciders, now);
  return {
    id: rule.id,
    status,
    ...(status === "too_wide" && { too_wide: whyTooWide(rule) }),
    ...(status === "never_matches" && { never_matches: neverMatches(rule) }),
    effect: rule.effect,
    kind: "approval",
    ...(rule.room !== null && { room: rule.room }),
    ...(rule.member !== null && { member: rule.member }),
    pattern: rule.pattern,
    ...(rule.risk !== null && { risk: rule.risk }),
    ...(rule.note !== null && { note: rule.note }),
    made_by: rule.made_by,
    made_at: iso(rule.made_at),
    ...(rule.expires_at !== null && { expires_at: iso(rule.expires_at) }),
    unused_at: iso(unusedAt(rule)),
    hits: rule.hits,
    ...(rule.last_used_at !== null && { last_used: iso(rule.last_used_at) }),
    ...(rule.confirmed_at !== null &&
      rule.confirmed_at > rule.made_at && { confirmed_by: rule.confirmed_by, confirmed_at: iso(rule.confirmed_at) }),
    ...(rule.revoked_at !== null && { revoked_by: rule.revoked_by, revoked_at: iso(rule.revoked_at) }),
  };
}
