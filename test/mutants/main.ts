// npm run mutants: plants one fault after the other in a copy of the tree, and fails when the tests do not find it.
import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../src/package.ts";
import { allMutants, type Mutant } from "./all.ts";

type Suite = Pick<Mutant, "tests" | "only">;

/** A copy of the tree that tests can be run in, with nothing started beside them. */
function copyOfTree(): string {
  const folder = mkdtempSync(join(tmpdir(), "parley-mutants-"));
  for (const part of ["src", "public", "plugins", "docs", "test", "seed.ts", "package.json", "tsconfig.json"])
    cpSync(join(root, part), join(folder, part), { recursive: true });
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
  const config = 'export default { test: { include: ["test/**/*.test.ts"], testTimeout: 60_000, maxWorkers: 1 } };\n';
  writeFileSync(join(folder, "vitest.config.ts"), config);
  return folder;
}

interface Outcome {
  passed: number;
  /** The title of the first test that failed; null when all passed. */
  failed: string | null;
}

interface Reported {
  numPassedTests: number;
  testResults: Array<{ message: string; assertionResults: Array<{ status: string; title: string }> }>;
}

async function run(folder: string, { tests, only }: Suite): Promise<Outcome> {
  const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
  const words = [vitest, "run", tests, "--bail=1", "--reporter=json", ...(only ? ["-t", only] : [])];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
  let out = "";
  let err = "";
  child.stdout.on("data", (chunk) => {
    out += chunk;
  });
  child.stderr.on("data", (chunk) => {
    err += chunk;
  });
  await new Promise((resolve) => child.once("close", resolve));
  const json = out.slice(out.indexOf("{"));
  if (json === "") throw new Error(`${tests} could not be run: ${err}`);
  const { numPassedTests, testResults } = JSON.parse(json) as Reported;
  const failed = testResults.flatMap((file) => file.assertionResults).find(({ status }) => status === "failed");
  // A file that does not even load has found nothing.
  const broken = testResults.find(({ message }) => message !== "");
  if (!failed && broken) throw new Error(`${tests}: ${broken.message}`);
  return { passed: numPassedTests, failed: failed?.title ?? null };
}

/** Whether the fault was found, and by which test. */
async function plant(folder: string, mutant: Mutant): Promise<string | null> {
  const path = join(folder, mutant.file);
  const before = readFileSync(path, "utf8");
  if (before.split(mutant.old).length !== 2) throw new Error(`${mutant.file} has not exactly one: ${mutant.old}`);
  writeFileSync(
    path,
    before.replace(mutant.old, () => mutant.planted),
  );
  try {
    return (await run(folder, mutant)).failed;
  } finally {
    writeFileSync(path, before);
  }
}

const asked = process.argv.slice(2);
const mutants = allMutants.filter(({ fault }) => asked.length === 0 || asked.some((word) => fault.includes(word)));
const folders = [copyOfTree(), copyOfTree()];
const say = (line: string) => void process.stdout.write(`${line}\n`);
const wrong: string[] = [];

/** Does all of `work`, one at a time in each folder. */
async function share<T>(work: readonly T[], one: (folder: string, what: T) => Promise<void>): Promise<void> {
  const left = [...work];
  await Promise.all(
    folders.map(async (folder) => {
      for (let what = left.shift(); what !== undefined; what = left.shift())
        await one(folder, what).catch((error: Error) => {
          wrong.push(error.message);
          say(`could not be tried  ${error.message}`);
        });
    }),
  );
}

try {
  const suites = new Map(
    mutants.map(({ tests, only }): [string, Suite] => [`${tests} ${only}`, only ? { tests, only } : { tests }]),
  );
  // What fails by itself finds nothing.
  await share([...suites.values()], async (folder, suite) => {
    const { failed, passed } = await run(folder, suite);
    if (failed !== null || passed === 0) throw new Error(`${suite.tests} fails without any fault: ${failed}`);
  });
  if (wrong.length === 0)
    await share(mutants, async (folder, mutant) => {
      const began = performance.now();
      const by = await plant(folder, mutant);
      const seconds = ((performance.now() - began) / 1000).toFixed(1).padStart(5);
      if (by === null) wrong.push(mutant.fault);
      say(`${by === null ? "SURVIVED" : "found   "} ${seconds} s  ${mutant.fault}`);
      say(`                  ${by === null ? mutant.tests : `${mutant.tests}: ${by}`}`);
    });
  say(`\n${mutants.length} faults planted, ${wrong.length} not found`);
} finally {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
}
process.exitCode = wrong.length > 0 ? 1 : 0;
