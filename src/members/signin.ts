// How a person's device comes in: a one-time link, redeemed by POST, becomes a session (D7). The link's code
// travels after `#`; cookie and secret are known to the device alone and stored hashed.
import { z } from "zod";
import { type AnyAction, action, people, type Result, type WriteCall } from "../action.ts";
import { iso } from "../clock.ts";
import { keptFor } from "../forget.ts";
import { newId, newSecret, sha256 } from "../ids.ts";
import { type Fact, factsOfNobody } from "../log.ts";
import type { Spine } from "../perform.ts";
import { Refusal } from "../refusal.ts";
import type { Db } from "../store/port.ts";
import { count, line } from "../words.ts";
import { localOperator } from "./caller.ts";
import * as credentials from "./credential-rows.ts";
import { mustManage } from "./manage.ts";
import * as roomRows from "./room-rows.ts";
import * as rows from "./rows.ts";
import { nameFor, serverRoom } from "./rules.ts";
import { skeletonOf } from "./skeleton.ts";

/** A link works once, for ten minutes. */
const linkLife = 10 * 60_000;

async function makeLink(call: WriteCall, member: string | null): Promise<Result> {
  const code = newSecret();
  const expires = call.now + linkLife;
  await credentials.addLink(call.db, sha256(code), member, call.now, expires);
  call.due(expires + keptFor);
  call.serverFact({ action: "link.made", subject: `link:${sha256(code).slice(0, 16)}`, data: { member } });
  return { code, member, expires_at: iso(expires) };
}

export interface SignedIn {
  cookie: string;
  secret: string;
  member: string;
  owner: boolean;
}

/**
 * Redeems a link's code.
 * @param name asked for when nobody is here yet: the first person becomes the owner
 * @param device as shown to others, e.g. "Chrome on Android"
 */
export function redeem(spine: Spine, code: string, name: string | undefined, device: string): Promise<SignedIn> {
  return spine.write(localOperator, serverRoom, async (call) => {
    const link = await credentials.linkRow(call.db, sha256(code));
    if (!link) throw new Refusal("NOT_FOUND", "This sign-in link is not known here; make a new one with: parley link");
    if (link.used_at !== null || link.expires_at <= call.now)
      throw new Refusal("EXPIRED", "This sign-in link was used or is too old; make a new one with: parley link");
    const member = link.member ?? (await firstPerson(call, name));
    const who = await rows.memberRow(call.db, member);
    if (!who || who.removed_at !== null)
      throw new Refusal(
        "EXPIRED",
        "This link was for somebody who is no longer here; make a new one with: parley link",
      );
    await credentials.useLink(call.db, link.hash, call.now);
    const [cookie, secret, id] = [newSecret(), newSecret(), newId()];
    await credentials.addSession(call.db, {
      id,
      hash: sha256(cookie),
      secret_hash: sha256(secret),
      member,
      device,
      at: call.now,
    });
    call.serverFact({ action: "session.opened", subject: `session:${id}`, member, data: { member, device } });
    return { cookie, secret, member, owner: who.server_role === "owner" };
  });
}

async function firstPerson(call: WriteCall, name: string | undefined): Promise<string> {
  if ((await rows.persons(call.db)).some((person) => person.server_role === "owner"))
    throw new Refusal("EXPIRED", "This server has its owner already; make a link with: parley link --person NAME");
  if (name === undefined)
    throw new Refusal("CONFLICT", "You are the first person here: say the name that the agents will see.", {
      need: "name",
    });
  const checked = nameFor("person", name.trim());
  const added = await rows.addMember(call.db, {
    name: checked,
    skeleton: skeletonOf(checked),
    kind: "person",
    server_role: "owner",
    skills: [],
    context_tokens: null,
    created_at: call.now,
  });
  if (!added)
    throw new Refusal("CONFLICT", `${checked} is taken, or looks like a name that is; choose another.`, {
      need: "name",
    });
  await rows.join(call.db, "main", checked, "approver", call.now);
  call.serverFact({ action: "person.added", subject: `member:${checked}`, member: checked, data: { role: "owner" } });
  return checked;
}

/** Ends one session, or all of its member. */
export function signOut(spine: Spine, member: string, session: string | null): Promise<void> {
  return spine.write(localOperator, serverRoom, async (call) => {
    for (const { id } of await credentials.sessionsOf(call.db, member))
      if (session === null || id === session) await endSession(call, id, member);
  });
}

