// Why a settings file is left as it is. People read it: it names the file, the reason and what to do.

/** A file that cannot be read as what it should be, or cannot take what belongs there. */
export class SettingsProblem extends Error {
  readonly file: string;
  readonly why: string;
  readonly todo: string;

  /**
   * @param why a clause about the file, as in "it is not JSON"
   * @param todo what the reader can do, as a command without a full stop
   */
  constructor(file: string, why: string, todo: string) {
    super(`${file} was left as it is: ${why}. ${todo.charAt(0).toUpperCase()}${todo.slice(1)}, then run this again.`);
    this.file = file;
    this.why = why;
    this.todo = todo;
  }
}

/** What is wrong with the text of a file, before anybody says which file it is. */
export class Unusable extends Error {
  readonly todo: string;

  constructor(why: string, todo: string) {
    super(why);
    this.todo = todo;
  }
}

/** Runs it; what it finds unusable becomes a problem of this file. */
export function inFile<T>(file: string, look: () => T): T {
  try {
    return look();
  } catch (error) {
    if (error instanceof Unusable) throw new SettingsProblem(file, error.message, error.todo);
    throw error;
  }
}
