// Looks at the statements of a write transaction to know whether they changed anything but presence,
// and lends it one savepoint.
import {
  ColumnNode,
  CompiledQuery,
  type KyselyPlugin,
  type RootOperationNode,
  TableNode,
  type Transaction,
  type UpdateQueryNode,
} from "kysely";
import type { WriteTx } from "./port.ts";
import type { Tables } from "./tables.ts";

/** Columns that only say who is there. An update of nothing else leaves no fact and wakes nobody. */
const presence: Readonly<Record<string, readonly string[]>> = {
  members: ["seen_at", "waits_until", "status", "note"],
  sessions: ["seen_at"],
  tokens: ["used_at"],
  gates: ["waits_until", "client_until", "written_at", "written_to", "passed_on_at"],
  // A sign of life renews a lease.
  tasks: ["lease_until"],
  // A member's own view of what it got.
  inbox: ["read_at", "archived_at", "removed_at"],
  floors: ["clock_time", "clock_wall", "due"],
  floor_standings: ["lapses_by", "missed", "read", "told", "news"],
  // How the telling goes is the sender's own affair.
  channels: ["last_at", "last_status", "last_error", "accepted_at"],
  notices: ["told_at", "maybe", "remind_at", "due", "attempts", "trying_since", "lease", "leased_until"],
};

function onlyPresence({ table, updates }: UpdateQueryNode): boolean {
  if (!table || !TableNode.is(table)) return false;
  const columns = presence[table.table.identifier.name];
  if (!columns || !updates) return false;
  return updates.every(({ column }) => ColumnNode.is(column) && columns.includes(column.column.name));
}

function changes(node: RootOperationNode): boolean {
  switch (node.kind) {
    case "SelectQueryNode":
      return false;
    case "UpdateQueryNode":
      return !onlyPresence(node);
    case "RawNode":
      return /^\s*(insert|update|delete|merge|replace)\b/i.test(node.sqlFragments[0] ?? "");
    default:
      return true;
  }
}

interface Watched {
  tx: WriteTx;
  /** True when anything but presence will be committed. */
  changed(): boolean;
}

/** @param lock takes a second room's lock in `transaction` */
export function watched(transaction: Transaction<Tables>, lock: WriteTx["lock"]): Watched {
  let wrote = false;
  let kept = false;
  let saved = false;
  const look: KyselyPlugin = {
    transformQuery({ node }) {
      wrote ||= changes(node);
      return node;
    },
    transformResult: async ({ result }) => result,
  };
  const say = (words: string) => transaction.executeQuery(CompiledQuery.raw(words));
  return {
    tx: {
      db: transaction.withPlugin(look),
      wrote: () => wrote,
      async savepoint() {
        if (saved) await say("release savepoint so_far");
        await say("savepoint so_far");
        saved = true;
        kept ||= wrote;
        wrote = false;
      },
      async rollback() {
        if (!saved) throw new Error("There is no savepoint to roll back to: this is a bug in Parley.");
        await say("rollback to savepoint so_far");
        wrote = false;
      },
      lock,
    },
    changed: () => kept || wrote,
  };
}
