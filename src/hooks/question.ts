// A client's tool use as the question that a person gets: title, action, risk, and a key by which it is found again.

import { namesGateSettings } from "../gates/own-settings.ts";
import { actionOf, type ToolUse, titleOf } from "../gates/tool-use.ts";
import { newId } from "../ids.ts";
import type { Key } from "./adapter.ts";

export interface Question {
  title: string;
  details?: string;
  action: Record<string, unknown>;
  risk: "medium" | "high";
  /** Without one it is found again by what it asks. */
  key?: string;
}

/** @param cautions what a person has to know before they say yes: it makes the risk high */
export function questionOf(asks: ToolUse, key: Key, cautions?: string): Question {
  const warnings = [
    ...(namesGateSettings(asks.input)
      ? ["This touches the settings that make this agent ask. After it, it may no longer ask."]
      : []),
    ...(cautions === undefined ? [] : [cautions]),
  ];
  return {
    title: titleOf(asks),
    action: actionOf(asks),
    risk: warnings.length > 0 ? "high" : "medium",
    ...(key !== "alike" && { key: key === "own" ? `hook:${newId()}` : key.is }),
    ...(warnings.length > 0 && { details: warnings.join("\n\n") }),
  };
}
