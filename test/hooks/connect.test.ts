// parley connect and parley doctor as real processes, each in a home of its own.
import { chmod, mkdir, readdir, readFile, stat, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { parse } from "smol-toml";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Json, openStage, type Ran, run, type Stage } from "./stage.ts";

// Processes on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let stage: Stage;
beforeAll(async () => {
  stage = await openStage();
});
afterAll(() => stage.end());

let homes = 0;

interface Home {
  folder: string;
  /** A command as Ada, unless told otherwise. */
  parley(words: string[], env?: Json): Promise<Ran>;
  has(file: string, text: string): Promise<void>;
  text(file: string): Promise<string>;
  files(): Promise<string[]>;
}

async function openHome(): Promise<Home> {
  const folder = join(stage.folder, `home-${++homes}`);
  await mkdir(folder);
  const at = (file: string) => join(folder, file);
  return {
    folder,
    parley: (words, env = {}) => stage.parley(words, { cwd: folder, env: { HOME: folder, ...env } }).over,
    async has(file, text) {
      await mkdir(dirname(at(file)), { recursive: true });
      await writeFile(at(file), text);
    },
    text: (file) => readFile(at(file), "utf8"),
    files: async () =>
      (await readdir(folder, { recursive: true, withFileTypes: true }))
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
        .sort(),
  };
}

const bearer = () => `Bearer ${stage.ada.token}`;
const json = async (home: Home, file: string) => JSON.parse(await home.text(file)) as Json;

