// parley seed: a backup first, then the demo rooms.
import { existsSync } from "node:fs";
import { seed } from "../../seed.ts";
import { readConfig } from "../config.ts";
import { keyFileOf, keyIn } from "../receipts/keys.ts";
import { isPostgres, openStore } from "../store/open.ts";
import { backupName } from "./backup.ts";
import { openLog, reportTo } from "./log.ts";
import { out } from "./print.ts";

export async function seedStore(now: number): Promise<void> {
  const config = readConfig(process.env);
  const inFile = !isPostgres(config.store) && config.store !== ":memory:";
  const stood = inFile && existsSync(config.store);
  const key = await keyIn(keyFileOf(config.store));
  const store = await openStore(config.store);
  try {
    if (stood) {
      const file = backupName(config.store, now);
      await store.backup(file);
      out(`Backed up to ${file}`);
    } else if (!inFile) out("PostgreSQL: back it up with pg_dump; only the demo rooms are replaced.");
    const made = await seed(store, { ...config, sign: key.sign }, reportTo(openLog(config)), now);
    out(`Filled the demo rooms billing and mobile: ${made.members} members, ${made.gates} gates, ${made.tasks} tasks.`);
    out("Start the server with npm start, and sign in with npm run -s parley -- link");
  } finally {
    await store.close();
  }
}
