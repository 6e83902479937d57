// The lines that clients run, and the forms that connect writes for `parley stdio`.
import { parse } from "smol-toml";
import { describe, expect, it } from "vitest";
import { cursor } from "../../../src/hooks/cursor.ts";
import { clientSettings } from "../../../src/hooks/settings/clients.ts";
import { hookLine, isHookLine, ownCommand } from "../../../src/hooks/settings/command.ts";
import type { Setup } from "../../../src/hooks/settings/setup.ts";
import { openHome, token } from "./home.ts";

const built = ["C:\\Program Files\\nodejs\\node.exe", "C:\\it's\\dist\\src\\main.js"];

describe("a hook's line", () => {
  it("K11: in sh, each word quoted where it must be, and 2 whatever happens", () => {
    expect(hookLine("codex", 540, "sh", ["/opt/my node/bin/node", "/o'b/dist/src/main.js"])).toBe(
      "'/opt/my node/bin/node' '/o'\\''b/dist/src/main.js' hook codex --timeout 540 || exit 2",
    );
  });

  it("K11: in PowerShell, where a program that is missing throws and there is no ||", () => {
    expect(hookLine("cursor", 540, "powershell", built)).toBe(
      "try { & 'C:\\Program Files\\nodejs\\node.exe' 'C:\\it''s\\dist\\src\\main.js' 'hook' 'cursor' '--timeout' '540'; " +
        "if ($LASTEXITCODE -eq 0) { exit 0 } } catch { }; exit 2",
    );
  });

  it("K11: Cursor and Gemini CLI get the PowerShell line on Windows, the others and other systems the one for sh", () => {
    const lines = (client: string, platform: NodeJS.Platform): string => {
      const setup = { url: "http://x", token, tokenBy: "file", home: "/h", env: {}, platform } as unknown as Setup;
      return JSON.stringify(clientSettings.get(client)?.gates?.(setup));
    };
    for (const client of ["cursor", "gemini"]) {
      expect(lines(client, "win32")).toContain("catch { }; exit 2");
      expect(lines(client, "win32")).not.toContain("|| exit 2");
      expect(lines(client, "linux")).toContain("|| exit 2");
    }
    for (const client of ["claude", "codex"]) expect(lines(client, "win32")).toContain("|| exit 2");
  });

  it("K1: is known again, from any place and version of Parley", () => {
    for (const shell of ["sh", "powershell"] as const)
      for (const own of [built, ownCommand(), ["/opt/my node/bin/node", "/o'b/dist/src/main.js"]]) {
        const line = hookLine("gemini", 540, shell, own);
        expect(isHookLine(line, "gemini"), line).toBe(true);
        expect(isHookLine(line, "cursor")).toBe(false);
      }
  });

  it.each([
    "~/.claude/hooks/gemini-review.sh",
    "guard hook gemini",
    "/usr/bin/node /x/dist/src/main.js hook gemini --timeout 540",
    "/usr/bin/node /x/dist/src/main.js hook gemini --timeout 540 || exit 2; rm -rf x",
    "/usr/bin/node /x/dist/src/main.js hook gemini --timeout 540 --room x || exit 2",
    "/usr/bin/node /x/dist/src/main.js hook gemini --timeout five || exit 2",
    "/usr/bin/node /x/dist/src/other.js hook gemini --timeout 540 || exit 2",
    "/usr/bin/node -r x /x/dist/src/main.js hook gemini --timeout 540 || exit 2",
    "/usr/bin/node --import ./mine.js /x/src/main.ts hook gemini --timeout 540 || exit 2",
    "/usr/bin/python /x/dist/src/main.js hook gemini --timeout 540 || exit 2",
    "node /x/dist/src/main.js hook gemini --timeout 540 || exit 2",
    "echo; /usr/bin/node /x/dist/src/main.js hook gemini --timeout 540 || exit 2",
    "/usr/bin/node  /x/dist/src/main.js hook gemini --timeout 540 || exit 2",
    "/usr/bin/node $(x)/dist/src/main.js hook gemini --timeout 540 || exit 2",
    "try { & '/usr/bin/node' '/x/dist/src/main.js' 'hook' 'gemini' '--timeout' '540'; exit 2",
    "",
  ])("K1: is somebody else's: %s", (line) => {
    expect(isHookLine(line, "gemini")).toBe(false);
  });
});

