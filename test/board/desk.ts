// A room with people at work, over any store: a lead, two workers, a reviewer and a person.
import { onTestFinished } from "vitest";
import type { Result } from "../../src/action.ts";
import type { Settings } from "../../src/table.ts";
import { inMemory } from "../setup/stores.ts";
import { type Guest, handClock, type Play, play } from "../table.ts";

export interface Desk extends Play {
  lead: Guest;
  ada: Guest;
  bob: Guest;
  rita: Guest;
  zoe: Guest;
  /** Makes a task as the lead, or as `by`; answers its record. */
  task(fields?: Record<string, unknown>, by?: Guest): Promise<Task>;
  get(id: number): Promise<Task>;
  /** The actions of a task's history, oldest first. */
  history(id: number): Promise<string[]>;
}

export type Task = Result & { id: number; status: string; assignee: string | null };

export const taskOf = (result: Result): Task => result.task as Task;

export async function desk(
  maker: Pick<typeof inMemory, "make"> = inMemory,
  own: Partial<Settings> = {},
): Promise<Desk> {
  const { store, remove } = await maker.make();
  onTestFinished(remove);
  const p = play(store, handClock(), own);
  const lead = await p.guest("lena", { role: "lead" });
  return {
    ...p,
    lead,
    ada: await p.guest("ada"),
    bob: await p.guest("bob"),
    rita: await p.guest("rita", { role: "reviewer" }),
    zoe: await p.guest("zoe", { role: "approver" }),
    task: async (fields = {}, by = lead) => taskOf(await by.does("create_task", { title: "Something", ...fields })),
    get: async (id) => taskOf(await lead.does("get_task", { task_id: id })),
    async history(id) {
      const { history } = await lead.does("get_task", { task_id: id });
      return (history as Array<{ action: string }>).map(({ action }) => action);
    },
  };
}

/** Takes a task through claim and submission. */
export async function handIn(who: Guest, id: number, result = "done"): Promise<Task> {
  await who.does("claim_task", { task_id: id });
  return taskOf(await who.does("submit_result", { task_id: id, result }));
}
