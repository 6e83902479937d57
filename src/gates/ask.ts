// Asking a person and waiting for the answer: committed before the wait, found again by every retry (G1, G5).
import { z } from "zod";
import { type AnyAction, action, everyone, type Result, type WaitCall, type WriteCall } from "../action.ts";
import { isStopped } from "../members/room-rows.ts";
import { allStopped } from "../members/rules.ts";
import { isReachable } from "../notify/rows.ts";
import type { Sign } from "../receipts/receipt.ts";
import { Refusal } from "../refusal.ts";
import { applyRules } from "../rules/apply.ts";
import { count, key, line, prose, seconds, waitSeconds } from "../words.ts";
import { deliver } from "./delivery.ts";
import * as deliveries from "./delivery-rows.ts";
import { checkAction, digestOf, digestOfWords } from "./digest.ts";
import * as persons from "./people-rows.ts";
import { withReceipt } from "./receipt.ts";
import * as rows from "./rows.ts";
import { attach, clientUntil, type Gate, type GateKind, isFinal, settle, unanswered } from "./rules.ts";
import { viewFor } from "./view.ts";

export interface GateSettings {
  /** Pending gates an agent may have (`PARLEY_MAX_PENDING`). */
  maxPending: number;
  /** Between two confirmations of one person, seconds (`PARLEY_CRITICAL_DELAY_SECONDS`). */
  criticalDelay: number;
  /** Signs the receipts of approvals. */
  sign: Sign;
}

interface Asked {
  title: string;
  details?: string | undefined;
  action?: unknown;
  risk?: Gate["risk"] | undefined;
  options?: string[] | undefined;
  timeout_seconds?: number | undefined;
  task_id?: number | undefined;
  key?: string | undefined;
  single_use?: boolean | undefined;
  wait_seconds?: number | undefined;
  /** What asked in the member's stead, and in which session of the client. */
  through?: Gate["asked_through"];
  session?: string | undefined;
  /** The MCP session that asks; null: one without a name. */
  line?: string | null;
}

const details = prose(20_000).optional().describe("shown whole to the person; Markdown");
const options = z
  .array(line(200))
  .max(10)
  .refine((all) => new Set(all).size === all.length, "must differ from one another: each choice once")
  .optional()
  .describe("choices offered to the person");
const task = count(1, 2 ** 31)
  .optional()
  .describe("the task this is about");
export const gateOutput = { gate: z.looseObject({}).optional() };
export const askers = ["lead", "worker", "reviewer", "approver"] as const;

/** Finds the gate that this question already has, or makes it. */
export async function find(call: WriteCall, kind: GateKind, asked: Asked, settings: GateSettings): Promise<Gate> {
  const hasAction = asked.action !== undefined;
  if (hasAction) checkAction(asked.action);
  const digest = hasAction ? digestOf(asked.action) : null;
  const matchedBy =
    digest ?? digestOfWords({ title: asked.title, details: asked.details ?? "", options: asked.options ?? [] });
  const { member } = call.actor;
  const was = attach(
    { room: call.room, kind, key: asked.key, matchedBy, session: asked.session, line: asked.line ?? null },
    {
      byKey: asked.key === undefined ? undefined : await rows.byKey(call.db, call.room, member, asked.key),
      alike: await rows.alike(call.db, call.room, member, kind, matchedBy),
      pending: await rows.pendingOf(call.db, member),
    },
    settings,
    call.now,
  );
  const through = asked.through ?? null;
  const waits = call.now + believed(asked.wait_seconds ?? 0);
  if (was) {
    if (was.status === "pending") call.due(await rows.setWaiting(call.db, was, waits));
    // One answer is found by asking again once.
    if (was.passed_on_at !== null) await deliveries.found(call.db, was.id);
    return was;
  }
  if (kind === "approval") await mustNotBeStopped(call);
  if (asked.task_id !== undefined) await taskStands(call, asked.task_id);
  const alone = (await persons.deciders(call.db, call.room, member)) <= 1;
  const seen = {
    kind,
    room: call.room,
    asked_by: member,
    action: hasAction ? { is: asked.action } : {},
    digest,
    risk: asked.risk ?? "medium",
    options: asked.options ?? [],
  };
  const ruled = await applyRules(call, seen);
  const { risk } = ruled;
  const fresh: Gate = {
    ...seen,
    id: call.id(),
    status: "pending",
    title: asked.title,
    details: asked.details ?? "",
    matched_by: matchedBy,
    risk,
    single_use: asked.single_use ?? (risk === "high" || risk === "critical"),
    task_id: asked.task_id ?? null,
    key: asked.key ?? null,
    asked_by: member,
    asked_at: call.now,
    expires_at: asked.timeout_seconds === undefined ? null : call.now + asked.timeout_seconds * 1000,
    approvals_needed: kind === "approval" && risk === "critical" ? 2 : 1,
    alone,
    ...unanswered,
    written_to: asked.line ?? null,
    ...ruled.marks,
    asked_through: through,
    client_session: asked.session ?? null,
    waits_until: waits,
    client_until: clientUntil({ asked_through: through }, waits),
  };
  const gate = await withReceipt(fresh, settings.sign);
  await rows.insert(call.db, gate);
  call.due(gate.expires_at);
  call.due(gate.client_until);
  const { raised_by, claimed_risk } = gate;
  call.fact({
    action: "gate.asked",
    subject: `gate:${gate.id}`,
    data: { kind, risk, digest, task_id: gate.task_id, ...(raised_by !== null && { raised_by, claimed_risk }) },
  });
  const answer = ruled.fact(gate.id);
  if (answer) call.fact(answer);
  return gate;
}

