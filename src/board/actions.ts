// All that can be asked of the board.
import type { AnyAction } from "../action.ts";
import { createTask } from "./create.ts";
import { findActions } from "./find.ts";
import { steerActions } from "./steer.ts";
import { type BoardSettings, workActions } from "./work.ts";

export const boardActions = (settings: BoardSettings): AnyAction[] => [
  createTask,
  ...findActions,
  ...workActions(settings),
  ...steerActions,
];
