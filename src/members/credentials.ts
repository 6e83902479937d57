// Who gets in: members and their tokens, made and taken back by operators (M1, M2). A token is shown once.
import { z } from "zod";
import { type AnyAction, action, people, type Result, type WriteCall } from "../action.ts";
import { iso } from "../clock.ts";
import { Refusal } from "../refusal.ts";
import { count, line } from "../words.ts";
import { actsEverywhere } from "./authority.ts";
import { mint } from "./caller.ts";
import * as credentials from "./credential-rows.ts";
import { manages, mustManage, setOwner, standing } from "./manage.ts";
import type { Departure } from "./places.ts";
import * as rows from "./rows.ts";
import { agentRoles, type Kind, nameFor, personRoles, type Role, roleFor, serverRoom } from "./rules.ts";
import { skeletonOf } from "./skeleton.ts";

const member = line(64);
const skills = z.array(line(100)).max(10).optional();
const output = { member: z.string().optional(), token: z.string().optional() };

/** A new token for a member, with its fact. */
async function issue(call: WriteCall, name: string, label: string, kind: "agent" | "person"): Promise<string> {
  const { token, row } = mint(name, label, call.now);
  await credentials.addToken(call.db, row);
  call.serverFact({ action: "token.issued", subject: `token:${row.id}`, data: { member: name, kind, label } });
  return token;
}

/** The owner and the local operator may add an existing member of another room; it keeps its name and its token. */
async function isBrought(call: WriteCall, name: string, kind: Kind): Promise<boolean> {
  if (!actsEverywhere(call.actor)) return false;
  const who = await rows.memberRow(call.db, name);
  if (who?.kind !== kind || who.removed_at !== null) return false;
  const was = await rows.membership(call.db, call.room, name);
  return !was || was.left_at !== null;
}

const taken = (name: string, by: string): Refusal =>
  new Refusal(
    "CONFLICT",
    by === name
      ? `${name} exists already; issue it another token, or take another name.`
      : `${name} looks like ${by}, who exists already; take another name.`,
    { member: by },
  );

async function join(call: WriteCall, name: string, kind: Kind, role: Role): Promise<Result> {
  await rows.join(call.db, call.room, name, role, call.now);
  call.fact({ action: "member.joined", subject: `member:${name}`, to: name, data: { role, kind } });
  return { member: name, kind, role, room: call.room };
}

