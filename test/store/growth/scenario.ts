// Every action once or more, each so that it is done and not refused, and what runs for a dashboard beside them.

import type { Result } from "../../../src/action.ts";
import { publicStatus } from "../../../src/edges/status.ts";
import { isNamedOperator } from "../../../src/floor/channels.ts";
import { noteTimeIn, roomsRunning } from "../../../src/floor/due.ts";
import { runsOut } from "../../../src/floor/inbox.ts";
import { factsAfter } from "../../../src/log.ts";
import { callerOfSession, callerOfToken } from "../../../src/members/caller.ts";
import { dueRooms } from "../../../src/members/room-rows.ts";
import { noticesFor, redeem, signOut } from "../../../src/members/signin.ts";
import { waiting } from "../../../src/notify/rows.ts";
import { changesOf } from "../../../src/stream/changes.ts";
import { roomsFor, snapshotOf } from "../../../src/stream/snapshot.ts";
import { found } from "../../stage.ts";
import type { Guest, Play } from "../../table.ts";

export interface Cast {
  lea: Guest;
  ada: Guest;
  bob: Guest;
  rita: Guest;
  zoe: Guest;
}

export async function cast(p: Play): Promise<Cast> {
  return {
    lea: await p.guest("lea", { role: "lead" }),
    ada: await p.guest("ada"),
    bob: await p.guest("bob"),
    rita: await p.guest("rita", { role: "reviewer" }),
    zoe: await p.guest("zoe", { role: "owner" }),
  };
}

type Args = Record<string, unknown>;
const now0 = { wait_seconds: 0 };
const idOf = (result: Result, of: string): string => (result[of] as { id: string }).id;
const numberOf = (result: Result): number => (result.task as { id: number }).id;

/** @param done told the name of every action that was performed */
export async function everything(
  p: Play,
  { lea, ada, bob, rita, zoe }: Cast,
  done: (name: string) => void,
): Promise<void> {
  const does = async (who: Guest, name: string, args: Args = {}): Promise<Result> => {
    const result = await who.does(name, args);
    done(name);
    return result;
  };
  await members(p, does, { lea, ada, bob, rita, zoe });
  await board(does, { lea, ada, bob, rita, zoe });
  await floors(does, { lea, ada, bob, rita, zoe });
  await gates(p, does, { lea, ada, bob, rita, zoe });
  await messages(does, { lea, ada, bob, rita, zoe });
  await rules(does, { lea, ada, bob, rita, zoe });
  await dashboard(p, does, { lea, ada, bob, rita, zoe });
  await does(zoe, "stop_all");
  await does(zoe, "resume_all");
}

type Does = (who: Guest, name: string, args?: Args) => Promise<Result>;

async function members(p: Play, does: Does, { lea, ada, zoe }: Cast): Promise<void> {
  await does(ada, "whoami");
  for (const name of ["list_members", "list_rooms"]) await does(ada, name);
  await does(ada, "set_presence", { status: "idle" });
  await does(zoe, "create_room", { room: "lab", open: true });
  await does(zoe, "rename_room", { room: "lab", title: "Lab" });
  await does(lea, "join_room", { room: "lab" });
  await does(await p.again(lea), "leave_room", { room: "lab" });
  const { token } = await does(zoe, "add_member", { name: "tom", role: "worker", room: "main" });
  const issued = await does(zoe, "issue_token", { member: "tom" });
  const { tokens } = await does(zoe, "list_tokens", { member: "tom" });
  await does(zoe, "revoke_token", { token_id: (tokens as Array<{ id: string }>)[0]?.id });
  await does(zoe, "set_role", { room: "main", member: "tom", role: "observer" });
  await does(zoe, "kick", { room: "main", member: "tom" });
  await does(zoe, "readmit", { room: "main", member: "tom" });
  await does(zoe, "remove_member", { member: "tom" });
  await p.table.store.read((db) => callerOfToken(db, String(token ?? issued.token)));
}

