// What no rule allows: a change to the settings that make agents ask; and what of an action may go unnamed.
import { describe, expect, it } from "vitest";
import { namesGateSettings } from "../../src/gates/own-settings.ts";
import { Refusal } from "../../src/refusal.ts";
import { read } from "../../src/rules/deed.ts";
import { canonical, matches, type Written } from "../../src/rules/pattern.ts";
import { inMemory } from "../setup/stores.ts";
import { ask, type Gate, stage } from "../stage.ts";
import type { Guest } from "../table.ts";

let asked = 0;
const request = (who: Guest, action: unknown): Promise<Gate> =>
  ask(who, "request_approval", { title: "May I?", action, key: `g${++asked}`, wait_seconds: 0 });

const settings = [
  ".claude/settings.json",
  ".claude/settings.local.json",
  ".claude/hooks/x.sh",
  ".claude.json",
  ".mcp.json",
  ".codex/config.toml",
  ".codex/hooks.json",
  ".gemini/settings.json",
  ".cursor/hooks.json",
  ".cursor/mcp.json",
  ".cursor/cli.json",
  ".vscode/mcp.json",
  ".vscode/settings.json",
  ".git/commondir",
  ".config/opencode/opencode.json",
  ".config/opencode/plugins/x.js",
  ".opencode/plugin/x.js",
  "opencode.jsonc",
  ".git/hooks/pre-commit",
  ".git/config",
  ".gitconfig",
  ".husky/pre-push",
  ".pre-commit-config.yaml",
];
const spelled = (path: string): string[] => [
  path,
  `./${path}`,
  `a/../${path}`,
  path.toUpperCase(),
  path.replaceAll("/", "//"),
  path.replaceAll("/", "/./"),
  path.replaceAll("/", "/x/../"),
  `a/b/${path}`,
  `${path}.`,
  path.replace("/", "./"),
  path.replace("i", "i\u200b"),
  path.replaceAll("/", "\\"),
];

describe("settings that make agents ask", () => {
  it("G10: no rule allows to write them, whatever folder it names and however the path is spelled", async () => {
    const p = await stage(inMemory.make);
    const [ada, zoe] = [await p.guest("ada"), await p.guest("zoe", { role: "approver" })];
    const fields = { "input.file_path": "/repo/**", "input.content": "**" };
    await zoe.does("create_rule", { effect: "allow", pattern: { tool: "Write", cwd: "/repo", fields } });
    const write = (file_path: string) => ({ tool: "Write", cwd: "/repo", input: { file_path, content: "{}" } });
    expect(await request(ada, write("/repo/src/a.ts"))).toMatchObject({ status: "approved" });
    for (const path of ["/repo/.claude/settings.json", "/repo/.git/hooks/pre-commit"]) {
      const gate = await request(ada, write(path));
      expect(gate, path).toMatchObject({ status: "pending" });
      expect(await zoe.does("propose_rule", { gate_id: gate.id })).toEqual({
        why_not: expect.stringContaining("settings that make agents ask"),
      });
    }
    const command = { command: "cp x .git/hooks/pre-commit", cwd: "/repo" };
    expect((await zoe.refused("create_rule", { effect: "allow", pattern: command })).message).toContain("agents ask");
    await zoe.does("create_rule", { effect: "deny", pattern: command });
    expect(await request(ada, command)).toMatchObject({ status: "denied" });
  });

  it("G10: a patch that touches them is for people, however wide the rule is", async () => {
    const p = await stage(inMemory.make);
    const [ada, zoe] = [await p.guest("ada"), await p.guest("zoe", { role: "approver" })];
    const patch = (cwd: string, ...heads: string[]) => ({
      tool: "apply_patch",
      cwd,
      input: {
        command: ["*** Begin Patch", ...heads.flatMap((head) => [`*** ${head}`, "+x"]), "*** End Patch"].join("\n"),
      },
    });
    for (const cwd of ["/repo", "/repo/.config"]) {
      const fields = { "input.command": "**", files: "**" };
      await zoe.does("create_rule", { effect: "allow", pattern: { tool: "apply_patch", cwd, fields } });
      expect(await request(ada, patch(cwd, "Update File: src/a.ts"))).toMatchObject({ status: "approved" });
    }
    for (const action of [
      patch("/repo", "Update File: .claude/settings.json"),
      patch("/repo", "Add File: .git/hooks/x"),
      patch("/repo", "Update File: src/a.ts", "Move to: .git/hooks/x"),
      patch("/repo", "Update File: src/a.ts", "Delete File: ./.Claude//x/../settings.json"),
      patch("/repo/.config", "Add File: git/config"),
      patch("/repo/.config", "Add File: opencode/plugin/x.js"),
    ]) {
      const gate = await request(ada, action);
      expect(gate, JSON.stringify(action)).toMatchObject({ status: "pending" });
      expect((await zoe.does("propose_rule", { gate_id: gate.id })).why_not).toContain("settings that make agents ask");
    }
  });

  const writes = (file_path: string) => ({ tool: "Write", cwd: "/repo", input: { file_path, content: "{}" } });
  const anyWrite: Written = { tool: "Write", cwd: "/repo", fields: { input: "**" } };
  it.each(settings)("G10: %s, in a field and in a command", (path) => {
    for (const one of spelled(path)) {
      expect([one, read(writes(`/repo/${one}`)).touchesGates()]).toEqual([one, true]);
      expect([one, read({ command: ["cp", "x", one], cwd: "/repo" }).touchesGates()]).toEqual([one, true]);
      expect([one, read({ tool: "T", files: ["a", one] }).touchesGates()]).toEqual([one, true]);
    }
    expect(matches(canonical(anyWrite, "allow"), read(writes(`/repo/${path}`)), "allow")).toBe(true);
  });

  it.each<[string, unknown]>([
    ["from within their folder", { command: "cp x settings.json", cwd: "/repo/.claude" }],
    ["from within their folder", { command: "touch pre-commit", cwd: "/repo/.git/hooks" }],
    ["from a folder beside", { command: "cp x ../.claude/settings.json", cwd: "/repo/src" }],
    ["by half a path", { tool: "Write", cwd: "/repo/.git", input: { file_path: "hooks/pre-commit", content: "" } }],
    ["the whole folder", { command: "rm -r .git", cwd: "/repo" }],
    ["the whole folder", { command: "mv evil .claude", cwd: "/repo" }],
    ["the whole folder", { command: "tar -C.claude -xf a.tar", cwd: "/repo" }],
    ["as an option", { command: "cp x --target-directory=.git/hooks", cwd: "/repo" }],
    ["by an address", { tool: "Write", input: { uri: "file:///repo/%2Eclaude/settings.json" } }],
    ["by git", { command: "git config core.hooksPath evil", cwd: "/repo" }],
    ["as a switch", { tool: "Write", input: { file_path: "/x", content: '{"disableAllHooks":true}' } }],
  ])("G10: %s: %j", (_, action) => expect(read(action).touchesGates()).toBe(true));

  it.each<[string, unknown]>([
    ["another file", { command: "cp x src/settings.json", cwd: "/repo" }],
    ["a clone", { command: "git clone https://x.test/y.git", cwd: "/repo" }],
    ["git", { command: "git commit -m 'Mend it'", cwd: "/repo" }],
    ["a skill", { tool: "Write", input: { file_path: "/repo/.claude/skills/x.md", content: "" } }],
    ["an ignored file", { tool: "Write", input: { file_path: "/repo/.gitignore", content: "" } }],
    ["a name that ends so", { tool: "Write", input: { file_path: "/repo/my.claude.json", content: "" } }],
  ])("G10: %s is none of them", (_, action) => expect(read(action).touchesGates()).toBe(false));

  it("G9: a long text is looked through in a moment", () => {
    const start = performance.now();
    for (const long of ["a".repeat(500_000), "../".repeat(170_000), "a/".repeat(250_000), ".claude/".repeat(60_000)])
      expect(namesGateSettings({ content: long })).toBe(false);
    expect(performance.now() - start).toBeLessThan(3000);
  });
});

