// Any history of gates through the spine, by a clock turned by hand: what agents and people do in any order, some of it
// at the same time, and what must hold after every step, whatever has happened.
import { expect } from "vitest";
import type { Result } from "../../src/action.ts";
import { type Gate, settle } from "../../src/gates/rules.ts";
import { verify } from "../../src/log.ts";
import { Refusal } from "../../src/refusal.ts";
import { type Guest, type Play, settled } from "../table.ts";
import { holds, type Seen, type Told } from "./holds.ts";

/** What happens: numbers that choose among what there is. */
export interface Step {
  what: (typeof deeds)[number];
  who: number;
  which: number;
  how: number;
}

export const deeds = [
  ...["ask", "ask", "ask", "ask anew", "wait", "call", "prompt", "give up", "withdraw", "report"],
  ...["approve", "approve", "deny", "answer", "edit", "confirm", "recall", "recall", "reopen", "snooze", "see"],
  ...["a moment", "a minute", "an hour", "kick", "stop", "resume", "allow"],
] as const;

const hour = 3_600_000;
const command = { command: "npm test", cwd: "/srv/app" };
const actions = [undefined, command, { command: "npm publish", cwd: "/srv/app" }];
const risks = ["low", "medium", "medium", "critical"];
const answers = { approval: "approve", feedback: "answer", blocker: "resolve" } as const;

