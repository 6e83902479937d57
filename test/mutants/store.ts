// Faults planted in what the store keeps and forgets, one at a time, and the file of tests that has to find each.
import type { Mutant } from "./all.ts";

const inMemory = { only: "SQLite in memory" };

export const storeMutants: Mutant[] = [
  {
    ...{ fault: "W1: a task that changes its status is counted twice", file: "src/store/migrations/0010_growth.ts" },
    ...{ old: "n = n - 1 where", planted: "n = n - 0 where" },
    ...{ tests: "test/board/stores.test.ts", ...inMemory },
  },
  {
    ...{ fault: "W1: pending gates are found without their index", file: "src/store/migrations/0010_growth.ts" },
    ...{ old: '  gates_task: ["gates", ["room", "task_id", "id"], some("task_id")],\n', planted: "" },
    ...{ tests: "test/store/plans.test.ts" },
  },
  {
    ...{ fault: "W2: a key is kept for ever", file: "src/forget.ts" },
    ...{ old: '  await db.deleteFrom("keys")', planted: '  if (ended < 0) await db.deleteFrom("keys")' },
    ...{ tests: "test/spine/forget.test.ts", ...inMemory },
  },
  {
    ...{ fault: "W4: words of a deleted room stay", file: "src/store/migrations/0016_search.ts" },
    ...{ old: "      delete from task_search where room = old.room and id = old.id;\n    end`", planted: "    end`" },
    ...{ tests: "test/board/search.test.ts", ...inMemory },
  },
  {
    ...{ fault: "W2: what is not there is remembered", file: "src/same.ts" },
    ...{ old: "value === null && forget()", planted: "value === forget && forget()" },
    ...{ tests: "test/spine/same.test.ts" },
  },
];
