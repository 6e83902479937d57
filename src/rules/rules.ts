// The life of a rule and what it does to a gate that is being asked (G9, G10), pure.
import type { Selectable } from "kysely";
import type { Tables } from "../store/tables.ts";
import { type Deed, read } from "./deed.ts";
import { matches } from "./pattern.ts";
import { isTooWide } from "./wide.ts";

export type Rule = Selectable<Tables["rules"]>;
export type Risk = "low" | "medium" | "high" | "critical";

/** A rule that was not used for so long ends (ms). */
const unusedFor = 30 * 24 * 3600_000;

const risks = ["low", "medium", "high", "critical"] as const satisfies readonly Risk[];

/** `too_wide`: it answers nothing until a person confirms it. */
type Standing = "standing" | "too_wide" | "revoked" | "expired" | "unused";

/** When it ends if it is not used until then (ms). */
export const unusedAt = (rule: Pick<Rule, "last_used_at" | "confirmed_at" | "made_at">): number =>
  Math.max(rule.last_used_at ?? 0, rule.confirmed_at ?? 0, rule.made_at) + unusedFor;

export function standingOf(rule: Rule, now: number): Standing {
  if (rule.revoked_at !== null) return "revoked";
  if (rule.expires_at !== null && rule.expires_at <= now) return "expired";
  if (unusedAt(rule) <= now) return "unused";
  return isTooWide(rule) ? "too_wide" : "standing";
}

/** A gate as it is asked. */
export interface Asked {
  kind: "approval" | "feedback" | "blocker";
  room: string;
  asked_by: string;
  action: { is?: unknown };
  risk: Risk;
  options: readonly string[];
}

export type Aim = Pick<Rule, "effect" | "room" | "member" | "pattern" | "made_by">;

const deedOf = ({ action }: Asked): Deed | null => ("is" in action ? read(action.is) : null);

/** The name of the first program that an action runs, without folder and arguments; null where none can be told. */
export function programOf(action: unknown): string | null {
  const [program = ""] = read(action).commands()?.[0] ?? [];
  const name = program.slice(Math.max(program.lastIndexOf("/"), program.lastIndexOf("\\")) + 1);
  return /^[A-Za-z][\w.+-]{0,39}$/.test(name) ? name : null;
}

/** Whether a rule speaks of this gate: of an approval of somebody else, in its room, with what it looks for. */
function concerns(rule: Aim, asked: Asked, deed: Deed | null = deedOf(asked)): boolean {
  if (asked.kind !== "approval" || asked.asked_by === rule.made_by) return false;
  if (rule.room !== null && rule.room !== asked.room) return false;
  if (rule.member !== null && rule.member !== asked.asked_by) return false;
  if (rule.effect === "allow" && asked.options.length > 0) return false;
  if (deed) return matches(rule.pattern, deed, rule.effect) && !(rule.effect === "allow" && deed.touchesGates());
  return rule.effect !== "allow" && Object.keys(rule.pattern).length === 0;
}

/** Whether it would do something: no rule answers what is critical. */
export const touches = (rule: Aim & Pick<Rule, "risk">, asked: Asked): boolean =>
  (rule.effect === "raise" ? raisedTo(rule, asked.risk) !== asked.risk : asked.risk !== "critical") &&
  concerns(rule, asked);

export interface Weighed {
  risk: Risk;
  /** The rule that raised it most, if any did. */
  raised: Rule | null;
  /** The rule that answers it, if any does. */
  answer: Rule | null;
  /** All that had a part in it. */
  used: Rule[];
}

/** @param rules in the order in which they were made */
export function weigh(rules: readonly Rule[], asked: Asked, now: number): Weighed {
  const deed = deedOf(asked);
  const concerned = rules.filter((rule) => standingOf(rule, now) === "standing" && concerns(rule, asked, deed));
  let risk = asked.risk;
  let raised: Rule | null = null;
  const raises = concerned.filter((rule) => rule.effect === "raise");
  for (const rule of raises) {
    const to = raisedTo(rule, asked.risk);
    if (risks.indexOf(to) <= risks.indexOf(risk)) continue;
    risk = to;
    raised = rule;
  }
  const first = (effect: Rule["effect"]) => concerned.find((rule) => rule.effect === effect);
  const answer = risk === "critical" ? null : (first("deny") ?? first("allow") ?? null);
  return { risk, raised, answer, used: answer ? [...raises, answer] : raises };
}

/** A named risk, or one step more; never less. */
function raisedTo(rule: Pick<Rule, "risk">, risk: Risk): Risk {
  const from = risks.indexOf(risk);
  const to = rule.risk === null ? from + 1 : Math.max(from, risks.indexOf(rule.risk));
  return risks[to] ?? "critical";
}
