// Where a store says what went wrong without any call failing of it.

export interface Warnings {
  warn(facts: object, message: string): void;
}

export const silent: Warnings = { warn() {} };
