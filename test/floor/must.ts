// What is asked thousands of times a second: a plain question, where `expect` would take most of the time.

export function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}
