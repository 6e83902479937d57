// Whether the gates would work now: what switches hooks off, what is not trusted, and what doctor and connect say.
import { createHash } from "node:crypto";
import { mkdirSync, symlinkSync } from "node:fs";
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { type Home, openHome, token } from "./home.ts";

const gates = { gates: true };

/** Doctor's line for a client, the rest taken away: there is no server here. */
const lineOf = (out: string, title: string): string => out.split("\n").find((line) => line.includes(title)) ?? "";

interface Case {
  client: string;
  title: string;
  /** Where the switch stands. */
  file: string;
  switched: (text: string) => string;
  why: RegExp;
  /** Said by connect too: it does not depend on the folder. */
  told?: boolean;
}

const json = (more: string) => (text: string) => (text === "" ? `{${more}}` : text.replace("{", `{${more},`));

const cases: Case[] = [
  ...[".claude/settings.json", ".claude/settings.local.json", "work/.claude/settings.local.json"].map((file) => ({
    client: "claude",
    title: "Claude Code",
    file,
    switched: json('"disableAllHooks":true'),
    why: /switches all hooks off: nothing is gated; take disableAllHooks out/,
    told: !file.startsWith("work"),
  })),
  ...["work/.claude/settings.json", "work/.claude/settings.local.json"].map((file) => ({
    client: "claude",
    title: "Claude Code",
    file,
    switched: json('"env":{"PARLEY_URL":"http://127.0.0.1:1"}'),
    why: /sets another PARLEY_URL: the hook would ask that server and send it the token; take PARLEY_URL out of its env/,
    told: false,
  })),
  ...[".gemini/settings.json", "work/.gemini/settings.json"].flatMap((file) => [
    {
      client: "gemini",
      title: "Gemini CLI",
      file,
      switched: json('"hooksConfig":{"enabled":false}'),
      why: /switches all hooks off: nothing is gated; take hooksConfig.enabled out/,
      told: !file.startsWith("work"),
    },
    {
      client: "gemini",
      title: "Gemini CLI",
      file,
      switched: json('"hooksConfig":{"disabled":["other","parley"]}'),
      why: /switches Parley's hook off: take "parley" out of hooksConfig.disabled/,
      told: !file.startsWith("work"),
    },
  ]),
  ...[".codex/config.toml", "work/.codex/config.toml"].map((file) => ({
    client: "codex",
    title: "Codex",
    file,
    switched: (text: string) => `[features]\nhooks = false\n\n${text}`,
    why: /switches all hooks off: nothing is gated; take hooks = false out of \[features\]/,
    told: !file.startsWith("work"),
  })),
];

/** Connected with gates, with all that its person has to do besides, in the folder `work`. */
async function gated(client: string): Promise<Home> {
  const home = openHome();
  mkdirSync(home.at("work"));
  await home.connect(client, gates);
  if (client === "gemini") home.has(".gemini/trustedFolders.json", JSON.stringify({ [home.folder]: "TRUST_FOLDER" }));
  if (client === "codex") trust(home);
  return home;
}

/** What Codex 0.171 calls the hook's current hash in its own list of hooks. */
function digestOf(config: string): string {
  const { hooks } = parse(config) as {
    hooks: { PreToolUse: Array<{ matcher: string; hooks: Array<{ command: string }> }> };
  };
  const [
    {
      matcher,
      hooks: [hook],
    },
  ] = hooks.PreToolUse as [{ matcher: string; hooks: [{ command: string }] }];
  const [m, c] = [matcher, hook.command].map((text) => JSON.stringify(text));
  const identity = `{"event_name":"pre_tool_use","hooks":[{"async":false,"command":${c},"timeout":600,"type":"command"}],"matcher":${m}}`;
  return `sha256:${createHash("sha256").update(identity).digest("hex")}`;
}

function trust(home: Home): void {
  const text = home.text(".codex/config.toml");
  home.has(
    ".codex/config.toml",
    `${text}\n[hooks.state.${JSON.stringify(`${home.at(".codex/config.toml")}:pre_tool_use:0:0`)}]\ntrusted_hash = "${digestOf(text)}"\n`,
  );
}

