// Parley's own tools pass the hooks; the tools of a server whose name begins alike are asked for.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { adapters } from "../../src/hooks/adapters.ts";
import { isOwnTool, ownTools } from "../../src/hooks/own-tool.ts";
import { root } from "../../src/package.ts";
import { inMemory } from "../setup/stores.ts";
import { play } from "../table.ts";

const event = (hook_event_name: string, tool_name: string, more = {}) => ({
  ...{ hook_event_name, tool_name, tool_input: { a: 1 }, session_id: "s", tool_use_id: "t", cwd: "/w", ...more },
});
const passes = (client: string, hook: string, tool: string, more = {}) =>
  "passes" in (adapters.get(client)?.wish(event(hook, tool, more), "http://127.0.0.1:4747") ?? {});

describe("Parley's own tools", () => {
  it("hooks: are those that its server offers", async () => {
    const { store, remove } = await inMemory.make();
    const offered = [...play(store).table.actions.values()].filter(({ peopleOnly }) => !peopleOnly);
    expect([...ownTools].sort()).toEqual(offered.map(({ name }) => name).sort());
    await remove();
  });

  it.each([
    ["mcp__parley__whoami", true],
    ["mcp__parley__permission_prompt", true],
    ["mcp__parley__evil__run_shell", false],
    ["mcp__parley__evil__whoami", false],
    ["mcp__parley___whoami", false],
    ["mcp__parley__whoami2", false],
    ["mcp__parley__", false],
    ["MCP__parley__whoami", false],
    ["mcp__other__whoami", false],
    ["whoami", false],
  ])("hooks: %s: %s", (tool, own) => {
    expect(isOwnTool(tool)).toBe(own);
    expect(passes("codex", "PreToolUse", tool)).toBe(own);
    expect(passes("gemini", "BeforeTool", tool)).toBe(own);
  });

  it("hooks: Gemini CLI says whose tool it is, and that counts", () => {
    const of = (server_name: string) => ({ mcp_context: { server_name, tool_name: "task" } });
    expect(passes("gemini", "BeforeTool", "mcp_parley_claim_task", of("parley"))).toBe(true);
    expect(passes("gemini", "BeforeTool", "mcp_parley_claim_task", of("parley_claim"))).toBe(false);
    expect(passes("gemini", "BeforeTool", "mcp_parley_run_shell", of("parley"))).toBe(false);
    expect(passes("gemini", "BeforeTool", "run_shell_command", of("parley"))).toBe(false);
  });

  it("hooks: the opencode plugin lets the same ones pass, and asks for others", async () => {
    const folder = await mkdtemp(join(tmpdir(), "own-tool-"));
    try {
      const text = await readFile(join(root, "plugins", "opencode", "parley.js"), "utf8");
      const file = join(folder, "parley.mjs");
      // Nothing can be asked there, so that whatever is asked for is blocked.
      await writeFile(file, text.replace(/^const setup = .*$/m, 'const setup = { command: ["/nowhere"], env: {} };'));
      const { Parley } = (await import(file)) as {
        Parley(context: object): Promise<{ "tool.execute.before"(input: object, output: object): Promise<void> }>;
      };
      const plugin = await Parley({ directory: folder });
      const tries = (tool: string) =>
        plugin["tool.execute.before"]({ tool, sessionID: "s", callID: "c" }, { args: {} });
      for (const name of ownTools) await tries(`parley_${name}`);
      for (const tool of ["parley_evil_run_shell", "parley__whoami", "parley_run_shell", "whoami", "bash"])
        await expect(tries(tool), tool).rejects.toThrow("Blocked");
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
