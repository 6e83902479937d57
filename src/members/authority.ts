// Who may do what to whom (M2), pure: one table for every action by which one member changes the standing or the
// credentials of another. docs/board.md has it as a table, and a test holds the two together.
import type { Actor } from "../action.ts";
import { Refusal } from "../refusal.ts";
import type { Kind } from "./rules.ts";

/** What one member does to another. */
export type Deed =
  | "add"
  | "kick"
  | "readmit"
  | "set_role"
  | "issue_token"
  | "revoke_token"
  | "see_tokens"
  | "remove"
  | "make_link";

/** Who acts: an actor, and the rooms in which it is approver. */
export interface Doer extends Pick<Actor, "member" | "kind" | "serverRole"> {
  readonly approves: readonly string[];
}

/** Whom it concerns, with every room that it is in or was kicked from: a kick can be taken back. */
export interface Target {
  readonly name: string;
  readonly kind: Kind;
  readonly rooms: readonly string[];
}

/** The owner and the operator at the command line act in every room and upon everybody. */
export const actsEverywhere = ({ kind, serverRole }: Pick<Actor, "kind" | "serverRole">): boolean =>
  kind === "local" || serverRole === "owner";

/** What a person may do to itself, whatever its role. */
const toOneself: readonly Deed[] = ["revoke_token", "see_tokens", "make_link"];
/** What concerns one room alone: its approvers do it to the room's agents. */
const inOneRoom: readonly Deed[] = ["add", "kick", "readmit", "set_role"];
/** What reaches into every room of the agent: done by one who is approver in all of them. */
const inAllRooms: readonly Deed[] = ["issue_token", "revoke_token", "remove"];

/**
 * @param room where it is done; for what concerns all rooms of the target it does not matter
 * @throws a refusal `FORBIDDEN` that says whom to ask
 */
export function mustHaveAuthority(deed: Deed, by: Doer, whom: Target, room: string): void {
  if (actsEverywhere(by)) return;
  if (by.kind === "person" && whom.name === by.member && toOneself.includes(deed)) return;
  if (by.kind !== "person") throw forbidden("Only people do this; ask an approver of the room.");
  if (deed === "make_link") throw forbidden("Only the owner makes links for others.");
  if (whom.kind === "person") throw forbidden("Only the server's owner does this for people; ask the owner.");
  if (inOneRoom.includes(deed) && by.approves.includes(room)) return;
  if (deed === "see_tokens" && whom.rooms.some((its) => by.approves.includes(its))) return;
  if (inAllRooms.includes(deed) && whom.rooms.length > 0 && whom.rooms.every((its) => by.approves.includes(its)))
    return;
  throw forbidden(
    inOneRoom.includes(deed)
      ? "Only an approver of this room or the server's owner does this; ask one of them."
      : `${whom.name} is, or was until a kick, in rooms that are not yours: kick it from yours, or ask the server's owner.`,
  );
}

/** There is always an owner left. @param owners the names of all who are owner now */
export function mustLeaveAnOwner(owners: readonly string[], who: string): void {
  if (owners.some((owner) => owner !== who)) return;
  throw new Refusal("CONFLICT", `${who} is the only owner; make somebody else owner first (set_role).`);
}

const forbidden = (sentence: string) => new Refusal("FORBIDDEN", sentence, { next: { call: "list_members" } });