/** G17: in a stopped room nothing new is approved. */
async function mustNotBeStopped(call: WriteCall): Promise<void> {
  if (await isStopped(call.db, call.room)) throw new Refusal("STOPPED", allStopped);
}

async function taskStands(call: WriteCall, id: number): Promise<void> {
  const found = await call.db
    .selectFrom("tasks")
    .select("id")
    .where("room", "=", call.room)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!found)
    throw new Refusal("NOT_FOUND", `There is no task ${id} in ${call.room}; leave task_id out or name another.`);
}

/** How long a card believes that a call waits, ms: a call that waits longer says so again, one that was killed cannot. */
const belief = 45_000;
const again = 40_000;
const nearest = (...times: Array<number | null>): number | null =>
  times.reduce((one, other) => (one === null || other === null ? (one ?? other) : Math.min(one, other)), null);
const believed = (seconds: number): number => Math.min(seconds * 1000, belief);

/** Notes until when a call waits for a gate, and so when its client counts as gone. */
async function sayWaiting(write: WriteCall, gate: Gate, until: number): Promise<void> {
  write.due(await rows.setWaiting(write.db, gate, until));
}

/** Waits for a gate's end and marks its answer delivered; on time over, the gate as it stands. */
export async function waitFor(call: WaitCall, id: string, hold: number): Promise<Result> {
  const get = () => call.read((read) => rows.find(read.db, call.room, id));
  const end = hold * 1000;
  let said = call.age();
  const gate = await call.until<Gate>([`gate:${id}`], hold, async () => {
    const row = await get();
    if (!row) throw new Refusal("NOT_FOUND", "There is no gate with this id here; list_gates shows yours.");
    const now = settle(row, call.now());
    if (isFinal(now)) return { done: now };
    const over = nearest(now.expires_at, now.client_until);
    if (row.asked_by !== call.actor.member || end - said <= belief) return { again: over };
    if (call.age() >= said + again) {
      said = call.age();
      // Both clocks are read at one moment: the transaction's own `now` may be older by what it waited for.
      await call.write((write) => sayWaiting(write, row, call.now() + believed((end - call.age()) / 1000)));
    }
    return { again: nearest(over, call.now() + said + again - call.age()) };
  });
  const mine = gate?.asked_by === call.actor.member;
  if (gate && mine && (await call.connected()))
    await deliver(call.actor.member, [gate], (room, body) => call.write(body, room), call.written, {
      session: call.session,
      beside: call.beside !== null,
    });
  const left = !gate && hold > 0 && call.signal.aborted ? await get() : undefined;
  if (left) await call.write((write) => sayWaiting(write, left, write.now));
  const shown = await get();
  if (!shown) return {};
  const told = viewFor(shown, { actor: call.actor, now: call.now() });
  const asks = told.status === "pending" && shown.asked_by === call.actor.member;
  if (asks && !(await call.read(({ db, now }) => isReachable(db, shown, now))))
    told.next = { nobody_reachable: true, advice: alone, ...(told.next as Result) };
  return { gate: told };
}

