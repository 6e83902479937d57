// Faults that no caller hears of, since nobody called: each is told to the operator, in the log.

/**
 * @param error what was thrown, if anything was
 * @param what a sentence that says what did not happen, and what follows from it
 */
export type Report = (error: unknown, what: string) => void;
