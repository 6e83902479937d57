// All that can be asked of messages.
import type { AnyAction } from "../action.ts";
import { postMessage } from "./post.ts";
import { readActions } from "./read.ts";
import { tidyActions } from "./tidy.ts";

export const messageActions: AnyAction[] = [postMessage, ...readActions, ...tidyActions];
