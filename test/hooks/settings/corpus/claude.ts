// Claude Code's settings.
import { crlf, gates, type Kept } from "./shape.ts";

const settings = ".claude/settings.json";

const claudeMatcher =
  "^(?:Bash|PowerShell|Edit|MultiEdit|Write|NotebookEdit|WebFetch|WebSearch|Monitor|REPL|Artifact|RemoteTrigger" +
  "|mcp__(?!parley__[a-z]+(?:_[a-z]+)*$).+)$";

const claudeGroup = `{
        "matcher": "${claudeMatcher}",
        "hooks": [
          {
            "type": "command",
            "command": "@line@",
            "timeout": 600,
            "onFailure": "block"
          }
        ]
      }`;

const claudeRest = `"permissions": {
    "allow": [
      "mcp__parley"
    ]
  },
  "env": {
    "PARLEY_URL": "http://127.0.0.1:9",
    "PARLEY_TOKEN": "parley_made-up"
  }`;

const claudeGroupOnOneLine = `{ "matcher": "${claudeMatcher}", "hooks": [ { "type": "command", "command": "@line@", "timeout": 600, "onFailure": "block" } ] }`;

export const claude: Kept[] = [
  {
    shape: "nothing there",
    client: "claude",
    options: gates,
    before: {},
    after: {
      [settings]: `{
  ${claudeRest},
  "hooks": {
    "PreToolUse": [
      ${claudeGroup}
    ]
  }
}
`,
    },
  },
  {
    shape: "somebody's hook in a folder hooks, whose name begins like a client's, without gates",
    client: "claude",
    before: {
      [settings]:
        '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"~/.claude/hooks/codex-review.sh"}]}]}}',
    },
    after: {
      [settings]:
        '{"hooks":{"PreToolUse":[{"matcher":"Bash","hooks":[{"type":"command","command":"~/.claude/hooks/codex-review.sh"}]}]}, "permissions": { "allow": [ "mcp__parley" ] }}',
    },
  },
  {
    shape: "hooks of other tools that are called like Parley's",
    client: "claude",
    options: gates,
    before: {
      [settings]: `{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard hook claude-code" }] },
      { "hooks": [{ "type": "command", "command": "node /opt/src/main.js hook claude-code --timeout 540 || exit 2" }] },
      { "hooks": [{ "type": "http", "url": "http://127.0.0.1:9/hooks/claude-code" }] }
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "~/hooks/claude-code-stop" }] }]
  }
}
`,
    },
    after: {
      [settings]: `{
  "hooks": {
    "PreToolUse": [
      { "matcher": "Bash", "hooks": [{ "type": "command", "command": "guard hook claude-code" }] },
      { "hooks": [{ "type": "command", "command": "node /opt/src/main.js hook claude-code --timeout 540 || exit 2" }] },
      { "hooks": [{ "type": "http", "url": "http://127.0.0.1:9/hooks/claude-code" }] },
      ${claudeGroup}
    ],
    "Stop": [{ "hooks": [{ "type": "command", "command": "~/hooks/claude-code-stop" }] }]
  },
  ${claudeRest}
}
`,
    },
  },
  {
    shape: "an earlier hook of Parley's in a group with somebody's",
    client: "claude",
    options: gates,
    before: {
      [settings]: `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "mine" },
          { "type": "command", "command": "@own@" }
        ]
      }
    ]
  }
}
`,
    },
    after: {
      [settings]: `{
  "hooks": {
    "PreToolUse": [
      {
        "matcher": "Bash",
        "hooks": [
          { "type": "command", "command": "mine" }
        ]
      },
      ${claudeGroup}
    ]
  },
  ${claudeRest}
}
`,
    },
  },
  {
    shape: "two earlier hooks of Parley's around somebody's",
    client: "claude",
    options: gates,
    before: {
      [settings]: `{
  "hooks": {
    "PreToolUse": [
      { "matcher": "a", "hooks": [{ "type": "command", "command": "@own@" }] },
      { "matcher": "Read", "hooks": [{ "type": "command", "command": "mine" }] },
      { "matcher": "b", "hooks": [{ "type": "command", "command": "@own@" }] }
    ]
  }
}
`,
    },
    after: {
      [settings]: `{
  "hooks": {
    "PreToolUse": [
      ${claudeGroup},
      { "matcher": "Read", "hooks": [{ "type": "command", "command": "mine" }] }
    ]
  },
  ${claudeRest}
}
`,
    },
  },
  {
    shape: "carriage returns and tabs",
    client: "claude",
    before: {
      [settings]: crlf(
        '{\n\t"model": "opus",\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Bash(ls)"\n\t\t],\n\t\t"deny": []\n\t}\n}\n',
      ),
    },
    after: {
      [settings]: crlf(
        '{\n\t"model": "opus",\n\t"permissions": {\n\t\t"allow": [\n\t\t\t"Bash(ls)",\n\t\t\t"mcp__parley"\n\t\t],\n\t\t"deny": []\n\t}\n}\n',
      ),
    },
  },
  {
    shape: "a byte-order mark",
    client: "claude",
    before: { [settings]: '\uFEFF{"theme":"x"}' },
    after: { [settings]: '{"theme":"x", "permissions": { "allow": [ "mcp__parley" ] }}' },
  },
  {
    shape: "all that is needed, in another form",
    client: "claude",
    options: gates,
    before: {
      [settings]: `{"hooks":{"PreToolUse":[${claudeGroupOnOneLine}]},"permissions":{"allow":["mcp__parley","Read"]},"env":{"PARLEY_TOKEN":"parley_made-up","PARLEY_URL":"http://127.0.0.1:9"}}`,
    },
    after: {
      [settings]: `{"hooks":{"PreToolUse":[${claudeGroupOnOneLine}]},"permissions":{"allow":["mcp__parley","Read"]},"env":{"PARLEY_TOKEN":"parley_made-up","PARLEY_URL":"http://127.0.0.1:9"}}`,
    },
  },
  {
    shape: "an empty file, and a server list on one line",
    client: "claude",
    before: {
      [settings]: "",
      ".claude.json": '{"numStartups": 7, "mcpServers": {"other": {"command": "x"}}, "projects": {"/x": {}}}',
    },
    after: {
      [settings]: '{\n  "permissions": {\n    "allow": [\n      "mcp__parley"\n    ]\n  }\n}\n',
      ".claude.json":
        '{"numStartups": 7, "mcpServers": {"other": {"command": "x"}, "parley": { "type": "http", "url": "http://127.0.0.1:9/mcp", "headers": { "Authorization": "Bearer parley_made-up" }, "timeout": 660000 }}, "projects": {"/x": {}}}',
    },
  },
];
