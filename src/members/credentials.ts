// Who gets in: members and their tokens, made and taken back by operators (M1, M2). A token is shown once.
import { z } from "zod";
import { type AnyAction, action, type Result, type WriteCall } from "../action.ts";
import { iso } from "../clock.ts";
import { Refusal } from "../refusal.ts";
import { count, line } from "../words.ts";
import { mint } from "./caller.ts";
import * as credentials from "./credential-rows.ts";
import { type Departure, mayManage } from "./places.ts";
import * as rows from "./rows.ts";
import { agentRoles, type Kind, nameFor, personRoles, type Role, roleFor, skeletonOf } from "./rules.ts";

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

/** Who is a member elsewhere is brought into this room with the token it has; by those who see the whole server. */
async function brings(call: WriteCall, name: string): Promise<boolean> {
  const whole = call.actor.serverRole === "owner" || call.actor.kind === "local";
  const was = await rows.membership(call.db, call.room, name);
  return whole && (!was || was.left_at !== null);
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
        mayManage(call, { kind });
        const name = nameFor(kind, input.name);
        const owner = input.role === "owner";
        const role: Role = owner
          ? "approver"
          : roleFor(kind, input.role ?? (kind === "person" ? "approver" : "worker"));
        const skeleton = skeletonOf(name);
        const like = await rows.memberLike(call.db, skeleton);
        if (like?.name === name && like.kind === kind && like.removed_at === null && (await brings(call, name)))
          return join(call, name, kind, role);
        if (like) throw taken(name, like.name);
        const added = await rows.addMember(call.db, {
          name,
          skeleton,
          kind,
          server_role: owner ? "owner" : null,
          skills: input.skills ?? [],
          context_tokens: input.context_tokens ?? null,
          created_at: call.now,
        });
        // In another room somebody was faster.
        if (!added) throw taken(name, (await rows.memberLike(call.db, skeleton))?.name ?? name);
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
        const who = await call.read((read) => rows.memberRow(read.db, input.member));
        if (!who || who.removed_at !== null)
          throw new Refusal("NOT_FOUND", `There is no member called ${input.member}; list_members shows who is here.`);
        mayManage(call, who);
        const owner = call.actor.serverRole === "owner" || call.actor.kind === "local";
        const theirs = await call.read((read) => rows.roomsOf(read.db, input.member));
        const mine = await call.read((read) => rows.roomsOf(read.db, call.actor.member, "approver"));
        if (!owner && !theirs.every((room) => mine.includes(room)))
          throw new Refusal(
            "FORBIDDEN",
            `${input.member} is in rooms that are not yours; kick it from yours, or ask the owner.`,
          );
        for (const room of theirs)
          await call.write(async (write) => {
            for (const depart of departures) await depart(write, input.member, `${input.member} was removed`);
            await rows.changeMembership(write.db, room, input.member, { left_at: write.now });
            write.fact({ action: "member.left", subject: `member:${input.member}`, data: { removed: true } });
          }, room);
        await call.write(async (write) => {
          await rows.removeMember(write.db, input.member, write.now);
          write.serverFact({ action: "member.removed", subject: `member:${input.member}` });
        });
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
        const who = await theirs(call, input.member);
        const token = await issue(call, who.name, input.label ?? "token", who.kind);
        return { member: who.name, token };
      },
    }),
    action({
      name: "revoke_token",
      toolset: "members",
      about: "Ends a token at once: calls, waits and streams that use it end within a second.",
      may: ["approver", "local"],
      peopleOnly: true,
      scope: "server",
      destructive: true,
      idempotent: true,
      input: { token_id: member },
      output: { revoked: z.string().optional() },
      write: async (call, input) => {
        const token = await credentials.tokenRow(call.db, input.token_id);
        if (!token) throw new Refusal("NOT_FOUND", "There is no token with this id; list_tokens shows them.");
        await theirs(call, token.member);
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
      about: "Lists tokens with their last use, never the tokens themselves.",
      may: ["approver", "local"],
      peopleOnly: true,
      scope: "server",
      input: { member: member.optional() },
      output: { tokens: z.array(z.looseObject({})).optional() },
      read: async (call, input) => {
        const owner = call.actor.serverRole === "owner" || call.actor.kind === "local";
        const mine = new Set(await rows.roomsOf(call.db, call.actor.member, "approver"));
        const tokens = await credentials.tokensOf(call.db, input.member);
        const shown = [];
        for (const token of tokens) {
          const rooms = owner ? [] : await rows.roomsOf(call.db, token.member);
          if (owner || rooms.some((room) => mine.has(room))) shown.push(token);
        }
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

/** A member whose credentials the caller may handle. */
async function theirs(call: WriteCall, name: string) {
  const who = await rows.memberRow(call.db, name);
  if (!who || who.removed_at !== null)
    throw new Refusal("NOT_FOUND", `There is no member called ${name}; list_members shows who is here.`);
  mayManage(call, who);
  if (call.actor.serverRole === "owner" || call.actor.kind === "local") return who;
  const mine = await rows.roomsOf(call.db, call.actor.member, "approver");
  const rooms = await rows.roomsOf(call.db, name);
  // Whoever handles a token can act as its holder: so in all its rooms.
  if (rooms.length === 0 || !rooms.every((room) => mine.includes(room)))
    throw new Refusal("FORBIDDEN", `${name} is in rooms that are not yours; ask the server's owner.`);
  return who;
}
