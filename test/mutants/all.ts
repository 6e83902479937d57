// Every fault that is planted, and what a planted fault is.
import { boardMutants } from "./board.ts";
import { clientMutants } from "./clients.ts";
import { edgesMutants } from "./edges.ts";
import { floorMutants } from "./floor.ts";
import { gatesMutants } from "./gates.ts";
import { hooksMutants } from "./hooks.ts";
import { membersMutants } from "./members.ts";
import { storeMutants } from "./store.ts";
import { timeMutants } from "./time.ts";

export interface Mutant {
  /** What is then wrong, begun with the rule that it breaks. */
  fault: string;
  file: string;
  /** Stands there exactly once, and is replaced. */
  old: string;
  planted: string;
  /** The file of tests that finds it. */
  tests: string;
  /** Of its tests those under this title. */
  only?: string;
}

export const allMutants: readonly Mutant[] = [
  ...boardMutants,
  ...storeMutants,
  ...timeMutants,
  ...edgesMutants,
  ...floorMutants,
  ...gatesMutants,
  ...clientMutants,
  ...hooksMutants,
  ...membersMutants,
];
