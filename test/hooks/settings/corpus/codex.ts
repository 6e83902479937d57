// Codex's settings.
import { crlf, gates, type Kept } from "./shape.ts";

const codexServer = `# Parley, written by parley connect
[mcp_servers.parley]
url = "http://127.0.0.1:9/mcp"
bearer_token_env_var = "PARLEY_TOKEN"
tool_timeout_sec = 300
required = true
default_tools_approval_mode = "approve"
`;

const codexHook = `
[[hooks.PreToolUse]]
matcher = "^(Bash|apply_patch|Edit|Write|mcp__.+)$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "@line@"
timeout = 600
`;

const codexEnd = "# Parley, end\n";
export const codex: Kept[] = [
  {
    shape: "comments, other servers and hooks",
    client: "codex",
    options: gates,
    before: {
      ".codex/config.toml": `# mine
model = "x" # good

[mcp_servers.other]
command = "other"

[[hooks.PreToolUse]]
matcher = "^Bash$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "~/hooks/codex-guard" # hook codex
`,
    },
    after: {
      ".codex/config.toml": `# mine
model = "x" # good

[mcp_servers.other]
command = "other"

[[hooks.PreToolUse]]
matcher = "^Bash$"

[[hooks.PreToolUse.hooks]]
type = "command"
command = "~/hooks/codex-guard" # hook codex

${codexServer}${codexHook}${codexEnd}`,
    },
  },
  {
    shape: "a notify program in a folder hooks is no gate",
    client: "codex",
    before: { ".codex/config.toml": 'notify = ["/home/x/hooks/codex-notify"]\n' },
    after: { ".codex/config.toml": `notify = ["/home/x/hooks/codex-notify"]\n\n${codexServer}${codexEnd}` },
  },
  {
    shape: "carriage returns",
    client: "codex",
    options: gates,
    before: { ".codex/config.toml": '# mine\r\nmodel = "x"\r\n' },
    after: { ".codex/config.toml": crlf(`# mine\nmodel = "x"\n\n${codexServer}${codexHook}${codexEnd}`) },
  },
  {
    shape: "a byte-order mark and no line end",
    client: "codex",
    before: { ".codex/config.toml": '\uFEFFmodel = "x"' },
    after: { ".codex/config.toml": `\uFEFFmodel = "x"\n\n${codexServer}${codexEnd}` },
  },
  {
    shape: "tables that Codex wrote between Parley's comments",
    client: "codex",
    options: gates,
    before: {
      ".codex/config.toml": `model = "x"

${codexServer.replace("300", "60")}${codexHook.replace("@line@", "@own@")}
[hooks.state]

[hooks.state."/x:pre_tool_use:0:0"]
trusted_hash = "sha256:0"
${codexEnd}
[projects."/x"]
trust_level = "trusted"
`,
    },
    after: {
      ".codex/config.toml": `model = "x"

${codexServer}${codexHook}${codexEnd}[hooks.state]

[hooks.state."/x:pre_tool_use:0:0"]
trusted_hash = "sha256:0"

[projects."/x"]
trust_level = "trusted"
`,
    },
  },
];
