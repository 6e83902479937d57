// What hooks do besides a plain yes or no: cards that go when they are of no use, one card a tool use, what passes,
// and what the HTTP door answers to whom.
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { pause } from "../processes/parley.ts";
import { plugin } from "./clients.ts";
import { type Gate, type Json, openStage, type Stage } from "./stage.ts";

// Processes on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());

const post = (event: unknown, own: { token?: string; query?: string; signal?: AbortSignal } = {}) =>
  fetch(`${stage.url}/hooks/claude-code${own.query ?? ""}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Authorization: `Bearer ${own.token ?? stage.ada.token}` },
    body: typeof event === "string" ? event : JSON.stringify(event),
    ...(own.signal && { signal: own.signal }),
  });
const event = (hook_event_name: string, command: string, own: Json = {}) => ({
  session_id: "s-1",
  cwd: "/work",
  hook_event_name,
  tool_name: "Bash",
  tool_input: { command },
  tool_use_id: `toolu_${command}`,
  ...own,
});
const said = async (response: Promise<Response>) => {
  const res = await response;
  return { status: res.status, body: (await res.json()) as Json };
};
const decision = (body: Json) => (body.hookSpecificOutput as Json | undefined)?.permissionDecision;
const find = async (about: string): Promise<Gate | undefined> =>
  (await stage.gates()).find(({ title }) => title.includes(about));
const ended = async (about: string): Promise<Gate> => {
  for (;;) {
    const gate = await find(about);
    if (gate && gate.status !== "pending") return gate;
    await pause(20);
  }
};

it("G5: the same tool use by command and by HTTP is one card, and one answer for both", async () => {
  const asked = event("PreToolUse", "one-card");
  const http = said(post(asked));
  const hook = stage.parley(["hook", "claude-code"], { input: JSON.stringify(asked) });
  await stage.asked("one-card");
  await pause(300);
  await stage.answers("one-card", { decision: "approve" });
  expect(decision((await http).body)).toBe("allow");
  const { code, out } = await hook.over;
  expect([code, decision(JSON.parse(out) as Json)]).toEqual([0, "allow"]);
  expect((await stage.gates()).filter(({ title }) => title.includes("one-card"))).toHaveLength(1);
  // The same id for something else is no yes.
  const other = await said(post(event("PreToolUse", "rm -r /", { tool_use_id: "toolu_one-card" })));
  expect([other.status, decision(other.body)]).toEqual([200, "deny"]);
});

it("G9: what touches the settings that hold the gates is asked for as high", async () => {
  const stop = new AbortController();
  for (const input of [
    { file_path: "/root/.claude/settings.json", content: "{}" },
    { command: "sed -i s/x// ~/.codex/config.toml" },
  ])
    post(
      { ...event("PreToolUse", "x"), tool_name: "Edit", tool_input: input, tool_use_id: JSON.stringify(input) },
      stop,
    ).catch(() => {});
  for (const about of [".claude/settings.json", ".codex/config.toml"])
    expect(await stage.asked(about)).toMatchObject({ risk: "high", details: expect.stringContaining("no longer ask") });
  stop.abort();
  for (const about of [".claude/settings.json", ".codex/config.toml"])
    expect(await ended(about)).toMatchObject({ status: "withdrawn" });
});

it("answers everything with 200 and a decision, a wrong token and rubbish too", async () => {
  const cases: Array<[unknown, { token?: string; query?: string }]> = [
    [event("PreToolUse", "x"), { token: "parley_wrong" }],
    [event("PreToolUse", "x"), { query: "?timeout=0" }],
    [event("PreToolUse", "x"), { query: "?room=nowhere" }],
    ["", {}],
    ["{", {}],
    ["[]", {}],
    ["null", {}],
    [JSON.stringify({ x: "x".repeat(1024 * 1024) }), {}],
    [event("SessionStart", "x"), {}],
    [event("PreToolUse", "x", { tool_input: "x" }), {}],
  ];
  for (const [body, own] of cases) {
    const { status, body: answer } = await said(post(body, own));
    expect([status, answer.hookSpecificOutput], JSON.stringify(body).slice(0, 80)).toEqual([
      200,
      {
        hookEventName: "PreToolUse",
        permissionDecision: "deny",
        permissionDecisionReason: expect.stringMatching(/^Blocked by Parley: .*\.$/s),
      },
    ]);
  }
  const refused = await said(post(event("PermissionRequest", "x"), { token: "parley_wrong" }));
  expect(refused.body).toMatchObject({ hookSpecificOutput: { decision: { behavior: "deny" } } });
  expect((await fetch(`${stage.url}/hooks/claude-code`)).status).toBe(405);
  const foreign = await fetch(`${stage.url}/hooks/claude-code`, {
    method: "POST",
    headers: { Origin: "http://x.test" },
  });
  expect(foreign.status).toBe(403);
});

it("a card goes once the client tells that its question is over", async () => {
  const waits = ["over-use", "over-turn", "over-else"].map((command) =>
    said(post(event("PermissionRequest", command, command === "over-else" ? { session_id: "s-2" } : {}))),
  );
  for (const about of ["over-use", "over-turn", "over-else"]) await stage.asked(about);
  expect(await said(post(event("PostToolUse", "over-use")))).toEqual({ status: 200, body: { continue: true } });
  expect(await ended("over-use")).toMatchObject({ status: "withdrawn" });
  expect((await find("over-turn"))?.status).toBe("pending");
  const stop = stage.parley(["hook", "claude-code"], {
    input: JSON.stringify({ session_id: "s-1", hook_event_name: "Stop" }),
  });
  expect(await stop.over).toMatchObject({ code: 0, out: '{"continue":true}\n' });
  expect(await ended("over-turn")).toMatchObject({ status: "withdrawn" });
  await stage.answers("over-else", { decision: "approve" });
  const bodies = (await Promise.all(waits)).map(({ body }) => body.hookSpecificOutput as Json);
  expect(bodies.map((body) => (body.decision as Json).behavior)).toEqual(["deny", "deny", "allow"]);
});

it("G19: a PermissionRequest without the id of its tool use: twice is one card, and what ends its turn ends it", async () => {
  const plain = { tool_use_id: undefined, session_id: "s-9" };
  const asks = (command: string, own: Json = {}) => post(event("PermissionRequest", command, { ...plain, ...own }));
  const [first, second] = [said(asks("plain-twice")), said(asks("plain-twice"))];
  await stage.asked("plain-twice");
  await pause(300);
  await stage.answers("plain-twice", { decision: "approve" });
  // Without its input Claude Code throws the approval of a plan or of an answer away.
  const allow = { behavior: "allow", updatedInput: { command: "plain-twice" } };
  for (const { body } of [await first, await second])
    expect(body.hookSpecificOutput).toEqual({ hookEventName: "PermissionRequest", decision: allow });
  expect((await stage.gates()).filter(({ title }) => title.includes("plain-twice"))).toHaveLength(1);

  const ends: Array<[string, Json]> = [
    ["PostToolUse", plain],
    ["PostToolUse", { ...plain, tool_use_id: "toolu_known-now" }],
    ["Stop", plain],
    ["SessionEnd", plain],
  ];
  for (const [n, [name, own]] of ends.entries()) {
    const [over, other] = [`plain-over-${n}`, `plain-other-${n}`];
    const waits = [said(asks(over)), said(asks(other, { session_id: "s-10" }))];
    for (const about of [over, other]) await stage.asked(about);
    await said(post(event(name, over, own)));
    expect(await ended(over)).toMatchObject({ status: "withdrawn" });
    expect((await find(other))?.status).toBe("pending");
    await stage.answers(other, { decision: "deny" });
    await Promise.all(waits);
  }
});

it("G7: the agent is told what ran in place of its own command, and what it is told is what ran", async () => {
  const wait = said(post(event("PreToolUse", "edit-told")));
  const { action } = await stage.asked("edit-told");
  await stage.answers("edit-told", { decision: "approve", edited_action: { ...action, input: { command: "ls -l" } } });
  expect((await wait).body.hookSpecificOutput).toMatchObject({
    permissionDecision: "allow",
    updatedInput: { command: "ls -l" },
    additionalContext: "zoe edited this before it ran: ls -l",
  });
  const plain = said(post(event("PreToolUse", "not-edited")));
  await stage.answers("not-edited", { decision: "approve" });
  expect((await plain).body.hookSpecificOutput).not.toHaveProperty("additionalContext");
});

it("a hook that its client ends takes its card back, and blocks", async () => {
  const asked = event("PreToolUse", "client-ends");
  const { child, over } = stage.parley(["hook", "claude-code"], { input: JSON.stringify(asked) });
  await stage.asked("client-ends");
  child.kill("SIGTERM");
  const { code, out } = await over;
  expect([code, out]).toEqual([2, ""]);
  expect(await ended("client-ends")).toMatchObject({ status: "withdrawn" });
});

it("a denial stands: the same again is denied without a second card", async () => {
  const first = said(post(event("PreToolUse", "no-means-no", { tool_use_id: "a" })));
  await stage.answers("no-means-no", { decision: "deny", note: "never" });
  expect(decision((await first).body)).toBe("deny");
  const { body } = await said(post(event("PreToolUse", "no-means-no", { tool_use_id: "b" })));
  expect(body.hookSpecificOutput).toMatchObject({
    permissionDecision: "deny",
    permissionDecisionReason: expect.stringContaining("never"),
  });
  const hook = stage.parley(["hook", "claude-code"], {
    input: JSON.stringify(event("PreToolUse", "no-means-no", { tool_use_id: "c" })),
  });
  const { code, out } = await hook.over;
  expect([code, decision(JSON.parse(out) as Json)]).toEqual([0, "deny"]);
});

it("G6: nothing of a hook is told to the agent again, and nothing is taken from its inbox", async () => {
  const wait = said(post(event("PreToolUse", "inbox")));
  await stage.answers("inbox", { decision: "approve" });
  await wait;
  const seen = async () => (await find("inbox"))?.acknowledged_at;
  while (!(await seen())) await pause(20);
  const me = (await stage.ada.does("whoami")) as { inbox?: { answered_gates?: Gate[] }; gates: Gate[] };
  const told = [...(me.inbox?.answered_gates ?? []), ...me.gates].map(({ title }) => title);
  expect(told.filter((title) => title.includes("inbox"))).toEqual([]);
});

it("Cursor: Parley's own tools pass, others are asked for, with their server", async () => {
  const mcp = (own: Json) =>
    stage.parley(["hook", "cursor", "--timeout", "20"], {
      input: JSON.stringify({
        conversation_id: "c",
        hook_event_name: "beforeMCPExecution",
        workspace_roots: ["/work"],
        tool_name: "create_issue",
        tool_input: JSON.stringify({ title: "cursor-mcp" }),
        ...own,
      }),
    });
  expect(await mcp({ url: `${stage.url}/mcp` }).over).toMatchObject({ code: 0, out: '{"permission":"allow"}\n' });
  const { over } = mcp({ url: "https://issues.example/mcp" });
  expect(await stage.asked("create_issue")).toMatchObject({
    action: {
      tool: "create_issue",
      input: { title: "cursor-mcp" },
      cwd: "/work",
      server: "https://issues.example/mcp",
    },
  });
  await stage.answers("create_issue", { decision: "approve" });
  expect(await over).toMatchObject({ code: 0, out: '{"permission":"allow"}\n' });
  expect((await mcp({ tool_input: "{" }).over).code).toBe(2);
});

it("Cursor: preToolUse asks for an edit of a file; what was edited on the card is told, not run", async () => {
  const write = (command: string, own: Json = {}) =>
    stage.parley(["hook", "cursor", "--timeout", "20"], {
      input: JSON.stringify({
        conversation_id: "c",
        hook_event_name: "preToolUse",
        tool_name: "Write",
        tool_input: { file_path: `/work/${command}`, content: "x" },
        cwd: "/work",
        tool_use_id: command,
        ...own,
      }),
    });
  const [yes, edited, no] = [write("cursor-yes"), write("cursor-edit"), write("cursor-no")];
  const { action } = await stage.asked("cursor-edit");
  expect(action).toEqual({ tool: "Write", input: { file_path: "/work/cursor-edit", content: "x" }, cwd: "/work" });
  await stage.answers("cursor-yes", { decision: "approve" });
  await stage.answers("cursor-no", { decision: "deny", note: "Not there" });
  const input = { file_path: "/work/cursor-edit", content: "y" };
  await stage.answers("cursor-edit", { decision: "approve", edited_action: { ...action, input } });
  expect((await yes.over).out).toBe('{"permission":"allow"}\n');
  expect(JSON.parse((await no.over).out)).toMatchObject({
    permission: "deny",
    agent_message: "zoe denied this: Not there",
  });
  expect(JSON.parse((await edited.over).out)).toMatchObject({
    permission: "deny",
    agent_message: expect.stringContaining('"content":"y"'),
  });
  expect((await write("cursor-none", { tool_input: undefined }).over).code).toBe(2);
});

it("G9: Codex: a program that reads commands is asked for as high, for nothing asks for what is typed into it", async () => {
  const ask = (command: string) =>
    stage.parley(["hook", "codex", "--timeout", "20"], {
      input: JSON.stringify({
        session_id: "c",
        tool_use_id: command,
        cwd: "/work",
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command },
      }),
    });
  const [shell, plain] = [ask("cd /srv && bash"), ask("bash build-it.sh")];
  expect(await stage.asked("cd /srv && bash")).toMatchObject({
    risk: "high",
    details: "Codex can type into this without asking again.",
  });
  const other = await stage.asked("build-it.sh");
  expect([other.risk, other.details]).toEqual(["medium", undefined]);
  const { action } = other;
  await stage.answers("build-it.sh", { decision: "approve", edited_action: { ...action, input: { command: "make" } } });
  await stage.answers("cd /srv", { decision: "deny" });
  await shell.over;
  expect(JSON.parse((await plain.over).out).hookSpecificOutput).toMatchObject({
    updatedInput: { command: "make" },
    additionalContext: "zoe edited this before it ran: make",
  });
});

it("Codex: Parley's own tools pass without a server, other MCP tools are asked for", async () => {
  const mcp = (tool: string, env: Json = {}) =>
    stage.parley(["hook", "codex", "--timeout", "20"], {
      env,
      input: JSON.stringify({
        session_id: "c",
        tool_use_id: tool,
        cwd: "/work",
        hook_event_name: "PreToolUse",
        tool_name: tool,
        tool_input: { to: "all" },
      }),
    });
  const own = mcp("mcp__parley__request_approval", { PARLEY_URL: stage.nowhere });
  expect(await own.over).toMatchObject({ code: 0, out: "{}\n" });
  const { over } = mcp("mcp__mail__send");
  await stage.answers("mcp__mail__send", { decision: "deny", note: "nobody" });
  expect((await over).out).toContain("nobody");
});

it("opencode: reads and Parley's own tools pass without a word; what cannot be asked throws", async () => {
  const hooks = await plugin(stage, { env: { PARLEY_URL: stage.nowhere } });
  const before = (tool: string) => hooks["tool.execute.before"]({ tool, sessionID: "s", callID: tool }, { args: {} });
  for (const tool of ["read", "grep", "glob", "list", "parley_request_approval"]) await before(tool);
  for (const tool of ["bash", "edit", "readx", "x_parley_"]) await expect(before(tool)).rejects.toThrow(/Blocked/);
});

it("opencode: fields that the person took out are gone", async () => {
  const hooks = await plugin(stage);
  const args: Json = { command: "opencode-fields", timeout: 5 };
  const done = hooks["tool.execute.before"]({ tool: "bash", sessionID: "s", callID: "fields" }, { args });
  const { action } = await stage.asked("opencode-fields");
  await stage.answers("opencode-fields", {
    decision: "approve",
    edited_action: { ...action, input: { command: "ls", workdir: "/" } },
  });
  await done;
  expect(args).toEqual({ command: "ls", workdir: "/" });
  const output = { output: "a b c" };
  for (let n = 0; n < 2; n++)
    await hooks["tool.execute.after"]({ tool: "bash", sessionID: "s", callID: "fields" }, output);
  expect(output.output).toBe('a b c\n\nzoe edited this before it ran: {"command":"ls","workdir":"/"}');
});

it("Gemini CLI: an edit that takes a field out is told, for it would stay", async () => {
  const tool_input = { command: "gemini-fields", is_background: true };
  const { over } = stage.parley(["hook", "gemini"], {
    input: JSON.stringify({
      session_id: "s",
      cwd: "/work",
      hook_event_name: "BeforeTool",
      tool_name: "run_shell_command",
      tool_input,
    }),
  });
  const { action } = await stage.asked("gemini-fields");
  await stage.answers("gemini-fields", {
    decision: "approve",
    edited_action: { ...action, input: { command: "ls" } },
  });
  const { code, out } = await over;
  expect([code, JSON.parse(out)]).toEqual([0, { decision: "deny", reason: expect.stringContaining("ls") }]);
});

it("an unknown client, a bad option and a bad limit block too", async () => {
  for (const words of [["emacs"], [], ["codex", "--no-such"], ["codex", "--timeout", "x"], ["codex", "--timeout", "0"]])
    expect((await stage.parley(["hook", ...words], { input: "{}" }).over).code, words.join(" ")).toBe(2);
});
