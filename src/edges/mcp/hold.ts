// How long a call may hold its client, by what each client was seen to bear (docs/clients.md), and its signs of life.
import type { JSONRPCRequest } from "@modelcontextprotocol/sdk/types.js";
import type { AnyAction } from "../../action.ts";
import type { Clock } from "../../clock.ts";
import { usualHold } from "../../perform.ts";

const borne: ReadonlyArray<readonly [client: string, seconds: number]> = [
  // Past 120 s it goes on working meanwhile, and the answer no longer gates.
  ["claude-code", 100],
  ["codex", 240],
  ["gemini", 240],
  ["opencode", 240],
];

/** `permission_prompt` cannot come back pending. */
const bareHold = 600;

/**
 * The seconds that a call may hold with signs of life, or null where a silent hold will do.
 * @param client its name, as `claude-code` or `codex-mcp-client`; "" unknown
 */
export function longHold(
  actions: ReadonlyMap<string, AnyAction>,
  { method, params }: JSONRPCRequest,
  client: string,
): number | null {
  if (method !== "tools/call") return null;
  const action = actions.get(params?.name as string);
  if (!action || !("wait" in action)) return null;
  if (action.bare) return bareHold;
  const asked = (params?.arguments as Record<string, unknown> | undefined)?.wait_seconds;
  const longest = borne.find(([name]) => client.startsWith(name))?.[1] ?? usualHold;
  return typeof asked === "number" && asked > usualHold && longest > usualHold ? longest : null;
}

/** The notification that progress is, for a token that may be anything; null where none was given. */
export function progressOf({ params }: JSONRPCRequest): ((step: number) => object) | null {
  const progressToken = params?._meta?.progressToken;
  if (progressToken === undefined) return null;
  return (progress) => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken, progress, message: "waiting" },
  });
}

/** Says `progress` at once and every 10 s, strictly rising, and `breathe` every 15 s; returns how to end it. */
export function signsOfLife(clock: Clock, progress: (step: number) => void, breathe: () => void): () => void {
  const every = (ms: number, then: () => void) => {
    let stop = clock.after(ms, function again() {
      stop = clock.after(ms, again);
      then();
    });
    return () => stop();
  };
  let step = 1;
  progress(step);
  const ends = [every(10_000, () => progress(++step)), every(15_000, breathe)];
  return () => {
    for (const end of ends) end();
  };
}