describe("doctor and the switches", () => {
  it.each(["claude", "codex", "gemini", "opencode", "cursor"])(
    "K8: %s: with gates, where they work",
    async (client) => {
      const home = await gated(client);
      const { out } = await home.doctor(client, {}, "work");
      expect(out).toMatch(/^ok .* is connected, with gates$/m);
    },
  );

  it.each(cases)("K8: $client: $file", async ({ client, title, file, switched, why, told }) => {
    const home = await gated(client);
    const was = home.everything()[file] ?? "";
    home.has(file, switched(was));
    const { out, code } = await home.doctor(client, {}, "work");
    expect([lineOf(out, title), code === 0]).toEqual([expect.stringMatching(why), false]);
    expect(out).not.toContain("with gates");
    const again = await home.connect(client);
    expect([again.code, why.test(again.err)]).toEqual([0, told]);
  });

  it("K8: claude: the user's folder is the one of CLAUDE_CONFIG_DIR, the project's is not", async () => {
    const home = openHome();
    const env = { CLAUDE_CONFIG_DIR: home.at("own") };
    await home.connect("claude", gates, env);
    const seen = async () => (await home.doctor("claude", env)).out;
    expect(await seen()).toContain("with gates");
    for (const file of ["own/settings.local.json", ".claude/settings.json"]) {
      home.has(file, '{"disableAllHooks":true}');
      expect(await seen()).toMatch(new RegExp(`TO DO Claude Code: .*${file} switches all hooks off: nothing is gated`));
      home.has(file, "{}");
      expect(await seen()).toContain("with gates");
    }
  });

  it("K8: codex: what is not trusted as it stands now is skipped", async () => {
    const home = openHome();
    const untrusted =
      /TO DO Codex: its hook is not trusted as it stands now: nothing is gated; start codex, run \/hooks/;
    expect((await home.connect("codex", gates)).err).toMatch(untrusted);
    expect((await home.doctor("codex")).out).toMatch(untrusted);
    trust(home);
    expect((await home.connect("codex")).err).not.toMatch(untrusted);
    expect((await home.doctor("codex")).out).toContain("with gates");
    const trusted = home.text(".codex/config.toml");
    for (const spoilt of [
      trusted.replace("Bash|", ""),
      trusted.replace("timeout = 600", "timeout = 60"),
      trusted.replace(/trusted_hash.*/, "$&\nenabled = false"),
      trusted.replace("# Parley, written", "[[hooks.PreToolUse]]\nhooks = []\n\n$&"),
    ]) {
      home.has(".codex/config.toml", spoilt);
      expect((await home.doctor("codex")).out).toMatch(untrusted);
    }
  });

  it("K8: gemini: a folder that is not trusted runs no hooks", async () => {
    const home = await gated("gemini");
    const seen = async (rules: object, env = {}) => {
      home.has(".gemini/trustedFolders.json", JSON.stringify(rules));
      return (await home.doctor("gemini", env, "work")).out.includes("with gates");
    };
    const work = home.at("work");
    expect(await seen({})).toBe(false);
    expect(await seen({ [work]: "TRUST_FOLDER" })).toBe(true);
    expect(await seen({ [`${work}/x`]: "TRUST_PARENT" })).toBe(true);
    expect(await seen({ [home.folder]: "TRUST_FOLDER", [work]: "DO_NOT_TRUST" })).toBe(false);
    expect(await seen({ [`${home.folder}/wor`]: "TRUST_FOLDER" })).toBe(false);
    expect(await seen({}, { GEMINI_CLI_TRUST_WORKSPACE: "true" })).toBe(true);
    expect(await seen({ [work]: "TRUST_FOLDER" }, { GEMINI_RESTRICTED_MODE: "true" })).toBe(false);
    home.has(
      ".gemini/settings.json",
      json('"security":{"folderTrust":{"enabled":false}}')(home.text(".gemini/settings.json")),
    );
    expect(await seen({})).toBe(true);
  });

  it("K8: a token that the client would not find is no gate", async () => {
    const home = await gated("cursor");
    expect((await home.doctor("cursor", { PARLEY_TOKEN: "" })).out).toContain(
      "Cursor reads PARLEY_TOKEN, which is not set here",
    );
  });

  it("K9: doctor sees where the client would ask in the terminal before each of Parley's tools", async () => {
    const home = await gated("claude");
    home.has(".claude/settings.json", home.text(".claude/settings.json").replace('mcp__parley"', 'Read"'));
    expect((await home.doctor("claude")).out).toMatch(
      /TO DO Claude Code: .*settings\.json is not as it should be: parley connect claude NAME --gates --write/,
    );
    const other = await gated("gemini");
    other.has(".gemini/settings.json", other.text(".gemini/settings.json").replace('"trust": true', '"trust": false'));
    expect((await other.doctor("gemini", {}, "work")).out).toContain("settings.json is not as it should be");
  });

  it("K8: one client's broken file hides no other's", async () => {
    const home = await gated("claude");
    mkdirSync(home.at(".gemini/settings.json"), { recursive: true });
    const { out } = await home.doctor(undefined);
    expect(out).toContain("TO DO Gemini CLI: ");
    expect(out).toContain("settings.json: it is a folder: move the folder away");
    expect(out).toContain("ok    Claude Code is connected, with gates");
  });
});

