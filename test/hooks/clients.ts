// The clients' side of each hook, by their contracts (docs/clients.md): what they send, and whether they run the tool
// on what comes back. They are as trusting as the real ones: exit 1, silence, rubbish and a timeout run the tool.
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "../../src/package.ts";
import { type Json, command as parley, type Ran, run, type Stage } from "./stage.ts";

/** The server that it is set up for, whose token it has, and where it runs things. */
export type Here = Pick<Stage, "url" | "folder"> & { ada: { token: string } };

interface Turn {
  /** What the client ran in the end, or null where it did not. */
  ran: string | null;
  /** What the model reads instead. */
  told: string;
  /** The client could make nothing of the answer. */
  failed?: boolean;
}

export interface Attempt {
  /** A shell command that the model wants to run. */
  command: string;
  id: string;
  /** Instead of what the client would send. */
  raw?: string;
  /** The hook's own limit, seconds. */
  limit?: number;
  env?: Json;
}

export interface Client {
  name: string;
  /** Whether it can run an edited input; else it is told. */
  edits: boolean;
  tries(at: Here, attempt: Attempt): Promise<Turn>;
}

type Decide = (ran: Ran | "timeout", command: string) => Turn;

const runs = (ran: string): Turn => ({ ran, told: "" });
const blocked = (told: unknown): Turn => ({ ran: null, told: String(told) });
const trusts = (ran: string): Turn => ({ ran, told: "", failed: true });

const json = (text: string): Json | null => {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null ? (value as Json) : null;
  } catch {
    return null;
  }
};

const commandOf = (input: unknown, otherwise: string): string =>
  input === undefined ? otherwise : String((input as Json).command);

/** A client that runs the hook as a shell command, with the event on standard input. */
function withCommand(
  name: string,
  hook: string,
  edits: boolean,
  event: (attempt: Attempt, cwd: string) => Json,
  decide: Decide,
): Client {
  return {
    name,
    edits,
    async tries(stage, attempt) {
      const line = [...parley, "hook", hook, ...(attempt.limit ? ["--timeout", String(attempt.limit)] : [])]
        .map((word) => `'${word}'`)
        .join(" ");
      const { over, child } = run("/bin/sh", ["-c", line], {
        input: attempt.raw ?? JSON.stringify(event(attempt, stage.folder)),
        env: { PARLEY_URL: stage.url, PARLEY_TOKEN: stage.ada.token, HOME: stage.folder, ...attempt.env },
      });
      const late = new Promise<"timeout">((resolve) => setTimeout(() => resolve("timeout"), 25_000).unref());
      const ran = await Promise.race([over, late]);
      child.kill("SIGKILL");
      return perform(decide(ran, attempt.command), stage.folder);
    },
  };
}

/** Runs what the client decided to run. */
async function perform(turn: Turn, cwd: string): Promise<Turn> {
  if (turn.ran !== null) await run("/bin/sh", ["-c", turn.ran], { cwd }).over;
  return turn;
}

const base = { session_id: "0b8e5c7e-4b0c-4f0e-9d59-2b1a4f0c7d11", transcript_path: "/tmp/t.jsonl" };

const claudeEvent =
  (hook_event_name: string) =>
  ({ command, id }: Attempt, cwd: string) => ({
    ...base,
    cwd,
    permission_mode: "default",
    hook_event_name,
    tool_name: "Bash",
    tool_input: { command, description: "As the model puts it" },
    tool_use_id: id,
  });

/** PreToolUse: exit 2 and deny block; no decision, rubbish, exit 1 and a timeout run. */
const preToolUse: Decide = (ran, command) => {
  if (ran === "timeout") return trusts(command);
  if (ran.code === 2) return blocked(ran.err);
  const said = ran.code === 0 ? (json(ran.out)?.hookSpecificOutput as Json | undefined) : undefined;
  if (said?.hookEventName !== "PreToolUse") return trusts(command);
  if (said.permissionDecision === "allow") return runs(commandOf(said.updatedInput, command));
  return said.permissionDecision === "deny" ? blocked(said.permissionDecisionReason) : trusts(command);
};

/** PermissionRequest with nobody at the terminal: only an allow runs. */
const permissionRequest: Decide = (ran, command) => {
  if (ran === "timeout") return blocked("timeout");
  if (ran.code === 2) return blocked(ran.err);
  const said = ran.code === 0 ? (json(ran.out)?.hookSpecificOutput as Json | undefined) : undefined;
  const decision = said?.hookEventName === "PermissionRequest" ? (said.decision as Json) : undefined;
  if (decision?.behavior === "allow") return runs(commandOf(decision.updatedInput, command));
  return { ...blocked(decision?.message), ...(decision?.behavior !== "deny" && { failed: true }) };
};

/** Codex takes "allow" in PreToolUse only with an input. */
const codexPreToolUse: Decide = (ran, command) => {
  const turn = preToolUse(ran, command);
  const said = ran === "timeout" ? undefined : (json(ran.out)?.hookSpecificOutput as Json | undefined);
  return said?.permissionDecision === "allow" && !said.updatedInput ? trusts(command) : turn;
};

/** And in PermissionRequest none: then it would ask at the terminal, where nobody is. */
const codexPermissionRequest: Decide = (ran, command) => {
  const said = ran === "timeout" ? undefined : (json(ran.out)?.hookSpecificOutput as Json | undefined);
  const { updatedInput } = (said?.decision ?? {}) as Json;
  return updatedInput ? { ...blocked("unsupported updatedInput"), failed: true } : permissionRequest(ran, command);
};

