// The floor at length: everything that chance plays in `npm test`, --times as often, and a client that waits for its
// turns for --minutes.
import { it } from "vitest";
import { patience } from "../floor/patience.ts";

process.env.PARLEY_TIMES ??= "20";
await import("../floor/model.test.ts");
await import("../floor/walk-spine.test.ts");
await import("../floor/several.test.ts");
await import("../floor/talk.test.ts");

it("R17: a client with the SDK's own limit of 60 s for a request waits in a loop for its turns, and misses none", () =>
  patience({ seconds: Number(process.env.PARLEY_MINUTES ?? 10) * 60, holds: 70 }));
