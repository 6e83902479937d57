// VS Code: mcp.json in the user's folder. It asks for the token itself, and has no hook that could ask.
import { join } from "node:path";
import { server, stdioCommand } from "./own.ts";
import { type ClientSettings, mcp, type Setup } from "./setup.ts";
import { isObject } from "./shapes.ts";

const input = { id: "parley-token", type: "promptString", description: "Parley token", password: true };

// biome-ignore lint/suspicious/noTemplateCurlyInString: VS Code fills it in
const asked = "${input:parley-token}";

function entry(setup: Setup): object {
  if (setup.transport === "http")
    return { type: "http", url: mcp(setup), headers: { Authorization: `Bearer ${asked}` } };
  const { command, args, env } = stdioCommand(setup);
  return { type: "stdio", command, args, env: { ...env, PARLEY_TOKEN: asked } };
}

function folder({ platform, home, env }: Setup): string {
  if (platform === "darwin") return join(home, "Library", "Application Support", "Code", "User");
  if (platform === "win32") return join(env.APPDATA || join(home, "AppData", "Roaming"), "Code", "User");
  return join(env.XDG_CONFIG_HOME || join(home, ".config"), "Code", "User");
}

export const vscode: ClientSettings = {
  title: "VS Code",
  keepsNoToken: "prompt",
  connection(setup) {
    const file = join(folder(setup), "mcp.json");
    return [
      server(file, ["servers", "parley"], entry(setup)),
      { kind: "entry", file, at: ["inputs"], value: input, ours: (one) => isObject(one) && one.id === input.id },
    ];
  },
  notes: ({ token }) => [`When VS Code asks for the Parley token: ${token}`],
};
