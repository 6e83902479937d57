// Faults planted in the board, one at a time, and the file of tests that has to find each.
import type { Mutant } from "./all.ts";

const board = (name: string, tests: string) => (fault: string, old: string, planted: string) => ({
  ...{ fault, file: `src/board/${name}.ts`, old, planted, tests: `test/${tests}.test.ts` },
});

export const boardMutants: Mutant[] = [
  {
    ...board("rows", "store/growth")(
      "W1: the dashboard gets every open task",
      '    .orderBy("id", "desc")\n    .limit(limit)\n    .execute();\n\n/** Of the open',
      '    .orderBy("id", "desc")\n    .execute();\n\n/** Of the open',
    ),
  },
  board("rows", "store/plans")(
    "W1: dependencies are sorted by the database",
    '    .where("d.task_id", "in", [...ids])\n    .execute();',
    '    .where("d.task_id", "in", [...ids])\n    .orderBy("t.id")\n    .execute();',
  ),
  board("search", "store/windows")(
    "W5: a search does not say where it goes on",
    "return { tasks, ...(until !== null && { goesOn: until }) };",
    "return { tasks };",
  ),
  {
    ...board("search", "board/search")(
      "W4: what only has the same threes of characters is found",
      "page.filter((task) => contains(task, wanted.text))",
      "page.filter(() => true)",
    ),
    only: "SQLite in memory",
  },
  {
    ...board("steer", "board/search")(
      "W4: a changed title is not found",
      "if (task.title !== was.title ||",
      "if (task.title === was.title &&",
    ),
    only: "SQLite in memory",
  },
];
