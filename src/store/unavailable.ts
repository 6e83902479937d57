// The store cannot be used for the moment: another process holds it, or the database is out of reach. No bug and no
// fault of the call: the same call works later, and where it has a key it is not done twice.

export class StoreUnavailable extends Error {
  override readonly name = "StoreUnavailable";

  /** @param sentence the cause, and what the operator can do about it */
  constructor(sentence: string, cause: unknown) {
    super(sentence, { cause });
  }
}
