// A task without what is large in it, as the stream and long lists have it. get_task has the whole task.
import type { Result } from "../action.ts";
import { sizeOf, without } from "../size.ts";

/** Bytes of JSON up to which a task stands whole. */
const whole = 2048;

/** Long texts are left out, and of each round what was handed in; `left_out` names the fields. */
export function briefTask(task: Result): Result {
  if (sizeOf(task) <= whole) return task;
  const short = without(task, ["description", "result", "notes", "refs"], 512);
  const rounds = (task.rounds as Result[]).map(({ result: _, note: __, ...round }) => round);
  return { ...short, rounds, left_out: [...((short.left_out as string[]) ?? []), "rounds"] };
}
