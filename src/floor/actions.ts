// Everything that can be asked of a floor.
import type { AnyAction } from "../action.ts";
import { holdActions } from "./hold.ts";
import { operatorActions } from "./operate.ts";
import { pastActions } from "./past.ts";
import { seatActions } from "./seats.ts";

export const floorActions: AnyAction[] = [...seatActions, ...holdActions, ...operatorActions, ...pastActions];