describe("connect", { concurrent: true }, () => {
  it("claude: the connection and the gates, in the user's own files", async () => {
    const home = await openHome();
    const ran = await home.parley(["connect", "claude", "ada", "--gates", "--write"]);
    expect([ran.code, ran.err.includes("TO DO")]).toEqual([0, false]);
    expect(ran.out).not.toContain(stage.ada.token);
    expect(await home.files()).toEqual([".claude.json", ".claude/settings.json"]);
    expect(await json(home, ".claude.json")).toEqual({
      mcpServers: {
        parley: { type: "http", url: `${stage.url}/mcp`, headers: { Authorization: bearer() }, timeout: 660_000 },
      },
    });
    const settings = (await json(home, ".claude/settings.json")) as {
      env: Json;
      hooks: { PreToolUse: Array<{ matcher: string; hooks: Json[] }> };
    };
    expect(settings.env).toEqual({ PARLEY_URL: stage.url, PARLEY_TOKEN: stage.ada.token });
    expect(settings.hooks.PreToolUse).toEqual([
      {
        matcher: expect.any(String),
        hooks: [{ type: "command", command: expect.any(String), timeout: 600, onFailure: "block" }],
      },
    ]);
    for (const file of await home.files()) expect((await stat(join(home.folder, file))).mode & 0o777).toBe(0o600);

    // The very line, as Claude Code runs it, in a project's folder.
    const line = String(settings.hooks.PreToolUse[0]?.hooks[0]?.command);
    const event = (command: string) =>
      JSON.stringify({
        session_id: "s",
        tool_use_id: command,
        cwd: home.folder,
        hook_event_name: "PreToolUse",
        tool_name: "Bash",
        tool_input: { command },
      });
    const env = settings.env;
    const hook = run("/bin/sh", ["-c", line], { cwd: home.folder, env, input: event("make it so") });
    await stage.answers("make it so", { decision: "approve" });
    const answered = await hook.over;
    expect([answered.code, JSON.parse(answered.out).hookSpecificOutput.permissionDecision]).toEqual([0, "allow"]);
    // Whatever becomes of Node or of Parley, the line blocks.
    for (const broken of [line.replace(process.execPath, "/no/node"), line.replace("main.js", "gone.js")])
      expect((await run("/bin/sh", ["-c", broken], { env, input: event("x") }).over).code).toBe(2);
    expect(await home.parley(["doctor", "--client", "claude"])).toMatchObject({ code: 0 });
  });

  it("K12: gates what changes something and the tools of other MCP servers; reads and Parley's own pass", async () => {
    const home = await openHome();
    for (const client of ["claude", "gemini"]) await home.parley(["connect", client, "ada", "--gates", "--write"]);
    const matcher = async (file: string, event: string) => {
      const { hooks } = (await json(home, file)) as { hooks: Record<string, Array<{ matcher: string }>> };
      return new RegExp(hooks[event]?.[0]?.matcher ?? "");
    };
    const claude = await matcher(".claude/settings.json", "PreToolUse");
    for (const tool of [
      "Bash",
      "Edit",
      "Write",
      "WebSearch",
      "Monitor",
      "REPL",
      "Artifact",
      "RemoteTrigger",
      "mcp__mail__send",
      "mcp__plugin_x_lab__run",
      "mcp__parleys__x",
      "mcp__parley__evil__run",
      "mcp__parley___run",
      "mcp__parley__",
    ])
      expect(tool).toMatch(claude);
    for (const tool of ["Read", "TodoWrite", "BashOutput", "Grep", "mcp__parley__request_approval"])
      expect(tool).not.toMatch(claude);
    const gemini = await matcher(".gemini/settings.json", "BeforeTool");
    for (const tool of ["run_shell_command", "replace", "mcp__mail__send", "mcp_mail_send", "mcp_parley_evil_run"])
      expect(tool).toMatch(gemini);
    expect("read_file").not.toMatch(gemini);
    // There the hook is told the server, and lets Parley's own tools pass.
    const event = (server_name: string) =>
      JSON.stringify({
        hook_event_name: "BeforeTool",
        session_id: "s",
        cwd: home.folder,
        tool_name: `mcp_${server_name}_whoami`,
        tool_input: {},
        mcp_context: { server_name, tool_name: "whoami" },
      });
    const hook = (server: string) =>
      stage.parley(["hook", "gemini", "--timeout", "1"], { cwd: home.folder, input: event(server) }).over;
    const [own, evil] = await Promise.all([hook("parley"), hook("parley_evil")]);
    expect([own.code, JSON.parse(own.out)]).toEqual([0, { decision: "allow" }]);
    expect([evil.code, evil.out.includes("allow")]).toEqual([0, false]);
  });

  it("codex: tables behind what is there, which stays as it was", async () => {
    const home = await openHome();
    const before = `# mine
model = "gpt-5.6" # the good one

[mcp_servers.other]
command = "other"

[[hooks.PreToolUse]]
matcher = "^Bash$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "mine"
`;
    await home.has(".codex/config.toml", before);
    const ran = await home.parley(["connect", "codex", "ada", "--gates", "--write"]);
    expect(ran.code).toBe(0);
    expect(ran.out).toContain(`export PARLEY_TOKEN=${stage.ada.token}`);
    expect(ran.err).toContain("trust");
    const text = await home.text(".codex/config.toml");
    expect(text.startsWith(before)).toBe(true);
    expect(text).not.toContain(stage.ada.token);
    expect(parse(text)).toMatchObject({
      mcp_servers: {
        other: { command: "other" },
        parley: {
          url: `${stage.url}/mcp`,
          bearer_token_env_var: "PARLEY_TOKEN",
          tool_timeout_sec: 300,
          required: true,
          default_tools_approval_mode: "approve",
        },
      },
      hooks: {
        PreToolUse: [
          { matcher: "^Bash$", hooks: [{ command: "mine" }] },
          { matcher: "^(Bash|apply_patch|Edit|Write|mcp__.+)$", hooks: [{ type: "command", timeout: 600 }] },
        ],
      },
    });
    await writeFile(join(home.folder, ".codex/config.toml"), `${text}\n[projects."/x"]\ntrust_level = "trusted"\n`);
    expect(await home.parley(["connect", "codex", "ada", "--gates", "--write"])).toMatchObject({
      out: expect.stringContaining("as it was"),
    });
    expect((await home.files()).filter((file) => file.endsWith(".bak"))).toHaveLength(1);
  });

  const others: Record<string, { files: string[]; before: Record<string, string> }> = {
    gemini: {
      files: [".gemini/settings.json"],
      before: {
        ".gemini/settings.json":
          '{\n\t// mine\n\t"theme": "dark",\n\t"mcpServers": { "other": { "command": "x" } },\n\t"hooks": { "BeforeTool": [{ "matcher": "x", "hooks": [] }] }\n}\n',
      },
    },
    opencode: {
      files: [".config/opencode/opencode.jsonc", ".config/opencode/plugins/parley.js"],
      before: { ".config/opencode/opencode.jsonc": '{ /* mine */ "theme": "dark", "mcp": {} }' },
    },
    cursor: {
      files: [".cursor/hooks.json", ".cursor/mcp.json"],
      before: {
        ".cursor/hooks.json": '{\n  "version": 1,\n  "hooks": { "beforeShellExecution": [{ "command": "mine" }] }\n}\n',
      },
    },
    vscode: {
      files: [".config/Code/User/mcp.json"],
      before: { ".config/Code/User/mcp.json": '{ "servers": { "other": { "command": "x" } } }\n' },
    },
    claude: {
      files: [".claude.json", ".claude/settings.json"],
      before: {
        ".claude.json": '{"numStartups": 7, "mcpServers": {"other": {"command": "x"}}, "projects": {"/x": {}}}',
        ".claude/settings.json":
          '{\n    "env": { "MINE": "1" },\n    "hooks": { "PreToolUse": [{ "matcher": "Bash", "hooks": [{ "type": "command", "command": "mine" }] }] }\n}\n',
      },
    },
  };

  it.each(Object.entries(others))("%s: twice is once, and all else stays", async (client, { files, before }) => {
    const home = await openHome();
    for (const [file, text] of Object.entries(before)) await home.has(file, text);
    const connect = ["connect", client, "ada", "--gates", "--write"];
    const first = await home.parley(connect);
    expect(first.code, first.err).toBe(0);
    const texts = Object.fromEntries(await Promise.all(files.map(async (file) => [file, await home.text(file)])));
    const kept = (await home.files()).filter((file) => file.endsWith(".bak"));
    expect(kept).toHaveLength(Object.keys(before).length);
    for (const file of kept) expect(Object.values(before)).toContain(await home.text(file));
    for (const mine of ["mine", "dark", "other", "MINE", "numStartups"])
      if (Object.values(before).join().includes(mine)) expect(Object.values(texts).join()).toContain(mine);

    const second = await home.parley(connect);
    expect([second.code, second.out.includes("wrote")]).toEqual([0, false]);
    expect(await home.files()).toEqual([...files, ...kept].sort());
    for (const file of files) expect(await home.text(file)).toBe(texts[file]);
    // Connecting again without --gates takes none away.
    if (client !== "vscode") {
      await home.parley(connect.filter((word) => word !== "--gates"));
      for (const file of files) expect(await home.text(file)).toBe(texts[file]);
    }
    if (client === "gemini") await home.has(".gemini/trustedFolders.json", `{"${home.folder}":"TRUST_FOLDER"}`);
    const doctor = await home.parley(["doctor", "--client", client]);
    expect(doctor.code, doctor.out).toBe(0);
    expect(doctor.out).toContain(client === "vscode" ? "without gates" : "with gates");
  });

  it("a file that is not JSON is left alone, and so are the others", async () => {
    const home = await openHome();
    await home.has(".claude/settings.json", "{ not json");
    const ran = await home.parley(["connect", "claude", "ada", "--gates", "--write"]);
    expect(ran.code).toBe(78);
    expect(ran.err).toContain("settings.json");
    expect(await home.files()).toEqual([".claude/settings.json"]);
  });

  it("without --write it prints the same and writes nothing", async () => {
    const home = await openHome();
    const { code, out } = await home.parley(["connect", "claude", "ada", "--gates"]);
    expect(code).toBe(0);
    expect(out).toContain(
      `claude mcp add --transport http -s user parley ${stage.url}/mcp --header "Authorization: ${bearer()}"`,
    );
    expect(out).toContain('"onFailure": "block"');
    const generic = await home.parley(["connect", "generic", "ada"]);
    expect(generic.out).toContain(`${stage.url}/mcp\nAuthorization: ${bearer()}`);
    expect(await home.files()).toEqual([]);
  });

  it("M1: a token of somebody else, a wrong one or none is refused", async () => {
    const home = await openHome();
    for (const [name, token] of [
      ["bob", stage.ada.token],
      ["ada", "parley_wrong"],
      ["ada", ""],
    ] as const) {
      const ran = await home.parley(["connect", "claude", name, "--write"], { PARLEY_TOKEN: token });
      expect([ran.code, ran.out], ran.err).toEqual([77, ""]);
    }
    expect((await home.parley(["connect", "emacs", "ada"])).code).toBe(64);
    expect(await home.files()).toEqual([]);
  });

  it("M1, K13: looked at again and again, it leaves one token that was never used; one in use stays", async () => {
    const home = await openHome();
    const env = { PARLEY_TOKEN: "", PARLEY_STORE: stage.store };
    await stage.guest("bea");
    const look = async (client = "generic") => {
      const { out, err } = await home.parley(["connect", client, "bea"], env);
      const [, token = ""] = /Bearer (\S+?)["\s]/.exec(out) ?? [];
      return { token, err };
    };
    const standing = async (): Promise<unknown[]> => {
      const { tokens } = (await stage.operator.does("list_tokens", { member: "bea" })) as { tokens: Json[] };
      return tokens.filter(({ revoked_at }) => !revoked_at).map(({ label }) => label);
    };
    const whoami = async (token: string) =>
      (
        await fetch(`${stage.url}/api/whoami`, {
          method: "POST",
          headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
          body: "{}",
        })
      ).status;
    const first = await look();
    expect(first.err).toContain("never used, has ended");
    const second = await look();
    expect(second.err).toContain("never used, has ended");
    expect(await standing()).toEqual(["connect generic"]);
    // Of the two the one that was printed last is good, and once it is used it is nobody's to end.
    expect([await whoami(first.token), await whoami(second.token)]).toEqual([401, 200]);
    const third = await look();
    expect(third.err).toBe("Issued bea another token.\n");
    await look("claude");
    expect((await standing()).sort()).toEqual(["connect claude", "connect generic", "connect generic"]);
    expect([await whoami(second.token), await whoami(third.token)]).toEqual([200, 200]);
  });

  it("M1, K13: where the store can be opened it makes the agent, and its token once", async () => {
    const home = await openHome();
    const env = { PARLEY_TOKEN: "", PARLEY_STORE: stage.store };
    const connect = ["connect", "gemini", "newcomer", "--write"];
    const first = await home.parley(connect, env);
    expect(first, first.err).toMatchObject({ code: 0, err: expect.stringContaining("Added newcomer to main") });
    const text = await home.text(".gemini/settings.json");
    expect((await home.parley(connect, env)).err).not.toMatch(/Added|Issued/);
    expect(await home.text(".gemini/settings.json")).toBe(text);
    const { members } = (await stage.zoe.does("list_members", {})) as { members: Array<{ name: string }> };
    expect(members.map(({ name }) => name)).toContain("newcomer");
    const person = await home.parley(["connect", "gemini", "zoe", "--write"], env);
    expect([person.code, await home.text(".gemini/settings.json")]).toEqual([77, text]);
  });
});

describe("doctor", { concurrent: true }, () => {
  it("is well where all is well: one line each", async () => {
    const home = await openHome();
    const { code, out } = await home.parley(["doctor"]);
    expect(code, out).toBe(0);
    expect(out.trim().split("\n")).toEqual([
      expect.stringMatching(/^ok {4}server at http/),
      expect.stringMatching(/^ok {4}version \d/),
      "ok    clocks agree",
      "ok    store ready",
      expect.stringMatching(/^ok {4}token ….{4} is ada's: worker in main$/),
      expect.stringMatching(/^ok {4}MCP answers with \d+ tools$/),
    ]);
    expect(out).not.toContain(stage.ada.token);
  });

  it("says what to do where the server, the token or the client is not as it should be", async () => {
    const home = await openHome();
    const cases: Array<[number, RegExp, string[], Json]> = [
      [69, /TO DO no Parley at .*ECONNREFUSED.*: start it/, [], { PARLEY_URL: stage.nowhere }],
      [77, /TO DO token …rong: /, [], { PARLEY_TOKEN: "parley_wrong" }],
      [77, /TO DO no token: set PARLEY_TOKEN/, [], { PARLEY_TOKEN: "" }],
      [77, /who is a person: give the agent a token/, [], { PARLEY_TOKEN: stage.zoe.token }],
      [78, /TO DO Codex is not connected: parley connect codex NAME --write/, ["--client", "codex"], {}],
      [78, /PARLEY_URL is not usable/, [], { PARLEY_URL: "nonsense" }],
      [64, /no client emacs/, ["--client", "emacs"], {}],
    ];
    await Promise.all(
      cases.map(async ([code, said, words, env]) => {
        const ran = await home.parley(["doctor", ...words], env);
        expect(ran.out + ran.err).toMatch(said);
        expect(ran.code, ran.out).toBe(code);
      }),
    );
  });

  it("sees what differs from what connect would write", async () => {
    const home = await openHome();
    await home.parley(["connect", "claude", "ada", "--gates", "--write"]);
    const whole = { ".claude.json": "", ".claude/settings.json": "" };
    for (const file of Object.keys(whole) as Array<keyof typeof whole>) whole[file] = await home.text(file);
    const spoilt: Array<[keyof typeof whole, (text: string) => string]> = [
      [".claude/settings.json", (text) => text.replace('"onFailure": "block"', '"onFailure": "continue"')],
      [".claude/settings.json", (text) => text.replace("Bash|", "")],
      [".claude/settings.json", (text) => text.replace('"timeout": 600', '"timeout": 60')],
      [".claude.json", (text) => text.replace(stage.url, "http://127.0.0.1:1")],
      [".claude.json", (text) => text.replace(stage.ada.token, "parley_old")],
      [".claude/settings.json", () => "{"],
    ];
    await Promise.all(
      spoilt.map(async ([file, spoil]) => {
        const other = await openHome();
        for (const [name, text] of Object.entries(whole)) await other.has(name, name === file ? spoil(text) : text);
        const ran = await other.parley(["doctor", "--client", "claude"]);
        expect([ran.code === 0, ran.out]).toEqual([false, expect.stringMatching(/^TO DO .*(?:Claude Code|token)/m)]);
      }),
    );
    await chmod(join(home.folder, ".claude.json"), 0o644);
    expect((await home.parley(["doctor"])).out).toMatch(/TO DO others can read the token in .*: chmod 600/);
    await home.parley(["connect", "claude", "ada", "--write"]);
    expect((await home.parley(["doctor"])).code).toBe(0);
  });
});
