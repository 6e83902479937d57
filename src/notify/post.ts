// One request to a receiver: 10 s at most, no redirects followed, nothing of its answer but the status is read.
import type { Clock } from "../clock.ts";
import type { Parcel } from "./parcel.ts";

/** No status: nothing answered, and it is not known whether it arrived. */
export interface Posted {
  accepted: boolean;
  status: number | null;
  error: string | null;
}

const patience = 10_000;

export async function post(parcel: Parcel, clock: Clock, signal?: AbortSignal): Promise<Posted> {
  const slow = new AbortController();
  const untimer = clock.after(patience, () => slow.abort());
  try {
    const response = await fetch(parcel.url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "parley", ...parcel.headers },
      body: parcel.body,
      redirect: "manual",
      signal: signal ? AbortSignal.any([slow.signal, signal]) : slow.signal,
    });
    await response.body?.cancel();
    return answered(response.status);
  } catch (error) {
    const why = slow.signal.aborted ? "nothing answered within 10 s" : `it could not be reached${reason(error)}`;
    return { accepted: false, status: null, error: why };
  } finally {
    untimer();
  }
}

function answered(status: number): Posted {
  if (status >= 200 && status < 300) return { accepted: true, status, error: null };
  const redirects = status >= 300 && status < 400;
  return {
    accepted: false,
    status,
    error: redirects ? "it redirects, which is not followed" : `it answered ${status}`,
  };
}

function reason(error: unknown): string {
  const cause = error instanceof Error ? (error.cause as { code?: unknown } | undefined) : undefined;
  return typeof cause?.code === "string" ? ` (${cause.code})` : "";
}
