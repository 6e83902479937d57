// The first of two approvals counts only while its giver still decides in the room (G9): a kick, another role, leaving
// and removal end it.
import type { WriteCall } from "../action.ts";
import { memberRow } from "../members/rows.ts";
import * as persons from "./people-rows.ts";
import * as rows from "./rows.ts";
import { type Gate, withoutApprovals } from "./rules.ts";

/** The gate with those approvals alone whose givers decide in its room now. */
export async function countingHalves(call: Pick<WriteCall, "db">, gate: Gate): Promise<Gate> {
  if (gate.status !== "pending") return gate;
  const gone = new Set<string>();
  for (const { by } of gate.approvals) if (!(await persons.isDecider(call.db, gate.room, by))) gone.add(by);
  return withoutApprovals(gate, gone);
}

/** A member leaves the room or decides there no more. An owner decides in every room, in it or not. */
export async function dropHalvesOf(call: WriteCall, member: string): Promise<void> {
  if ((await memberRow(call.db, member))?.server_role === "owner") return;
  for (const gate of await rows.needingTwo(call.db, call.room)) {
    const left = withoutApprovals(gate, new Set([member]));
    if (left === gate) continue;
    await rows.put(call.db, left);
    call.fact({ action: "gate.approval_dropped", subject: `gate:${gate.id}`, data: { by: member } });
  }
}