async function board(does: Does, { lea, ada, bob, rita, zoe }: Cast): Promise<void> {
  const make = async (args: Args = {}) => numberOf(await does(lea, "create_task", { title: "Something", ...args }));
  const first = await make({ key: "once" });
  const second = await make({ depends_on: [first], reviewer: "rita" });
  for (const filter of [
    {},
    { status: "open" },
    { status: "done", assignee: "ada" },
    { assignee: "ada" },
    { parent_id: first },
    { parent_id: first, status: "open" },
    { parent_id: first, assignee: "ada", text: "thing" },
    { text: "something" },
    { text: "so" },
    { text: "something", status: "open", assignee: "ada" },
    { claimable_by_me: true },
  ])
    for (const cursor of [{}, { cursor: "claimable_by_me" in filter ? "0.1" : "1" }])
      await does(ada, "list_tasks", { ...filter, ...cursor, limit: 5 });
  await does(ada, "claim_task", { task_id: first });
  await does(ada, "create_task", { title: "A part", parent_id: first });
  const part = first + 2;
  await does(lea, "cancel_task", { task_id: part });
  await does(lea, "update_task", { task_id: second, title: "Something else", depends_on: [first] });
  await does(ada, "release_task", { task_id: first });
  await does(ada, "claim_task", { task_id: first });
  await does(ada, "submit_result", { task_id: first, result: "done" });
  await does(rita, "review_task", { task_id: first, verdict: "reject", note: "again" });
  await does(ada, "claim_task", { task_id: first });
  await does(ada, "submit_result", { task_id: first, result: "done again" });
  await does(rita, "review_task", { task_id: first, verdict: "approve" });
  await does(bob, "next_task", now0);
  await does(lea, "get_task", { task_id: first });
  await does(lea, "task_tree", { task_id: first });
  await does(zoe, "list_tasks");
}

async function floors(does: Does, { lea, ada, bob, rita, zoe }: Cast): Promise<void> {
  await does(lea, "open_floor", { seats: ["ada", "bob", "rita"] });
  await does(ada, "request_floor");
  await does(ada, "say", { text: "Words?", key: "k", addressed_to: "bob", expects_reply: true });
  await does(ada, "keep_floor");
  await does(bob, "request_floor");
  await does(bob, "withdraw_request");
  await does(bob, "wait_for_floor", { ...now0, request: true });
  await does(ada, "pass_floor", { to: "bob" });
  await does(bob, "wait_for_floor", now0);
  await does(bob, "say", { text: "More words", turn: 2, if_seen: 9 });
  await does(lea, "take_floor");
  await does(lea, "grant_floor", { seat: "ada" });
  await does(rita, "request_floor");
  await does(lea, "deny_request", { seat: "rita", reason: "later" });
  await does(lea, "revoke_floor");
  await does(lea, "pause_floor");
  await does(lea, "resume_floor");
  for (const name of ["floor", "conversation", "floor_report", "export_conversation"]) await does(zoe, name);
  await does(lea, "open_floor", { channel: "side", seats: ["ada"] });
  await does(ada, "say", { channel: "side", text: "Words aside", then: "pass" });
  await does(lea, "close_floor", { channel: "side" });
}

async function gates(p: Play, does: Does, { ada, bob, zoe }: Cast): Promise<void> {
  const ask = async (args: Args = {}) =>
    idOf(await does(ada, "request_approval", { title: "Deploy", action: { n: 1 }, ...args, ...now0 }), "gate");
  const first = await ask({ task_id: 1 });
  await does(ada, "wait_for_gate", { gate_id: first, ...now0 });
  await does(zoe, "see_gate", { gate_id: first });
  await does(zoe, "snooze_gate", { gate_id: first, until: new Date(p.clock.now() + 60_000).toISOString() });
  await does(zoe, "decide_gate", { gate_id: first, decision: "approve" });
  await does(zoe, "recall_gate", { gate_id: first });
  const denied = await ask({ title: "Another", action: { n: 2 } });
  await does(zoe, "decide_gates", { decisions: [{ gate_id: denied, decision: "deny" }] });
  await does(zoe, "reopen_gate", { gate_id: denied });
  const run = await ask({ title: "Run", action: { command: "ls" }, key: "run" });
  await does(zoe, "decide_gate", { gate_id: run, decision: "approve" });
  await does(ada, "wait_for_gate", { gate_id: run, ...now0 });
  await does(ada, "gate_result", { gate_id: run, action: { command: "rm" } });
  await does(ada, "wait_for_feedback", { question: "Which?", ...now0 });
  const blocker = idOf(await does(bob, "report_blocker", { title: "Stuck", task_id: 2, ...now0 }), "gate");
  await does(bob, "withdraw_gate", { gate_id: blocker });
  const prompt = does(bob, "permission_prompt", { tool_name: "Bash", input: { command: "ls" }, tool_use_id: "t" });
  const asked = await found(async () => {
    const { gates } = await bob.does("list_gates", { mine: true, status: "pending" });
    return (gates as Array<{ id: string }>)[0];
  });
  await does(zoe, "decide_gate", { gate_id: asked.id, decision: "deny" });
  await prompt;
  for (const status of [undefined, "pending", "approved", "expired"])
    for (const mine of [undefined, true]) await does(ada, "list_gates", { status, mine, limit: 5, cursor: first });
  await does(zoe, "list_gates");
  await does(ada, "get_gate", { gate_id: first });
  await p.clock.tick(3600_000);
  await does(ada, "whoami");
  await does(ada, "set_presence", { status: "working" });
}

