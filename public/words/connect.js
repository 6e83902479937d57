// @ts-check
// How each client is told of this server: the exact command or configuration, with the token only where the client
// reads it from nowhere else.
/** @typedef {{title: string, text: string}} Block */
/** @typedef {{id: string, name: string, note: string, blocks: (url: string, token: string) => Block[]}} Client */

const json = (/** @type {unknown} */ value) => JSON.stringify(value, null, 2);
const shown = (/** @type {string} */ token) => ({
  title: "In the shell that starts it",
  text: `export PARLEY_TOKEN=${token}`,
});

/** @type {Client[]} */
export const clients = [
  {
    id: "claude",
    name: "Claude Code",
    note: "Kept in your user settings, not in the project.",
    blocks: (url, token) => [
      {
        title: "Run this where the agent works",
        text: `claude mcp add --transport http -s user parley ${url} --header "Authorization: Bearer ${token}"`,
      },
      {
        title: "Merge into ~/.claude/settings.json, so that it asks for none of Parley's tools in the terminal",
        text: json({ permissions: { allow: ["mcp__parley"] } }),
      },
    ],
  },
  {
    id: "codex",
    name: "Codex",
    note: "The token stands in the environment, not in the file.",
    blocks: (url, token) => [
      {
        title: "Add to ~/.codex/config.toml",
        text: `[mcp_servers.parley]\nurl = "${url}"\nbearer_token_env_var = "PARLEY_TOKEN"\ntool_timeout_sec = 300\nrequired = true\ndefault_tools_approval_mode = "approve"`,
      },
      shown(token),
    ],
  },
  {
    id: "gemini",
    name: "Gemini CLI",
    note: "In your home folder, so that no token comes into a project.",
    blocks: (url, token) => [
      {
        title: "Merge into ~/.gemini/settings.json",
        text: json({
          mcpServers: {
            parley: { httpUrl: url, headers: { Authorization: `Bearer ${token}` }, timeout: 600_000, trust: true },
          },
        }),
      },
    ],
  },
  {
    id: "opencode",
    name: "OpenCode",
    note: "In your home folder, so that no token comes into a project.",
    blocks: (url, token) => [
      {
        title: "Merge into ~/.config/opencode/opencode.json",
        text: json({
          mcp: {
            parley: {
              type: "remote",
              url,
              headers: { Authorization: `Bearer ${token}` },
              oauth: false,
              enabled: true,
              timeout: 300_000,
            },
          },
        }),
      },
    ],
  },
  {
    id: "cursor",
    name: "Cursor",
    note: "The token stands in the environment, not in the file.",
    blocks: (url, token) => [
      {
        title: "Merge into ~/.cursor/mcp.json",
        // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
        text: json({ mcpServers: { parley: { url, headers: { Authorization: "Bearer ${env:PARLEY_TOKEN}" } } } }),
      },
      shown(token),
    ],
  },
  {
    id: "vscode",
    name: "VS Code",
    note: "VS Code asks for the token once and keeps it.",
    blocks: (url, token) => [
      {
        title: "Merge into .vscode/mcp.json",
        text: json({
          inputs: [{ type: "promptString", id: "parley-token", description: "Parley token", password: true }],
          // biome-ignore lint/suspicious/noTemplateCurlyInString: the client fills it in
          servers: { parley: { type: "http", url, headers: { Authorization: "Bearer ${input:parley-token}" } } },
        }),
      },
      { title: "The token, when it asks", text: token },
    ],
  },
  {
    id: "generic",
    name: "Another",
    note: "Any client that speaks MCP over Streamable HTTP with a static header.",
    blocks: (url, token) => [
      { title: "Address", text: url },
      { title: "Header", text: `Authorization: Bearer ${token}` },
    ],
  },
];
