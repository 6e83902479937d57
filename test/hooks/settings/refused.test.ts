// Settings files that cannot take Parley's part: each is left alone, with a sentence that names it and says what to do.
import { chmodSync, chownSync, mkdirSync, statSync, symlinkSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { ConnectOptions } from "../../../src/commands/connect.ts";
import { planOf, writeTogether } from "../../../src/hooks/settings/file.ts";
import { type Home, openHome, token } from "./home.ts";

const settings = ".claude/settings.json";
const gates = { gates: true };

/** Nothing changed, and the words say which file, why and what to do. */
async function refuses(home: Home, client: string, options: ConnectOptions, file: string, why: RegExp): Promise<void> {
  const before = home.everything();
  // With no token and no store: had it got as far as the token, the code were 77.
  const ran = await home.connect(client, options, { PARLEY_TOKEN: "" });
  expect([ran.code, ran.out], ran.err).toEqual([78, ""]);
  expect(ran.err).toContain(`parley: ${home.at(file)} was left as it is: `);
  expect(ran.err).toMatch(why);
  expect(ran.err).toMatch(/\. [A-Z].+, then run this again\.\n$/);
  expect(home.everything()).toEqual(before);
  // Nor does doctor call it well.
  const seen = await home.doctor(client);
  expect(seen.out).not.toContain("with gates");
}

type Case = [why: RegExp, text: string | Buffer];

const claudeTexts: Case[] = [
  [/it is not JSON \(line 3\)/, '{\n  "a": 1,\n  oops\n}\n'],
  [/it is a list, not a JSON object/, "[]"],
  [/it is null, not a JSON object/, "null"],
  [
    /the key "hooks" stands twice in one object \(lines 1 and 3\)/,
    '{"hooks":{},\n"model":"x",\n"hooks":{"PreToolUse":[]}}',
  ],
  [/the key "PreToolUse" stands twice/, '{"hooks":{"PreToolUse":[],"PreToolUse":[]}}'],
  [/the key "x" stands twice/, '{"projects":[{"x":1,"x":2}]}'],
  [/its "hooks" is not an object/, '{"hooks":null}'],
  [/its "hooks" is not an object/, '{"hooks":[]}'],
  [/its "hooks.PreToolUse" is not a list/, '{"hooks":{"PreToolUse":{}}}'],
  [/its "hooks.Stop" is not a list/, '{"hooks":{"Stop":"x"}}'],
  [
    /hooks\.PreToolUse\[0\] is not an object with a list/,
    '{"hooks":{"PreToolUse":[{"type":"command","command":"echo"}]}}',
  ],
  [/hooks\.PreToolUse\[0\] is not an object/, '{"hooks":{"PreToolUse":["~/x.sh"]}}'],
  [/hooks\.Stop\[1\]\.hooks\[0\] is not an object with a "type"/, '{"hooks":{"Stop":[{"hooks":[]},{"hooks":["x"]}]}}'],
  [/hooks\.Stop\[0\]\.hooks\[0\]\.command is not a text/, '{"hooks":{"Stop":[{"hooks":[{"type":"command"}]}]}}'],
  [/hooks\.Stop\[0\]\.matcher is not a text/, '{"hooks":{"Stop":[{"matcher":1,"hooks":[]}]}}'],
  [
    /hooks\[0\]\.timeout is not above 0/,
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":0}]}]}}',
  ],
  [
    /hooks\[0\]\.async is not true or false/,
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","async":"yes"}]}]}}',
  ],
  [
    /hooks\[0\]\.shell is not a shell/,
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","shell":"zsh"}]}]}}',
  ],
  [/hooks\[0\]\.prompt is not a text/, '{"hooks":{"Stop":[{"hooks":[{"type":"prompt"}]}]}}'],
  [/hooks\[0\]\.url is not a text/, '{"hooks":{"Stop":[{"hooks":[{"type":"http"}]}]}}'],
  [/hooks\[0\]\.url is not a URL/, '{"hooks":{"Stop":[{"hooks":[{"type":"http","url":"x"}]}]}}'],
  [/hooks\[0\]\.server is not a text/, '{"hooks":{"Stop":[{"hooks":[{"type":"mcp_tool","tool":"x"}]}]}}'],
  [/its "permissions.defaultMode" is not a mode/, '{"permissions":{"defaultMode":"x"}}'],
  [/its "cleanupPeriodDays" is not a whole number/, '{"cleanupPeriodDays":-1}'],
  [/its "statusLine" is not an object with/, '{"statusLine":{}}'],
  [/its "sandbox.enabled" is not true or false/, '{"sandbox":{"enabled":"x"}}'],
  [/its "alwaysThinkingEnabled" is not true or false/, '{"alwaysThinkingEnabled":"x"}'],
  [/its "fileSuggestion" is not an object with/, '{"fileSuggestion":{}}'],
  [/its "enabledPlugins.a" is not true or false/, '{"enabledPlugins":{"a":5}}'],
  [/its "extraKnownMarketplaces.a" is not an object with/, '{"extraKnownMarketplaces":{"a":{"source":"x"}}}'],
  [/its "env" is not an object/, '{"env":null}'],
  [/its "env" is not an object/, '{"env":["A=1"]}'],
  [/its "env.PARLEY_URL" is not what parley connect wrote/, '{"env":{"PARLEY_URL":1}}'],
  [/its "permissions" is not an object/, '{"permissions":null}'],
  [/its "permissions.allow" is not a list of texts/, '{"permissions":{"allow":"Bash(ls)"}}'],
  [/its "permissions.deny" is not a list of texts/, '{"permissions":{"deny":[1]}}'],
  [/its "permissions.deny" has mcp__parley, which comes before/, '{"permissions":{"deny":["mcp__parley"]}}'],
  [/its "permissions.ask" has mcp__parley__\*/, '{"permissions":{"ask":["Read","mcp__parley__*"]}}'],
  [/its "disableAllHooks" is not true or false/, '{"disableAllHooks":"yes"}'],
  [
    /it has a comment, for which the client would reject the file\. Take the comments out/,
    '{ // mine\n  "model": "opus"\n}',
  ],
  [/it has a comma behind a last entry, for which/, '{"model":"opus",}'],
  [/its "model" is not a text/, '{"model":1}'],
  [/its "permissions.additionalDirectories" is not a list of texts/, '{"permissions":{"additionalDirectories":"x"}}'],
  [/a "type" of command, prompt, agent, http, mcp_tool/, '{"hooks":{"Stop":[{"hooks":[{"type":"magic"}]}]}}'],
  [
    /hooks\[0\]\.timeout is not a number/,
    '{"hooks":{"Stop":[{"hooks":[{"type":"command","command":"x","timeout":"5"}]}]}}',
  ],
  [/it is not UTF-8 text/, Buffer.from('\uFEFF{"a":1}', "utf16le")],
];

describe("a file that the client would reject, or that cannot take its part", () => {
  it.each(claudeTexts)("K4: claude: %s", async (why, text) => {
    const home = openHome();
    home.has(settings, text);
    home.has(".claude.json", '{"mcpServers":{}}');
    await refuses(home, "claude", gates, settings, why);
  });

  const elsewhere: Array<[client: string, file: string, why: RegExp, text: string]> = [
    ["claude", ".claude.json", /"mcpServers" is a list, not an object/, '{"mcpServers":[]}'],
    ["claude", ".claude.json", /"mcpServers" is null, not an object/, '{"mcpServers":null}'],
    [
      "claude",
      ".claude.json",
      /"mcpServers.parley" is not what parley connect wrote/,
      '{"mcpServers":{"parley":{"command":"x"}}}',
    ],
    ["gemini", ".gemini/settings.json", /"mcpServers" is a list, not an object/, '{"mcpServers":[]}'],
    ["claude", ".claude.json", /it has a comment/, "{ /* mine */ }"],
    ["gemini", ".gemini/settings.json", /it has a comma behind a last entry/, '{ // mine\n"theme":"x",}'],
    ["gemini", ".gemini/settings.json", /its "hooks.BeforeTool" is not a list/, '{"hooks":{"BeforeTool":{}}}'],
    ["opencode", ".config/opencode/opencode.json", /"mcp" is the string x, not an object/, '{"mcp":"x"}'],
    [
      "opencode",
      ".config/opencode/plugins/parley.js",
      /it is not what parley connect wrote/,
      "export const mine = 1;\n",
    ],
    ["cursor", ".cursor/mcp.json", /the key "mcpServers" stands twice/, '{"mcpServers":{},"mcpServers":{}}'],
    ["cursor", ".cursor/hooks.json", /its "version" is not what parley connect wrote/, '{"version":2,"hooks":{}}'],
    [
      "cursor",
      ".cursor/hooks.json",
      /its "hooks.stop" is not a list of objects/,
      '{"version":1,"hooks":{"stop":["x"]}}',
    ],
    ["vscode", ".config/Code/User/mcp.json", /its "inputs" is not a list/, '{"inputs":{}}'],
    ["codex", ".codex/config.toml", /it is not TOML \(line 2\)/, "a = 1\nmodel = \n"],
    [
      "codex",
      ".codex/config.toml",
      /it has a \[mcp_servers.parley\] of its own/,
      '[mcp_servers.parley]\nurl = "mine"\n',
    ],
    ["codex", ".codex/config.toml", /Parley's tables do not fit/, 'mcp_servers = { other = { command = "x" } }\n'],
    ["codex", ".codex/config.toml", /Parley's tables do not fit/, "hooks = { PreToolUse = [] }\n"],
    ["codex", ".codex/config.toml", /its "hooks.Stop" is not a list/, '[hooks]\nStop = "x"\n'],
    ["codex", ".codex/config.toml", /a "type" of command, prompt/, '[[hooks.Stop]]\nhooks = [{ type = "magic" }]\n'],
  ];

  it.each(elsewhere)("K4: %s: %s: %s", async (client, file, why, text) => {
    const home = openHome();
    home.has(file, text);
    await refuses(home, client, client === "vscode" ? {} : gates, file, why);
  });
});

describe("a place that cannot be written", () => {
  it("K6: a folder, also where a link leads to it", async () => {
    const home = openHome();
    mkdirSync(home.at(`${settings}/x`), { recursive: true });
    await refuses(home, "claude", {}, settings, /it is a folder. Move the folder away/);
    mkdirSync(home.at(".gemini"));
    symlinkSync(home.at(".claude"), home.at(".gemini/settings.json"));
    await refuses(home, "gemini", {}, ".gemini/settings.json", /it is a folder/);
  });

  it("K6: below something that is no folder", async () => {
    const home = openHome();
    home.has(".claude", "a file");
    await refuses(home, "claude", {}, settings, /a part of its path is no folder/);
  });

  it("K6: marked read-only, also where a link leads to it; the first of two files stays as it was", async () => {
    const home = openHome();
    home.has(settings, "{}");
    chmodSync(home.at(settings), 0o444);
    home.has(".claude.json", "{}");
    await refuses(home, "claude", {}, settings, /it is marked read-only\. .*chmod u\+w/);
    expect(statSync(home.at(settings)).mode & 0o777).toBe(0o444);
    mkdirSync(home.at(".gemini"));
    symlinkSync(home.at(settings), home.at(".gemini/settings.json"));
    await refuses(
      home,
      "gemini",
      {},
      ".gemini/settings.json",
      /it leads to .*settings\.json, which is marked read-only/,
    );
  });

  it("K5, K6: a place where nobody can make a file, whatever the rights say; no folder is left", async () => {
    const home = openHome();
    mkdirSync(home.at(".config/opencode"), { recursive: true });
    symlinkSync("/proc/parley-plugins", home.at(".config/opencode/plugins"));
    await refuses(home, "opencode", gates, ".config/opencode/plugins/parley.js", /it cannot be written|is not there/);
    home.has(".claude.json", '{"numStartups":7}');
    mkdirSync(home.at(".claude"));
    symlinkSync("/proc/parley-settings.json", home.at(settings));
    await refuses(home, "claude", {}, settings, /it cannot be written \(/);
  });

  it("K5: the second of two files fails at the last moment: the first is as it was, and no copy is left", () => {
    const home = openHome();
    home.has("a.json", '{"mine":1}');
    const piece = (file: string) => ({ kind: "file", file: home.at(file), text: "{}", ours: () => true }) as const;
    const plans = ["a.json", "new/b.json"].map((file) => planOf(home.at(file), [piece(file)], true));
    const before = home.everything();
    mkdirSync(home.at("new/b.json"), { recursive: true });
    const write = () => writeTogether(plans, { stamp: "x", elsewhere: home.at("copies") });
    expect(write).toThrow(`${home.at("new/b.json")} was left as it is: it cannot be written (EISDIR)`);
    expect(home.everything()).toEqual(before);
    expect(statSync(home.at("a.json")).mode & 0o777).toBe(0o644);
  });

  it("K6: a link whose target is not there yet stays one; where the folder is missing it is refused", async () => {
    const home = openHome();
    mkdirSync(home.at("dot"));
    mkdirSync(home.at(".gemini"));
    symlinkSync("../dot/gemini.json", home.at(".gemini/settings.json"));
    expect((await home.connect("gemini")).code).toBe(0);
    expect(home.text("dot/gemini.json")).toContain(token);
    expect(statSync(home.at(".gemini/settings.json")).mode & 0o777).toBe(0o600);
    expect((await home.connect("gemini")).out).toContain("as it was");
    mkdirSync(home.at(".claude"));
    symlinkSync(home.at("missing/settings.json"), home.at(settings));
    await refuses(home, "claude", {}, settings, /it is a link to .*, and that folder is not there/);
    symlinkSync("b", home.at("a"));
    symlinkSync("a", home.at("b"));
    mkdirSync(home.at(".cursor"));
    symlinkSync(home.at("a"), home.at(".cursor/mcp.json"));
    await refuses(home, "cursor", {}, ".cursor/mcp.json", /its links lead in a circle/);
  });

  it("K6: a device or a pipe, which could be read for ever, is not read", async () => {
    const home = openHome();
    mkdirSync(home.at(".claude"));
    symlinkSync("/dev/zero", home.at(settings));
    const ran = await home.connect("claude", {}, { PARLEY_TOKEN: "" });
    expect([ran.code, ran.err]).toEqual([78, expect.stringContaining("it is no plain file. Move it away")]);
    expect((await home.doctor("claude")).out).toContain("it is no plain file: move it away");
  });

  it("K5: no copy is written over another, however fast one run follows the other", async () => {
    const home = openHome();
    home.has(".gemini/settings.json", '{"theme":"mine"}');
    await home.connect("gemini");
    await home.connect("gemini", gates);
    await home.connect("gemini", { stdio: true });
    const copies = Object.entries(home.everything()).filter(([file]) => file.endsWith(".bak"));
    expect(copies).toHaveLength(3);
    expect(copies.filter(([, text]) => text === '{"theme":"mine"}')).toHaveLength(1);
    expect(new Set(copies.map(([, text]) => text)).size).toBe(3);
  });

  it.runIf(process.getuid?.() === 0)("K2: a file stays its owner's", async () => {
    const home = openHome();
    home.has(settings, "{}");
    chownSync(home.at(settings), 1234, 1234);
    await home.connect("claude");
    expect([statSync(home.at(settings)).uid, statSync(home.at(settings)).gid]).toEqual([1234, 1234]);
  });
});
