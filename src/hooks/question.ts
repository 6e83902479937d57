// A client's tool use as the question that a person gets: title, action, risk, and a key by which it is found again.

import { actionOf, type ToolUse, titleOf } from "../gates/tool-use.ts";
import { newId, sha256 } from "../ids.ts";

export interface Question {
  title: string;
  details?: string;
  action: Record<string, unknown>;
  risk: "medium" | "high";
  key: string;
}

export function questionOf(asks: ToolUse, key: string | null): Question {
  const loosens = touchesGates(asks);
  return {
    title: titleOf(asks),
    action: actionOf(asks),
    risk: loosens ? "high" : "medium",
    key: keyFor(key),
    ...(loosens && {
      details: "This touches the settings that make this agent ask. After it, it may no longer ask.",
    }),
  };
}

/** A key as the contract wants it: one line of at most 128 characters. */
export function keyFor(key: string | null): string {
  if (key === null) return `hook:${newId()}`;
  return /^[\x20-\x7e]{1,128}$/.test(key) ? key : `hook:${sha256(key)}`;
}

const settings =
  /\.claude[\\/]+settings|\.claude\.json|\.codex[\\/]+(?:config\.toml|hooks\.json)|\.gemini[\\/]+settings|\.cursor[\\/]+(?:hooks|mcp)\.json|opencode[\\/]+(?:plugins?[\\/]|opencode\.json)|disableAllHooks/i;

/** Whether it names the files in which clients keep their hooks. */
const touchesGates = ({ input }: ToolUse): boolean => settings.test(JSON.stringify(input));