describe("what an action says besides", () => {
  const allows = (written: Written, action: unknown) => matches(canonical(written, "allow"), read(action), "allow");

  it.each(["mcp__gitlab__create_merge_request", "mcp__bash__send", "Task"])(
    "G10: the description of %s is what it sends: it must be named",
    (tool) => {
      const fields = { "input.project": "x" };
      expect(allows({ tool, fields }, { tool, input: { project: "x" } })).toBe(true);
      expect(allows({ tool, fields }, { tool, input: { project: "x", description: "anything" } })).toBe(false);
      const named = { ...fields, "input.description": "**" };
      expect(allows({ tool, fields: named }, { tool, input: { project: "x", description: "a" } })).toBe(true);
    },
  );

  it.each(["Bash", "bash", "run_shell_command"])("G10: that of %s is for people", (tool) => {
    const action = { tool, input: { command: "npm test", description: "Runs the tests" }, cwd: "/repo" };
    expect(allows({ tool, command: "npm test", cwd: "/repo" }, action)).toBe(true);
  });

  const mail: Written = { tool: "send_mail", fields: { to: "*@example.com", text: "**" } };
  it.each([
    ["a@example.com", true],
    ["a.b-c@example.com", true],
    ["evil@evil.example,x@example.com", false],
    ["evil@evil.example x@example.com", false],
    ["evil@x@example.com", false],
    ["a, b@example.com", false],
    ["@example.com", false],
  ])("G10: one star in a field keeps to one item: %s: %s", (to, is) =>
    expect(allows(mail, { tool: "send_mail", to, text: "Hi" })).toBe(is),
  );

  it("G10: a rule that names such settings is refused, whatever it leaves open", () => {
    for (const written of [
      { command: "rm -r .git", cwd: "/repo" },
      { command: "cp * .claude/settings.json", cwd: "/repo" },
      { command: "touch *", cwd: "/repo/.git/hooks" },
      { tool: "Write", fields: { "input.file_path": "/repo/.husky/*" } },
    ])
      expect(() => canonical(written, "allow"), JSON.stringify(written)).toThrow(Refusal);
  });
});
