// The receipt of an approval, made in the transaction that approves.
import type { WriteCall } from "../action.ts";
import { iso } from "../clock.ts";
import { receiptLife, type Sign, type Statement } from "../receipts/receipt.ts";
import { Refusal } from "../refusal.ts";
import type { Db } from "../store/port.ts";
import * as rows from "./rows.ts";
import type { Gate } from "./rules.ts";

/** The gate with its receipt, where it is an approval of an action. */
export async function withReceipt(gate: Gate, sign: Sign): Promise<Gate> {
  if (gate.status !== "approved" || gate.digest === null || gate.decided_at === null) return gate;
  const receipt = await sign({
    gate: gate.id,
    room: gate.room,
    decision: "approved",
    digest: gate.digest,
    asked_by: gate.asked_by,
    ...(gate.by_rule !== null && { rule: gate.by_rule }),
    by: gate.by_rule !== null && gate.decided_by !== null ? [gate.decided_by] : gate.approvals.map(({ by }) => by),
    at: iso(gate.decided_at),
    exp: Math.floor(gate.decided_at / 1000) + receiptLife,
    single_use: gate.single_use,
  });
  return { ...gate, receipt };
}

/** Why a receipt no longer counts, though it was signed: its gate does not stand behind it. Null where it does. */
export async function doubt(db: Db, statement: Statement): Promise<string | null> {
  const gate = await rows.find(db, statement.room, statement.gate);
  if (!gate) return "its gate does not stand in this store";
  if (gate.recalled) return "its approval was taken back";
  if (gate.status !== "approved") return `its gate is ${gate.status} now`;
  return gate.digest === statement.digest ? null : "its gate stands for another action";
}

/** Whether a receipt for one use was used up. */
export async function isUsed(db: Db, statement: Statement): Promise<boolean> {
  const gate = await rows.find(db, statement.room, statement.gate);
  return gate?.single_use === true && gate.consumed_at !== null;
}

/** Uses a receipt up, where it is for one use; false when it was used before. */
export async function consume(call: WriteCall, statement: Statement): Promise<boolean> {
  const why = await doubt(call.db, statement);
  const gate = await rows.find(call.db, call.room, statement.gate);
  if (why !== null || !gate)
    throw new Refusal("CONFLICT", `This receipt is not good: ${why}; ask again.`, { gate_id: statement.gate });
  if (!gate.single_use) return true;
  if (gate.consumed_at !== null) return false;
  await rows.put(call.db, { ...gate, consumed_at: call.now });
  call.fact({ action: "gate.consumed", subject: `gate:${gate.id}`, member: null });
  return true;
}