describe("over stdio", () => {
  it("K12: Cursor's hook lets the tools of the Parley that connect starts pass, and of no other command", () => {
    const wish = (command: string) =>
      cursor.wish(
        { hook_event_name: "beforeMCPExecution", tool_name: "whoami", tool_input: "{}", command },
        "http://127.0.0.1:9",
      );
    const own = [...ownCommand(), "stdio"].join(" ");
    expect(wish(own)).toEqual({ passes: true });
    for (const other of [`${own} --as zoe`, `${own}; x`, "npx parley stdio"])
      expect(wish(other)).toHaveProperty("asks");
  });

  const [command, ...args] = ownCommand();
  const forms: Record<string, { file: string; entry: (store: string) => unknown }> = {
    claude: {
      file: ".claude.json",
      entry: (store) => ({
        mcpServers: {
          parley: {
            type: "stdio",
            command,
            args: [...args, "stdio"],
            env: { PARLEY_STORE: store, PARLEY_TOKEN: token },
            timeout: 660_000,
          },
        },
      }),
    },
    codex: {
      file: ".codex/config.toml",
      entry: (store) => ({
        mcp_servers: {
          parley: {
            command,
            args: [...args, "stdio"],
            env: { PARLEY_STORE: store },
            env_vars: ["PARLEY_TOKEN"],
            tool_timeout_sec: 300,
            required: true,
            default_tools_approval_mode: "approve",
          },
        },
      }),
    },
    gemini: {
      file: ".gemini/settings.json",
      entry: (store) => ({
        mcpServers: {
          parley: {
            command,
            args: [...args, "stdio"],
            env: { PARLEY_STORE: store, PARLEY_TOKEN: token },
            timeout: 600_000,
            trust: true,
          },
        },
      }),
    },
    opencode: {
      file: ".config/opencode/opencode.json",
      entry: (store) => ({
        mcp: {
          parley: {
            type: "local",
            command: [command, ...args, "stdio"],
            environment: { PARLEY_STORE: store, PARLEY_TOKEN: token },
            enabled: true,
            timeout: 300_000,
          },
        },
      }),
    },
    cursor: {
      file: ".cursor/mcp.json",
      entry: (store) => ({
        mcpServers: {
          parley: {
            command,
            args: [...args, "stdio"],
            // biome-ignore lint/suspicious/noTemplateCurlyInString: as Cursor writes it
            env: { PARLEY_STORE: store, PARLEY_TOKEN: "${env:PARLEY_TOKEN}" },
          },
        },
      }),
    },
    vscode: {
      file: ".config/Code/User/mcp.json",
      entry: (store) => ({
        servers: {
          parley: {
            type: "stdio",
            command,
            args: [...args, "stdio"],
            // biome-ignore lint/suspicious/noTemplateCurlyInString: as VS Code writes it
            env: { PARLEY_STORE: store, PARLEY_TOKEN: "${input:parley-token}" },
          },
        },
        inputs: [{ id: "parley-token", type: "promptString", description: "Parley token", password: true }],
      }),
    },
  };

  it.each(Object.entries(forms))("K10: %s starts it by absolute paths; doctor knows the form", async (client, form) => {
    const home = openHome();
    const ran = await home.connect(client, { stdio: true });
    expect(ran.code, ran.err).toBe(0);
    const text = home.text(form.file);
    expect(client === "codex" ? parse(text) : JSON.parse(text)).toEqual(form.entry(home.at("store.db")));
    // The store that was meant is the one in the file.
    expect((await home.doctor(client, { PARLEY_STORE: "/elsewhere.db" })).out).toMatch(
      /^ok .* connected, without gates$/m,
    );
    // And back again.
    expect((await home.connect(client)).code).toBe(0);
    expect(home.text(form.file)).not.toContain('stdio"');
  });
});
