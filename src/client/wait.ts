// Asking for an approval and waiting for it by short requests, through restarts of the server. It ends with a gate
// that is final, or with the reason why none is known: what is not known is never a yes.
import type { Clock } from "../clock.ts";
import { isObject, type Json, type Refused, type Server } from "./server.ts";

export type Gate = Json & { id: string; status: string };

export type Outcome =
  | { gate: Gate }
  | { refused: Refused }
  | { unreachable: string }
  /** The caller gave up first; the gate was withdrawn, if it could be. */
  | { left: true };

export interface Wanted {
  title: string;
  details?: string;
  action: Json;
  risk?: string;
  /** Found again by it, so that a repeated request is never a second card; without one by what it asks. */
  key?: string;
  timeout_seconds: number;
  room?: string;
}

export interface Limits {
  /** How long a server that never answered is tried, ms. */
  knock: number;
  /** How long a server that has answered before may be away, ms. */
  patience: number;
  signal: AbortSignal;
  /** Why it is withdrawn when the caller gives up. */
  leaving: string;
}

/** Seconds that one request holds at most. */
const hold = 25;
/** The row is settled by the server's clock; then the last answer needs a moment. */
const grace = 10_000;

export async function ask(server: Server, clock: Clock, wanted: Wanted, limits: Limits): Promise<Outcome> {
  const end = clock.elapsed() + wanted.timeout_seconds * 1000 + grace;
  let heard = clock.elapsed();
  let patience = limits.knock;
  let gate: Gate | null = null;
  let rest = 250;
  for (;;) {
    if (limits.signal.aborted) return leave(server, gate, limits.leaving);
    // The first request does not wait, so that the gate's id is known whatever happens next.
    const seconds = gate ? Math.max(1, Math.min(hold, Math.ceil((end - clock.elapsed()) / 1000))) : 0;
    const said: Awaited<ReturnType<Server["call"]>> = gate
      ? await server.call(
          "wait_for_gate",
          { gate_id: gate.id, wait_seconds: seconds },
          { seconds, signal: limits.signal },
        )
      : await server.call("request_approval", { ...wanted, wait_seconds: 0 });
    if ("result" in said) {
      const found = gateIn(said.result, gate);
      if (!found) return { unreachable: `${server.url} answered without the gate` };
      gate = found;
      if (gate.status !== "pending") return { gate };
      heard = clock.elapsed();
      patience = limits.patience;
      rest = 250;
    }
    const refused = "refused" in said ? said.refused : null;
    if (refused && !passes(refused)) return { refused };
    const problem = refused ? refused.message : "unreachable" in said ? said.unreachable : null;
    const now = clock.elapsed();
    if (now >= end || now - heard > patience)
      return { unreachable: problem ?? `${server.url} has not settled the gate in time` };
    if (problem !== null && !limits.signal.aborted) {
      await pause(clock, refused?.after ? refused.after * 1000 : rest, limits.signal);
      rest = Math.min(rest * 2, 3000);
    }
  }
}

/** Refusals that another try may not meet. */
const passes = ({ status }: Refused): boolean => status === 429 || status >= 500;

/** The gate of a result; null where it is none, or another. */
function gateIn({ gate }: Json, was: Gate | null): Gate | null {
  if (!isObject(gate) || typeof gate.id !== "string" || typeof gate.status !== "string") return null;
  return was && was.id !== gate.id ? null : (gate as Gate);
}

async function leave(server: Server, gate: Gate | null, reason: string): Promise<Outcome> {
  if (gate) await server.call("withdraw_gate", { gate_id: gate.id, reason }, { signal: AbortSignal.timeout(3000) });
  return { left: true };
}

/** Rests for `ms`, or until the signal. */
function pause(clock: Clock, ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const done = () => {
      cancel();
      signal.removeEventListener("abort", done);
      resolve();
    };
    const cancel = clock.after(ms, done);
    signal.addEventListener("abort", done, { once: true });
  });
}