async function endSession(call: WriteCall, id: string, member: string): Promise<void> {
  await credentials.revokeSession(call.db, id, call.now);
  call.due(call.now + keptFor);
  call.serverFact({ action: "session.revoked", subject: `session:${id}`, data: { member } });
}

const noticed = ["link.made", "person.added", "token.issued"];

/** G4: a person's credential made on the command line is told to every person until acknowledged. */
export async function noticesFor(db: Db, member: string): Promise<Result[]> {
  const who = await rows.memberRow(db, member);
  if (who?.kind !== "person") return [];
  const notices: Result[] = [];
  let after = who.notices_seen;
  for (;;) {
    const page = await factsOfNobody(db, serverRoom, noticed, after, 500);
    notices.push(...page.filter((fact) => fact.at >= who.created_at).flatMap(notice));
    const last = page.at(-1);
    if (!last || page.length < 500) return notices;
    after = last.seq;
  }
}

function notice({ seq, at, action, data, subject }: Fact): Result[] {
  const text =
    action === "link.made"
      ? `A sign-in link for ${data.member ?? "the first person"} was made on the command line.`
      : action === "person.added"
        ? `${subject.slice("member:".length)} was added as a person on the command line.`
        : action === "token.issued" && data.kind === "person"
          ? `A token for ${data.member} was made on the command line.`
          : null;
  return text === null ? [] : [{ seq, at: iso(at), text }];
}

export function signInActions(): AnyAction[] {
  return [
    action({
      name: "make_link",
      toolset: "members",
      about:
        "Makes a one-time sign-in link: for yourself on another device, or (the owner, the command line) for a person.",
      may: [...people, "local"],
      scope: "server",
      peopleOnly: true,
      input: { person: line(64).optional() },
      output: { code: z.string().optional(), expires_at: z.string().optional() },
      write: async (call, input) => {
        const all = await rows.persons(call.db);
        const local = call.actor.kind === "local";
        if (local && all.length === 0) return makeLink(call, null);
        const only = local && all.length === 1 ? all[0]?.name : undefined;
        const name = input.person ?? (local ? only : call.actor.member);
        if (name === undefined)
          throw new Refusal("BAD_INPUT", `Say for whom: --person NAME, one of ${all.map((p) => p.name).join(", ")}.`);
        if (!all.some((person) => person.name === name))
          throw new Refusal(
            "NOT_FOUND",
            `There is no person called ${name}; people here: ${all.map((p) => p.name).join(", ")}.`,
          );
        await mustManage(call, "make_link", { name, kind: "person" });
        return makeLink(call, name);
      },
    }),
    action({
      name: "list_devices",
      toolset: "members",
      about: "Lists the devices that you are signed in on.",
      may: people,
      scope: "server",
      peopleOnly: true,
      input: {},
      output: { devices: z.array(z.looseObject({})).optional() },
      read: async (call) => ({
        devices: (await credentials.sessionsOf(call.db, call.actor.member)).map((session) => ({
          id: session.id,
          device: session.device,
          created_at: iso(session.created_at),
          last_seen: iso(session.seen_at),
          current: call.actor.credential === `session:${session.id}`,
        })),
      }),
    }),
    action({
      name: "revoke_device",
      toolset: "members",
      about: "Signs one of your devices out at once.",
      may: people,
      scope: "server",
      peopleOnly: true,
      destructive: true,
      input: { id: line(64) },
      output: { revoked: z.string().optional() },
      write: async (call, input) => {
        const mine = await credentials.sessionsOf(call.db, call.actor.member);
        if (!mine.some((session) => session.id === input.id))
          throw new Refusal("NOT_FOUND", "You have no such device; list_devices shows yours.");
        await endSession(call, input.id, call.actor.member);
        return { revoked: input.id };
      },
    }),
    action({
      name: "acknowledge_notices",
      toolset: "members",
      about: "You have read the notices up to this number.",
      may: people,
      scope: "server",
      peopleOnly: true,
      idempotent: true,
      input: { seq: count(0, Number.MAX_SAFE_INTEGER) },
      output: {},
      write: async (call, input) => {
        // What is still to come cannot have been read.
        const up_to = Math.min(input.seq, (await roomRows.roomRow(call.db, serverRoom))?.facts ?? 0);
        await rows.noticesSeen(call.db, call.actor.member, up_to);
        call.serverFact({
          action: "notices.acknowledged",
          subject: `member:${call.actor.member}`,
          data: { up_to },
        });
        return {};
      },
    }),
  ];
}
