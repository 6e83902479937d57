// npm run soak [NAME…] [--seed N] [--kills N] [--times N] [--minutes N]: the tests that take minutes, each in
// test/soak/NAME.soak.ts. What is given as `--seed 5` they find as PARLEY_SEED=5. Without a name all of them run.
import { parseArgs } from "node:util";
import { startVitest } from "vitest/node";

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    seed: { type: "string" },
    kills: { type: "string" },
    times: { type: "string" },
    minutes: { type: "string" },
    only: { type: "string", short: "t" },
  },
});
for (const [name, value] of Object.entries(values)) process.env[`PARLEY_${name.toUpperCase()}`] = value;

const hour = 3_600_000;
const soak = await startVitest("test", positionals, {
  config: false,
  watch: false,
  include: positionals.length > 0 ? positionals.map((name) => `test/soak/${name}.soak.ts`) : ["test/soak/*.soak.ts"],
  globalSetup: ["test/setup/postgres.ts"],
  testTimeout: hour,
  hookTimeout: hour,
  // One after the other: each is a load of its own.
  fileParallelism: false,
  ...(values.only !== undefined && { testNamePattern: values.only }),
});
await soak.close();
