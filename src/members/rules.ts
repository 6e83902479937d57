// Names, roles and derived presence: pure.
import { Refusal } from "../refusal.ts";
import { hidesSomething } from "../visible.ts";
import { isReserved } from "./reserved.ts";
import { asLatin } from "./skeleton.ts";

export const agentRoles = ["lead", "worker", "reviewer", "observer"] as const;
export const personRoles = ["approver", "viewer"] as const;
type AgentRole = (typeof agentRoles)[number];
type PersonRole = (typeof personRoles)[number];
export type Role = AgentRole | PersonRole;
export type ServerRole = "owner";
export type Kind = "agent" | "person";

/** The pseudo-room whose log holds what belongs to no room. */
export const serverRoom = "_server";

const shape = /^[\p{L}\p{N}](?:[\p{L}\p{N}\p{M} ._-]*[\p{L}\p{N}\p{M}])?$/u;

/** G4: the name as it may be used, or a refusal that says what a name is. */
export function nameFor(kind: Kind, name: string): string {
  if ([...name].length > 64 || !shape.test(name) || hidesSomething(name) || name.includes("  "))
    throw new Refusal(
      "BAD_INPUT",
      "A name has 1 to 64 characters that can be seen: letters or digits at both ends, inside also single spaces and . _ - ; choose another name.",
    );
  if (kind === "agent" && (isReserved(name) || isReserved(asLatin(name))))
    throw new Refusal(
      "BAD_INPUT",
      `“${name}” is reserved, or looks like a name that is, since it could be taken for a person; choose another name.`,
    );
  return name;
}

/** A role that fits the kind of member, or a refusal that lists those that do. */
export function roleFor(kind: Kind, role: string): Role {
  const roles: readonly string[] = kind === "agent" ? agentRoles : personRoles;
  if (!roles.includes(role))
    throw new Refusal(
      "BAD_INPUT",
      `The role of ${kind === "agent" ? "an agent" : "a person"} is one of: ${roles.join(", ")}.`,
    );
  return role as Role;
}

/** G17: what an agent reads in a room where all was stopped. */
export const allStopped = "A person has stopped all agents: do nothing more and end your turn until they resume.";

/** M4: when a member counts as quiet and as offline (ms since it was last heard of). */
const quietAfter = 90_000;
export const offlineAfter = 15 * 60_000;

export interface Presence {
  status: "working" | "idle" | "done" | "away";
  seen_at: number | null;
  waits_until: number | null;
}

/** When it was last heard of: an open wait counts as now. */
export const heardOf = (p: Presence, now: number): number | null =>
  p.waits_until !== null && p.waits_until > now ? now : p.seen_at;

export type State = "waiting" | "blocked" | "offline" | "done" | "quiet" | "working";

/** G13: waiting > blocked > offline > done > quiet > working. */
export function stateOf(p: Presence, gates: { asks: boolean; blocked: boolean }, now: number): State {
  if (gates.asks) return "waiting";
  if (gates.blocked) return "blocked";
  const heard = heardOf(p, now);
  if (p.status === "away" || heard === null || now - heard >= offlineAfter) return "offline";
  if (p.status === "done") return "done";
  if (p.status === "idle" || now - heard >= quietAfter) return "quiet";
  return "working";
}
