// The pieces that the board's arguments and results share (limits: B10).
import { z } from "zod";
import { count, line, prose, text } from "../words.ts";
import { priorities } from "./task.ts";

export const taskId = count(1, 2 ** 31);
export const note = text(4000).optional();
export const fields = {
  title: line(200),
  description: prose(8000).optional().describe("Markdown"),
  skills: z.array(line(100)).max(10).optional().describe("all of them needed to claim it"),
  priority: z.enum(priorities).optional(),
  depends_on: z.array(taskId).max(100).optional().describe("tasks to be done first"),
  refs: z.array(line(300)).max(20).optional().describe("files, links, commits"),
};
export const member = line(64);

const record = z.looseObject({});
export const taskOutput = { task: record.nullable().optional() };
/** With whether the members that the call names are there: `[{member, state, last_seen}]`. */
export const namingOutput = { ...taskOutput, reachability: z.array(z.looseObject({})).optional() };
export const records = z.array(record).optional();

/** The result holds a task, with the words of who made it. */
export const quotesTask = ({ task }: Record<string, unknown>): boolean => task !== null && task !== undefined;
