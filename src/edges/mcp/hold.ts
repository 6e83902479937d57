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

const waiting = "waiting";

/** The notification that progress is, for a token that may be anything; null where none was given. */
export function progressOf({ params }: JSONRPCRequest): ((step: number, message: string) => object) | null {
  const progressToken = params?._meta?.progressToken;
  if (progressToken === undefined) return null;
  return (progress, message) => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken, progress, message },
  });
}

/**
 * Says `progress` at once and every 10 s, strictly rising, and `breathe` every 15 s; returns how to end it.
 * @param meanwhile what who waits should know by now, if anything
 */
export function signsOfLife(
  clock: Clock,
  progress: (step: number, message: string) => void,
  breathe: () => void,
  meanwhile: () => Promise<string | null>,
): () => void {
  const every = (ms: number, then: () => void) => {
    let stop = clock.after(ms, function again() {
      stop = clock.after(ms, again);
      then();
    });
    return () => stop();
  };
  let step = 1;
  let over = false;
  let telling = Promise.resolve();
  const tell = async () => {
    const word = await meanwhile().catch(() => null);
    if (!over) progress(++step, word ?? waiting);
  };
  progress(step, waiting);
  const beat = () => {
    telling = telling.then(tell);
  };
  const ends = [every(10_000, beat), every(15_000, breathe)];
  return () => {
    over = true;
    for (const end of ends) end();
  };
}