/** G14: said at once, so that nobody sits and waits. */
const alone =
  "Nobody who could answer was here in the last 15 minutes, and nobody is told elsewhere. Do other work meanwhile; the answer will be in your inbox.";

function asking(kind: GateKind, settings: GateSettings, ask: (input: Record<string, unknown>) => Asked) {
  return async (call: WaitCall, input: Record<string, unknown>): Promise<Result> => {
    const hold = call.hold(input.wait_seconds as number | undefined);
    const asked = { ...ask(input), ...(kind === "approval" && call.beside), wait_seconds: hold };
    const gate = await call.write((write) => find(write, kind, { ...asked, line: call.session }, settings));
    return waitFor(call, gate.id, hold);
  };
}

export function askActions(settings: GateSettings): AnyAction[] {
  return [
    action({
      name: "request_approval",
      toolset: "gates",
      about:
        'Ask a person to approve something before you do it (deploys, deletions, spending, anything hard to undo). Blocks until they answer; go on only if gate.status is "approved", and do exactly gate.action. On pending call wait_for_gate. Denied, expired or withdrawn is a no.',
      may: askers,
      always: true,
      quiet: true,
      input: {
        title: line(200).describe("what you want to do, in one line"),
        details,
        action: z.unknown().optional().describe("exactly what you will run or change: any JSON, e.g. {command, cwd}"),
        risk: z.enum(["low", "medium", "high", "critical"]).optional().describe("default medium"),
        options,
        timeout_seconds: seconds(1, 604_800).optional().describe("default 86400; expired is not approved"),
        task_id: task,
        key,
        single_use: z.boolean().optional().describe("its receipt can be used once; default for high and critical"),
        wait_seconds: waitSeconds,
      },
      output: gateOutput,
      wait: asking("approval", settings, (input) => ({ timeout_seconds: 86_400, ...input }) as unknown as Asked),
    }),
    action({
      name: "wait_for_feedback",
      toolset: "gates",
      about:
        "Ask a person a question and wait for the answer (gate.text or gate.choice). If nobody answers in time the gate is expired: go on without, by your best judgement.",
      may: askers,
      always: true,
      quiet: true,
      input: {
        question: line(200),
        details,
        options,
        timeout_seconds: seconds(1, 604_800).optional().describe("default 120"),
        task_id: task,
        key,
        wait_seconds: waitSeconds,
      },
      output: gateOutput,
      wait: asking("feedback", settings, ({ question, ...input }) => ({
        timeout_seconds: 120,
        ...input,
        title: question as string,
      })),
    }),
    action({
      name: "report_blocker",
      toolset: "gates",
      about:
        "Tell the people that you cannot go on without them (missing access, broken environment). Stays until they resolve it; with wait_seconds 0 you can do other work meanwhile.",
      may: askers,
      always: true,
      quiet: true,
      input: { title: line(200), details, task_id: task, key, wait_seconds: waitSeconds },
      output: gateOutput,
      wait: asking("blocker", settings, (input) => input as unknown as Asked),
    }),
    action({
      name: "wait_for_gate",
      toolset: "gates",
      about: "Wait for the answer to a gate of yours that is still pending. Call it again while status is pending.",
      may: everyone,
      quiet: true,
      always: true,
      input: { gate_id: line(64), wait_seconds: waitSeconds },
      output: gateOutput,
      find: (db, args) => rows.roomOf(db, args.gate_id),
      wait: async (call, input) => {
        const hold = call.hold(input.wait_seconds);
        const row = await call.read((read) => rows.find(read.db, call.room, input.gate_id));
        if (row?.asked_by === call.actor.member && row.status === "pending" && hold > 0)
          await call.write((write) => sayWaiting(write, row, write.now + believed(hold)));
        return waitFor(call, input.gate_id, hold);
      },
    }),
  ];
}