export function credentialActions(departures: readonly Departure[]): AnyAction[] {
  return [
    action({
      name: "add_member",
      toolset: "members",
      about: "Adds an agent (or, by the owner, a person) to a room and shows its token once.",
      may: ["approver", "local"],
      peopleOnly: true,
      input: {
        name: member,
        role: z.enum([...agentRoles, ...personRoles, "owner"]).optional(),
        person: z.boolean().optional(),
        skills,
        context_tokens: count(1, 1e9).optional(),
      },
      output,
      write: async (call, input) => {
        const kind = input.person || input.role === "owner" ? "person" : "agent";
        await mustManage(call, "add", { name: input.name, kind });
        const owner = input.role === "owner";
        const role: Role = owner
          ? "approver"
          : roleFor(kind, input.role ?? (kind === "person" ? "approver" : "worker"));
        if (await isBrought(call, input.name, kind)) return join(call, input.name, kind, role);
        const name = nameFor(kind, input.name);
        const like = await rows.memberLike(call.db, name);
        if (like) throw taken(name, like.name);
        const added = await rows.addMember(call.db, {
          name,
          skeleton: skeletonOf(name),
          kind,
          server_role: owner ? "owner" : null,
          skills: input.skills ?? [],
          context_tokens: input.context_tokens ?? null,
          created_at: call.now,
        });
        // In another room somebody was faster.
        if (!added) throw taken(name, (await rows.memberLike(call.db, name))?.name ?? name);
        await join(call, name, kind, role);
        if (kind === "person")
          call.serverFact({
            action: "person.added",
            subject: `member:${name}`,
            data: { role: owner ? "owner" : role },
          });
        const token = await issue(call, name, "first", kind);
        return { member: name, kind, role: owner ? "owner" : role, room: call.room, token };
      },
    }),
    action({
      name: "remove_member",
      toolset: "members",
      about: "Removes a member from the server: its tokens end, its claims go back, its name stays taken.",
      may: ["approver", "local"],
      peopleOnly: true,
      destructive: true,
      scope: "server",
      input: { member },
      output: { removed: z.string().optional() },
      wait: async (call, input) => {
        const who = await call.read((read) => standing(read, input.member));
        await call.read((read) => mustManage(read, "remove", who));
        // First, so that the last owner is refused before anything of it has ended.
        await call.write((write) => setOwner(write, who.name, false));
        for (const room of await call.read((read) => rows.roomsOf(read.db, who.name)))
          await call.write(async (write) => {
            await mustManage(write, "remove", who);
            for (const depart of departures) await depart(write, who.name, `${who.name} was removed`);
            await rows.changeMembership(write.db, room, who.name, { left_at: write.now });
            write.fact({ action: "member.left", subject: `member:${who.name}`, data: { removed: true } });
          }, room);
        // Named, since an owner who removes itself is none by now.
        await call.write(async (write) => {
          await setOwner(write, who.name, false);
          await rows.removeMember(write.db, who.name, write.now);
          write.serverFact({ action: "member.removed", subject: `member:${who.name}` });
        }, serverRoom);
        return { removed: input.member };
      },
    }),
    action({
      name: "issue_token",
      toolset: "members",
      about: "Makes another token for a member and shows it once.",
      may: ["approver", "local"],
      peopleOnly: true,
      scope: "server",
      input: { member, label: line(64).optional() },
      output,
      write: async (call, input) => {
        const who = await standing(call, input.member);
        await mustManage(call, "issue_token", who);
        const token = await issue(call, who.name, input.label ?? "token", who.kind);
        return { member: who.name, token };
      },
    }),
    action({
      name: "revoke_token",
      toolset: "members",
      about: "Ends a token at once, your own or an agent's: calls, waits and streams that use it end within a second.",
      may: [...people, "local"],
      peopleOnly: true,
      scope: "server",
      destructive: true,
      idempotent: true,
      input: { token_id: member },
      output: { revoked: z.string().optional() },
      write: async (call, input) => {
        const token = await credentials.tokenRow(call.db, input.token_id);
        if (!token) throw new Refusal("NOT_FOUND", "There is no token with this id; list_tokens shows them.");
        await mustManage(call, "revoke_token", await standing(call, token.member));
        if (token.revoked_at === null) {
          await credentials.revokeToken(call.db, token.id, call.now);
          call.serverFact({ action: "token.revoked", subject: `token:${token.id}`, data: { member: token.member } });
        }
        return { revoked: token.id };
      },
    }),
    action({
      name: "list_tokens",
      toolset: "members",
      about: "Lists your own tokens and those of your rooms' agents with their last use, never the tokens themselves.",
      may: [...people, "local"],
      peopleOnly: true,
      scope: "server",
      input: { member: member.optional() },
      output: { tokens: z.array(z.looseObject({})).optional() },
      read: async (call, input) => {
        const tokens = await credentials.tokensOf(call.db, input.member);
        const seen = new Map<string, boolean>();
        for (const name of new Set(tokens.map((token) => token.member)))
          seen.set(name, await manages(call, "see_tokens", name));
        const shown = tokens.filter((token) => seen.get(token.member));
        const when = (ms: number | null) => ms && iso(ms);
        return {
          tokens: shown.map(({ created_at, used_at, revoked_at, ...token }) => ({
            ...token,
            created_at: iso(created_at),
            used_at: when(used_at),
            revoked_at: when(revoked_at),
          })),
        };
      },
    }),
  ];
}
