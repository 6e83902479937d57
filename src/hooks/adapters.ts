// The clients whose hooks can be answered.
import type { Adapter } from "./adapter.ts";
import { claudeCode } from "./claude-code.ts";
import { codex } from "./codex.ts";
import { cursor } from "./cursor.ts";
import { gemini } from "./gemini.ts";
import { opencode } from "./opencode.ts";

export const adapters: ReadonlyMap<string, Adapter> = new Map([
  ["claude-code", claudeCode],
  ["codex", codex],
  ["gemini", gemini],
  ["cursor", cursor],
  ["opencode", opencode],
]);
