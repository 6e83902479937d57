// A rule tried on what was asked before: what it would have touched of the last 500 approvals.
import type { Result } from "../action.ts";
import { view } from "../gates/view.ts";
import type { Db } from "../store/port.ts";
import * as rows from "./rows.ts";
import { type Aim, type Rule, touches } from "./rules.ts";

const tries = 500;
/** Read so many at once: actions may be large. */
const page = 50;
/** Of those that match so many are shown. */
const shown = 100;

/** `{matches: [gate…], matched: n, tried: n}`, newest first; `but`: a gate that is left out. */
export async function tryOn(
  db: Db,
  rooms: readonly string[],
  rule: Aim & Pick<Rule, "risk">,
  now: number,
  but?: string,
): Promise<Result> {
  const matches: Result[] = [];
  let matched = 0;
  let tried = 0;
  let before: string | undefined;
  while (tried < tries) {
    const gates = await rows.asked(db, rooms, before, Math.min(page, tries - tried));
    for (const gate of gates) {
      if (gate.id === but || !touches(rule, { ...gate, risk: gate.claimed_risk ?? gate.risk })) continue;
      matched++;
      if (matches.length < shown) matches.push(view(gate, now));
    }
    tried += gates.length;
    before = gates.at(-1)?.id;
    if (gates.length < page) break;
  }
  return { matches, matched, tried };
}
