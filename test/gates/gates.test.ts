import { expect, it } from "vitest";
import { eachStore } from "../setup/stores.ts";
import { play, settled } from "../table.ts";

type Gate = Record<string, unknown> & { id: string; status: string };
const gateOf = (result: Record<string, unknown>) => result.gate as Gate;

eachStore(({ make }) => {
  it("G1: a person's answer ends the wait of the agent that asked", async () => {
    const { store, remove } = await make();
    const p = play(store);
    const ada = await p.guest("ada");
    const zoe = await p.guest("zoe", { role: "approver" });
    const asked = ada.does("request_approval", { title: "Deploy", action: { command: "make deploy" } });
    let pending: Gate[] = [];
    while (pending.length === 0) {
      await settled();
      pending = (await zoe.does("list_gates", { status: "pending" })).gates as Gate[];
    }
    const [gate] = pending;
    expect(gate).toMatchObject({ title: "Deploy", asked_by: "ada", kind: "approval", risk: "medium" });
    await zoe.does("decide_gate", { gate_id: gate?.id, decision: "approve", note: "go" });
    expect(gateOf(await asked)).toMatchObject({ status: "approved", note: "go", decided_by: "zoe", from_person: true });
    const me = await ada.does("whoami");
    expect(me.inbox).toBeUndefined();
    await remove();
  });
});
