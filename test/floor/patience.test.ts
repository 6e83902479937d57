import { it } from "vitest";
import { patience } from "./patience.ts";

it(
  "R17: a client whose requests run out after 5 s waits in a loop for its turns, and misses none",
  { timeout: 60_000 },
  () => patience({ seconds: 6, holds: 1.5, limit: 5, wait: 1 }),
);
