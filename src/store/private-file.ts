// Files that only their owner can read. Modes are set where something is made, and never loosened afterwards.
import { closeSync, existsSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Makes `file` (0600) and the folders above it (0700) where they are missing. */
export function makePrivate(file: string): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  // SQLite gives -wal and -shm the mode of the file itself.
  if (!existsSync(file)) closeSync(openSync(file, "a", 0o600));
}
