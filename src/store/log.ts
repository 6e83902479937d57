// Where a store says what went wrong without anybody's call failing of it.

export interface StoreLog {
  warn(facts: object, message: string): void;
}

export const silent: StoreLog = { warn() {} };
