// What agents ask in tests of whole processes, and the ways in which one that was cut off comes by its answer.
import type { Called } from "../edges/mcp/stage.ts";
import { type Agent, found, type Json, pause, untilAnswered } from "./parley.ts";

export type Gate = {
  id: string;
  kind: "approval" | "feedback" | "blocker";
  status: string;
  title: string;
  asked_by: string;
  decided_by?: string;
  note?: string;
  text?: string;
  from_person?: boolean;
  waiting_now?: boolean;
};

/** One question with its arguments; no two of a test are alike. */
export interface Question {
  kind: Gate["kind"];
  tool: string;
  args: Json;
  title: string;
}

export const gateKinds = ["approval", "feedback", "blocker"] as const;
const tools = { approval: "request_approval", feedback: "wait_for_feedback", blocker: "report_blocker" };

export function question(kind: Gate["kind"], title: string): Question {
  const args = kind === "feedback" ? { question: title, timeout_seconds: 3600 } : { title };
  return { kind, tool: tools[kind], args: kind === "approval" ? { ...args, action: { run: title } } : args, title };
}

export const gateOf = ({ structuredContent, text }: Called): Gate => {
  if (!structuredContent?.gate) throw new Error(text);
  return structuredContent.gate as Gate;
};

/** What a person said with the answer. */
export const words = (gate: Gate): string | undefined => gate.note ?? gate.text;

export function decisionFor(gate: Pick<Gate, "id" | "kind">, yes: boolean, said: string) {
  const decision = { approval: yes ? "approve" : "deny", feedback: "answer", blocker: "resolve" }[gate.kind];
  return { gate_id: gate.id, decision, [gate.kind === "approval" ? "note" : "text"]: said };
}

export const becomes: Readonly<Record<string, string>> = {
  approve: "approved",
  deny: "denied",
  answer: "answered",
  resolve: "resolved",
};

export type Way = (agent: Pick<Agent, "call">, asked: Question) => Promise<Gate>;

const again = async (agent: Pick<Agent, "call">, tool: string, args: Json): Promise<Gate> => {
  for (;;) {
    const gate = gateOf(await untilAnswered(() => agent.call(tool, args)));
    if (gate.status !== "pending") return gate;
  }
};

export const ways = {
  "the same call with the same key": (agent, { tool, args, title }) => again(agent, tool, { ...args, key: title }),
  "the same call without a key": (agent, { tool, args }) => again(agent, tool, args),
  async wait_for_gate(agent, { tool, args }) {
    const { id } = gateOf(await untilAnswered(() => agent.call(tool, { ...args, wait_seconds: 0 })));
    return again(agent, "wait_for_gate", { gate_id: id });
  },
  async "the inbox of any call"(agent, { tool, args }) {
    const asked = gateOf(await untilAnswered(() => agent.call(tool, { ...args, wait_seconds: 0 })));
    // Where the first try was cut off, the second may have it already.
    if (asked.status !== "pending") return asked;
    const { id } = asked;
    return found(async () => {
      await pause(40);
      const { inbox } = (await untilAnswered(() => agent.call("whoami"))).structuredContent as {
        inbox?: { answered_gates?: Gate[] };
      };
      return inbox?.answered_gates?.find((gate) => gate.id === id);
    });
  },
} satisfies Record<string, Way>;
