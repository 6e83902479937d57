// opencode: opencode.json holds its MCP servers; its gates are a plugin in the folder beside it.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../../package.ts";
import { ownCommand } from "./command.ts";
import { server, stdioCommand } from "./own.ts";
import type { FilePiece } from "./piece.ts";
import { bearer, type ClientSettings, hookWait, mcp, type Setup } from "./setup.ts";

const folder = ({ env, home }: Setup): string => join(env.XDG_CONFIG_HOME || join(home, ".config"), "opencode");
const byName = "{env:PARLEY_TOKEN}";

function configFile(setup: Setup): string {
  const plain = join(folder(setup), "opencode.json");
  const commented = join(folder(setup), "opencode.jsonc");
  return existsSync(commented) && !existsSync(plain) ? commented : plain;
}

function entry(setup: Setup): object {
  const rest = { enabled: true, timeout: 300_000 };
  if (setup.transport === "http")
    return { type: "remote", url: mcp(setup), headers: bearer(setup, byName), oauth: false, ...rest };
  const { command, args, env } = stdioCommand(setup);
  const environment = { ...env, PARLEY_TOKEN: setup.tokenBy === "file" ? setup.token : byName };
  return { type: "local", command: [command, ...args], environment, ...rest };
}

/** The first line of the plugin, in every version of it. */
const firstLine = "// opencode: before a tool runs, a person is asked through `parley hook opencode`.";

function plugin(setup: Setup): FilePiece {
  const { url, token, tokenBy } = setup;
  const filled = {
    command: [...ownCommand(), "hook", "opencode", "--timeout", String(hookWait)],
    env: { PARLEY_URL: url, ...(tokenBy === "file" && { PARLEY_TOKEN: token }) },
  };
  const text = readFileSync(join(root, "plugins", "opencode", "parley.js"), "utf8");
  return {
    kind: "file",
    file: join(folder(setup), "plugins", "parley.js"),
    text: text.replace(/^const setup = .*$/m, () => `const setup = ${JSON.stringify(filled)};`),
    ours: (found) => found.startsWith(firstLine),
  };
}

export const opencode: ClientSettings = {
  title: "opencode",
  connection: (setup) => [server(configFile(setup), ["mcp", "parley"], entry(setup))],
  gates: (setup) => [plugin(setup)],
  notes: () => [],
};