describe("in a git work tree", () => {
  const clients = ["claude", "gemini", "opencode"];
  const named: Record<string, string> = {
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as Claude Code writes it
    claude: "Bearer ${PARLEY_TOKEN}",
    gemini: "Bearer $PARLEY_TOKEN",
    opencode: "Bearer {env:PARLEY_TOKEN}",
  };

  it.each(clients)("K7: %s: the token's name stands there, and the output says what to export", async (client) => {
    const home = openHome();
    mkdirSync(home.at(".git"));
    const ran = await home.connect(client, gates);
    expect(ran.code, ran.err).toBe(0);
    expect(ran.err).toContain(`lies in the git work tree ${home.folder}: the token is not written.`);
    expect(ran.out).toContain(`export PARLEY_TOKEN=${token}`);
    const texts = Object.values(home.everything()).join();
    expect([texts.includes(token), texts.includes(named[client] ?? "")]).toEqual([false, true]);
    home.has(".gemini/trustedFolders.json", JSON.stringify({ [home.folder]: "TRUST_FOLDER" }));
    expect((await home.doctor(client)).out).toContain("is connected, with gates");
    expect((await home.doctor(client, { PARLEY_TOKEN: "" })).out).toContain(
      "reads PARLEY_TOKEN, which is not set here",
    );

    const asked = await home.connect(client, { ...gates, tokenInFile: true });
    expect([asked.code, asked.err.includes("work tree")]).toEqual([0, false]);
    expect(Object.values(home.everything()).join()).toContain(token);
    // What was written before goes, and the copy of it lies where git does not look.
    const back = await home.connect(client, gates);
    expect(back.out).toContain(home.at(".parley/copies"));
    const left = Object.entries(home.everything()).filter(([file]) => !file.startsWith(".parley"));
    expect(left.filter(([, text]) => text.includes(token))).toEqual([]);
  });

  it("K5, K7: through a link into one, and no copy there", async () => {
    const home = openHome();
    mkdirSync(home.at("dot/.git"), { recursive: true });
    home.has("dot/claude/settings.json", '{"model":"opus"}');
    mkdirSync(home.at(".claude"));
    symlinkSync("../dot/claude/settings.json", home.at(".claude/settings.json"));
    const ran = await home.connect("claude", gates);
    expect(ran.err).toContain(`${home.at(".claude/settings.json")} lies in the git work tree ${home.at("dot")}`);
    expect(Object.values(home.everything()).join()).not.toContain(token);
    expect(Object.keys(home.everything()).filter((file) => file.startsWith("dot/"))).toEqual([
      "dot/claude/settings.json",
    ]);
    expect(Object.keys(home.everything()).filter((file) => file.startsWith(".claude/"))).toHaveLength(2);
  });

  it("K7: an address of a store with its password is not written either", async () => {
    const home = openHome();
    mkdirSync(home.at(".git"));
    const env = { PARLEY_STORE: "postgres://ada:secret@db/parley" };
    await expect(home.connect("claude", { stdio: true }, env)).rejects.toThrow(/holds a password, .*--token-in-file/);
    expect(home.everything()).toEqual({});
  });
});
