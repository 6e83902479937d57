// A task as its row holds it, and who acts on it.
import type { Selectable } from "kysely";
import type { Kind, Role } from "../members/rules.ts";
import type { BoardTables } from "../store/migrations/0003_board.ts";

export type Task = Selectable<BoardTables["tasks"]>;
export type Status = Task["status"];
export type Priority = Task["priority"];
export type Round = Task["rounds"][number];

export const statuses = ["open", "claimed", "submitted", "done", "cancelled"] as const satisfies readonly Status[];
export const priorities = ["low", "medium", "high"] as const satisfies readonly Priority[];

/** Somebody in the room as the board's rules see them. */
export interface Who {
  readonly name: string;
  readonly kind: Kind;
  readonly role: Role;
  readonly skills: readonly string[];
  readonly context_tokens: number | null;
}

export const isFinal = ({ status }: Pick<Task, "status">): boolean => status === "done" || status === "cancelled";

/** Its dependencies are done and its children finished. */
export const isReady = (task: Pick<Task, "open_children" | "open_dependencies">): boolean =>
  task.open_children === 0 && task.open_dependencies === 0;

/** Leads and people may step in everywhere. */
export const steers = ({ role }: Pick<Who, "role">): boolean => role === "lead" || role === "approver";

/** Who may hold a task at all. */
export const works = ({ role }: Pick<Who, "role">): boolean => steers({ role }) || role === "worker";

/** The task with what was said on the way. */
export const noted = (task: Task, on: "release" | "cancel", by: string, note: string | undefined, at: number): Task =>
  note === undefined ? task : { ...task, notes: [...task.notes, { by, at, on, note }] };