async function messages(does: Does, { lea, ada, bob, zoe }: Cast): Promise<void> {
  const made = await does(ada, "post_message", { text: "Hello @bob", key: "m" });
  await does(lea, "post_message", { text: "To all", task_id: 1, reply_to: idOf(made, "message") });
  const direct = idOf(await does(ada, "post_message", { text: "For you", to: "bob" }), "message");
  for (const filter of [{}, { unread: true }, { from: "ada" }, { task_id: 1 }, { kind: "note" }])
    await does(bob, "read_messages", { ...filter, limit: 5, ...("unread" in filter ? {} : { after: "0" }) });
  for (const filter of [{}, { mentions_only: true }, { task_id: 1 }])
    await does(lea, "wait_for_message", { ...filter, ...now0 });
  await does(bob, "archive_messages", { ids: [direct] });
  await does(bob, "archive_messages", { before: "2020-01-01T00:00:00Z", from: "ada" });
  await does(ada, "delete_message", { id: direct });
  await does(ada, "delete_message", { id: direct, for_everyone: true });
  await does(zoe, "purge_messages", { before: "2020-01-01T00:00:00Z", room: "main" });
}

async function rules(does: Does, { zoe, ada }: Cast): Promise<void> {
  const pattern = { program: "ls", argv: ["ls"], cwd: "/" };
  const made = await does(zoe, "create_rule", { effect: "deny", pattern, room: "main" });
  await does(zoe, "confirm_rule", { rule_id: idOf(made, "rule") });
  await does(zoe, "list_rules");
  await does(zoe, "try_rule", { pattern, effect: "deny" });
  const asked = { title: "Run", action: { command: ["make", "all"], cwd: "/" }, ...now0 };
  await does(zoe, "propose_rule", { gate_id: idOf(await does(ada, "request_approval", asked), "gate") });
  await does(zoe, "revoke_rule", { rule_id: idOf(made, "rule") });
}

async function dashboard(p: Play, does: Does, { ada, zoe, lea }: Cast): Promise<void> {
  const { table } = p;
  const channel = await does(zoe, "add_channel", { kind: "webhook", url: "http://127.0.0.1:9/none" });
  await does(ada, "wait_for_feedback", { question: "And now?", ...now0 });
  await does(zoe, "list_channels");
  await does(zoe, "test_channel", { id: idOf(channel, "channel") });
  await does(zoe, "remove_channel", { id: idOf(channel, "channel") });
  await does(zoe, "list_facts", { room: "main" });
  await does(zoe, "list_facts", { room: "main", kinds: ["task"], text: "something" });
  await does(lea, "get_audit_log");
  await does(lea, "get_audit_log", { member: "ada", action: "task.claimed", since: "2020-01-01T00:00:00Z" });
  const { code } = await does(zoe, "make_link");
  const session = await redeem(table, String(code), undefined, "a test");
  const devices = (await does(zoe, "list_devices")).devices as Array<{ id: string }>;
  await does(zoe, "revoke_device", { id: devices[0]?.id });
  await does(zoe, "acknowledge_notices", { seq: 1 });
  await signOut(table, "zoe", null);
  await table.here(zoe.caller);
  const now = p.clock.now();
  await table.store.read(async (db) => {
    await callerOfSession(db, session.cookie);
    await snapshotOf(db, "main", zoe.caller, now);
    await roomsFor(db, zoe.caller, now);
    await changesOf(db, "main", await factsAfter(db, "main", 0, 200), "zoe", now);
    await noticesFor(db, "zoe");
    await dueRooms(db, now);
    await waiting(db, 100);
    await isNamedOperator(db, "ada");
    await runsOut(db, "ada", now);
  });
  await publicStatus(table);
  const rooms = await table.store.read((db) => roomsRunning(db));
  for (const room of rooms) await table.store.write(room, ({ db }) => noteTimeIn(db, room, now));
}
