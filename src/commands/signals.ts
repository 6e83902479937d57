// Signals that end a command that waits: it may still put things in order.

export const endings = ["SIGINT", "SIGTERM", "SIGHUP"] as const satisfies NodeJS.Signals[];

/** @returns a signal that is aborted by the first of them (its reason says which), and how to stop listening */
export function onSignals(): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController();
  const abort = (name: NodeJS.Signals) => controller.abort(name);
  for (const name of endings) process.on(name, abort);
  return {
    signal: controller.signal,
    stop() {
      for (const name of endings) process.off(name, abort);
    },
  };
}
