// The settings of Gemini CLI, opencode, Cursor and VS Code.
import { gates, type Kept } from "./shape.ts";

const remote = `"parley": {
      "type": "remote",
      "url": "http://127.0.0.1:9/mcp",
      "headers": {
        "Authorization": "Bearer parley_made-up"
      },
      "oauth": false,
      "enabled": true,
      "timeout": 300000
    }`;

export const others: Kept[] = [
  {
    shape: "a comment behind the last server, and a list that begins where its name stands",
    client: "gemini",
    options: gates,
    before: {
      ".gemini/settings.json":
        '{\n\t"mcpServers": {\n\t\t"a": { "command": "x" } // a is mine\n\t},\n\t"hooks": {\n\t\t"BeforeTool": [{\n\t\t\t"matcher": "x",\n\t\t\t"hooks": []\n\t\t}]\n\t}\n}\n',
    },
    after: {
      ".gemini/settings.json": `{
	"mcpServers": {
		"a": { "command": "x" }, // a is mine
		"parley": {
			"httpUrl": "http://127.0.0.1:9/mcp",
			"headers": {
				"Authorization": "Bearer parley_made-up"
			},
			"timeout": 600000,
			"trust": true
		}
	},
	"hooks": {
		"BeforeTool": [{
			"matcher": "x",
			"hooks": []
		}, {
			"matcher": "^(run_shell_command|write_file|replace|web_fetch|google_web_search|mcp_.+)$",
			"hooks": [
				{
					"name": "parley",
					"type": "command",
					"command": "@line@",
					"timeout": 600000,
					"env": {
						"PARLEY_URL": "http://127.0.0.1:9",
						"PARLEY_TOKEN": "parley_made-up"
					}
				}
			]
		}]
	}
}
`,
    },
  },
  {
    shape: "earlier hooks of Parley's, alone and beside somebody's, with comments around",
    client: "gemini",
    options: gates,
    before: {
      ".gemini/settings.json": `{
  "hooks": {
    "BeforeTool": [
      // first
      { "matcher": "a", "hooks": [{ "type": "command", "command": "@own@" }] },
      { "matcher": "b", "hooks": [
        { "type": "command", "command": "mine" }, // mine
        /* old */ { "type": "command", "command": "@own@" }
      ] }, // between
      { "matcher": "c", "hooks": [{ "type": "command", "command": "@own@" }] }
      // last
    ]
  },
  "mcpServers": { "parley": { "httpUrl": "http://elsewhere/mcp" } } // servers
}
`,
    },
    after: {
      ".gemini/settings.json": `{
  "hooks": {
    "BeforeTool": [
      // first
      {
        "matcher": "^(run_shell_command|write_file|replace|web_fetch|google_web_search|mcp_.+)$",
        "hooks": [
          {
            "name": "parley",
            "type": "command",
            "command": "@line@",
            "timeout": 600000,
            "env": {
              "PARLEY_URL": "http://127.0.0.1:9",
              "PARLEY_TOKEN": "parley_made-up"
            }
          }
        ]
      },
      { "matcher": "b", "hooks": [
        { "type": "command", "command": "mine" } // mine
        /* old */${" "}
      ] } // between
      // last
    ]
  },
  "mcpServers": { "parley": { "httpUrl": "http://127.0.0.1:9/mcp", "headers": { "Authorization": "Bearer parley_made-up" }, "timeout": 600000, "trust": true } } // servers
}
`,
    },
  },
  {
    shape: "comments everywhere, and trailing commas",
    client: "vscode",
    before: {
      ".config/Code/User/mcp.json": `{
  // at the top
  "servers": { "other": { "command": "x" } /* one */ }, // behind servers
  "inputs": [
    { "id": "other" }, // mine
    // { "id": "out" },
  ],
  // at the end
}`,
    },
    after: {
      ".config/Code/User/mcp.json": `{
  // at the top
  "servers": { "other": { "command": "x" }, /* one */ "parley": { "type": "http", "url": "http://127.0.0.1:9/mcp", "headers": { "Authorization": "Bearer \${input:parley-token}" } } }, // behind servers
  "inputs": [
    { "id": "other" }, // mine
    // { "id": "out" },
    {
      "id": "parley-token",
      "type": "promptString",
      "description": "Parley token",
      "password": true
    }
  ],
  // at the end
}`,
    },
  },
  {
    shape: "a comment behind the last server of a line",
    client: "opencode",
    before: { ".config/opencode/opencode.jsonc": '{"mcp":{"a":{"type":"local"} // mine\n}}' },
    after: {
      ".config/opencode/opencode.jsonc": `{"mcp":{"a":{"type":"local"}, // mine\n${remote.replaceAll("\n    ", "\n")}\n}}`,
    },
  },
  {
    shape: "an empty object on one line, with a comment before",
    client: "opencode",
    before: { ".config/opencode/opencode.jsonc": '{ /* mine */ "theme": "dark", "mcp": {} }' },
    after: {
      ".config/opencode/opencode.jsonc":
        '{ /* mine */ "theme": "dark", "mcp": { "parley": { "type": "remote", "url": "http://127.0.0.1:9/mcp", "headers": { "Authorization": "Bearer parley_made-up" }, "oauth": false, "enabled": true, "timeout": 300000 } } }',
    },
  },
  {
    shape: "an object that holds a comment alone",
    client: "opencode",
    before: { ".config/opencode/opencode.json": '{\n  "mcp": {\n    // none yet\n  }\n}\n' },
    after: { ".config/opencode/opencode.json": `{\n  "mcp": {\n    // none yet\n    ${remote}\n  }\n}\n` },
  },
  {
    shape: "hooks of somebody's for the same events",
    client: "cursor",
    options: gates,
    before: {
      ".cursor/hooks.json":
        '{\n  "version": 1,\n  "hooks": {\n    "beforeShellExecution": [{ "command": "./hooks/cursor-guard" }]\n  }\n}\n',
    },
    after: {
      ".cursor/hooks.json": `{
  "version": 1,
  "hooks": {
    "beforeShellExecution": [{ "command": "./hooks/cursor-guard" }, { "command": "@line@", "timeout": 600, "failClosed": true }],
    "preToolUse": [
      {
        "matcher": "^(?:Write|Edit|MultiEdit|StrReplace|ApplyPatch|EditNotebook|NotebookEdit|TabWrite|Delete|WebFetch|WebSearch)$",
        "command": "@line@",
        "timeout": 600,
        "failClosed": true
      }
    ],
    "beforeMCPExecution": [
      {
        "command": "@line@",
        "timeout": 600,
        "failClosed": true
      }
    ]
  }
}
`,
    },
  },
  {
    shape: "an input of somebody's",
    client: "vscode",
    before: {
      ".config/Code/User/mcp.json": '{\n  "servers": {},\n  "inputs": [{ "id": "other", "type": "promptString" }]\n}\n',
    },
    after: {
      ".config/Code/User/mcp.json": `{
  "servers": {
    "parley": {
      "type": "http",
      "url": "http://127.0.0.1:9/mcp",
      "headers": {
        "Authorization": "Bearer \${input:parley-token}"
      }
    }
  },
  "inputs": [{ "id": "other", "type": "promptString" }, { "id": "parley-token", "type": "promptString", "description": "Parley token", "password": true }]
}
`,
    },
  },
];
