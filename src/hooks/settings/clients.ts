// The clients that `parley connect` sets up, in their users' own files. Never a project's: those are shared, and an
// agent may write them.
import { claude } from "./claude.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";
import type { ClientSettings } from "./setup.ts";
import { vscode } from "./vscode.ts";

export const clientSettings: ReadonlyMap<string, ClientSettings> = new Map([
  ["claude", claude],
  ["codex", codex],
  ["gemini", gemini],
  ["opencode", opencode],
  ["cursor", cursor],
  ["vscode", vscode],
]);
