// Calls in flight, so that a cancel that comes as a message of its own reaches the call it means, and no other.
import type { RequestId } from "@modelcontextprotocol/sdk/types.js";

interface Flight {
  readonly signal: AbortSignal;
  /** The caller has gone or cancelled: what waits is woken. */
  abort(): void;
  /** Answered; the id may be used again. */
  over(): void;
}

export interface Calls {
  /** @param line whose ids these are: a credential and session, or one connection */
  begin(line: string, id: RequestId): Flight;
  /** Without a such call nothing happens: clients also cancel what has been answered. */
  cancel(line: string, id: unknown): void;
  abortAll(): void;
}

export function openCalls(): Calls {
  const flying = new Map<string, AbortController>();
  // As JSON `1` and `"1"` are two ids, and 0 is one.
  const keyOf = (line: string, id: unknown) => JSON.stringify([line, id]);
  return {
    begin(line, id) {
      const key = keyOf(line, id);
      const controller = new AbortController();
      flying.set(key, controller);
      return {
        signal: controller.signal,
        abort: () => controller.abort(),
        over() {
          if (flying.get(key) === controller) flying.delete(key);
        },
      };
    },
    cancel: (line, id) => flying.get(keyOf(line, id))?.abort(),
    abortAll() {
      for (const controller of flying.values()) controller.abort();
    },
  };
}
