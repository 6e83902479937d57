// Who am I, and what is mine: what an agent needs after a restart or a compaction (M5).
import { z } from "zod";
import { type AnyAction, action, everyone } from "../action.ts";
import { quotesAgents, tasksOfMember } from "../board/view.ts";
import { floorsOfMember } from "../floor/inbox.ts";
import * as deliveries from "../gates/delivery-rows.ts";
import * as gates from "../gates/rows.ts";
import { isFinal, settle } from "../gates/rules.ts";
import { view } from "../gates/view.ts";
import { brief } from "../gates/view-brief.ts";
import { memberRow, roomsOf } from "./rows.ts";

const list = z.array(z.looseObject({})).optional();

export const selfActions: AnyAction[] = [
  action({
    name: "whoami",
    toolset: "members",
    about:
      "Who you are here and what is yours: rooms and roles, claimed tasks, floors, pending and just answered gates. Call it first, and after a restart.",
    may: everyone,
    scope: "server",
    quiet: true,
    always: true,
    quotes: ({ member, tasks }) => quotesAgents(tasks as Awaited<ReturnType<typeof tasksOfMember>>, member as string),
    input: {},
    output: {
      member: z.string().optional(),
      kind: z.string().optional(),
      rooms: list,
      tasks: list,
      floors: list,
      gates: list,
    },
    read: async (call) => {
      const { member, kind, serverRole } = call.actor;
      const me = await memberRow(call.db, member);
      const rooms = await call.db
        .selectFrom("memberships")
        .select(["room", "role"])
        .where("member", "=", member)
        .where("room", "in", await roomsOf(call.db, member))
        .orderBy("room")
        .execute();
      const mine = [
        ...(await gates.pendingOf(call.db, member)).filter((gate) => !isFinal(settle(gate, call.now))),
        ...(await deliveries.unacknowledged(call.db, member, call.now)),
      ];
      return {
        member,
        kind,
        server_role: serverRole,
        rooms,
        skills: me?.skills ?? [],
        ...(me?.context_tokens != null && { context_tokens: me.context_tokens }),
        presence: { status: me?.status, ...(me?.note && { note: me.note }) },
        tasks: await tasksOfMember(call.db, member),
        floors: await floorsOfMember(call.db, member, call.now),
        gates: mine.map((gate) => brief(view(gate, call.now))),
      };
    },
  }),
];