const codexEvent =
  (hook_event_name: string) =>
  ({ command, id }: Attempt, cwd: string) => ({
    ...base,
    cwd,
    hook_event_name,
    model: "gpt-5.6",
    permission_mode: "default",
    turn_id: "turn-1",
    tool_name: "Bash",
    tool_input: { command },
    ...(hook_event_name === "PreToolUse" && { tool_use_id: id }),
  });

const beforeTool: Decide = (ran, command) => {
  if (ran === "timeout") return trusts(command);
  if (ran.code === 2) return blocked(ran.err);
  const said = ran.code === 0 ? json(ran.out) : null;
  if (!said) return trusts(command);
  if (said.decision === "deny" || said.decision === "block") return blocked(said.reason);
  const { tool_input } = (said.hookSpecificOutput ?? {}) as Json;
  return runs(commandOf({ command, ...(tool_input as Json) }, command));
};

const cursorDecides: Decide = (ran, command) => {
  if (ran === "timeout") return trusts(command);
  if (ran.code === 2) return blocked(ran.err);
  const said = ran.code === 0 ? json(ran.out) : null;
  if (said?.permission === "allow") return runs(command);
  return said?.permission === "deny" ? blocked(said.agent_message) : trusts(command);
};

export const clients: Client[] = [
  withCommand("Claude Code, PreToolUse", "claude-code", true, claudeEvent("PreToolUse"), preToolUse),
  withCommand(
    "Claude Code, PermissionRequest",
    "claude-code",
    true,
    claudeEvent("PermissionRequest"),
    permissionRequest,
  ),
  withCommand("Codex, PreToolUse", "codex", true, codexEvent("PreToolUse"), codexPreToolUse),
  withCommand("Codex, PermissionRequest", "codex", false, codexEvent("PermissionRequest"), codexPermissionRequest),
  withCommand(
    "Gemini CLI, BeforeTool",
    "gemini",
    true,
    ({ command }, cwd) => ({
      ...base,
      cwd,
      hook_event_name: "BeforeTool",
      timestamp: "2026-11-29T10:00:00.000Z",
      tool_name: "run_shell_command",
      tool_input: { command },
    }),
    beforeTool,
  ),
  withCommand(
    "Cursor, beforeShellExecution",
    "cursor",
    false,
    ({ command }, cwd) => ({
      conversation_id: base.session_id,
      generation_id: "g-1",
      model: "auto",
      hook_event_name: "beforeShellExecution",
      cursor_version: "1.7.2",
      workspace_roots: [cwd],
      user_email: null,
      command,
      cwd,
    }),
    cursorDecides,
  ),
  {
    name: "Claude Code, http",
    edits: true,
    async tries(stage, attempt) {
      const token = String(attempt.env?.PARLEY_TOKEN ?? stage.ada.token);
      const url = String(attempt.env?.PARLEY_URL ?? stage.url);
      const limit = attempt.limit ? `?timeout=${attempt.limit}` : "";
      const answer = await fetch(`${url}/hooks/claude-code${limit}`, {
        method: "POST",
        headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
        body: attempt.raw ?? JSON.stringify(claudeEvent("PreToolUse")(attempt, stage.folder)),
      })
        .then(async (res): Promise<Ran | "timeout"> => ({ code: res.ok ? 0 : 1, out: await res.text(), err: "" }))
        .catch(() => "timeout" as const);
      // `onFailure: "block"`, without which no http hook can hold when the server is down.
      if (answer === "timeout") return blocked("the hook failed");
      return perform(preToolUse(answer, attempt.command), stage.folder);
    },
  },
  {
    name: "opencode",
    edits: true,
    async tries(stage, attempt) {
      const hooks = await plugin(stage, attempt);
      const output = { args: attempt.raw === undefined ? { command: attempt.command } : (attempt.raw as unknown) };
      try {
        await hooks["tool.execute.before"]({ tool: "bash", sessionID: "ses_1", callID: attempt.id }, output);
      } catch (error) {
        return blocked((error as Error).message);
      }
      return perform(runs(commandOf(output.args, "")), stage.folder);
    },
  },
];

interface Hooks {
  "tool.execute.before"(input: Json, output: { args: unknown }): Promise<void>;
  "tool.execute.after"(input: Json, output: { output: string }): Promise<void>;
}

let copies = 0;

/** The plugin as `connect` writes it. */
export async function plugin(stage: Here, { env, limit }: Partial<Attempt> = {}): Promise<Hooks> {
  const setup = {
    command: [...parley, "hook", "opencode", ...(limit ? ["--timeout", String(limit)] : [])],
    env: { PARLEY_URL: stage.url, PARLEY_TOKEN: stage.ada.token, HOME: stage.folder, ...env },
  };
  const text = await readFile(join(root, "plugins", "opencode", "parley.js"), "utf8");
  const file = join(stage.folder, `parley-${++copies}.mjs`);
  await writeFile(file, text.replace(/^const setup = .*$/m, `const setup = ${JSON.stringify(setup)};`));
  const { Parley } = (await import(file)) as { Parley: (context: Json) => Promise<Hooks> };
  return Parley({ directory: stage.folder });
}
