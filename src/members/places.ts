// Rooms and who is in them: what every member may ask, and what room operators do (M2–M4).
import { z } from "zod";
import { type AnyAction, action, everyone, type Result, type WaitCall, type WriteCall } from "../action.ts";
import { Refusal } from "../refusal.ts";
import { line, prose, text } from "../words.ts";
import { mustManage, setOwner, standing } from "./manage.ts";
import * as roomRows from "./room-rows.ts";
import * as rows from "./rows.ts";
import { agentRoles, nameFor, personRoles, type Role, roleFor, serverRoom } from "./rules.ts";
import { lookAlike } from "./skeleton.ts";
import { roster } from "./view.ts";

/** What other slices do when a member is no longer in a room, in the same transaction. */
export type Departure = (call: WriteCall, member: string, why: string) => Promise<void>;

type Named = NonNullable<Awaited<ReturnType<typeof roomRows.roomRow>>>;

const member = line(64);
const anyRole = z.enum([...agentRoles, ...personRoles]);

export function placeActions(departures: readonly Departure[]): AnyAction[] {
  async function goes(call: WriteCall, name: string, why: string): Promise<void> {
    for (const depart of departures) await depart(call, name, why);
  }
  return [
    action({
      name: "list_members",
      toolset: "members",
      about:
        "List who is in the room: role, skills, and whether they are working, waiting, blocked, quiet, done or offline.",
      may: [...everyone, "local"],
      quiet: true,
      input: {},
      output: { members: z.array(z.looseObject({})).optional() },
      read: async (call) => ({ members: await roster(call.db, call.room, call.now) }),
    }),
    action({
      name: "set_presence",
      toolset: "members",
      about: "Say how you are: working, idle, done or away, with a short note for the others.",
      may: everyone,
      scope: "server",
      quiet: true,
      idempotent: true,
      input: { status: z.enum(["working", "idle", "done", "away"]), note: prose(200).optional() },
      output: { presence: z.looseObject({}).optional() },
      write: async (call, input) => {
        await rows.setPresence(call.db, call.actor.member, input.status, input.note ?? "");
        return { presence: { status: input.status, ...(input.note && { note: input.note }) } };
      },
    }),
    action({
      name: "list_rooms",
      toolset: "members",
      about: "List the rooms that you are in or may join.",
      may: everyone,
      scope: "server",
      quiet: true,
      input: {},
      output: { rooms: z.array(z.looseObject({})).optional() },
      read: async (call) => {
        const mine = new Set(await rows.roomsOf(call.db, call.actor.member));
        const all = await roomRows.roomsWithCounts(call.db);
        const owner = call.actor.serverRole === "owner";
        return {
          rooms: all
            .filter((room) => mine.has(room.name) || room.open || owner)
            .map((room) => ({
              room: room.name,
              title: room.title,
              open: room.open,
              members: Number(room.members ?? 0),
              joined: mine.has(room.name),
              ...(room.stopped && { stopped: true }),
            })),
        };
      },
    }),
    action({
      name: "join_room",
      toolset: "members",
      about: "Join an open room.",
      may: everyone,
      scope: "server",
      input: { room: member },
      output: { room: z.string().optional(), role: z.string().optional() },
      wait: (call, input) =>
        inNamed(call, input.room, notOpen, async (write, room) => {
          const was = await rows.membership(write.db, input.room, write.actor.member);
          if (was && was.left_at === null && was.kicked_at === null) return { room: input.room, role: was.role };
          const owner = write.actor.serverRole === "owner";
          if (room.trashed_at !== null || !(room.open || owner)) throw notOpen();
          if (was?.kicked_at)
            throw new Refusal("FORBIDDEN", "You were removed from this room; an operator must readmit you first.");
          const role: Role = was?.role ?? (write.actor.kind === "person" ? (owner ? "approver" : "viewer") : "worker");
          await rows.join(write.db, input.room, write.actor.member, role, write.now);
          write.fact({
            action: "member.joined",
            subject: `member:${write.actor.member}`,
            to: write.actor.member,
            data: { role },
          });
          return { room: input.room, role };
        }),
    }),
    action({
      name: "leave_room",
      toolset: "members",
      about: "Leave a room: your claims go back, your gates there are withdrawn.",
      may: everyone,
      scope: "server",
      destructive: true,
      input: { room: member },
      output: { left: z.string().optional() },
      wait: (call, input) =>
        inNamed(call, input.room, notIn, async (write) => {
          const { member } = write.actor;
          const was = await rows.membership(write.db, input.room, member);
          if (!was || was.left_at !== null || was.kicked_at !== null) throw notIn();
          await goes(write, member, `${member} left the room`);
          await rows.changeMembership(write.db, input.room, member, { left_at: write.now });
          write.fact({ action: "member.left", subject: `member:${member}`, to: member });
          return { left: input.room };
        }),
    }),
    action({
      name: "create_room",
      toolset: "members",
      about: "Makes a room and joins it; an open room may be joined by any member.",
      may: ["owner", "local"],
      scope: "server",
      peopleOnly: true,
      input: { room: member, title: line(200).optional(), open: z.boolean().optional() },
      output: { room: z.string().optional() },
      wait: async (call, input): Promise<Result> => {
        const name = nameFor("person", input.room);
        await call.write(async (write) => {
          const like = (await write.db.selectFrom("rooms").select("name").execute()).find((room) =>
            lookAlike(room.name, name),
          );
          if (like) throw new Refusal("CONFLICT", `A room called ${like.name} exists already; take another name.`);
          const by = write.actor.member || null;
          await roomRows.addRoom(write.db, name, input.title ?? name, input.open ?? false, by, write.now);
          write.serverFact({ action: "room.created", subject: `room:${name}`, data: { open: input.open ?? false } });
        });
        if (call.actor.kind === "person")
          await call.write(async (write) => {
            await rows.join(write.db, name, call.actor.member, "approver", write.now);
            write.fact({
              action: "member.joined",
              subject: `member:${call.actor.member}`,
              to: call.actor.member,
              data: { role: "approver" },
            });
          }, name);
        return { room: name };
      },
    }),
    action({
      name: "rename_room",
      toolset: "members",
      about: "Changes a room's title.",
      may: ["approver", "local"],
      peopleOnly: true,
      input: { title: line(200) },
      output: { room: z.string().optional(), title: z.string().optional() },
      write: async (call, input) => {
        await roomRows.renameRoom(call.db, call.room, input.title);
        call.fact({ action: "room.renamed", subject: `room:${call.room}`, data: { title: input.title } });
        return { room: call.room, title: input.title };
      },
    }),
    action({
      name: "kick",
      toolset: "members",
      about: "Removes a member from the room until readmitted.",
      may: ["approver", "local"],
      peopleOnly: true,
      destructive: true,
      input: { member, reason: text(500).optional() },
      output: { kicked: z.string().optional() },
      write: async (call, input) => {
        const was = await known(call, input.member);
        await mustManage(call, "kick", was);
        if (input.member === call.actor.member)
          throw new Refusal("INVALID_TARGET", "You cannot remove yourself; leave_room does that.");
        await goes(call, input.member, `${input.member} was removed from the room`);
        await rows.changeMembership(call.db, call.room, input.member, {
          kicked_at: call.now,
          kick_reason: input.reason ?? null,
        });
        call.fact({
          action: "member.kicked",
          subject: `member:${input.member}`,
          to: input.member,
          data: { reason: input.reason ?? null },
        });
        return { kicked: input.member };
      },
    }),
    action({
      name: "readmit",
      toolset: "members",
      about: "Lets a removed member in again, with its former role.",
      may: ["approver", "local"],
      peopleOnly: true,
      input: { member },
      output: { readmitted: z.string().optional() },
      write: async (call, input) => {
        const was = await rows.membership(call.db, call.room, input.member);
        if (!was?.kicked_at)
          throw new Refusal("NOT_FOUND", `Nobody called ${input.member} was removed from this room.`);
        await mustManage(call, "readmit", await standing(call, input.member));
        await rows.join(call.db, call.room, input.member, was.role, call.now);
        call.fact({
          action: "member.readmitted",
          subject: `member:${input.member}`,
          to: input.member,
          data: { role: was.role },
        });
        return { readmitted: input.member };
      },
    }),
    action({
      name: "set_role",
      toolset: "members",
      about: "Changes a member's role in the room. Only the owner changes those of people.",
      may: ["approver", "local"],
      peopleOnly: true,
      input: { member, role: z.enum([...anyRole.options, "owner"]) },
      output: { member: z.string().optional(), role: z.string().optional() },
      write: async (call, input) => {
        const was = await known(call, input.member);
        await mustManage(call, "set_role", was);
        const owns = input.role === "owner";
        await setOwner(call, was.name, owns);
        const role = owns ? "approver" : roleFor(was.kind, input.role);
        const shown = { member: input.member, role: input.role };
        if (role === was.role) return shown;
        await rows.changeMembership(call.db, call.room, input.member, { role });
        if (role === "observer" || role === "viewer") await goes(call, input.member, `${input.member} became ${role}`);
        call.fact({ action: "member.role_set", subject: `member:${input.member}`, to: input.member, data: { role } });
        return shown;
      },
    }),
  ];
}

// A closed room and none look the same from outside.
const notOpen = () =>
  new Refusal("FORBIDDEN", "There is no open room with this name; list_rooms shows those you may join.");
const notIn = () => new Refusal("FORBIDDEN", "You are not in that room; list_rooms shows yours.");

/** Writes in the room that was named, or refuses where there is none. */
async function inNamed(
  call: WaitCall,
  name: string,
  none: () => Refusal,
  body: (write: WriteCall, room: Named) => Promise<Result>,
): Promise<Result> {
  const stands = name !== serverRoom && (await call.read(({ db }) => roomRows.roomRow(db, name)));
  if (!stands) throw none();
  return call.write(async (write) => {
    const room = await roomRows.roomRow(write.db, name);
    if (!room) throw none();
    return body(write, room);
  }, name);
}

async function known(call: WriteCall, name: string) {
  const found = await rows.memberIn(call.db, call.room, name);
  if (!found) throw new Refusal("NOT_FOUND", `Nobody called ${name} is in ${call.room}; list_members shows who is.`);
  return found;
}
