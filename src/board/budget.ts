// How much work one request may make (B7), pure.
import { Refusal } from "../refusal.ts";
import type { Task } from "./task.ts";

const usualBudget = { tasks: 40, depth: 4 };
export const largestBudget = { tasks: 500, depth: 20 };
/** However many are cancelled unclaimed: so many times the budget are ever made. */
const everMade = 3;

export const budgetOf = (root: Task): { tasks: number; used: number; depth: number } => ({
  tasks: root.budget_tasks ?? usualBudget.tasks,
  used: root.made - root.given_back,
  depth: root.budget_depth ?? usualBudget.depth,
});

/** Refuses one more task at `depth` under `root` (the root's children are at 1). */
export function mayAdd(root: Task, depth: number): void {
  const budget = budgetOf(root);
  const deep = depth > budget.depth;
  if (!deep && budget.used < budget.tasks && root.made < budget.tasks * everMade) return;
  throw new Refusal(
    "BUDGET_SPENT",
    deep
      ? `Task ${root.id} may go ${budget.depth} levels deep and this would be level ${depth}. Do it yourself within your task, or stop and tell the person where it stands.`
      : `The ${budget.tasks} tasks that task ${root.id} may make are spent (${root.made} were ever made). Stop, and tell the person where it stands.`,
    { root_id: root.id, budget: { ...budget, made: root.made }, depth },
  );
}