/** Lives through `steps` and looks at everything after each of them. */
export async function live(p: Play, steps: readonly Step[]): Promise<Map<string, number>> {
  const agents = [await p.guest("ada"), await p.guest("bob")] as const;
  const people = [
    await p.guest("zoe", { role: "approver" }),
    await p.guest("yan", { role: "approver" }),
    await p.guest("olga", { role: "owner" }),
  ] as const;
  const reached = new Map<string, number>();
  const told: Told[] = [];
  const asking = new Set<{ over: Promise<void>; stop: AbortController }>();
  const prompts: Array<{ key: string; behavior: unknown }> = [];
  let last = new Map<string, Gate>();
  let n = 0;

  const count = (what: string) => reached.set(what, (reached.get(what) ?? 0) + 1);
  /** Everything as it stands at one moment, with what had been told by then. */
  const look = async (): Promise<Seen> => {
    const heard = { told: [...told], prompts: [...prompts] };
    return p.table.store.read(async (db) => {
      const rows = await db.selectFrom("gates").selectAll().orderBy("id").execute();
      const log = db.selectFrom("log").select(["subject", "action"]).where("subject", "like", "gate:%");
      return {
        ...heard,
        gates: new Map(rows.map((gate) => [gate.id, settle(gate, p.clock.now())])),
        facts: await log.orderBy("seq").execute(),
      };
    });
  };

  /** What an agent is given is what the card must go on saying. */
  function hears({ gate, inbox }: Result, asked: Guest): void {
    const ended = (inbox as { answered_gates?: Array<Result & { id: string }> } | undefined)?.answered_gates ?? [];
    const given = [...ended, ...(gate ? [gate as Result & { id: string; asked_by: string }] : [])];
    for (const one of given) {
      if (one.status === "pending" || ("asked_by" in one && one.asked_by !== asked.name)) continue;
      const { id, status, note, text, choice, digest } = one as unknown as Told & { id: string };
      told.push({ gate: id, status, ...(note && { note }), ...(text && { text }), ...(choice && { choice }) });
      if (digest) (told.at(-1) as Told).digest = digest;
    }
  }

  /** Anything may be refused; nothing may break. */
  async function does(who: Guest, action: string, args: Result, signal?: AbortSignal): Promise<Result | null> {
    try {
      const result = await (await p.again(who)).does(action, args, { longest: 600, ...(signal && { signal }) });
      if (who.caller.actor.kind === "agent") hears(result, who);
      count(action);
      return result;
    } catch (error) {
      if (!(error instanceof Refusal) || error.code === "INTERNAL") throw error;
      if (who.caller.actor.kind === "agent") hears(error.facts, who);
      count(error.code);
      return null;
    }
  }

  /** Asks in a call that stays open while other things happen. */
  function begins(run: (signal: AbortSignal) => Promise<unknown>): void {
    const stop = new AbortController();
    const one = { stop, over: run(stop.signal).then(() => void asking.delete(one)) };
    one.over.catch(() => {});
    asking.add(one);
  }

  function question(how: number, fresh: boolean): [action: string, args: Result] {
    const key = fresh ? { key: `k${++n}` } : how % 3 ? {} : { key: `k${how % 7}` };
    const title = `Question ${how % 4}`;
    const timeout_seconds = how % 2 ? 90 : 7200;
    const action = actions[how % actions.length];
    const what = how % 5;
    if (what === 3) return ["wait_for_feedback", { question: title, timeout_seconds, options: ["a", "b"], ...key }];
    if (what === 4) return ["report_blocker", { title, ...key }];
    return [
      "request_approval",
      { title, timeout_seconds, risk: risks[how % risks.length], ...(action && { action }), ...key },
    ];
  }

  async function act({ what, who, which, how }: Step): Promise<void> {
    const agent = agents[who % agents.length] as Guest;
    const person = people[who % people.length] as Guest;
    const gates = [...last.values()];
    // The newest are the likeliest to be of interest.
    const gate = gates.at(-1 - (which % Math.min(gates.length || 1, 6)));
    const own = gates.filter(({ asked_by }) => asked_by === agent.name).at(-1 - (which % 4));
    const id = { gate_id: gate?.id ?? "none" };
    const words = how % 3 ? { note: `note ${how % 3}` } : {};
    switch (what) {
      case "ask":
      case "ask anew": {
        const [action, args] = question(how, what === "ask anew");
        if (which % 3 === 0) begins((signal) => does(agent, action, { ...args, wait_seconds: 45 }, signal));
        else await does(agent, action, { ...args, wait_seconds: 0 });
        return;
      }
      case "wait":
        begins((signal) => does(agent, "wait_for_gate", { gate_id: own?.id ?? "none", wait_seconds: 60 }, signal));
        return;
      case "call":
        await does(agent, "whoami", {});
        return;
      case "prompt": {
        const use = `use-${how % 6}`;
        begins(async (signal) => {
          const args = { tool_name: "Bash", input: { command: `make ${how % 6}` }, tool_use_id: use };
          const said = await does(agent, "permission_prompt", args, signal);
          if (said && !signal.aborted) prompts.push({ key: `${agent.name} prompt:${use}`, behavior: said.behavior });
        });
        return;
      }
      case "give up":
        for (const one of [...asking].slice(0, 1 + (which % 2))) one.stop.abort();
        return;
      case "withdraw":
        return void (await does(agent, "withdraw_gate", { gate_id: own?.id ?? "none", reason: "not needed" }));
      case "report":
        return void (await does(agent, "gate_result", { gate_id: own?.id ?? "none", action: actions[1 + (how % 2)] }));
      case "approve":
        // Two at the same time, one of whom comes second.
        await Promise.all([
          does(person, "decide_gate", { ...id, decision: gate ? answers[gate.kind] : "approve", ...spoken(gate, how) }),
          ...(how % 4 ? [] : [does(people[0], "decide_gate", { ...id, decision: "deny" })]),
        ]);
        return;
      case "deny":
        return void (await does(person, "decide_gate", { ...id, decision: "deny", ...words }));
      case "answer":
        return void (await does(person, "decide_gate", { ...id, decision: "answer", choice: how % 2 ? "a" : "b" }));
      case "edit": {
        const tool = (gate?.action.is as Result | undefined)?.tool;
        // Of a tool's use its input; some try to make something else of it.
        const use = { tool: how % 4 ? tool : "Write", input: { command: "make all" } };
        const edited_action = tool && how % 5 ? use : { ...command, command: "npm run test" };
        return void (await does(person, "decide_gate", { ...id, decision: "approve", edited_action, ...words }));
      }
      case "confirm":
        return void (await does(person, "decide_gate", { ...id, decision: "approve", confirm: true }));
      case "recall":
        return void (await does(person, "recall_gate", id));
      case "reopen":
        return void (await does(person, "reopen_gate", id));
      case "snooze": {
        const until = new Date(p.clock.now() + hour).toISOString();
        return void (await does(person, "snooze_gate", { ...id, until }));
      }
      case "see":
        return void (await does(person, "see_gate", id));
      case "a moment":
        return p.clock.tick(1000 * (1 + (how % 5)));
      case "a minute":
        return p.clock.tick(61_000);
      case "an hour":
        return p.clock.tick(how % 2 ? hour : 11 * 60_000);
      case "kick":
        if (how % 3) return;
        await does(people[2], "kick", { member: agent.name });
        return void (await does(people[2], "readmit", { member: agent.name }));
      case "stop":
        return void (how % 2 || (await does(people[2], "stop_all", {})));
      case "resume":
        return void (await does(people[2], "resume_all", {}));
      case "allow": {
        const rule = { effect: how % 3 ? "allow" : "deny", pattern: command, seconds: 600 };
        return void (await does(person, "create_rule", rule));
      }
    }
  }

  for (const step of steps) {
    await act(step);
    await settled();
    last = holds(last, await look());
  }
  // Who still waits is answered by the end of its hold.
  while (asking.size > 0) await p.clock.tick(30_000);
  last = holds(last, await look());
  expect(await p.table.store.read((db) => verify(db, "main"))).toMatchObject({ sound: true });
  for (const { status } of last.values()) count(status);
  return reached;
}

const spoken = (gate: Gate | undefined, how: number): Result =>
  gate && gate.kind !== "approval" ? { text: `text ${how % 3}` } : how % 2 ? { note: `note ${how % 3}` } : {};
