// What every measurement is handed: a fresh store in a file, opened here, and how to add a member to it.
import type { Table } from "../src/table.ts";

export interface Bench {
  table: Table;
  where: string;
  /** Adds a member and answers its token. */
  add: (name: string, role?: string) => Promise<string>;
}
