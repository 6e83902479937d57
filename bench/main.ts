// npm run bench: what a call costs against a bare SDK server, how fast an answer wakes its agent, what a thousand waiting
// calls cost, and what gates and floors cost. Ratios of interleaved rounds in one run; the machine's noise is in all of them.
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openConfigured } from "../src/commands/store.ts";
import { readConfig } from "../src/config.ts";
import { localOperator } from "../src/members/caller.ts";
import type { Bench } from "./bench.ts";
import { blocked } from "./blocked.ts";
import { floor } from "./floor.ts";
import { gates } from "./gates.ts";
import { growth } from "./growth.ts";
import { hangUp } from "./load.ts";
import { throughput } from "./throughput.ts";
import { wake } from "./wake.ts";

const folder = mkdtempSync(join(tmpdir(), "parley-bench-"));
const asked = process.argv.slice(2);
const parts = { throughput, wake, blocked, gates, floor, growth };

try {
  for (const [name, measure] of Object.entries(parts)) {
    if (asked.length > 0 && !asked.includes(name)) continue;
    const where = join(folder, `${name}.db`);
    const table = await openConfigured(readConfig({ PARLEY_STORE: where, PARLEY_MAX_PENDING: "10000" }));
    const add: Bench["add"] = async (member, role = "worker") => {
      const person = role === "approver" || role === "owner";
      const args = { name: member, role, ...(person && { person }) };
      const { result } = await table.perform(localOperator, "add_member", args);
      return result.token as string;
    };
    for (const line of await measure({ table, where, add })) process.stdout.write(`${line}\n`);
    await table.close();
  }
} finally {
  hangUp();
  rmSync(folder, { recursive: true, force: true });
}
