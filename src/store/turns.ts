// First come, first served: who enters waits until all who came before have left.

export interface Turns {
  enter(): Promise<void>;
  leave(): void;
  /** True when nobody is inside. */
  idle(): boolean;
}

export function takeTurns(): Turns {
  const waiting: Array<() => void> = [];
  let taken = false;
  return {
    async enter() {
      if (taken) await new Promise<void>((resolve) => waiting.push(resolve));
      taken = true;
    },
    leave() {
      const next = waiting.shift();
      // The turn passes on without becoming free in between, so nobody can slip in.
      if (next) next();
      else taken = false;
    },
    idle: () => !taken,
  };
}

/** Turns of their own for each key; a key costs nothing once it is idle. */
export function takeTurnsBy(): <T>(key: string, work: () => Promise<T>) => Promise<T> {
  const all = new Map<string, Turns>();
  return async (key, work) => {
    const turns = all.get(key) ?? takeTurns();
    all.set(key, turns);
    await turns.enter();
    try {
      return await work();
    } finally {
      turns.leave();
      if (turns.idle()) all.delete(key);
    }
  };
}
